"""What every encoder promises, whichever it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.inference.embedding.encoder import Encoder, readable, unit
from tests.inference.texts import KOREAN, NOTES, ODD, QUESTIONS


def test_an_encoder_says_what_it_is(encoder: Encoder) -> None:
    assert isinstance(encoder, Encoder)
    assert encoder.name
    assert encoder.precision
    assert encoder.dimension > 0
    assert encoder.max_tokens >= 128
    assert encoder.languages <= {"en", "ko"}
    assert "en" in encoder.languages


def test_documents_become_one_unit_row_each(encoder: Encoder) -> None:
    vectors = encoder.encode_documents(NOTES)
    assert vectors.shape == (len(NOTES), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-4)


def test_a_query_becomes_one_read_only_unit_vector(encoder: Encoder) -> None:
    vector = encoder.encode_query(QUESTIONS[0])
    assert vector.shape == (encoder.dimension,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)
    assert not vector.flags.writeable


def test_no_texts_become_no_rows(encoder: Encoder) -> None:
    vectors = encoder.encode_documents([])
    assert vectors.shape == (0, encoder.dimension)
    assert vectors.dtype == np.float32


@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text[:12]))
def test_an_odd_text_has_a_unit_vector_too(encoder: Encoder, text: str) -> None:
    assert np.linalg.norm(encoder.encode_documents([text])) == pytest.approx(1, abs=1e-4)
    assert np.linalg.norm(encoder.encode_query(text)) == pytest.approx(1, abs=1e-4)
    assert encoder.count_tokens(text) >= 0


def test_the_same_texts_give_the_same_vectors(encoder: Encoder) -> None:
    assert np.array_equal(encoder.encode_documents(NOTES), encoder.encode_documents(NOTES))


def test_a_text_has_one_vector_whichever_batch_it_travels_in(encoder: Encoder) -> None:
    mixed = [*NOTES, *ODD]
    together = encoder.encode_documents(mixed)
    reversed_order = encoder.encode_documents(mixed[::-1])[::-1]
    alone = np.concatenate([encoder.encode_documents([text]) for text in mixed])
    assert ((together * reversed_order).sum(axis=1) >= 0.999).all()
    assert ((together * alone).sum(axis=1) >= 0.999).all()


def test_a_question_finds_the_note_it_is_about(encoder: Encoder) -> None:
    notes = NOTES[: len(QUESTIONS)]
    vectors = encoder.encode_documents(notes)
    best = [int(np.argmax(vectors @ encoder.encode_query(question))) for question in QUESTIONS]
    assert sum(found == wanted for wanted, found in enumerate(best)) >= len(QUESTIONS) - 2


def test_several_threads_get_what_one_thread_gets(encoder: Encoder) -> None:
    wanted_queries = np.stack([encoder.encode_documents([text])[0] for text in QUESTIONS])
    wanted_notes = encoder.encode_documents(NOTES)
    fresh = [f"{question} {number}" for number in range(6) for question in QUESTIONS]
    with ThreadPoolExecutor(6) as pool:
        notes = [pool.submit(encoder.encode_documents, NOTES) for _ in range(3)]
        crowd = [pool.submit(encoder.encode_query, question) for question in fresh]
        counts = [pool.submit(encoder.count_tokens, text) for text in NOTES]
        queries = list(pool.map(encoder.encode_query, QUESTIONS))
        for done in notes:
            assert ((done.result() * wanted_notes).sum(axis=1) >= 0.999).all()
        alone = [encoder.encode_documents([question])[0] for question in fresh[:12]]
        for done, vector in zip(crowd, alone, strict=False):
            assert done.result() @ vector >= 0.99
        assert all(done.result() > 0 for done in counts)
    assert ((np.stack(queries) * wanted_queries).sum(axis=1) >= 0.99).all()


def test_a_longer_text_has_more_tokens(encoder: Encoder) -> None:
    short, long = encoder.count_tokens(NOTES[0]), encoder.count_tokens(" ".join(NOTES[:5]))
    assert 5 <= short < long
    assert encoder.count_tokens("word " * 3000) > encoder.max_tokens


def test_what_lies_beyond_the_window_is_not_read(encoder: Encoder) -> None:
    window = "word " * 2 * encoder.max_tokens
    vectors = encoder.encode_documents([window + NOTES[0], window + NOTES[1]])
    assert vectors[0] @ vectors[1] >= 0.9999


def test_korean_texts_have_vectors_of_their_own(encoder: Encoder) -> None:
    if "ko" not in encoder.languages:
        pytest.skip("an English encoder is left out of Korean searches")
    cosines = encoder.encode_documents(KOREAN) @ encoder.encode_documents(KOREAN).T
    assert cosines[~np.eye(len(KOREAN), dtype=bool)].max() < 0.9


@given(st.text(st.characters()))
def test_a_readable_text_can_be_sent_and_whole_texts_stay_whole(text: str) -> None:
    assert readable(text).encode("utf-8").decode() == readable(text)
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        assert readable(text) == text


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    assert readable("a\ud800b") == "a\ufffdb"


def test_zero_rows_stay_zero_when_scaled() -> None:
    vectors = unit(np.array([[3, 4], [0, 0]], dtype=np.float32))
    assert vectors.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 0]]

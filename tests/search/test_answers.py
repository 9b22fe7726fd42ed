"""The sentence of the first hits that answers: which one is marked, and where none is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from memoryapp.domain.errors import EncodingFailed
from memoryapp.domain.results import Hit, Query
from memoryapp.inference.embedding import EncoderSlot
from memoryapp.inference.embedding.encoder import Vectors
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.inference.embedding.minilm import load_minilm
from memoryapp.search import answers, search
from memoryapp.search.answers import WEIGHTS, cosines_of, mark_answers, score
from memoryapp.spaces import Space
from tests.search.conftest import memory, write

TEXTS = (
    "Sandra teaches the violin at the music school. She lives in Leeds with two cats.",
    "Sandra's brother has a flat above the bakery. He seldom leaves it.",
    "The music school opens at nine.",
)
ASKED = "Where does Sandra live in Leeds?"


class Counting(HashingEncoder):
    """Keeps what it was asked to encode."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        self.read += texts
        return super().encode_documents(texts)


@pytest.fixture
def encoder(space: Space) -> Counting:
    """Of the space, from the moment on when the test has written."""
    answers.sentence_vectors.clear()
    return Counting()


def asked_of(space: Space, encoder: Counting, question: str, **options: bool) -> tuple[Hit, ...]:
    slot = EncoderSlot(encoder.name, lambda _: encoder)
    slot.fill()
    return search(replace(space, encoder=slot), Query(question, **options)).hits  # type: ignore[arg-type]


def marked(hit: Hit) -> str | None:
    return hit.memory.text[hit.answer.start : hit.answer.end] if hit.answer else None


def test_nothing_is_marked_unless_asked_for(space: Space, encoder: Counting) -> None:
    write(space, *map(memory, TEXTS))
    hits = asked_of(space, encoder, ASKED)
    assert hits and not any("two cats" in text for text in encoder.read) and all(hit.answer is None for hit in hits)


def test_the_sentence_that_answers_is_marked_and_nothing_else_changes(space: Space, encoder: Counting) -> None:
    write(space, *map(memory, TEXTS))
    plain = asked_of(space, encoder, ASKED)
    read = asked_of(space, encoder, ASKED, read=True)
    assert [replace(hit, answer=None) for hit in read] == list(plain)
    assert {hit.memory.text: marked(hit) for hit in read}[TEXTS[0]] == "She lives in Leeds with two cats."


def test_a_sentence_is_encoded_once_for_all_questions(space: Space, encoder: Counting) -> None:
    write(space, *map(memory, TEXTS))
    asked_of(space, encoder, ASKED, read=True)
    before = len(encoder.read)
    asked_of(space, encoder, "Does Sandra have two cats?", read=True)
    assert not any("cats" in text for text in encoder.read[before:])


def test_a_purge_leaves_no_vector_of_a_sentence(space: Space, encoder: Counting) -> None:
    from memoryapp.search import forget

    write(space, *map(memory, TEXTS))
    asked_of(space, encoder, ASKED, read=True)
    forget(space.name)
    before = len(encoder.read)
    asked_of(space, encoder, ASKED, read=True)
    assert any("two cats" in text for text in encoder.read[before:])


def test_a_text_of_one_sentence_is_marked_without_reading(space: Space, encoder: Counting) -> None:
    write(space, memory(TEXTS[2]))
    (hit,) = asked_of(space, encoder, "When does the music school open?", read=True)
    assert marked(hit) == TEXTS[2] and not any("opens" in text for text in encoder.read)


def test_only_the_first_are_marked(space: Space, encoder: Counting) -> None:
    write(space, *(memory(f"Sandra lives near house {n}. It is a small one.") for n in range(answers.FIRST + 3)))
    hits = asked_of(space, encoder, ASKED, read=True)
    assert [hit.answer is not None for hit in hits] == [True] * answers.FIRST + [False] * 3


def test_of_a_long_text_the_sentences_with_the_words_are_compared(space: Space, encoder: Counting) -> None:
    weather = " ".join(f"The weather of day {n} was like that of any other day." for n in range(40))
    write(space, memory(f"{weather} Sandra lives in Leeds now. {weather}"))
    before = len(encoder.read)
    (hit,) = asked_of(space, encoder, ASKED, read=True)
    assert marked(hit) == "Sandra lives in Leeds now."
    assert sum("weather" in text or "Leeds" in text for text in encoder.read[before:]) <= 8


@pytest.mark.parametrize("words", ["Sandra", "Sandra Leeds"])
def test_a_word_or_two_are_no_question(space: Space, encoder: Counting, words: str) -> None:
    write(space, *map(memory, TEXTS))
    hits = asked_of(space, encoder, words, read=True)
    assert hits and all(hit.answer is None for hit in hits)


def test_a_question_in_a_language_that_the_encoder_does_not_read_marks_nothing(space: Space, encoder: Counting) -> None:
    write(space, *map(memory, TEXTS))
    hits = asked_of(space, encoder, "Wo wohnt Sandra jetzt und seit wann wohnt sie dort?", read=True)
    assert all(hit.answer is None for hit in hits)


def test_korean_is_marked_where_the_encoder_reads_it(space: Space, encoder: Counting) -> None:
    write(space, memory("산드라는 음악 학교에서 바이올린을 가르친다. 산드라는 리즈에 산다."))
    (hit,) = asked_of(space, encoder, "산드라는 리즈에 언제부터 산다?", read=True)
    assert marked(hit) == "산드라는 리즈에 산다."


def test_a_text_in_another_language_is_not_compared(space: Space, encoder: Counting) -> None:
    german = "Sandra wohnt seit dem Sommer in Leeds. Sie unterrichtet dort an der Musikschule."
    write(space, memory(german), memory(TEXTS[1]))
    hits = asked_of(space, encoder, ASKED, read=True)
    assert {hit.memory.text: marked(hit) for hit in hits}[german] is None


def test_where_the_encoder_fails_the_hits_are_given_unmarked(space: Space, encoder: Counting) -> None:
    write(space, *map(memory, TEXTS))
    plain = asked_of(space, encoder, ASKED)

    class Failing(Counting):
        def encode_documents(self, texts: Sequence[str]) -> Vectors:
            raise EncodingFailed("The endpoint is away.")

    slot = EncoderSlot("hashing", lambda _: Failing())
    slot.fill()
    assert mark_answers(replace(space, encoder=slot), ASKED, plain) == plain


@pytest.mark.parametrize(
    ("question", "sentence", "other"),
    [
        ("When did Ana move?", "It was on 3 May.", "It was a wet day."),
        ("How much was the sofa?", "I paid 340 euros.", "I paid it at once."),
        ("Who looks after the dog?", "It stays with Marta.", "It stays with us all."),
    ],
)
def test_what_is_asked_for_counts(question: str, sentence: str, other: str) -> None:
    assert score(question, sentence, 0.3) > score(question, other, 0.3)


def test_the_packaged_encoder_finds_what_is_said_in_other_words() -> None:
    question = "How old is Marek's daughter?"
    parts = [
        "Marek: our little one turned seven on Sunday.",
        "Marek: the piano lessons began as well.",
        "Marek: the whole flat is full of balloons.",
    ]
    cosines = cosines_of(load_minilm(), question, parts)
    scores = [score(question, part, cosine) for part, cosine in zip(parts, cosines, strict=True)]
    assert int(np.argmax(scores)) == 0


def test_the_weights_are_those_of_every_signal() -> None:
    note = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    assert len(note["weights"]) == len(answers.signals("q", "s", 0.0)) and min(note["weights"]) > 0

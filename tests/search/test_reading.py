"""The first hits are read beside the question: what that does to their relevance, and the sentence it marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memoryapp.domain.results import Hit, Query
from memoryapp.inference.reranking import reranker as models
from memoryapp.inference.reranking.reranker import PACKAGED, Reranker, RerankerSlot, load_reranker
from memoryapp.search import reranker, search
from memoryapp.spaces import Space
from tests.damaged import DAMAGES, damaged
from tests.search.conftest import memory, write

TEXTS = (
    "Sandra teaches the violin at the music school. She lives in Leeds with two cats.",
    "Sandra's brother has a flat above the bakery. He seldom leaves it.",
    "The music school opens at nine.",
)
ASKED = "Where does Sandra live?"


class Scripted(Reranker):
    """Says 3 of a text that holds the word, -3 of any other; keeps what it read."""

    def __init__(self, word: str) -> None:
        self.name, self.word, self.read = "reader", word, list[str]()

    def logits(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        self.read += texts
        return np.array([3.0 if self.word in text else -3.0 for text in texts], dtype=np.float32)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    model = Scripted("Leeds")
    slot = RerankerSlot("reader", load=lambda _: model)
    slot.fill()
    monkeypatch.setattr(reranker, "reader_slot", lambda: slot)
    return model


def marked(hit: Hit) -> str | None:
    return hit.memory.text[hit.answer.start : hit.answer.end] if hit.answer else None


def test_nothing_is_read_unless_asked_for(space: Space, scripted: Scripted) -> None:
    write(space, *map(memory, TEXTS))
    hits = search(space, Query(ASKED)).hits
    assert hits and scripted.read == [] and all(hit.answer is None for hit in hits)


def test_the_sentence_that_answers_is_marked_and_nothing_else_changes(space: Space, scripted: Scripted) -> None:
    write(space, *map(memory, TEXTS))
    plain = search(space, Query(ASKED)).hits
    read = search(space, Query(ASKED, read=True)).hits
    assert [replace(hit, answer=None) for hit in read] == list(plain)
    by_text = {hit.memory.text: marked(hit) for hit in read}
    assert by_text[TEXTS[0]] == "She lives in Leeds with two cats."


def test_a_text_of_one_sentence_is_marked_without_a_reader(space: Space, scripted: Scripted) -> None:
    write(space, memory(TEXTS[2]))
    (hit,) = search(space, Query("When does the music school open?", read=True)).hits
    assert marked(hit) == TEXTS[2] and scripted.read == []


def test_only_the_first_are_read(space: Space, scripted: Scripted) -> None:
    write(space, *(memory(f"Sandra lives near house {n}. It is a small one.") for n in range(reranker.FIRST + 3)))
    hits = search(space, Query(ASKED, read=True)).hits
    assert [hit.answer is not None for hit in hits] == [True] * reranker.FIRST + [False] * 3


def test_of_a_long_text_the_sentences_with_the_words_are_read(space: Space, scripted: Scripted) -> None:
    weather = " ".join(f"The weather of day {n} was like that of any other day." for n in range(40))
    write(space, memory(f"{weather} Sandra lives in Leeds now. {weather}"))
    (hit,) = search(space, Query(ASKED, read=True)).hits
    assert marked(hit) == "Sandra lives in Leeds now." and len(scripted.read) <= 8


@pytest.mark.parametrize("words", ["Sandra", "Sandra Leeds"])
def test_a_word_or_two_are_no_question(space: Space, scripted: Scripted, words: str) -> None:
    write(space, *map(memory, TEXTS))
    hits = search(space, Query(words, read=True)).hits
    assert hits and scripted.read == [] and all(hit.answer is None for hit in hits)


@pytest.mark.parametrize("question", ["산드라는 어디에 사나요?", "Wo wohnt Sandra jetzt und seit wann wohnt sie dort?"])
def test_a_question_in_another_language_marks_nothing(space: Space, scripted: Scripted, question: str) -> None:
    write(space, *map(memory, TEXTS))
    hits = search(space, Query(question, read=True)).hits
    assert scripted.read == [] and hits == search(space, Query(question)).hits


def test_a_text_in_another_language_is_not_read(space: Space, scripted: Scripted) -> None:
    german = "Sandra wohnt seit dem Sommer in Leeds. Sie unterrichtet dort an der Musikschule."
    write(space, memory(german), memory(TEXTS[1]))
    search(space, Query(ASKED, read=True))
    assert scripted.read and not any("wohnt" in text for text in scripted.read)


@pytest.mark.parametrize("damage", DAMAGES)
def test_without_the_model_nothing_is_marked(
    space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(models, "PACKAGED", damaged(PACKAGED, tmp_path, damage=damage))
    write(space, *map(memory, TEXTS))
    assert search(space, Query(ASKED, read=True)).hits == search(space, Query(ASKED)).hits != ()
    assert DAMAGES[damage] in (models.reader_slot().error or "")


def test_the_packaged_reader_marks_what_is_said_in_other_words() -> None:
    reader = load_reranker(PACKAGED)
    told = reader.logits(
        "How old is Marek's daughter?",
        [
            "Marek: our little one turned seven on Sunday.",
            "Marek: my daughter started piano lessons and already wants a bigger piano.",
            "Marek: the whole flat is full of balloons.",
        ],
    )
    assert int(told.argmax()) == 0

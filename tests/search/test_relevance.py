"""Relevance: between 0 and 1, comparable between questions, and a floor below which nothing is given."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from memoryapp.domain.results import Query
from memoryapp.search import CLOSEST, NOTHING, search
from memoryapp.search.relevance import WEIGHTS, rarity, relevance, signals
from memoryapp.spaces import Space
from memoryapp.spaces.embed import embed
from tests.samples import a_memory, written

TEXTS = (
    "Alice is a vegetarian.",
    "The deploy freeze begins on Friday.",
    "Bruno plays the double bass in a trio.",
    "The invoice of March was paid twice.",
)


@pytest.fixture
def filled(space: Space) -> Space:
    memories = [a_memory(text) for text in TEXTS]
    written(space.db, *memories, embeddings=embed(space, memories))
    return space


def test_what_holds_the_words_is_more_relevant_than_what_does_not(filled: Space) -> None:
    first, *others = search(filled, Query("Which instrument does Bruno play in the trio?")).hits
    assert first.memory.text == TEXTS[2]
    assert 0 <= max((hit.relevance for hit in others), default=0) < first.relevance <= 1


def test_a_question_about_something_else_is_answered_by_nothing(filled: Space) -> None:
    asked = "How many moons does the planet Jupiter have, and is there an Alice crater on one of them in Antarctica?"
    nearest = search(filled, Query(asked)).hits
    assert nearest
    told = search(filled, Query(asked, floor=0.9))
    assert (told.hits, told.notes[-1]) == ((), NOTHING)
    doubted = search(filled, Query(asked, floor=0.0001))
    assert doubted.hits == nearest and doubted.notes[-1] == CLOSEST
    assert search(filled, Query(asked)).hits == nearest  # whoever asks without a floor is given them still


def test_a_word_is_rare_even_in_a_space_of_one_memory() -> None:
    rare = rarity({"alice": 1, "crater": 0}, held=1)
    assert rare["crater"] > rare["alice"] > 4


def test_each_signal_speaks_for_it() -> None:
    rare = rarity({"alice": 1, "tea": 2}, held=100)
    least = relevance(signals(rare, (), cosine=0.0, words=5))
    assert least < relevance(signals(rare, (), cosine=0.8, words=5))
    assert least < relevance(signals(rare, ("tea",), cosine=0.0, words=5))
    assert relevance(signals(rare, ("tea",), cosine=0.0, words=5)) < relevance(
        signals(rare, ("tea", "alice"), cosine=0.0, words=5)
    )
    assert relevance(signals({}, (), cosine=0.0, words=0)) > 0  # a question of stop words alone


def test_the_weights_are_those_of_the_data_beside_them() -> None:
    told = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    assert told["data"] == _training().fingerprint(), "run training/relevance.py --write"
    assert len(told["weights"]) == len(signals({}, (), cosine=0.0, words=0))


def _training() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "training" / "relevance.py"
    spec = importlib.util.spec_from_file_location("training_relevance", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclasses look for themselves
    spec.loader.exec_module(module)
    return module

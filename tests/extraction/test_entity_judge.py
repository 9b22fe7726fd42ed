"""Which spans of a text are taken for entities, and for what kind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.extraction.entities import entity_judge as judging
from memoryapp.extraction.entities.candidates import Candidate, NameClue, entities_in


def found(text: str, **options: object) -> dict[str, Candidate]:
    return {one.surface: one for one in entities_in(text, **options)}  # type: ignore[arg-type]


@pytest.fixture
def no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(judging, "FOLDER", tmp_path)
    judging.entity_judge.cache_clear()
    yield
    judging.entity_judge.cache_clear()


def test_people_places_and_firms_are_told_from_each_other() -> None:
    names = found("Alice took it to Mario in Utrecht. She works for Bosch GmbH since March.")
    types = {name: one.type.value for name, one in names.items()}
    assert types == {"Alice": "person", "Mario": "person", "Utrecht": "place", "Bosch GmbH": "organization"}


def test_headings_openers_and_columns_of_code_are_no_entities() -> None:
    text = "## Information\n\n- Added: the `user_id` column\n- Returns: a Number\n\n### Next steps\nCheck the Settings."
    assert [name for name, one in found(text).items() if not one.is_weak] == []


def test_what_somebody_has_is_named_after_its_owner() -> None:
    assert "Alice's bike" in found("Alice’s bike has a flat tyre. Alice took it to Mario.")
    assert "Alice's bike" in found("Alice rides her bike to work at Bosch every day.")
    assert found("I left my bike at the station in Utrecht.", speaker="Alice")["Alice's bike"].is_weak
    assert "Alice's bike" in found("Her bike is red. Alice likes it.")
    assert not any("bike" in name for name in found("She left her bike at the station."))


def test_what_is_stated_needs_no_judge(no_weights: None) -> None:
    names = found("See [[Rollback]] by Alice at https://github.com/acme/widget.", named=["the pond"])
    assert {name: one.how for name, one in names.items()} == {
        "Rollback": (NameClue.WIKI_LINK,),
        "the pond": (NameClue.READ,),
        "widget": (NameClue.REPOSITORY,),
    }
    assert "does not load" in judging.problem()


def test_weights_that_were_changed_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (judging.LEARNED, judging.NOTE):
        (tmp_path / name).write_bytes((judging.FOLDER / name).read_bytes())
    with (tmp_path / judging.LEARNED).open("ab") as weights:
        weights.write(b"x")
    monkeypatch.setattr(judging, "FOLDER", tmp_path)
    assert "not the one that was learned" in judging.problem()


def test_the_judge_is_small() -> None:
    assert judging.problem() == ""
    assert (judging.FOLDER / judging.LEARNED).stat().st_size < 1_000_000


HOSTILE = ["[[", "`", "[a](", "#", "A ", "A-", "![", "https://", "a'", "Alice's ", "<a ", "<!--", "zq "]


@pytest.mark.parametrize("hostile", [piece * 10_000 for piece in HOSTILE], ids=HOSTILE)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    began = time.process_time()
    entities_in(hostile)
    assert time.process_time() - began < 20

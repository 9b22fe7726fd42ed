from __future__ import annotations

import pytest

from memoryapp.domain.errors import BadInput, Clash, NotFound, Stale
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import Arm
from memoryapp.lab import delete_profile, profile_named, profiles, profiles_of, put_back_profile, save_profile
from memoryapp.search import search, strategy_of
from memoryapp.spaces import Space
from tests.lab.birds import birds
from tests.samples import AGENT, PERSON


def test_a_profile_is_a_strategy_from_then_on(space: Space) -> None:
    heron = birds(space)[0]
    saved = save_profile(space, "careful", " hybrid ; vector = 0 ", "words first", actor=PERSON)
    assert (saved.plan, saved.note, saved.by, saved.version) == ("hybrid;vector=0", "words first", "mara", 1)
    assert profiles_of(space) == (saved,) and profile_named(space, "careful") == saved
    assert strategy_of(space, "careful").weight(Arm.VECTOR) == 0
    found = search(space, Query("heron", strategy="careful"))
    assert found.hits[0].memory.id == heron.id and found.hits[0].arms["vector"].share == 0


def test_a_plan_on_a_profile_is_kept_as_what_it_comes_to(space: Space) -> None:
    save_profile(space, "careful", "rrf;vector=2;k=30;factors=none", actor=PERSON)
    bold = save_profile(space, "bold", "careful;keyword=3;k=10", actor=PERSON)
    assert bold.plan == "rrf;vector=2;keyword=3;k=10;factors=none"
    delete_profile(space, "careful")
    assert strategy_of(space, "bold").weights[Arm.VECTOR] == 2


def test_a_profile_can_be_changed_by_whoever_read_its_present_version(space: Space) -> None:
    first = save_profile(space, "careful", "hybrid;vector=2", actor=PERSON)
    second = save_profile(space, "careful", "careful;k=5", "and less", version=1, actor=AGENT)
    assert (second.plan, second.by, second.version) == ("hybrid;vector=2;k=5", "heron", 2)
    assert second.created_at == first.created_at < second.updated_at
    with pytest.raises(Stale) as stale:
        save_profile(space, "careful", "hybrid", version=1, actor=PERSON)
    assert stale.value.current == 2 and profile_named(space, "careful") == second
    with pytest.raises(NotFound):
        save_profile(space, "bold", "hybrid", version=1, actor=PERSON)


@pytest.mark.parametrize(
    ("name", "plan", "field"),
    [
        ("Careful", "hybrid", "/name"),
        ("-careful", "hybrid", "/name"),
        ("", "hybrid", "/name"),
        ("c" * 41, "hybrid", "/name"),
        ("careful\n", "hybrid", "/name"),
        ("갈대", "hybrid", "/name"),
        ("rrf", "hybrid", "/name"),
        ("careful", "", "/plan"),
        ("careful", "hybris", "/plan"),
        ("careful", "careful", "/plan"),
        ("careful", "hybrid;vector=eleven", "/plan"),
        ("careful", "hybrid;" * 60, "/plan"),
    ],
)
def test_what_cannot_be_a_profile_is_refused_where_it_is_wrong(space: Space, name: str, plan: str, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        save_profile(space, name, plan, actor=PERSON)
    assert refused.value.field == field and profiles_of(space) == ()


def test_a_long_note_is_refused(space: Space) -> None:
    with pytest.raises(BadInput) as refused:
        save_profile(space, "careful", "hybrid", "n" * 301, actor=PERSON)
    assert refused.value.field == "/note"


def test_a_name_is_taken_once(space: Space) -> None:
    kept = save_profile(space, "careful", "hybrid", actor=PERSON)
    with pytest.raises(Clash) as clash:
        save_profile(space, "careful", "rrf", actor=PERSON)
    assert clash.value.field == "/name" and profiles_of(space) == (kept,)


def test_a_space_takes_so_many_profiles_and_no_more(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "MOST", 2)
    for name in ("one", "two"):
        save_profile(space, name, "hybrid", actor=PERSON)
    with pytest.raises(Clash):
        save_profile(space, "three", "hybrid", actor=PERSON)
    assert save_profile(space, "two", "rrf", version=1, actor=PERSON).version == 2


def test_a_deleted_profile_comes_back_as_it_was(space: Space) -> None:
    save_profile(space, "careful", "hybrid", actor=PERSON)
    kept = save_profile(space, "careful", "rrf;k=9", "nine", version=1, actor=PERSON)
    with pytest.raises(Stale):
        delete_profile(space, "careful", version=1)
    gone = delete_profile(space, "careful", version=2)
    assert gone == kept and profiles_of(space) == ()
    with pytest.raises(NotFound):
        delete_profile(space, "careful")
    back = put_back_profile(space, gone)
    assert (back.plan, back.note, back.created_at, back.version) == ("rrf;k=9", "nine", kept.created_at, 1)
    with pytest.raises(Clash):
        put_back_profile(space, gone)

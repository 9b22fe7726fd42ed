from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import Profile
from memoryapp.domain.limits import Tuning
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import STRATEGIES, Arm, Factor
from memoryapp.search import explain, names_of, search, strategy_of
from memoryapp.spaces import Space
from memoryapp.store import profiles
from tests.search.conftest import MakeSpace, memory, write

AT = datetime(2026, 11, 22, tzinfo=UTC)


def keep(space: Space, name: str, plan: str) -> None:
    profiles.save(space.db, Profile(name, plan, "", "tester", AT, AT))


def test_an_unknown_strategy_is_refused_with_the_known_ones_and_the_space_s_own(space: Space) -> None:
    keep(space, "careful", "hybrid;factors=trust")
    with pytest.raises(BadInput, match=r"hybrid, rrf.*, careful") as refused:
        strategy_of(space, "magic")
    assert refused.value.field == "/strategy"


def test_a_strategy_alone_has_the_space_s_numbers(make_space: MakeSpace) -> None:
    space = make_space(tuning=Tuning(vector_weight=2.0, rrf_k=7))
    assert strategy_of(space, "hybrid").weight(Arm.VECTOR) == 2.0
    assert strategy_of(space, "rrf").k == 7
    assert strategy_of(space, "keyword") == STRATEGIES["keyword"]


def test_changes_win_over_a_profile_and_a_profile_over_the_space(make_space: MakeSpace) -> None:
    space = make_space(tuning=Tuning(vector_weight=2.0))
    keep(space, "careful", "hybrid;vector=3;factors=trust+feedback;date_weight=0.1")
    profile = strategy_of(space, "careful")
    assert (profile.weight(Arm.VECTOR), profile.factors) == (3, (Factor.TRUST, Factor.FEEDBACK))
    assert profile.numbers == {"date_weight": 0.1}
    changed = strategy_of(space, "careful;vector=0;factors=none")
    assert (changed.weight(Arm.VECTOR), changed.factors, changed.numbers) == (0, (), {"date_weight": 0.1})
    assert (profile.name, changed.name) == ("careful", "careful;vector=0;factors=none")


def test_a_profile_is_searched_and_explained_by_its_name(space: Space) -> None:
    write(space, memory("Redis keeps the queue"), memory("The queue at the bakery was long"))
    keep(space, "words", "keyword")
    by_words = search(space, Query("redis queue", strategy="keyword"))
    by_profile = search(space, Query("redis queue", strategy="words"))
    assert [hit.memory.id for hit in by_profile.hits] == [hit.memory.id for hit in by_words.hits]
    assert by_profile.query.strategy == "words"
    why = explain(space, Query("redis queue", strategy="words"), by_words.hits[0].memory.id)
    assert why.found and why.rank == 1


def test_numbers_of_a_plan_reach_the_fusion(space: Space) -> None:
    write(space, memory("Mina moved the queue to Redis", speaker="Mina"), memory("Redis is fast", speaker="Adam"))
    plain = search(space, Query("What did Mina say of Redis?"))
    without = search(space, Query("What did Mina say of Redis?", strategy="hybrid;speaker_boost=0"))
    assert plain.hits[0].arms["speaker"].share > 0
    assert "speaker" not in without.hits[0].arms or without.hits[0].arms["speaker"].share == 0


def test_a_profile_s_answer_is_kept_only_until_the_profile_changes(space: Space) -> None:
    write(space, memory("Redis keeps the queue"))
    keep(space, "mine", "hybrid;vector=0")
    first = search(space, Query("redis queue", strategy="mine"))
    assert search(space, Query("redis queue", strategy="mine")).cached
    was = profiles.get(space.db, "mine")
    profiles.save(space.db, Profile("mine", "hybrid;keyword=0.5;vector=0", "", "tester", was.created_at, AT, 2))
    again = search(space, Query("redis queue", strategy="mine"))
    assert not again.cached
    assert again.hits[0].score < first.hits[0].score


def test_names_are_the_strategies_then_the_profiles(space: Space) -> None:
    keep(space, "words", "keyword")
    assert names_of(space) == (*STRATEGIES, "words")


def test_a_profile_of_the_child_is_used_for_the_parent_too(make_space: MakeSpace) -> None:
    parent = make_space("above")
    write(parent, memory("Redis keeps the queue"))
    child = make_space("below", parent=parent)
    keep(child, "words", "keyword")
    found = search(child, Query("redis", strategy="words"))
    assert [hit.inherited_from for hit in found.hits] == ["above"]

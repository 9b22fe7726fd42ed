"""Filters: what owners settle agrees with what single memories say, whatever is joined with what."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.mem0.filters import holds, of_owner, read, tags_of
from memoryapp.interfaces.mem0.metadata import Label, label_of, tag_of, with_label
from memoryapp.interfaces.mem0.owners import Owner, owner_named, owner_of
from tests.samples import a_memory

names = st.sampled_from(["mina", "jon", "7", None])
owners = st.builds(Owner, user_id=names, agent_id=names, run_id=names)
of_owners = st.one_of(
    st.tuples(st.sampled_from(["user_id", "agent_id", "run_id"]), st.sampled_from(["mina", "jon", 7, "*", None])),
    st.tuples(st.just("user_id"), st.fixed_dictionaries({"in": st.lists(st.sampled_from(["mina", "jon"]))})),
    st.tuples(st.just("agent_id"), st.fixed_dictionaries({"ne": st.sampled_from(["mina", "jon"])})),
    st.tuples(st.just("metadata"), st.just({"k": 1})),
).map(lambda pair: dict([pair]))
trees = st.recursive(
    of_owners,
    lambda inner: st.tuples(st.sampled_from(["AND", "OR", "NOT"]), st.lists(inner, min_size=1, max_size=3)).map(
        lambda pair: dict([pair])
    ),
    max_leaves=8,
)


@given(owner=owners, tree=trees, kept=st.sampled_from([None, {"k": 1}, {"k": 2}]))
def test_what_an_owner_settles_is_what_each_of_its_memories_says(
    owner: Owner, tree: dict[str, Any], kept: dict[str, int] | None
) -> None:
    condition = read({"AND": [tree, {"OR": [{"user_id": "*"}, {"user_id": None}]}]})
    item = {"user_id": owner.user_id, "agent_id": owner.agent_id, "run_id": owner.run_id, "metadata": kept}
    settled = of_owner(condition, owner)
    assert settled in (None, holds(condition, item))
    if holds(condition, item):
        assert set(tags_of(condition)) <= {"k=1"} & {f"k={value}" for value in (kept or {}).values()}


@given(
    owner=st.builds(Owner, *[st.one_of(st.none(), st.text(min_size=1, max_size=40).map(str.strip).filter(bool))] * 4)
)
def test_an_owner_is_read_back_from_the_name_of_its_session(owner: Owner) -> None:
    if owner.named:
        assert owner_of(owner.session) == owner
        assert owner.session == owner.session.strip() == " ".join(owner.session.split())


def test_sessions_of_other_doors_belong_to_nobody() -> None:
    assert owner_of("standup") == owner_of(None) == Owner()


def test_the_owner_is_named_beside_the_messages_or_in_the_filters() -> None:
    assert owner_named({"user_id": " mina "}, {"user_id": "jon", "run_id": 7}) == Owner(user_id="mina", run_id="7")
    for wrong in ({}, {"user_id": ""}, {"user_id": ["mina"]}, {"user_id": True}, {"user_id": "x" * 400}):
        with pytest.raises(BadInput):
            owner_named(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        None, [], "mina", {}, {1: 2}, {"user_id": "m", 1: 2},
        {"AND": []}, {"AND": [{}]}, {"AND": "mina"}, {"user_id": {"in": "mina"}},
        {"user_id": "m", "metadata": []}, {"user_id": "m", "created_at": {"gte": []}},
    ],
)  # fmt: skip
def test_filters_that_cannot_be_read_are_refused(wrong: object) -> None:
    with pytest.raises(BadInput):
        read(wrong)


def test_filters_nested_without_end_are_refused() -> None:
    tree: dict[str, Any] = {"user_id": "mina"}
    for _ in range(12):
        tree = {"NOT": [tree]}
    with pytest.raises(BadInput, match="levels deep"):
        read(tree)


def test_metadata_stands_among_the_tags_and_leaves_those_of_people_alone() -> None:
    first = with_label(a_memory(tags=("kitchen",)), Label({"project": "atlas", "of": ["a", 2.0], "deep": {"x": 1}}))
    assert first.tags == ("kitchen", "project=atlas", "of=a", "of=2")
    again = with_label(first, Label({"project": "zeus"}))
    assert again.tags == ("kitchen", "project=zeus")
    assert label_of(again) == Label({"project": "zeus"})
    assert with_label(again, Label()).detail == {}
    assert tag_of("k", "x" * 200) is None

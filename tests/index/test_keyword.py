"""The scores against BM25 written down plainly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.memory import Memory, State
from memoryapp.index.draft import Draft
from memoryapp.index.tokens import tokens
from memoryapp.index.view import LocalView
from tests.index.world import memory, named
from tests.sampling import examples

K1, B = 0.9, 0.6
WORDS = ("melon", "pear", "plum", "fig", "kiwi")


def view_of(memories: Sequence[Memory]) -> LocalView:
    draft = Draft()
    for one in memories:
        draft.put_memory(one)
    return draft.publish(1)


def plain_bm25(query: list[str], documents: dict[str, list[str]], counted: set[str]) -> dict[str, float]:
    """Statistics of the counted documents, scores of all."""
    mean = sum(len(documents[key]) for key in counted) / max(len(counted), 1)
    scores = dict.fromkeys(documents, 0.0)
    for term in dict.fromkeys(query):
        df = sum(term in documents[key] for key in counted)
        idf = math.log(1 + (len(counted) - df + 0.5) / (df + 0.5))
        for key, words in documents.items():
            tf = Counter(words)[term]
            norm = K1 * (1 - B + B * len(words) / max(mean, 1e-9))
            scores[key] += idf * tf * (K1 + 1) / (tf + norm) if tf else 0.0
    return scores


def plain_fields(memories: Sequence[Memory], reach: int) -> tuple[dict[str, list[str]], ...]:
    own = {one.id: tokens(one.text) for one in memories}
    window, whole = dict(own), dict(own)
    groups: dict[str, list[Memory]] = {}
    for one in memories:
        if one.group is not None and one.state == State.HELD:
            groups.setdefault(one.group, []).append(one)
    for members in groups.values():
        members.sort(key=lambda m: (m.position, m.created_at, m.id))
        for at, one in enumerate(members):
            around = members[max(at - reach, 0) : at + reach + 1]
            window[one.id] = [term for other in around for term in own[other.id]]
            whole[one.id] = [term for other in members for term in own[other.id]]
    return own, window, whole


some_memories = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
        st.sampled_from([None, "g", "h"]),
        st.integers(0, 3),
        st.sampled_from([State.HELD, State.HELD, State.HELD, State.ARCHIVED]),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=examples(150), deadline=None)
@given(some_memories, st.lists(st.sampled_from([*WORDS, "nowhere"]), min_size=1, max_size=4), st.integers(0, 3))
def test_three_fields_score_as_bm25_written_down_plainly(
    drawn: list[tuple[list[str], str | None, int, State]], query: list[str], reach: int
) -> None:
    memories = [
        memory(" ".join(words), key=named(str(i)), group=group, position=position, state=state)
        for i, (words, group, position, state) in enumerate(drawn)
    ]
    view = view_of(memories)
    scores = view.keyword(query, k1=K1, b=B, neighbours=reach)
    held = {one.id for one in memories if one.state == State.HELD}
    own, window, whole = plain_fields(memories, reach)
    grouped = {one.id: one.group for one in memories if one.id in held and one.group is not None}
    one_each = {grouped.get(key, key): key for key in sorted(held)}  # a group is one document of the whole field
    for name, documents, counted in (
        ("own", own, held),
        ("window", window, held),
        ("whole", whole, set(one_each.values())),
    ):
        expected = plain_bm25(query, documents, counted)
        found = getattr(scores, name)
        for slot, key in enumerate(view.roster.ids):
            assert found[slot] == pytest.approx(expected[key], rel=1e-5, abs=1e-6), (name, key)


def test_idf_is_that_of_the_memories_own_words() -> None:
    view = view_of([memory("melon pear"), memory("melon"), memory("fig"), memory("plum")])
    scores = view.keyword(["melon", "fig", "nowhere"], k1=K1, b=B)
    assert scores.df == {"melon": 2, "fig": 1, "nowhere": 0}
    assert scores.idf["melon"] == pytest.approx(math.log(1 + 2.5 / 2.5))
    assert scores.idf["fig"] == pytest.approx(math.log(1 + 3.5 / 1.5))
    assert scores.idf["nowhere"] == pytest.approx(math.log(1 + 4.5 / 0.5))


def test_cover_is_the_idf_mass_of_the_window() -> None:
    view = view_of([memory("melon", group="g", position=0), memory("fig", group="g", position=1), memory("plum")])
    scores = view.keyword(["melon", "fig"], k1=K1, b=B)
    assert scores.cover.tolist() == pytest.approx([scores.idf["melon"] + scores.idf["fig"]] * 2 + [0.0])


def test_a_word_asked_twice_counts_once() -> None:
    view = view_of([memory("melon pear"), memory("fig")])
    once, twice = (view.keyword(["melon"] * n, k1=K1, b=B).own.tolist() for n in (1, 2))
    assert once == twice


def test_what_was_archived_moves_no_score() -> None:
    held = [memory("melon pear", key=named("a")), memory("melon fig plum", key=named("b"))]
    archived = [memory("melon melon kiwi", state=State.ARCHIVED, group="g") for _ in range(5)]
    alone = view_of(held).keyword(["melon", "fig"], k1=K1, b=B)
    among = view_of([*held, *archived]).keyword(["melon", "fig"], k1=K1, b=B)
    assert alone.own.tolist() == among.own[:2].tolist()
    assert alone.whole.tolist() == among.whole[:2].tolist()
    assert (among.own[2:] > 0).all()  # yet it is found when it is asked for


def test_it_tells_by_which_words_and_in_which_field_a_memory_was_found() -> None:
    texts = ["melon", "pear", "plum", "fig", "kiwi"]
    view = view_of([memory(text, group="g", position=i) for i, text in enumerate(texts)])
    scores = view.keyword(["plum", "melon", "kiwi"], k1=K1, b=B)
    assert scores.fields_of(0) == {
        "plum": ("window", "whole"),
        "melon": ("own", "window", "whole"),
        "kiwi": ("whole",),
    }
    assert scores.matched(0) == ["melon"]


def test_it_tells_so_of_many_memories_as_of_each() -> None:
    grouped = [memory(text, group="g", position=i) for i, text in enumerate(["melon pear", "plum", "fig", "melon"])]
    view = view_of([*grouped, memory("melon"), memory("plum fig", state=State.ARCHIVED, group="g"), memory("pear")])
    scores = view.keyword(["plum", "melon", "grape", "fig"], k1=K1, b=B)
    told = scores.fields_in(np.array([4, 0, 6, 5, 3]))
    assert told == [scores.fields_of(slot) for slot in (4, 0, 6, 5, 3)]
    assert told[0] == {"melon": ("own", "window", "whole")} and told[2] == {}
    assert told[3] == dict.fromkeys(("plum", "fig"), ("own", "window", "whole"))
    assert told[4]["plum"] == ("window", "whole")


def test_no_words_find_nothing() -> None:
    view = view_of([memory("melon")])
    scores = view.keyword([], k1=K1, b=B)
    assert scores.own.tolist() == scores.window.tolist() == scores.whole.tolist() == [0.0]
    assert view_of([]).keyword(["melon"], k1=K1, b=B).own.tolist() == []

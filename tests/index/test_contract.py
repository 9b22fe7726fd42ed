"""What every engine must do, against the real store. Each test runs on both."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from memoryapp.domain.entity import EntityState, Reference
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood, Origin, State
from memoryapp.domain.relation import MadeBy, RelationState, RelationType
from memoryapp.index import SearchIndex, open_index, tokens
from memoryapp.store import usage
from tests.index.told import related, rounded, the_graph
from tests.index.world import MODEL, NOW, World, direction, entity, memory, named, relation, world

Open = Callable[[], SearchIndex]
K1, B = 0.9, 0.6


@pytest.fixture
def space() -> Iterator[World]:
    with world() as made:
        yield made


@pytest.fixture(params=["local", "surreal"])
def opened(request: pytest.FixtureRequest, space: World) -> Open:
    """Opens an index of the space; a second call is another process's index of the same database."""
    return lambda: open_index(space.db, model=MODEL, engine=request.param, clock=lambda: NOW)


def found(index: SearchIndex, query: str) -> set[str]:
    """Ids with at least one of the query's terms in their own words, after a refresh."""
    index.refresh()
    view = index.view()
    scores = view.keyword(tokens(query), k1=K1, b=B)
    return {view.roster.ids[slot] for slot in np.flatnonzero(scores.own)}


def everything(index: SearchIndex, query: str) -> dict[str, tuple[float, ...]]:
    """All that a query is told of each memory, by id."""
    index.refresh()
    view = index.view()
    words = view.keyword(tokens(query), k1=K1, b=B)
    near = view.vector(direction(query))
    told = {}
    for key in sorted(view.roster.slot_of):
        slot = view.roster.slot(key)
        assert slot is not None
        scores = (words.own, words.window, words.whole, words.cover, near.cosines)
        told[key] = tuple(round(float(score[slot]), 4) for score in scores)
    return told


def passing(index: SearchIndex, filters: Filters) -> set[str]:
    index.refresh()
    roster = index.roster
    return {roster.ids[slot] for slot in np.flatnonzero(roster.mask(filters, now=NOW))}


def test_what_was_written_before_it_was_opened_is_found(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a")), memory("a pear", key=named("b")))
    assert found(opened(), "melons") == {named("a")}


def test_what_is_written_afterwards_is_found_at_the_next_query(space: World, opened: Open) -> None:
    index = opened()
    assert found(index, "melon") == set()
    space.add(memory("a melon", key=named("a")))
    assert found(index, "melon") == {named("a")}


def test_a_write_is_found_by_another_index_of_the_same_database(space: World, opened: Open) -> None:
    one, other = opened(), opened()
    assert found(one, "melon") == found(other, "melon") == set()
    for name in ("a", "b", "c"):
        space.add(memory(f"a melon {name}", key=named(name), group="g"))
        assert named(name) in found(other, "melon")
        assert everything(one, "melon") == everything(other, "melon")


def test_changed_words_replace_the_old_ones(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a")))
    index = opened()
    assert found(index, "melon") == {named("a")}
    space.change(named("a"), text="a pear")
    assert found(index, "melon") == set()
    assert found(index, "pear") == {named("a")}
    assert index.vector(direction(named("a"))).cosines.max() == pytest.approx(1, abs=1e-4)


def test_a_deleted_memory_leaves_the_index_and_comes_back_whole(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a")), memory("a pear", key=named("b")))
    index = opened()
    whole = everything(index, "melon")
    space.delete(named("a"))
    assert found(index, "melon") == set()
    assert not (index.vector(direction(named("a"))).cosines > 0.99).any()
    assert index.roster.slot(named("a")) is None
    space.change(named("a"), state=State.HELD)
    assert everything(index, "melon") == whole


def test_a_purged_memory_is_gone_from_every_arm(space: World, opened: Open) -> None:
    space.add(memory("a secret melon", key=named("a"), group="g"), memory("a pear", key=named("b"), group="g"))
    index = opened()
    assert found(index, "secret") == {named("a")}
    space.purge(named("a"))
    index.refresh()
    view = index.view()
    scores = view.keyword(["secret", "melon"], k1=K1, b=B)
    assert not scores.own.any() and not scores.window.any() and not scores.whole.any()
    assert not (view.vector(direction(named("a"))).cosines > 0.99).any()
    assert view.roster.slot(named("a")) is None
    assert view.phrases.named_in("Secret melon", ["secret", "melon"]).size == 0


def test_an_archived_memory_is_found_only_when_its_state_is_asked_for(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a")), memory("a melon too", key=named("b")))
    index = opened()
    space.change(named("a"), state=State.ARCHIVED)
    assert passing(index, Filters()) == {named("b")}
    assert passing(index, Filters(states=(State.ARCHIVED,))) == {named("a")}
    assert found(index, "melon") == {named("a"), named("b")}


def test_korean_matches_in_both_directions(space: World, opened: Open) -> None:
    space.add(
        memory("가치관", key=named("bare")),
        memory("나의 가치관은 정직이다", key=named("inflected")),
        memory("나는 집에 간다", key=named("other")),
    )
    index = opened()
    both = {named("bare"), named("inflected")}
    assert found(index, "가치관이 뭐야?") == both
    assert found(index, "가치관을") == both
    assert found(index, "가치관") == both


def test_one_syllable_words_do_not_match_as_parts(space: World, opened: Open) -> None:
    space.add(memory("나무", key=named("tree")), memory("나", key=named("i")))
    index = opened()
    assert found(index, "나") == {named("i")}
    assert found(index, "무") == set()


def test_words_of_any_script_are_found(space: World, opened: Open) -> None:
    texts = {"fr": "un Café noir", "ru": "Ёлка зимой", "ja": "東京タワーに行く", "ar": "كتاب جديد"}
    space.add(*(memory(text, key=named(name)) for name, text in texts.items()))
    index = opened()
    for query, name in (("cafe", "fr"), ("елка", "ru"), ("東京", "ja"), ("كتاب", "ar")):
        assert found(index, query) == {named(name)}


def test_a_query_of_odd_characters_finds_nothing_and_harms_nothing(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a")))
    index = opened()
    for query in ("", "?!;--", "'; DELETE memory; '", "@1,OR@ $words", "\x01 \u200b"):
        assert found(index, query) == set()
    assert found(index, "melon") == {named("a")}


def test_neighbours_share_their_windows(space: World, opened: Open) -> None:
    texts = ["melon", "pear", "plum", "fig", "kiwi"]
    space.add(*(memory(text, key=named(text), group="g", position=at) for at, text in enumerate(texts)))
    space.add(memory("plum", key=named("alone")))
    index = opened()
    index.refresh()
    view = index.view()
    scores = view.keyword(["melon"], k1=K1, b=B)
    assert _keys(view.roster.ids, scores.own) == {named("melon")}
    assert _keys(view.roster.ids, scores.window) == {named("melon"), named("pear"), named("plum")}
    assert _keys(view.roster.ids, scores.whole) == {named(text) for text in texts}
    slot = view.roster.slot(named("fig"))
    assert slot is not None
    assert [view.roster.ids[s] for s in view.roster.neighbours(slot)] == [named("pear"), named("plum"), named("kiwi")]
    assert scores.fields_of(slot) == {"melon": ("whole",)}


def test_a_memory_that_joins_a_group_changes_its_neighbours_windows(space: World, opened: Open) -> None:
    space.add(*(memory(f"word{at}", key=named(str(at)), group="g", position=at * 10) for at in range(4)))
    index = opened()
    index.refresh()
    space.add(memory("melon", key=named("new"), group="g", position=15))
    index.refresh()
    view = index.view()
    window = view.keyword(["melon"], k1=K1, b=B).window
    assert _keys(view.roster.ids, window) == {named("new"), *map(named, "0123")}
    space.change(named("new"), group=None)
    index.refresh()
    view = index.view()
    assert _keys(view.roster.ids, view.keyword(["melon"], k1=K1, b=B).window) == {named("new")}
    assert _keys(view.roster.ids, view.keyword(["melon"], k1=K1, b=B).whole) == {named("new")}


def test_idf_counts_the_memories_that_hold_a_word(space: World, opened: Open) -> None:
    space.add(memory("melon pear"), memory("melon"), memory("fig"), memory("plum"))
    index = opened()
    index.refresh()
    scores = index.keyword(["melon", "fig", "nowher"], k1=K1, b=B)
    assert scores.df == {"melon": 2, "fig": 1, "nowher": 0}
    for term, df in scores.df.items():
        assert scores.idf[term] == pytest.approx(math.log(1 + (4 - df + 0.5) / (df + 0.5)))


def test_cosines_are_exact_and_a_mask_narrows_them(space: World, opened: Open) -> None:
    space.add(*(memory(f"text {i}", key=named(str(i))) for i in range(20)), memory("no vector", key=named("none")))
    index = opened()
    index.refresh()
    view = index.view()
    query = direction("query")
    got = view.vector(query)
    for slot, key in enumerate(view.roster.ids):
        assert got.has[slot]
        assert got.cosines[slot] == pytest.approx(float(space.vector(key) @ query), abs=1e-5)
    mask = np.arange(view.n) < 3
    masked = view.vector(query * 7, mask=mask)
    assert masked.has.tolist() == mask.tolist()
    assert masked.cosines[3:].any() == np.False_
    assert masked.cosines[:3] == pytest.approx(got.cosines[:3], abs=1e-5)


def test_memories_without_a_vector_and_queries_without_direction_score_nothing(space: World, opened: Open) -> None:
    space.add(memory("with", key=named("with")))
    space.add(memory("without", key=named("without")), vectors=False)
    space.embed(named("without"), direction("x"), model="another model")
    index = opened()
    index.refresh()
    view = index.view()
    slot = view.roster.slot(named("without"))
    got = view.vector(direction("x"))
    assert got.has.sum() == 1 and got.cosines[slot] == 0
    for query in (np.zeros(16), np.full(16, np.nan), np.ones(7)):
        nothing = view.vector(query.astype(np.float32))
        assert not nothing.has.any() and not nothing.cosines.any()


def test_a_new_embedding_replaces_the_old(space: World, opened: Open) -> None:
    space.add(memory("a", key=named("a")), memory("b", key=named("b")))
    index = opened()
    index.refresh()
    before = index.view().vector(direction("elsewhere")).cosines.copy()
    earlier = index.view()
    space.embed(named("a"), direction("elsewhere"))
    index.refresh()
    slot = index.roster.slot(named("a"))
    assert index.vector(direction("elsewhere")).cosines[slot] == pytest.approx(1, abs=1e-5)
    slots = np.array([slot])
    assert index.view().vectors_of(slots)[0] == pytest.approx(direction("elsewhere"), abs=1e-5)
    if index.engine == "local":  # the other engine has no earlier states of its scores
        assert earlier.vector(direction("elsewhere")).cosines == pytest.approx(before, abs=1e-6)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), {"plain", "rich", "old"}),
        (Filters(kinds=(Kind.FACT,)), {"rich"}),
        (Filters(kinds=(Kind.FACT, Kind.NOTE)), {"plain", "rich", "old"}),
        (Filters(tags=("red",)), {"rich", "old"}),
        (Filters(tags=("red", "blue")), {"rich"}),
        (Filters(tags=("nowhere",)), set()),
        (Filters(categories=(Category.WORK,)), {"rich"}),
        (Filters(memory_types=(MemoryType.SEMANTIC,)), {"rich"}),
        (Filters(moods=(Mood.PLANNED,)), {"rich"}),
        (Filters(speakers=("ANNA",)), {"rich"}),
        (Filters(sources=("notes/",)), {"rich"}),
        (Filters(sources=("session-1",)), {"old"}),
        (Filters(sources=("doc-1",)), {"rich"}),
        (Filters(sources=("ession-1",)), set()),
        (Filters(since=NOW - timedelta(days=1)), {"plain", "rich"}),
        (Filters(until=NOW - timedelta(days=10)), {"old"}),
        (Filters(since=NOW, until=NOW), set()),
        (Filters(states=()), {"plain", "rich", "old", "archived"}),
        (Filters(min_trust=0.85), {"plain"}),
        (Filters(entities=("e1",)), {"rich"}),
        (Filters(entities=("nobody",)), set()),
        (Filters(tags=("red",), kinds=(Kind.NOTE,)), {"old"}),
    ],
)
def test_each_filter_narrows(space: World, opened: Open, filters: Filters, expected: set[str]) -> None:
    fill_for_filters(space)
    assert passing(opened(), filters) == {named(name) for name in expected}


def fill_for_filters(space: World) -> None:
    rich = memory(
        "rich",
        key=named("rich"),
        kind=Kind.FACT,
        tags=("red", "blue"),
        category=Category.WORK,
        memory_type=MemoryType.SEMANTIC,
        mood=Mood.PLANNED,
        speaker="Anna",
        confidence=0.5,
        group="doc-1",
        origin=Origin(document="doc-1", path="notes/a.md"),
    )
    old = memory(
        "old",
        key=named("old"),
        tags=("red",),
        occurred_at=NOW - timedelta(days=30),
        origin=Origin(session="session-1"),
    )
    space.add(memory("plain", key=named("plain")), rich, old)
    space.add(memory("archived", key=named("archived"), state=State.ARCHIVED))
    space.link(Reference(named("rich"), "e1"), entities=(entity("e1", "SurrealDB"),))


def test_as_of_an_instant_gives_what_was_held_then(space: World, opened: Open) -> None:
    def day(n: int) -> timedelta:
        return timedelta(days=n)

    early = NOW - day(100)
    space.add(
        memory("first answer", key=named("first"), created_at=early, state=State.SUPERSEDED, valid_to=NOW - day(50)),
        memory("second answer", key=named("second"), created_at=NOW - day(50)),
        memory("over", key=named("over"), created_at=early, valid_to=NOW - day(70)),
    )
    index = opened()
    assert passing(index, Filters(as_of=NOW - day(120))) == set()
    assert passing(index, Filters(as_of=NOW - day(80))) == {named("first"), named("over")}
    assert passing(index, Filters(as_of=NOW - day(60))) == {named("first")}
    assert passing(index, Filters(as_of=NOW)) == {named("second")}


def test_changed_fields_reach_the_roster_without_new_slots(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a")))
    index = opened()
    index.refresh()
    slots = index.roster.n
    space.change(named("a"), tags=("new",), confidence=0.25)
    assert passing(index, Filters(tags=("new",))) == {named("a")}
    assert index.roster.n == slots
    assert index.roster.trust(NOW)[0] == pytest.approx(0.25)


def test_usage_is_followed_and_is_no_change_of_content(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a")))
    index = opened()
    index.refresh()
    content = index.view().content
    usage.record_accesses(space.db, dict.fromkeys([named("a")], 1), now=NOW)
    usage.record_feedback(space.db, used=[named("a")], not_useful=[], now=NOW)
    index.refresh()
    view = index.view()
    assert (view.roster.accesses[0], view.roster.used[0]) == (2, 1)  # what was of use was used once more
    assert view.roster.accessed_at[0] == NOW.timestamp()
    assert view.content == content < view.version
    space.change(named("a"), tags=("x",))
    index.refresh()
    assert index.view().content > content


def test_references_and_entities_are_followed(space: World, opened: Open) -> None:
    space.add(memory("one", key=named("a")), memory("two", key=named("b")))
    index = opened()
    index.refresh()
    space.link(Reference(named("a"), "e1", role="subject", weight=0.9), entities=(entity("e1", "Neovim"),))
    space.link(Reference(named("b"), "e1"))
    index.refresh()
    links = index.incidence
    assert links.degree.tolist() == [2]
    slot = index.roster.slot(named("a"))
    assert slot is not None
    assert [(e.name, role, round(weight, 2)) for e, role, weight in links.of(slot)] == [("Neovim", "subject", 0.9)]
    space.unlink(Reference(named("b"), "e1"))
    index.refresh()
    assert index.incidence.degree.tolist() == [1]
    space.delete(named("a"))
    index.refresh()
    assert index.incidence.degree.tolist() == [0]


def fill_the_graph(space: World) -> None:
    """nvim and Neovim stand for the same; Adam uses it, as a fact says; it is an editor, as somebody said by hand."""
    space.add(
        memory("Adam uses Neovim", key=named("fact"), kind=Kind.FACT),
        memory("nvim again", key=named("again")),
        memory("and before", key=named("before")),
    )
    space.link(
        Reference(named("fact"), "neovim", role="object", weight=0.9),
        Reference(named("again"), "nvim", weight=0.6),
        entities=tuple(entity(key, key) for key in ("adam", "neovim", "nvim", "editor")),
    )
    space.relate(
        relation("adam", "uses", "neovim", fact=named("fact"), label="works with", confidence=0.7),
        relation("nvim", RelationType.IS_A, "editor", made_by=MadeBy.PERSON, confidence=1.0),
    )
    space.follow(named("again"), named("before"))
    space.name("adam", "neovim", "nvim")
    space.name("editor", model="another model")


def test_the_graph_that_was_there_is_the_graph_that_was_followed(space: World, opened: Open) -> None:
    following = opened()
    following.refresh()
    fill_the_graph(space)
    following.refresh()
    fresh = opened()
    fresh.refresh()
    assert the_graph(following.view()) == the_graph(fresh.view())
    graph = fresh.view().graph
    assert graph.entities == fresh.incidence.entities and graph.code_of.keys() == {"adam", "neovim", "nvim", "editor"}
    assert related(graph) == {("adam", "uses", "neovim"), ("nvim", "is_a", "editor")}
    relations = graph.relations
    (uses,) = np.flatnonzero(~relations.is_a)
    assert relations.fact[uses] == fresh.roster.slot(named("fact")) and relations.has_fact.tolist().count(True) == 1
    assert (relations.types[relations.type[uses]], relations.label[uses]) == ("uses", "works with")
    assert [tuple(MadeBy)[number] for number in relations.made_by[~relations.is_a]] == [MadeBy.RULES]
    slots = [[fresh.roster.slot(named("again")), fresh.roster.slot(named("before"))]]
    assert graph.follows.tolist() == slots
    told = the_graph(fresh.view())
    assert told["names"] == {key: rounded(direction(key)) for key in ("adam", "neovim", "nvim")}


def test_a_merge_is_a_view_and_parting_gives_each_its_own(space: World, opened: Open) -> None:
    fill_the_graph(space)
    index = opened()
    index.refresh()
    apart = the_graph(index.view())
    nvim = entity("nvim", "nvim")
    space.decide(nvim, replace(nvim, merged_into="neovim"))
    index.refresh()
    graph = index.view().graph
    assert related(graph) == {("adam", "uses", "neovim"), ("neovim", "is_a", "editor")}
    degree = {key: int(index.incidence.degree[code]) for key, code in graph.code_of.items()}
    assert degree == {"adam": 0, "neovim": 2, "nvim": 0, "editor": 0}
    both = {named("fact"), named("again")}
    assert passing(index, Filters(entities=("nvim",))) == passing(index, Filters(entities=("neovim",))) == both
    slot = index.roster.slot(named("again"))
    assert slot is not None
    assert [(one.id, role) for one, role, _ in index.incidence.of(slot)] == [("neovim", "mention")]
    assert set(the_graph(index.view())["names"]) == {"adam", "neovim"}
    space.decide(replace(nvim, merged_into="neovim"), nvim)
    index.refresh()
    parted = the_graph(index.view())
    assert parted == apart


def test_a_relation_holds_as_its_fact_does(space: World, opened: Open) -> None:
    fill_the_graph(space)
    index = opened()

    def holding() -> set[str]:
        index.refresh()
        view = index.view()
        relations = view.graph.relations
        holds = relations.holding(view.roster.held, now=NOW)
        return {relations.types[relations.type[at]] for at in np.flatnonzero(holds)}

    assert holding() == {"uses", "is_a"}
    space.change(named("fact"), state=State.SUPERSEDED, valid_to=NOW)
    assert holding() == {"is_a"}
    space.change(named("fact"), state=State.DELETED)
    assert holding() == {"is_a"}
    space.change(named("fact"), state=State.HELD, text="Adam uses it daily")
    assert holding() == {"uses", "is_a"}


def test_relations_that_are_refused_changed_or_taken_away_are_followed(space: World, opened: Open) -> None:
    fill_the_graph(space)
    index = opened()
    index.refresh()
    before = relation("adam", "uses", "neovim", fact=named("fact"), label="works with", confidence=0.7)
    after = replace(before, confidence=1.0, version=2)
    space.change_relation(before, after)
    index.refresh()
    assert index.view().graph.neighbours(index.roster.held, now=NOW).max() == 1
    space.change_relation(after, replace(after, state=RelationState.REFUSED, version=3))
    index.refresh()
    assert related(index.view().graph) == {("nvim", "is_a", "editor")}
    space.unrelate(relation("nvim", RelationType.IS_A, "editor"))
    space.follow(named("again"), named("before"), there=False)
    index.refresh()
    graph = index.view().graph
    assert related(graph) == set() and graph.follows.shape == (0, 2)


def test_a_refused_entity_and_a_deleted_one_take_their_edges_out(space: World, opened: Open) -> None:
    fill_the_graph(space)
    index = opened()
    index.refresh()
    editor = entity("editor", "editor")
    space.decide(editor, replace(editor, state=EntityState.REFUSED))
    index.refresh()
    graph = index.view().graph
    assert related(graph) == {("adam", "uses", "neovim")}
    assert graph.canonical[graph.code_of["editor"]] == -1
    space.purge(named("fact"))  # Adam stood nowhere else
    index.refresh()
    graph = index.view().graph
    assert related(graph) == set() and "adam" not in graph.code_of and "adam" not in the_graph(index.view())["names"]


def test_a_new_vector_of_a_name_replaces_the_old(space: World, opened: Open) -> None:
    fill_the_graph(space)
    index = opened()
    index.refresh()
    before = the_graph(index.view())["names"]
    space.name("neovim", seed="renamed")
    index.refresh()
    after = the_graph(index.view())["names"]
    assert after == before | {"neovim": rounded(direction("renamed"))}


def test_the_graph_is_the_same_object_while_nothing_of_it_changes(space: World, opened: Open) -> None:
    fill_the_graph(space)
    index = opened()
    index.refresh()
    before = index.view()
    space.change(named("before"), tags=("x",))
    index.refresh()
    assert index.view() is not before and index.view().graph is before.graph
    space.add(memory("another", key=named("more")))
    index.refresh()
    held = index.roster.held
    assert index.incidence.matrix.shape[0] == index.view().n == before.n + 1
    joined = before.graph.neighbours(before.roster.held, now=NOW)
    assert index.view().graph.neighbours(held, now=NOW) is joined


def test_a_view_stays_as_it_was_taken(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a"), group="g"))
    index = opened()
    index.refresh()
    before = index.view()
    space.change(named("a"), state=State.ARCHIVED, tags=("later",))
    space.add(memory("a melon", key=named("b"), group="g"))
    index.refresh()
    assert before.n == 1 and before.roster.held.tolist() == [True]
    assert not before.roster.mask(Filters(tags=("later",)), now=NOW).any()
    assert before.roster.slot(named("b")) is None
    assert index.view().n == 2


def test_the_status_says_what_is_there_and_what_is_waiting(space: World, opened: Open) -> None:
    space.add(memory("one", key=named("a")))
    space.add(memory("two", key=named("b")), vectors=False)
    index = opened()
    index.refresh()
    status = index.status()
    assert (status.engine, status.rows, status.vectors, status.behind) == (index.engine, 2, 1, 0)
    assert status.rebuilt_at == NOW and status.reason and status.bytes > 0
    space.add(memory("three"), vectors=False)
    assert index.status().behind == 1
    index.close()


def test_both_engines_tell_the_same_after_the_same_writes(space: World) -> None:
    indexes = [open_index(space.db, model=MODEL, engine=engine) for engine in ("local", "surreal")]
    texts = ["melon pear", "melon melon fig", "plum", "kiwi melon", "fig fig", "pear kiwi plum"]
    space.add(*(memory(t, key=named(str(i)), group="g" if i % 2 else None, position=i) for i, t in enumerate(texts)))
    told = [everything(index, "melon fig kiwi") for index in indexes]
    assert told[0] == told[1]
    space.change(named("1"), text="pear only", group="h")
    space.change(named("3"), state=State.ARCHIVED)
    space.delete(named("5"))
    space.purge(named("0"))
    space.add(memory("melon again", key=named("9"), group="g", position=2))
    told = [everything(index, "melon fig kiwi") for index in indexes]
    assert told[0] == told[1]
    fresh = open_index(space.db, model=MODEL)
    assert everything(fresh, "melon fig kiwi") == told[0]


def test_an_unknown_engine_is_refused_by_name(space: World) -> None:
    with pytest.raises(BadInput, match="no search engine “lucene”"):
        open_index(space.db, model=MODEL, engine="lucene")


def test_an_update_of_an_unsaved_edit_keeps_the_usage(space: World, opened: Open) -> None:
    space.add(memory("a melon", key=named("a")))
    usage.record_accesses(space.db, dict.fromkeys([named("a")], 1), now=NOW)
    index = opened()
    index.refresh()
    space.memories[named("a")] = replace(space.memories[named("a")])
    space.change(named("a"), text="other words")
    index.refresh()
    slot = index.roster.slot(named("a"))
    assert index.roster.accesses[slot] == 1


def _keys(ids: list[str], scores: np.ndarray) -> set[str]:
    return {ids[slot] for slot in np.flatnonzero(scores)}

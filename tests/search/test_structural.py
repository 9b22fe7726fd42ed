from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from memoryapp.domain.entity import Reference
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Answer, Query
from memoryapp.domain.strategies import STRATEGIES
from memoryapp.domain.strength import strength_factor
from memoryapp.index import open_index
from memoryapp.inference.embedding import EncoderSlot, load_encoder
from memoryapp.search import explain, search
from memoryapp.search.arms.structural import (
    HUB_LEAST,
    MEANT,
    NO_ENTITIES,
    NO_SEED,
    ONLY_HUBS,
    hypergraph,
    start_at,
    walk,
)
from memoryapp.search.state import Seed
from memoryapp.spaces import Space
from memoryapp.store.usage import record_accesses
from memoryapp.store.write import Batch, commit, new_run
from tests.search.conftest import (
    ACTOR,
    NOW,
    MakeSpace,
    change,
    embed_again,
    entity_id,
    memory,
    name_vectors,
    write,
)
from tests.search.plain_ppr import plain_walk

ROLES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
EXPENSE = memory("Alice spent $400 on bike maintenance.")
BOUGHT = memory("Alice bought a new bike for $900.")
ABOUT = {EXPENSE.id: ["Alice", "bike", "maintenance", "$400"], BOUGHT.id: ["Alice", "bike", "$900"]}
DISTRACTORS = {
    "Bob paid the rent of the workshop.": ["Bob", "rent", "workshop"],
    "The workshop closes at six.": ["workshop"],
    "Carol prefers the train to the office.": ["Carol", "train", "office"],
    "Bob's expenses of May are in the ledger.": ["Bob", "ledger"],
    "Carol and Bob share an office.": ["Carol", "Bob", "office"],
}


def ids(answer: Answer) -> list[str]:
    return [hit.memory.id for hit in answer.hits]


def matrix_of(edges: list[dict[int, float]], entities: int) -> csr_matrix:
    starts = np.cumsum([0, *map(len, edges)])
    flat = [(entity, role) for edge in edges for entity, role in sorted(edge.items())]
    data = np.array([role for _, role in flat], dtype=np.float32)
    return csr_matrix((data, np.array([e for e, _ in flat], dtype=np.int32), starts), shape=(len(edges), entities))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[dict[int, float]], int]:
    entities = draw(st.integers(1, 7))
    edge = st.dictionaries(st.integers(0, entities - 1), st.sampled_from(ROLES), min_size=1)
    return draw(st.lists(edge, min_size=1, max_size=9)), entities


@settings(deadline=None)
@given(
    graphs(), st.data(), st.sampled_from([0.0, 0.15, 0.5, 1.0]), st.integers(0, 6)
)  # fmt: skip
def test_the_walk_is_the_one_of_its_definition(
    graph: tuple[list[dict[int, float]], int], data: st.DataObject, alpha: float, rounds: int
) -> None:
    edges, entities = graph
    near = data.draw(st.lists(st.sampled_from([0.0, 0.01, 0.3, 0.8, 1.0]), min_size=len(edges), max_size=len(edges)))
    there = sorted({entity for edge in edges for entity in edge})
    start = data.draw(st.dictionaries(st.sampled_from(there), st.sampled_from([0.2, 0.65, 1.0]), min_size=1))
    # float32 keeps a role of .9 only nearly, so that both read the same weights.
    edges = [{entity: float(np.float32(role)) for entity, role in edge.items()} for edge in edges]
    made = hypergraph(matrix_of(edges, entities), np.ones(len(edges), dtype=np.bool_))
    begin = np.zeros(entities)
    for entity, worth in start.items():
        begin[entity] = worth
    mass = walk(made, begin, np.array(near), alpha=alpha, rounds=rounds)
    expected, scores = plain_walk(edges, start, near, alpha=alpha, rounds=rounds)
    assert mass.sum() == pytest.approx(1, abs=1e-9)
    assert mass == pytest.approx([expected.get(entity, 0.0) for entity in range(entities)], abs=1e-9)
    assert made.choice @ mass == pytest.approx(scores, abs=1e-9)


def test_what_does_not_count_is_neither_walked_over_nor_counted() -> None:
    edges = [{0: 1.0, 1: 1.0}, {1: 1.0, 2: 1.0}, {0: 1.0, 2: 1.0}]
    counted = np.array([True, True, False])
    made = hypergraph(matrix_of(edges, 3), counted)
    alone = hypergraph(matrix_of(edges[:2], 3), np.ones(2, dtype=np.bool_))
    assert made.degree.tolist() == alone.degree.tolist() == [1, 2, 1]
    assert made.choice.toarray()[:2].tolist() == alone.choice.toarray().tolist()
    assert not made.choice.toarray()[2].any()


def test_two_roles_of_one_entity_count_as_one_whole() -> None:
    made = hypergraph(matrix_of([{0: 1.5, 1: 0.5}], 2), np.ones(1, dtype=np.bool_))
    assert made.choice.toarray().tolist() == [[0.5, 0.25]]


def test_what_is_merely_meant_has_little_beside_what_is_named() -> None:
    made = hypergraph(matrix_of([{0: 1.0, 1: 1.0}, {0: 1.0, 2: 1.0}], 3), np.ones(2, dtype=np.bool_))
    named, word, query = Seed(0, 1.0, "name"), Seed(1, 0.8, "word"), Seed(2, 0.6, "query")
    assert start_at([named, word, query], made) == pytest.approx([1.0, MEANT * 0.8 / 1.4, MEANT * 0.6 / 1.4])
    assert start_at([word, query], made).sum() == pytest.approx(1)


def worked_example(space: Space) -> None:
    others = [memory(text) for text in DISTRACTORS]
    about = ABOUT | {one.id: list(DISTRACTORS[one.text]) for one in others}
    write(space, EXPENSE, BOUGHT, *others, about=about)


@pytest.mark.parametrize("strategy", ["structural", "dual-arm"])
def test_both_memories_of_the_bike_are_found_maintenance_first(space: Space, strategy: str) -> None:
    worked_example(space)
    answer = search(space, Query("What are Alice's bike maintenance expenses?", strategy=strategy, trace=True))
    assert ids(answer)[:2] == [EXPENSE.id, BOUGHT.id]
    assert answer.notes == ()
    assert answer.trace["seeds"][0] == {"name": "maintenance", "by": "name", "weight": 1.0}
    first = answer.hits[0]
    seeds = {seed["name"]: seed for seed in first.evidence["seeds"]}
    assert {name for name, seed in seeds.items() if seed["by"] == "name"} == {"Alice", "bike", "maintenance"}
    assert all(seed["here"] and 0 < seed["mass"] <= 1 for seed in seeds.values())
    assert first.evidence["entities"][0] == {"id": entity_id("maintenance"), "name": "maintenance", "degree": 1}


@pytest.mark.slow
def test_the_example_holds_with_the_real_model_and_its_words(make_space: MakeSpace) -> None:
    encoder = load_encoder("all-MiniLM-L6-v2")
    slot = EncoderSlot(encoder.name, lambda _: encoder)
    slot.fill()
    plain = make_space()
    space = replace(plain, encoder=slot, index=open_index(plain.db, model=encoder.name))
    worked_example(space)
    texts = [EXPENSE.text, BOUGHT.text, *DISTRACTORS]
    embed_again(space, texts)
    name_vectors(space, "Alice", "bike", "maintenance", "ledger", "train", "workshop")
    answer = search(space, Query("What does Alice pay to have her bicycle serviced?", strategy="structural"))
    assert set(ids(answer)[:2]) == {EXPENSE.id, BOUGHT.id}
    seeds = {seed["name"]: seed["by"] for seed in answer.hits[0].evidence["seeds"]}
    assert (seeds["Alice"], seeds["bike"]) == ("name", "word")


def star(space: Space, rays: int) -> list[Memory]:
    """A hub that every memory names, and two memories that name something of their own."""
    own = [memory("The user fixed the gripper."), memory("A gripper has two fingers.")]
    about = {own[0].id: ["user", "gripper"], own[1].id: ["gripper", "fingers"]}
    write(space, *own, about=about, embed=False)
    crowd = [memory(f"The user said thing {n}.") for n in range(rays)]
    for start in range(0, rays, 250):
        part = crowd[start : start + 250]
        refer = [Reference(one.id, entity_id("user")) for one in part]
        commit(space.db, new_run("remember", ACTOR, now=NOW), Batch(created=part, references_added=refer), now=NOW)
    return own


@pytest.mark.slow
@pytest.mark.long
def test_a_hub_of_five_thousand_memories_does_not_flood(space: Space) -> None:
    own = star(space, 5_000)
    answer = search(space, Query("What did the user do with the gripper?", strategy="structural", top_k=100))
    assert set(ids(answer)) == {one.id for one in own}
    alone = search(space, Query("What about the user?", strategy="structural", top_k=100))
    assert (alone.hits, alone.notes) == ((), (ONLY_HUBS,))
    recalled = search(space, Query("What did the user do with the gripper?", strategy="recall", top_k=10))
    assert set(ids(recalled)[:2]) == {one.id for one in own}


def test_what_few_memories_name_is_never_a_hub(space: Space) -> None:
    notes = [memory(f"The user said thing {n}.") for n in range(HUB_LEAST)]
    write(space, *notes, about={one.id: ["user"] for one in notes})
    answer = search(space, Query("the user", strategy="structural", top_k=100))
    assert len(answer.hits) == HUB_LEAST


def test_a_space_without_entities_and_a_query_without_a_name_say_so(space: Space) -> None:
    write(space, EXPENSE)
    assert search(space, Query("bike", strategy="structural")).notes == (NO_ENTITIES,)
    assert ids(search(space, Query("bike maintenance", strategy="dual-arm"))) == [EXPENSE.id]
    write(space, BOUGHT, about={BOUGHT.id: ["Alice"]})
    answer = search(space, Query("Where is the moon?", strategy="structural"))
    assert (answer.hits, answer.notes) == ((), (NO_SEED,))
    told = explain(space, Query("Where is the moon?", strategy="structural"), BOUGHT.id)
    assert (told.stage, told.notes) == ("arms", (NO_SEED,))
    assert NO_SEED in told.reason


def test_explain_tells_of_a_memory_that_the_walk_does_not_come_to(space: Space) -> None:
    worked_example(space)
    far = memory("The moon is full.")
    write(space, far, about={far.id: ["moon"]})
    query = Query("What are Alice's bike maintenance expenses?", strategy="structural")
    told = explain(space, query, far.id)
    assert (told.stage, told.score) == ("arms", None)
    assert "The walk from the entities that the query names does not come to it." in told.reason
    assert explain(space, query, EXPENSE.id).rank == 1


def test_a_question_without_a_vector_walks_by_names_alone(make_space: MakeSpace) -> None:
    class English:
        languages = frozenset({"en"})

        def __getattr__(self, name: str):  # type: ignore[no-untyped-def]
            return getattr(load_encoder("hashing"), name)

    slot = EncoderSlot("hashing-384", lambda _: English())
    slot.fill()
    space = make_space(encoder=slot)
    minsu = memory("민수는 자전거를 고쳤다.")
    rain = memory("비가 온다.")
    write(space, minsu, rain, about={minsu.id: ["민수", "자전거"], rain.id: ["비"]})
    for strategy in ("structural", "dual-arm"):
        answer = search(space, Query("민수가 자전거를 어떻게 했어?", strategy=strategy))
        assert ids(answer)[0] == minsu.id
        assert rain.id not in ids(answer)
        assert {seed["name"] for seed in answer.hits[0].evidence["seeds"]} == {"민수", "자전거"}
    moon = search(space, Query("달은 어디에 있어?", strategy="structural"))
    assert moon.hits == () and NO_SEED in moon.notes


def test_filters_and_instants_bind_the_walk(space: Space) -> None:
    early = memory("Alice rode the old bike.", created_at=NOW - timedelta(days=30))
    fact = memory("Alice spent $400 on the bike.", kind=Kind.FACT)
    write(space, early, fact, about={early.id: ["Alice", "bike"], fact.id: ["Alice", "bike"]})
    query = Query("Alice bike", strategy="structural")
    assert set(ids(search(space, query))) == {early.id, fact.id}
    assert ids(search(space, replace(query, filters=Filters(kinds=(Kind.FACT,))))) == [fact.id]
    change(space, early, state=State.SUPERSEDED, valid_to=NOW - timedelta(days=5))
    assert ids(search(space, query)) == [fact.id]
    assert ids(search(space, replace(query, filters=Filters(as_of=NOW - timedelta(days=20))))) == [early.id]


def test_a_filter_says_what_is_looked_for_and_not_by_way_of_what(space: Space) -> None:
    between = memory("Alice lent the trailer.")
    far = memory("The trailer stands in Porto.", kind=Kind.FACT)
    write(space, between, far, about={between.id: ["Alice", "trailer"], far.id: ["trailer", "Porto"]}, embed=False)
    write(space, memory("Nothing else."))
    plain = replace(space, encoder=EncoderSlot("hashing-384", lambda _: load_encoder("hashing")))  # no vectors
    answer = search(plain, Query("Alice", strategy="structural", filters=Filters(kinds=(Kind.FACT,))))
    assert ids(answer) == [far.id]


def test_dual_arm_is_reciprocal_rank_times_what_strength_moves_it(space: Space) -> None:
    worked_example(space)
    for hit in search(space, Query("What are Alice's bike maintenance expenses?", strategy="dual-arm")).hits:
        for name, arm in hit.arms.items():
            weight = STRATEGIES["dual-arm"].weight(name)
            assert arm.share == pytest.approx(0 if arm.rank is None else weight / (60 + arm.rank), rel=1e-9)
        assert set(hit.factors) == {"strength", "feedback"}
        assert hit.factors["strength"] == pytest.approx(strength_factor(hit.strength), rel=1e-6)


def test_what_was_used_a_thousand_times_does_not_bury_the_answer(space: Space) -> None:
    worked_example(space)
    others = [memory(text).id for text in DISTRACTORS]
    record_accesses(space.db, dict.fromkeys(others, 1_000), now=NOW)
    answer = search(space, Query("What are Alice's bike maintenance expenses?", strategy="dual-arm"))
    assert ids(answer)[:2] == [EXPENSE.id, BOUGHT.id]
    assert max(hit.strength for hit in answer.hits[2:]) > 10 * answer.hits[0].strength


def test_a_word_of_a_name_begins_the_walk_as_the_name_does(space: Space) -> None:
    trip, tax = memory("Alice went along the coast."), memory("Alice enjoys a quiet evening.")
    about = {trip.id: ["Alice", "hybrid bike", "coast"], tax.id: ["Alice", "evening"]}
    write(space, trip, tax, EXPENSE, about=about | {EXPENSE.id: ["Alice", "hybrid bike", "$400"]})
    answer = search(space, Query("What are Alice's bikes for?", strategy="structural", trace=True))
    seeds = {seed["name"]: seed["by"] for seed in answer.trace["seeds"]}
    assert (seeds["Alice"], seeds["hybrid bike"]) == ("name", "part")
    assert set(ids(answer)[:2]) == {trip.id, EXPENSE.id}


def test_a_word_that_many_names_have_counts_little_for_each(space: Space) -> None:
    papers = [memory(f"Paper number {n} arrived.") for n in range(8)]
    about = {one.id: [f"Journal {chr(97 + n) * 5}"] for n, one in enumerate(papers)}
    write(space, *papers, EXPENSE, about=about | {EXPENSE.id: ["psychotherapy session"]})
    asked = Query("Which journal is about psychotherapy in 2023?", strategy="structural", trace=True)
    weights = {seed["name"]: seed["weight"] for seed in search(space, asked).trace["seeds"]}
    assert weights["psychotherapy session"] == 0.5
    assert {weight for name, weight in weights.items() if name.startswith("Journal")} == {0.5 / 8}


def test_dual_arm_finds_what_has_all_but_faded(space: Space) -> None:
    old = memory("Alice spent $400 on bike maintenance.", created_at=NOW - timedelta(days=4_000))
    write(space, old, about={old.id: ["Alice", "bike"]})
    assert ids(search(space, Query("Alice bike maintenance", strategy="dual-arm"))) == [old.id]


def test_semantic_gives_nothing_that_is_far(space: Space) -> None:
    near, far = memory("bike maintenance in May"), memory("가을 하늘")
    write(space, near, far)
    hits = search(space, Query("bike maintenance in May", strategy="semantic")).hits
    assert [hit.memory.id for hit in hits] == [near.id]
    assert hits[0].arms["semantic"].score >= 0.3


def test_a_parents_memories_are_walked_in_the_parent(make_space: MakeSpace) -> None:
    parent = make_space("above")
    child = make_space("below", parent=parent)
    write(parent, EXPENSE, about={EXPENSE.id: ["Alice", "maintenance"]})
    write(child, BOUGHT, about={BOUGHT.id: ["Alice"]})
    answer = search(child, Query("Alice maintenance", strategy="structural"))
    assert {hit.memory.id: hit.inherited_from for hit in answer.hits} == {EXPENSE.id: "above", BOUGHT.id: None}


def test_the_surreal_engine_walks_the_same_way(make_space: MakeSpace) -> None:
    space = make_space()
    worked_example(space)
    engine = open_index(space.db, model=space.encoder.name, engine="surreal")
    other = replace(space, name=f"{space.name}-surreal", index=engine)
    for strategy in ("structural", "dual-arm", "recall"):
        query = Query("What are Alice's bike maintenance expenses?", strategy=strategy, top_k=2)
        assert ids(search(other, query)) == ids(search(space, query))

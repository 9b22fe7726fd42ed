"""The whole road of a search, on the real engine."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memoryapp.domain.conflict import Conflict
from memoryapp.domain.errors import EncodingFailed, ModelMissing
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import new_node
from memoryapp.domain.results import Answer, Query
from memoryapp.domain.strategies import HYBRID, RRF, STRATEGIES, Factor
from memoryapp.index import open_index
from memoryapp.inference.embedding import EncoderSlot, load_encoder
from memoryapp.search import search
from memoryapp.search.query import LOADING, NO_HANGUL
from memoryapp.spaces import Space
from memoryapp.store.usage import record_feedback
from memoryapp.store.write import Batch, commit, new_run
from tests.search.conftest import ACTOR, NOW, MakeSpace, change, filled_slot, memory, write

QUEUE = memory("We moved the queue to Redis because RabbitMQ lost messages on restart.", speaker="Alice")
DEPLOY = memory("Deploys go out on Tuesdays after the stand-up.", speaker="Bob")
LISBON = memory("Adam reviews Terraform plans in the Lisbon office.")
PRIYA = memory("Priya runs the Lisbon office and keeps the keys.")
VALUES = memory("사람은 가치관으로 산다.")
ALL = (QUEUE, DEPLOY, LISBON, PRIYA, VALUES)
OF_ANY_KIND = [name for name, strategy in STRATEGIES.items() if not strategy.kinds]


def texts(answer: Answer) -> list[str]:
    return [hit.memory.text for hit in answer.hits]


class English:
    """The hashing encoder, said to read English only."""

    def __init__(self) -> None:
        self._inner = load_encoder("hashing")
        self.languages = frozenset({"en"})

    def __getattr__(self, name: str):  # type: ignore[no-untyped-def]
        return getattr(self._inner, name)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_score_is_the_sum_of_the_shares_times_the_factors(space: Space, strategy: str) -> None:
    about = {QUEUE.id: ["Redis"], DEPLOY.id: ["Redis"], LISBON.id: ["Lisbon"], PRIYA.id: ["Lisbon"]}
    nodes = [
        new_node(path, title=path, text=f"- {path} lies by the sea.\n", now=NOW, keywords=(path,))
        for path in ("Lisbon", "Redis")
    ]
    write(space, *ALL, *nodes, about=about)
    liked = [QUEUE.id, LISBON.id, nodes[0].id]
    record_feedback(space.db, used=liked, not_useful=[PRIYA.id], now=NOW)
    answer = search(space, Query("what did Alice say about the Redis queue in Lisbon in May?", strategy=strategy))
    assert answer.hits
    for hit in answer.hits:
        assert hit.score == sum(arm.share for arm in hit.arms.values()) * math.prod(hit.factors.values())
    assert {hit.factors["feedback"] for hit in answer.hits} != {1.0}
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)


def test_rrf_shares_are_weight_over_sixty_plus_rank(space: Space) -> None:
    write(space, *ALL)
    for hit in search(space, Query("Lisbon office", strategy="rrf")).hits:
        for name, arm in hit.arms.items():
            weight = {a.value: w for a, w in RRF.weights.items()}[name]
            assert arm.share == pytest.approx(0 if arm.rank is None else weight / (60 + arm.rank), rel=1e-9)


def test_each_arm_alone_ranks_by_its_own_score(space: Space) -> None:
    write(space, *ALL)
    by_words = search(space, Query("Lisbon office", strategy="keyword"))
    assert set(texts(by_words)) == {LISBON.text, PRIYA.text}
    assert [hit.arms["keyword"].rank for hit in by_words.hits] == [1, 2]
    by_vector = search(space, Query("Lisbon office", strategy="vector"))
    assert all(hit.arms["vector"].score == pytest.approx(hit.evidence["cosine"], abs=1e-4) for hit in by_vector.hits)


def test_the_graph_finds_what_shares_an_entity_with_the_nearest(space: Space) -> None:
    far = memory("Bring an umbrella.")
    write(space, *ALL, far, about={QUEUE.id: ["Redis"], far.id: ["Redis"]})
    answer = search(space, Query("why was the queue moved from RabbitMQ?", strategy="graph"))
    shared = {hit.memory.id: hit.evidence.get("entities") for hit in answer.hits}
    assert far.id in shared
    assert shared[far.id][0]["name"] == "Redis"
    assert shared[far.id][0]["degree"] == 2


def test_evidence_names_terms_marks_and_cosine(space: Space) -> None:
    write(space, *ALL)
    hit = search(space, Query("why did we move the queues?")).hits[0]
    assert hit.memory.id == QUEUE.id
    assert {term["term"]: term["fields"] for term in hit.evidence["terms"]}["queue"] == ["own", "window", "whole"]
    assert all(term["idf"] > 0 for term in hit.evidence["terms"])
    assert hit.evidence["matched"] == ["moved", "queue"]
    assert [QUEUE.text[start:end] for start, end in hit.evidence["spans"]] == ["moved", "queue"]
    assert 0 < hit.evidence["cosine"] <= 1


def test_filters_apply_before_ranking_in_every_arm(space: Space) -> None:
    noise = [memory(f"Lisbon office note {n}", kind=Kind.FACT) for n in range(30)]
    write(space, *noise, LISBON, about={one.id: ["Lisbon"] for one in [*noise, LISBON]})
    for strategy in STRATEGIES:
        query = Query("Lisbon office", strategy=strategy, top_k=5, filters=Filters(kinds=(Kind.NOTE,)))
        answer = search(space, query)
        assert set(texts(answer)) <= {LISBON.text}
        if strategy == "context-tree":  # no node may be returned; words alone find the note
            assert texts(answer) == [LISBON.text]
        elif strategy not in ("graph", "tree"):  # the one needs a second memory to share with, the other nodes
            assert texts(answer) == [LISBON.text]
            assert next(iter(answer.hits[0].arms.values())).rank == 1


def test_a_korean_word_is_found_whatever_particle_it_carries(space: Space) -> None:
    write(space, *ALL)
    assert texts(search(space, Query("가치관이 뭐야?", strategy="keyword"))) == [VALUES.text]


def test_the_named_speaker_is_lifted_and_told(space: Space) -> None:
    said = "The plan is to release on Friday."
    alice, bob = memory(said, id="a" * 16, speaker="Alice"), memory(said, id="b" * 16, speaker="Bob")
    write(space, alice, bob)
    hits = search(space, Query("When is Bob going to release the plan?")).hits
    assert hits[0].memory.speaker == "Bob"
    assert hits[0].evidence["speaker"] == "Bob"
    assert hits[0].arms["speaker"].share > 0 == hits[1].arms["speaker"].share


def test_a_named_day_lifts_what_happened_then(space: Space) -> None:
    days = [datetime(2023, 5, day, 14, tzinfo=UTC) for day in (1, 7, 20)]
    notes = [memory(f"Walked the dog, part {n}.", occurred_at=day) for n, day in enumerate(days)]
    write(space, *notes)
    hits = search(space, Query("walked the dog on 2023년 5월 7일")).hits
    assert hits[0].memory.occurred_at == days[1]
    assert hits[0].evidence["date"] == 1
    assert hits[0].arms["date"].share == pytest.approx(Tuning().date_weight, rel=1e-6)


def test_while_the_model_loads_words_alone_answer(make_space: MakeSpace) -> None:
    loading = EncoderSlot("hashing-384", lambda _: load_encoder("hashing"))
    space = make_space(encoder=loading)
    write(space, *ALL)
    for strategy in OF_ANY_KIND:
        answer = search(space, Query("Lisbon office", strategy=strategy))
        assert (LOADING in answer.notes) == (strategy != "keyword")
        assert set(texts(answer)) == {LISBON.text, PRIYA.text}
    loading.fill()
    ready = search(space, Query("Lisbon office"))
    assert not ready.notes and not ready.cached
    assert "vector" in ready.arms


def test_a_model_that_is_missing_is_named_and_words_answer(make_space: MakeSpace) -> None:
    def fail(_: str):  # type: ignore[no-untyped-def]
        raise ModelMissing("There is no model “x” here.")

    slot = EncoderSlot("x", fail)
    slot.fill()
    space = make_space(encoder=slot)
    write(space, *ALL)
    answer = search(space, Query("Lisbon"))
    assert "There is no model “x” here." in answer.notes[0]
    assert len(answer.hits) == 2


def test_an_encoder_that_fails_at_a_query_leaves_the_words(make_space: MakeSpace) -> None:
    class Failing(English):
        def encode_query(self, text: str):  # type: ignore[no-untyped-def]
            raise EncodingFailed("The endpoint did not answer.")

    space = make_space(encoder=filled_slot(Failing()))
    write(space, *ALL)
    answer = search(space, Query("Lisbon"))
    assert answer.notes == ("The endpoint did not answer. Answered by words alone.",)
    assert len(answer.hits) == 2


def test_a_hangul_query_leaves_an_english_encoder_out_and_says_so(make_space: MakeSpace) -> None:
    space = make_space(encoder=filled_slot(English()))
    write(space, *ALL)
    answer = search(space, Query("가치관이 뭐야?"))
    assert answer.notes == (NO_HANGUL,)
    assert texts(answer) == [VALUES.text]
    assert "vector" not in answer.hits[0].arms
    assert search(space, Query("가치관이 뭐야?")).cached
    assert search(space, Query("Lisbon")).notes == ()


def test_equal_scores_come_in_the_order_of_their_ids(space: Space) -> None:
    twins = [memory("The very same words.", id=f"{n:016x}") for n in (9, 3, 7, 1, 5)]
    write(space, *twins)
    answer = search(space, Query("the very same words", top_k=3))
    assert [hit.memory.id for hit in answer.hits] == [f"{n:016x}" for n in (1, 3, 5)]


def test_only_what_is_held_is_found_unless_asked_otherwise(space: Space) -> None:
    write(space, *ALL)
    archived = change(space, LISBON, state=State.ARCHIVED)
    assert texts(search(space, Query("Lisbon office", strategy="keyword"))) == [PRIYA.text]
    both = Filters(states=(State.HELD, State.ARCHIVED))
    assert set(texts(search(space, Query("Lisbon office", filters=both)))) >= {LISBON.text, PRIYA.text}
    change(space, archived, state=State.DELETED)
    assert LISBON.text not in texts(search(space, Query("Lisbon office", filters=both)))


def test_as_of_an_instant_answers_what_was_held_then(space: Space) -> None:
    early = memory("The queue runs on RabbitMQ.", created_at=NOW - timedelta(days=30))
    write(space, early, QUEUE)
    change(space, early, state=State.SUPERSEDED, valid_to=NOW - timedelta(days=5))
    then = Filters(as_of=NOW - timedelta(days=20))
    assert texts(search(space, Query("queue", filters=then))) == [early.text]
    assert texts(search(space, Query("queue", strategy="keyword"))) == [QUEUE.text]


def test_the_neighbours_of_a_match_are_found_by_their_context(space: Space) -> None:
    turns = ["What did you think of the Lisbon office?", "Loved it.", "Too cold for me."]
    for group, lines in (("session:a", turns), ("session:b", ["How was lunch?", "Loved it.", "Fine."])):
        write(space, *(memory(t, id=f"{group[-1]}{n:015x}", group=group, position=n) for n, t in enumerate(lines)))
    found = [hit.memory.id for hit in search(space, Query("Lisbon office")).hits if hit.memory.text == "Loved it."]
    assert found[0] == f"a{1:015x}"


def test_a_sub_space_reads_its_parents_memories_marked_as_inherited(make_space: MakeSpace) -> None:
    parent = make_space("parent")
    child = make_space("child", parent=parent)
    write(parent, LISBON)
    write(child, PRIYA)
    answer = search(child, Query("Lisbon office"))
    assert {hit.memory.id: hit.inherited_from for hit in answer.hits} == {LISBON.id: "parent", PRIYA.id: None}
    assert {hit.memory.id for hit in search(parent, Query("Lisbon office")).hits} == {LISBON.id}


def test_open_conflicts_are_carried_by_both_sides(space: Space) -> None:
    write(space, *ALL)
    search(space, Query("Lisbon office"))  # so that the answer is remembered
    clash = Conflict("c" * 16, LISBON.id, "test", "They differ.", NOW, incoming=PRIYA.id)
    commit(space.db, new_run("conflict", ACTOR, now=NOW), Batch(conflicts=[clash]), now=NOW)
    answer = search(space, Query("Lisbon office"))
    assert {hit.memory.id: hit.conflicts for hit in answer.hits[:2]} == {LISBON.id: (clash.id,), PRIYA.id: (clash.id,)}


def test_chosen_factors_multiply_and_are_shown(space: Space) -> None:
    old = memory("The gate code is 4417.", id="1" * 16, created_at=NOW - timedelta(days=900))
    new = memory("The gate code is 4417.", id="2" * 16, created_at=NOW - timedelta(days=1))
    write(space, old, new)
    assert [hit.memory.id for hit in search(space, Query("gate code")).hits] == [old.id, new.id]
    weighed = replace(HYBRID, name="by trust", factors=(Factor.TRUST, Factor.FEEDBACK))
    hits = search(space, Query("gate code"), strategy=weighed).hits
    assert [hit.memory.id for hit in hits] == [new.id, old.id]
    assert hits[0].factors["trust"] == pytest.approx(hits[0].trust, rel=1e-5)


def test_an_empty_space_answers_with_nothing(space: Space) -> None:
    for strategy in STRATEGIES:
        answer = search(space, Query("anything at all", strategy=strategy))
        assert answer.hits == ()


def test_memories_without_a_vector_are_found_by_their_words(space: Space) -> None:
    write(space, LISBON, embed=False)
    write(space, PRIYA)
    assert set(texts(search(space, Query("Lisbon office")))) == {LISBON.text, PRIYA.text}


@pytest.mark.parametrize("text", ["?!…", "the of and", "' OR 1=1 --", "}; DELETE memory; {", "🦊", "a" * 8_000])
def test_odd_queries_are_answered(space: Space, text: str) -> None:
    write(space, *ALL)
    for strategy in STRATEGIES:
        search(space, Query(text, strategy=strategy, trace=True))
    assert len(texts(search(space, Query("Lisbon office", strategy="keyword")))) == 2


def test_a_trace_holds_plain_values(space: Space) -> None:
    write(space, *ALL)
    trace = search(space, Query("Lisbon office", trace=True)).trace
    assert trace["searched"] == len(ALL)
    assert trace["terms"][0]["df"] == 2
    assert 0 <= trace["covered"] <= 1


def test_hybrid_bridges_two_memories(space: Space) -> None:
    first = memory("The Journal of Psychotherapy is published by the American Psychological Association.")
    second = memory("Stanley Hall was first to lead the American Psychological Association.")
    crowd = [memory(f"Person{n} was the first president of the Club of Town{n}.") for n in range(40)]
    write(space, first, second, *crowd)
    query = Query(
        "Who was the first president of the association that published the Journal of Psychotherapy?", top_k=5
    )
    hits = {hit.memory.id: hit for hit in search(space, query).hits}
    assert {first.id, second.id} <= set(hits)
    assert "american psychological association" in {e["name"] for e in hits[second.id].evidence["entities"]}


def test_two_threads_may_search_while_a_third_writes(space: Space) -> None:
    from concurrent.futures import ThreadPoolExecutor

    write(space, *ALL)

    def ask(n: int) -> int:
        return len(search(space, Query(f"Lisbon office {n}")).hits)

    def put(n: int) -> None:
        write(space, memory(f"Lisbon note {n}"))

    with ThreadPoolExecutor(4) as pool:
        writes = [pool.submit(put, n) for n in range(20)]
        counts = list(pool.map(ask, range(40)))
        for one in writes:
            one.result()
    assert min(counts) >= 2
    assert len(search(space, Query("Lisbon", top_k=100, strategy="keyword")).hits) == 22


def test_vectors_do_not_leak_through_the_answer(space: Space) -> None:
    write(space, *ALL)
    for hit in search(space, Query("Lisbon office", trace=True)).hits:
        assert isinstance(hit.memory, Memory)
        for value in hit.evidence.values():
            assert not isinstance(value, np.generic | np.ndarray)


def test_the_surreal_engine_serves_the_same_search(make_space: MakeSpace) -> None:
    space = make_space()
    other = replace(
        space, name=f"{space.name}-surreal", index=open_index(space.db, model=space.encoder.name, engine="surreal")
    )
    write(space, *ALL)
    for strategy in STRATEGIES:
        query = Query("what did Alice say about the Redis queue?", strategy=strategy, top_k=3)
        assert texts(search(other, query))[:1] == texts(search(space, query))[:1]


def test_a_summary_is_found_by_those_who_ask_for_summaries_alone(space: Space) -> None:
    fact = memory("The gripper runs on Rust.", kind=Kind.FACT)
    told = memory("The gripper runs on Rust. Alice reviews the gripper.", kind=Kind.SUMMARY)
    write(space, fact, told)
    assert [hit.memory.id for hit in search(space, Query("gripper Rust")).hits] == [fact.id]
    asked = Query("gripper Rust", filters=Filters(kinds=(Kind.SUMMARY,)))
    assert [hit.memory.id for hit in search(space, asked).hits] == [told.id]

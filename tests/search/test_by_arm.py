from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoryapp.domain.node import new_node
from memoryapp.domain.results import Query
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.search import explain, search
from memoryapp.search.arms.structural import NO_SEED
from memoryapp.search.query import NO_HANGUL
from memoryapp.spaces import Space
from tests.search.conftest import NOW, MakeSpace, filled_slot, memory, relate, write
from tests.search.explained import FAR, NOTES, ids, step


def test_an_arm_tells_the_rank_beyond_what_it_hands_on(space: Space) -> None:
    write(space, *NOTES)
    query = Query("queue of worker 7", strategy="rrf", top_k=100)
    alone = search(space, Query("queue of worker 7", strategy="vector", top_k=100)).hits
    handed = ids(search(space, query))
    last = next(hit for hit in alone if hit.memory.id not in handed)
    detail = step(told := explain(space, query, last.memory.id), "vector").detail
    assert detail["rank"] == [hit.memory.id for hit in alone].index(last.memory.id) + 1 > detail["depth"] == 20
    assert detail["score"] == pytest.approx(last.score)
    assert detail["last"] == pytest.approx(alone[19].score)
    assert step(told, "vector").passed is False and "this arm hands on 20" in step(told, "vector").told
    assert step(told, "fusion").passed is False
    assert told.stage == "arms"
    rank, arm = min((step(told, arm).detail["rank"], arm) for arm in ("vector", "keyword"))
    nearest = f"It came closest in {arm}, at rank {rank}: that arm hands on the first 20."
    assert told.reason == f"No arm handed it on. {nearest}"


def test_one_that_only_an_arm_without_weight_reaches_is_told_so(space: Space) -> None:
    write(space, *NOTES)
    told = explain(space, Query("worker 7", strategy="hybrid;vector=0;keyword=0;graph=0"), NOTES[7].id)
    assert (told.stage, told.reason) == (
        "arms", "No arm that counts here reached it: the weight of vector and keyword is 0.",
    )  # fmt: skip
    assert "Its weight here is 0." in step(told, "vector").told


def test_the_keyword_arm_names_what_it_has_and_what_it_lacks(space: Space) -> None:
    write(space, *NOTES)
    told = step(explain(space, Query("worker 7 kettle", strategy="keyword", top_k=1), NOTES[3].id), "keyword")
    assert (told.detail["has"], told.detail["missing"]) == (["worker"], ["7", "kettl"])
    assert told.detail["idf"]["kettl"] > told.detail["idf"]["worker"]
    none = step(explain(space, Query("kettle", strategy="keyword"), NOTES[3].id), "keyword")
    assert (none.passed, none.told) == (False, "None of the query's words stand in it.")


def test_the_question_is_told_as_it_was_understood(space: Space) -> None:
    write(space, *NOTES, memory("The queue moved.", speaker="Mina Kay", occurred_at=datetime(2026, 5, 3, tzinfo=UTC)))
    told = step(explain(space, Query("What did Mina say of queues on 3 May 2026?"), NOTES[7].id), "question")
    assert (told.detail["speaker"], told.detail["dates"]) == ("Mina Kay", ["3 May 2026"])
    assert told.told.startswith(
        "It looks for Mina, say, queues, 3 and 2026. What, did, of, on and May are not searched"
    )
    assert "It names the speaker Mina Kay. It names 3 May 2026." in told.told
    nobody = step(explain(space, Query("queues"), NOTES[7].id), "question")
    assert nobody.told == "It looks for queues." and "speaker" not in nobody.detail


def test_the_graph_arm_names_what_the_nearest_refer_to(space: Space) -> None:
    near = [memory(f"The queue of Redis, number {n}.") for n in range(6)]
    lonely, other = memory("Kettles boil."), memory("Cups and plates.")
    about = {one.id: ["Redis"] for one in near} | {other.id: ["Crockery"]}
    write(space, *near, lonely, other, about=about)
    query = Query("queue Redis", strategy="graph")
    of_near, of_lonely, of_other = (step(explain(space, query, one.id), "graph") for one in (near[0], lonely, other))
    assert of_near.passed and "It shares Redis with the nearest." in of_near.told
    assert of_lonely.told == "It refers to no entity, so it shares none with the nearest."
    assert of_other.told == "It refers to Crockery, and the nearest 5 to Redis: they share none."
    assert len(of_other.detail["seeds"]) == 5 and of_other.detail["seed_entities"] == ["Redis"]


def test_a_walk_that_does_not_come_to_it_is_told_with_where_it_began(space: Space) -> None:
    bought, far, plain = memory("Alice bought a bike."), memory("The moon is full."), memory("Kettles boil.")
    write(space, bought, far, plain, about={bought.id: ["Alice"], far.id: ["Selene"]})
    relate(space, ("Alice", "works_on", "Bikes"))

    def told(key: str, strategy: str, text: str = "What did Alice buy?") -> str:
        return step(explain(space, Query(text, strategy=strategy), key), strategy).told

    assert told(far.id, "structural") == "The walk from Alice does not come to Selene."
    assert told(plain.id, "structural") == "It refers to no entity, so no walk comes to it."
    assert told(far.id, "structural", "Where is the sun?") == NO_SEED
    assert told(bought.id, "structural").endswith("It refers to Alice.")


def test_the_tree_arm_names_the_keyword_or_those_it_has(space: Space) -> None:
    values = new_node("values", title="values", text="- Say what is so.", now=NOW, keywords=("honesty", "truth"))
    write(space, values)
    reached = step(explain(space, Query("honesty first", strategy="tree"), values.id), "tree")
    assert reached.passed and reached.told.endswith("By the keyword honesty; its weight is 1.")
    missed = step(explain(space, Query("kettles", strategy="tree"), values.id), "tree")
    assert missed.passed is False and missed.told.endswith("Its own: honesty and truth.")


class English(HashingEncoder):
    languages = frozenset({"en"})


def test_a_korean_query_says_that_the_model_was_left_out(make_space: MakeSpace) -> None:
    space = make_space(encoder=filled_slot(English()))
    write(space, *NOTES, FAR)
    told = explain(space, Query("가을"), FAR.id)
    assert told.found and step(told, "vector").passed is None
    assert step(told, "vector").told == f"Left out: {NO_HANGUL}"
    assert "So hybrid is answered by" not in step(told, "question").told

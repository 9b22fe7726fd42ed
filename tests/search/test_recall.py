from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memoryapp.domain.entity import Reference
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.results import Answer, Query
from memoryapp.inference.embedding import EncoderSlot, load_encoder
from memoryapp.search import explain, search
from memoryapp.search.arms.structural import NO_ENTITIES
from memoryapp.spaces import Space
from memoryapp.store import entities, lineage
from memoryapp.store.write import Batch, commit, new_run
from tests.search.conftest import ACTOR, NOW, change, entity_id, memory, relate, write

PIPELINE = memory("The deployment pipeline runs on Terraform.")
ADAM = memory("Adam uses Terraform for every environment.")
LEAVE = memory("Adam is on leave until March.")
ABOUT = {
    PIPELINE.id: ["deployment pipeline", "Terraform"],
    ADAM.id: ["Adam", "Terraform"],
    LEAVE.id: ["Adam", "March"],
}
NOISE = [memory(f"Plant {n} on the window sill needs water and light.", id=f"{n:016x}") for n in range(12)]
QUESTION = "What do I know about the deployment pipeline?"


def ids(answer: Answer) -> list[str]:
    return [hit.memory.id for hit in answer.hits]


def the_example(space: Space) -> None:
    """Five memories that are nearer to the question by their words than the one about Adam's leave."""
    talk = [memory(f"What do I know about pipeline number {n}?", id=f"f{n:015x}") for n in range(5)]
    write(space, PIPELINE, ADAM, LEAVE, *talk, *NOISE, about=ABOUT)
    relate(space, ("deployment pipeline", "runs_on", "Terraform"), fact=PIPELINE.id)
    relate(space, ("Adam", "uses", "Terraform"), fact=ADAM.id)


def test_the_pipeline_leads_to_adams_leave_through_terraform(space: Space) -> None:
    the_example(space)
    hits = {hit.memory.id: hit for hit in search(space, Query(QUESTION, strategy="recall", top_k=10)).hits}
    assert hits[LEAVE.id].evidence["path"] == [
        {"entity": entity_id("deployment pipeline"), "name": "deployment pipeline", "by": "named"},
        {"entity": entity_id("Terraform"), "name": "Terraform", "by": "runs_on"},
        {"entity": entity_id("Adam"), "name": "Adam", "by": "uses", "back": True},
        {"memory": LEAVE.id, "by": "mentions", "text": LEAVE.text},
    ]
    assert not set(hits) & {one.id for one in NOISE}


def test_the_way_along_a_relation_is_told_before_a_name_that_a_near_memory_shares(space: Space) -> None:
    write(space, PIPELINE, ADAM, *NOISE, about=ABOUT)
    relate(space, ("deployment pipeline", "runs_on", "Terraform"), fact=PIPELINE.id)
    hits = {hit.memory.id: hit for hit in search(space, Query(QUESTION, strategy="recall")).hits}
    # The nearest memory names Terraform as well, and gives more of the score.
    assert [step["by"] for step in hits[ADAM.id].evidence["path"]] == ["named", "runs_on", "mentions"]


def test_what_was_said_next_stands_behind_what_a_relation_leads_to(space: Space) -> None:
    the_example(space)
    first = memory("What do I know about the deployment pipeline, the deployment pipeline?", id="e" * 16)
    after = memory("The window sill was painted white.", id="d" * 16)
    write(space, first, after)
    lineage.change_follows(space.db, added=[(after.id, first.id)], removed=[])
    found = ids(search(space, Query(QUESTION, strategy="recall", top_k=20)))
    assert found.index(ADAM.id) < found.index(after.id)


def test_a_relation_more_is_worth_less_and_past_the_hops_nothing(space: Space) -> None:
    the_example(space)
    query = Query(QUESTION, strategy="recall", top_k=20)
    found = search(space, query)
    scores = {hit.memory.id: hit.score for hit in found.hits}
    assert scores[PIPELINE.id] > scores[ADAM.id] > scores[LEAVE.id]
    near = replace(space, tuning=replace(Tuning(), recall_hops=1))
    assert LEAVE.id not in ids(search(near, query))
    told = explain(near, query, LEAVE.id)
    assert told.stage == "arms" and "too many steps away" in told.reason
    assert explain(space, query, LEAVE.id).rank == ids(found).index(LEAVE.id) + 1


def test_a_kind_of_thing_leads_to_the_things_of_that_kind_and_back(space: Space) -> None:
    surreal = memory("SurrealDB keeps the postings.")
    tool = memory("A database was chosen in May.")
    write(space, surreal, tool, *NOISE, about={surreal.id: ["SurrealDB"], tool.id: ["database"]})
    relate(space, ("SurrealDB", "is_a", "database"), ("database", "is_a", "tool"))
    down = {hit.memory.id: hit for hit in search(space, Query("our database", strategy="recall")).hits}
    assert [step.get("by") for step in down[surreal.id].evidence["path"]] == ["named", "is_a", "mentions"]
    up = {hit.memory.id: hit for hit in search(space, Query("SurrealDB", strategy="recall")).hits}
    assert up[tool.id].evidence["path"][1] == {"entity": entity_id("database"), "name": "database", "by": "is_a"}
    assert "back" in down[surreal.id].evidence["path"][1]


def test_a_kind_that_no_memory_names_leads_to_its_things_all_the_same(space: Space) -> None:
    surreal = memory("SurrealDB keeps the postings.")
    write(space, surreal, *NOISE, about={surreal.id: ["SurrealDB"]})
    relate(space, ("SurrealDB", "is_a", "database"))
    hits = {hit.memory.id: hit for hit in search(space, Query("What of our database?", strategy="recall")).hits}
    assert [step["by"] for step in hits[surreal.id].evidence["path"]] == ["named", "is_a", "mentions"]


def test_chains_are_followed_both_ways_link_by_link(space: Space) -> None:
    days = [memory(text, id=f"d{n:015x}") for n, text in enumerate(["rain", "wind", "the roof leaked", "fog", "sun"])]
    write(space, *days, *NOISE)
    pairs = [(days[n + 1].id, days[n].id) for n in range(4)]
    lineage.change_follows(space.db, added=pairs, removed=[])
    query = Query("the roof leaked", strategy="recall", top_k=10)
    plain = replace(space, encoder=EncoderSlot("hashing-384", lambda _: load_encoder("hashing")))  # by words: one seed
    hits = {hit.memory.id: hit for hit in search(plain, query).hits}
    assert set(hits) == {one.id for one in days}
    assert hits[days[0].id].evidence["path"] == [
        {"memory": days[2].id, "by": "nearest", "text": "the roof leaked"},
        {"memory": days[1].id, "by": "follows", "text": "wind"},
        {"memory": days[0].id, "by": "follows", "text": "rain"},
    ]
    assert hits[days[2].id].score > hits[days[1].id].score > hits[days[0].id].score
    assert hits[days[1].id].score == hits[days[3].id].score
    near = replace(plain, tuning=replace(Tuning(), recall_hops=1))
    assert set(ids(search(near, query))) == {one.id for one in days[1:4]}


def test_a_relation_is_followed_only_while_what_it_was_found_in_is_held(space: Space) -> None:
    the_example(space)
    query = Query(QUESTION, strategy="recall", top_k=20)
    change(space, ADAM, state=State.SUPERSEDED, valid_to=NOW - timedelta(days=1))
    assert LEAVE.id not in ids(search(space, query))
    then = replace(query, filters=Filters(as_of=NOW - timedelta(days=2)))
    assert LEAVE.id in ids(search(space, then))


def test_what_is_planned_leads_nowhere_yet(space: Space) -> None:
    write(space, PIPELINE, LEAVE, *NOISE, about={PIPELINE.id: ABOUT[PIPELINE.id], LEAVE.id: ABOUT[LEAVE.id]})
    relate(space, ("Adam", "uses", "Terraform"), planned=True)
    assert LEAVE.id not in ids(search(space, Query(QUESTION, strategy="recall", top_k=5)))


def test_a_filter_says_what_is_looked_for_and_not_by_way_of_what(space: Space) -> None:
    fact = memory("Adam reviews the plans.", kind=Kind.FACT)
    the_example(space)
    refer = [Reference(fact.id, entity_id("Adam"))]
    commit(space.db, new_run("remember", ACTOR, now=NOW), Batch(created=[fact], references_added=refer), now=NOW)
    answer = search(space, Query(QUESTION, strategy="recall", filters=Filters(kinds=(Kind.FACT,))))
    assert ids(answer) == [fact.id]
    assert [step.get("name") for step in answer.hits[0].evidence["path"]][:3] == [
        "deployment pipeline",
        "Terraform",
        "Adam",
    ]


def test_memories_that_share_an_entity_with_the_nearest_are_found_by_way_of_it(space: Space) -> None:
    queue = memory("The queue moved from RabbitMQ to Redis.")
    far = memory("Bring an umbrella.")
    write(space, queue, far, *NOISE, about={queue.id: ["Redis"], far.id: ["Redis"]})
    plain = replace(space, encoder=EncoderSlot("hashing-384", lambda _: load_encoder("hashing")))
    hit = next(
        h for h in search(plain, Query("why did the queue move?", strategy="recall")).hits if h.memory.id == far.id
    )
    assert [step["by"] for step in hit.evidence["path"]] == ["nearest", "mentions", "mentions"]
    assert hit.evidence["path"][0]["text"] == queue.text
    assert hit.evidence["path"][1]["name"] == "Redis"


def test_without_entities_the_nearest_are_found_and_it_is_said(space: Space) -> None:
    write(space, PIPELINE, LEAVE)
    answer = search(space, Query("deployment pipeline", strategy="recall"))
    assert answer.notes == (NO_ENTITIES,)
    assert ids(answer)[0] == PIPELINE.id
    assert "path" not in answer.hits[0].evidence


def test_korean_names_are_walked_from_with_their_particles(space: Space) -> None:
    deploy, leave = memory("배포는 테라폼으로 한다."), memory("민수는 삼월까지 휴가다.")
    write(space, deploy, leave, *NOISE, about={deploy.id: ["배포", "테라폼"], leave.id: ["민수"]})
    relate(space, ("배포", "runs_on", "테라폼"), ("민수", "uses", "테라폼"))
    hits = {hit.memory.id: hit for hit in search(space, Query("배포에 대해 뭘 알고 있어?", strategy="recall")).hits}
    assert [step.get("name") for step in hits[leave.id].evidence["path"]][:3] == ["배포", "테라폼", "민수"]


def test_a_long_memory_on_the_way_is_told_by_its_beginning(space: Space) -> None:
    long = memory("The queue moved " + "very " * 300 + "slowly.")
    far = memory("Bring an umbrella.")
    write(space, long, far, *NOISE, about={long.id: ["Redis"], far.id: ["Redis"]})
    plain = replace(space, encoder=EncoderSlot("hashing-384", lambda _: load_encoder("hashing")))
    hits = {hit.memory.id: hit for hit in search(plain, Query("queue", strategy="recall")).hits}
    text = hits[far.id].evidence["path"][0]["text"]
    assert len(text) <= 100 and text.endswith("…")


def test_a_merged_name_leads_where_the_one_it_stands_for_leads(space: Space) -> None:
    nvim, neovim = memory("nvim crashed."), memory("Neovim needs Lua.")
    write(space, nvim, neovim, *NOISE, about={nvim.id: ["nvim"], neovim.id: ["Neovim"]}, embed=False)
    keys = [entity_id("nvim"), entity_id("Neovim")]
    query = Query("nvim", strategy="structural")
    assert ids(search(space, query)) == [nvim.id]
    gone = entities.get_many(space.db, keys)[keys[0]]
    batch = Batch(entities=[(gone, replace(gone, merged_into=keys[1], version=gone.version + 1))])
    commit(space.db, new_run("merge", ACTOR, now=NOW), batch, now=NOW)
    assert set(ids(search(space, query))) == {nvim.id, neovim.id}
    assert search(space, query).hits[0].evidence["seeds"][0]["name"] == "Neovim"


@pytest.mark.parametrize("text", ["?!…", "Adam" * 500, "' OR 1=1 --", "🦊"])
def test_odd_questions_are_answered(space: Space, text: str) -> None:
    the_example(space)
    search(space, Query(text, strategy="recall", trace=True))
    search(space, Query(text, strategy="structural", trace=True))

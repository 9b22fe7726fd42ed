"""What agents ask by whichever door leaves a trace: what was given, what of it was used, how it ended, for whom."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.search import settle
from memoryapp.store import traces
from tests.api.conftest import Agent

PORT = "The staging server listens on port 8080."
QUESTION = "which port does the staging server listen on?"


def listed(agent: Agent, query: str = "") -> list[dict[str, Any]]:
    settle()
    answer = agent.get(f"/traces{query}")
    assert answer.status_code == 200, answer.content
    return list(answer.json()["items"])


def test_a_search_leaves_a_trace_with_what_was_given(writer: Agent, reader: Agent, curator: Agent) -> None:
    memory = writer.write(PORT)["id"]
    answer = reader.post("/search", {"query": QUESTION, "read": True, "strategy": "keyword"}).json()
    (line,) = listed(curator)
    assert (line["question"], line["agent"], line["act"], line["strategy"]) == (
        QUESTION,
        "planner",
        "search",
        "keyword",
    )
    assert (line["result"], line["given"], line["used"]) == ("answered", len(answer["items"]), 0)
    assert line["key"] == reader.key[:12] and line["ms"] > 0 and line["tokens"] > 5
    one = curator.get(f"/traces/{line['id']}").json()
    assert [part["id"] for part in one["items"]] == [hit["id"] for hit in answer["items"]]
    first = one["items"][0]
    assert (first["id"], first["text"], first["state"], first["changed"]) == (memory, PORT, "held", False)
    assert first["relevance"] == pytest.approx(answer["items"][0]["relevance"], abs=1e-4)


def test_a_context_leaves_a_trace_with_its_layers_and_budget(writer: Agent, curator: Agent) -> None:
    writer.post("/memories", {"kind": "fact", "text": "Minsu lives in Busan."})
    found = writer.post("/context", {"message": "Where does Minsu live?", "budget": 700}).json()
    (line,) = listed(curator)
    assert (line["act"], line["budget"], line["tokens"]) == ("context", 700, found["tokens"])
    one = curator.get(f"/traces/{line['id']}").json()
    given = [(layer["name"], item["id"]) for layer in found["layers"] for item in layer["items"]]
    assert [(part["layer"], part["id"]) for part in one["items"]] == given != []


def test_a_budget_that_holds_nothing_and_a_memory_that_has_nothing_are_told_apart(
    writer: Agent, curator: Agent
) -> None:
    assert writer.post("/context", {"message": "Where does Minsu live?"}).status_code == 200
    writer.post("/memories", {"kind": "fact", "text": "Minsu lives in Busan."})
    writer.post("/context", {"message": "Where does Minsu live?", "budget": 1})
    assert [one["result"] for one in listed(curator)] == ["no room", "nothing"]
    assert [one["result"] for one in listed(curator, "?result=nothing")] == ["nothing"]


def test_feedback_stands_beside_what_was_given_for_the_same_question(writer: Agent, curator: Agent) -> None:
    memory = writer.write(PORT)["id"]
    for query in (QUESTION, "staging port"):
        writer.post("/search", {"query": query, "strategy": "keyword"})
        settle()
    writer.post(f"/memories/{memory}/feedback", {"used": True, "query": QUESTION})
    writer.post(f"/memories/{memory}/feedback", {"used": False})
    later, earlier = listed(curator)
    assert (earlier["question"], earlier["used"]) == (QUESTION, 1) and later["used"] == 0
    uses = [curator.get(f"/traces/{one['id']}").json()["items"][0]["use"] for one in (earlier, later)]
    assert uses == [1, -1]  # without a question it is said of the last call


def test_the_feedback_of_another_agent_is_not_this_ones(space: Space, writer: Agent, curator: Agent) -> None:
    memory = writer.write(PORT)["id"]
    writer.post("/search", {"query": QUESTION, "strategy": "keyword"})
    settle()
    other = Agent(create_key("other", role=Role.WRITER, space=space, agent="scout")[1])
    other.post(f"/memories/{memory}/feedback", {"used": True, "query": QUESTION})
    assert [one["used"] for one in listed(curator)] == [0]


def test_readers_see_what_was_asked_with_their_role_or_a_lower_one(agents: dict[Role, Agent]) -> None:
    for role in Role:
        agents[role].post("/search", {"query": f"what may a {role} see?"})
    seen = {role: {one["question"].split()[3] for one in listed(agents[role])} for role in Role}
    assert seen[Role.READER] == {"reader"} and seen[Role.WRITER] == {"reader", "writer"}
    assert seen[Role.CURATOR] == seen[Role.ADMIN] == {"reader", "writer", "curator", "admin"}
    secret = next(one for one in listed(agents[Role.ADMIN]) if "admin" in one["question"])
    assert agents[Role.READER].get(f"/traces/{secret['id']}").status_code == 404
    assert agents[Role.READER].get("/traces").json()["calls"] == 1


def test_private_questions_are_not_kept_and_secrets_are_masked(writer: Agent, curator: Agent) -> None:
    writer.post("/search", {"query": "<private>where is my diary?</private>"})
    writer.post("/search", {"query": "who has <private>the diary</private> now?"})
    writer.post("/context", {"message": "The password is hunter22! Is it right?"})
    told = [one["question"] for one in listed(curator)]
    assert len(told) == 2 and "diary" not in str(told) and "hunter22" not in str(told)
    assert "who has [private] now?" in told


def test_what_a_person_tries_out_leaves_no_trace(space: Space, curator: Agent, writer: Agent) -> None:
    from django.contrib.auth.models import User

    from memoryapp.accounts.keys import create_local_key

    person = User.objects.create_superuser("root-of-traces")
    local = Agent(create_local_key(person)[1], space=space.name)
    assert local.post("/search", {"query": QUESTION}).status_code == 200
    assert listed(curator) == []


def test_a_purge_takes_the_memory_and_what_quotes_it(writer: Agent, curator: Agent) -> None:
    memory = writer.write("The safe opens with the number nineteen eighty four.")["id"]
    writer.post("/search", {"query": "the safe opens with the number nineteen eighty four?", "strategy": "keyword"})
    writer.post("/search", {"query": "safe", "strategy": "keyword"})
    settle()
    writer.post("/search", {"query": "is it so that the safe opens with the number nineteen eighty four?"})
    receipt = curator.post(f"/memories/{memory}/purge")
    assert receipt.status_code == 200, receipt.content
    (line,) = listed(curator)
    assert (line["question"], line["given"]) == ("safe", 0)


def test_a_deleted_memory_has_words_for_curators_only(writer: Agent, curator: Agent) -> None:
    memory = writer.write(PORT)["id"]
    writer.post("/search", {"query": QUESTION, "strategy": "keyword"})
    (line,) = listed(writer)
    assert curator.delete(f"/memories/{memory}").status_code == 200
    for agent, text in ((writer, None), (curator, PORT)):
        (part,) = agent.get(f"/traces/{line['id']}").json()["items"]
        assert (part["state"], part["text"]) == ("deleted", text)


def test_an_edited_memory_is_told_as_changed(writer: Agent, curator: Agent) -> None:
    memory = writer.write(PORT)["id"]
    writer.post("/search", {"query": QUESTION, "strategy": "keyword", "read": True})
    (line,) = listed(curator)
    assert curator.patch(f"/memories/{memory}", {"text": "It listens on port 9090."}).status_code == 200
    (part,) = curator.get(f"/traces/{line['id']}").json()["items"]
    assert part["changed"] and part["answer"] == "" and "9090" in part["text"]


def test_the_list_is_narrowed_paged_and_summed_up(writer: Agent, reader: Agent, curator: Agent) -> None:
    for n in range(3):
        writer.post("/search", {"query": f"question number {n}?"})
    reader.post("/search", {"query": "question number 0"})
    assert len(listed(curator, f"?key={reader.key[:12]}")) == 1
    assert [one["question"] for one in listed(curator, "?question=QUESTION+number+0")] == [
        "question number 0",
        "question number 0?",
    ]
    assert listed(curator, "?agent=nobody") == [] == listed(curator, "?act=context")
    first = curator.get("/traces?limit=3").json()
    rest = curator.get(f"/traces?limit=3&cursor={first['next_cursor']}").json()
    assert (len(first["items"]), len(rest["items"]), rest["next_cursor"]) == (3, 1, None)
    assert (first["calls"], first["results"], len(first["agents"])) == (4, {"nothing": 4}, 1)
    assert first["agents"][0]["agent"] == "planner" and first["agents"][0]["unanswered"] == 4
    for wrong in ("?act=shout", "?result=maybe", "?cursor=nonsense", "?limit=0"):
        assert curator.get(f"/traces{wrong}").status_code == 422
    assert curator.get("/traces?key=pal_ffffffff").status_code == 404


def test_a_curator_deletes_a_trace(writer: Agent, curator: Agent) -> None:
    writer.post("/search", {"query": QUESTION})
    (line,) = listed(curator)
    assert writer.delete(f"/traces/{line['id']}").status_code == 403
    assert curator.delete(f"/traces/{line['id']}").json() == {"deleted": line["id"]}
    assert listed(curator) == [] and curator.delete(f"/traces/{line['id']}").status_code == 404


def test_a_question_that_finds_nothing_is_open_until_it_is_answered(writer: Agent, memory: Any) -> None:
    writer.post("/search", {"query": QUESTION})
    writer.post("/search", {"query": "anything", "filters": {"tags": ["none"]}})  # narrowed: says nothing of the memory
    writer.post("/context", {"message": "Thanks a lot."})
    settle()
    assert [one.text for one in traces.open_questions(memory.db, now=memory.clock())] == [QUESTION]
    writer.write(PORT)
    writer.post("/search", {"query": QUESTION, "strategy": "keyword"})
    settle()
    assert traces.open_questions(memory.db, now=memory.clock()) == []

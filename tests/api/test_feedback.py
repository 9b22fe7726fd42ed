"""The list of feedback over the API, with what was last asked; reset, and the reset undone."""

from __future__ import annotations

from memoryapp.domain.feedback import feedback_factor
from tests.api.conftest import Agent


def told(agent: Agent) -> dict[str, str]:
    liked, useless = agent.write("The queue moved to Redis.")["id"], agent.write("Lunch is at noon.")["id"]
    for query in ("why Redis?", "which queue?"):
        agent.post(f"/memories/{liked}/feedback", {"used": True, "query": query})
    agent.post(f"/memories/{useless}/feedback", {"used": False})
    return {"liked": liked, "useless": useless}


def test_what_rose_and_fell_is_listed_with_the_last_question(writer: Agent, reader: Agent) -> None:
    keys = told(writer)
    page = reader.get("/feedback").json()
    assert [one["id"] for one in page["items"]] == [keys["liked"], keys["useless"]]
    assert (page["rose"], page["fell"], page["even"]) == (1, 1, 0)
    first, second = page["items"]
    assert (first["used"], first["last_query"], first["by"]) == (2, "which queue?", "planner")
    assert abs(first["factor"] - feedback_factor(used=2, not_useful=0)) < 1e-5 and first["last_at"]
    assert (second["not_useful"], second["last_query"]) == (1, "")
    assert [one["id"] for one in reader.get("/feedback?side=fell").json()["items"]] == [keys["useless"]]
    assert reader.get("/feedback?side=up").status_code == 422


def test_the_list_is_paged_by_a_cursor(writer: Agent) -> None:
    told(writer)
    first = writer.get("/feedback?limit=1").json()
    second = writer.get(f"/feedback?limit=1&cursor={first['next_cursor']}").json()
    assert first["items"][0]["id"] != second["items"][0]["id"] and second["next_cursor"] is None
    assert writer.get("/feedback?cursor=nonsense").status_code == 422


def test_a_curator_resets_and_undoes(writer: Agent, curator: Agent) -> None:
    keys = told(writer)
    assert writer.post("/feedback/reset", {"ids": [keys["liked"]]}).status_code == 403
    done = curator.post("/feedback/reset", {"ids": [keys["liked"], keys["liked"]]})
    assert done.status_code == 200 and done.json()["memories"] == 1
    assert [one["id"] for one in curator.get("/feedback").json()["items"]] == [keys["useless"]]
    undo = f"/feedback/resets/{done.json()['reset']}/undo"
    assert curator.post(undo).json()["memories"] == 1
    assert curator.post(undo).status_code == 404
    assert curator.get("/feedback").json()["items"][0]["used"] == 2
    assert curator.post("/feedback/reset", {"ids": ["0" * 16]}).status_code == 404


def test_a_purged_memory_leaves_no_word_of_what_was_asked(writer: Agent, curator: Agent, memory: object) -> None:
    keys = told(writer)
    assert curator.post(f"/memories/{keys['liked']}/purge").status_code == 200
    rows = memory.db.query("SELECT * FROM feedback")[0]  # type: ignore[attr-defined]
    assert {row["memory"] for row in rows} == {keys["useless"]}

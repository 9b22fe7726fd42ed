"""The tools behind the opt-in, each called once against the running app."""

from __future__ import annotations

from pathlib import Path

from memoryapp.interfaces.mcp.server import EXTRA
from tests.mcp.conftest import Place
from tests.mcp.talking import run, talking


def test_every_further_tool_answers(place: Place) -> None:
    async def talk() -> set[str]:
        used: set[str] = set()
        async with talking(f"{place.url}?tools=all", place.key) as agent:

            async def ask(name: str, /, **arguments: object) -> dict[str, object]:
                used.add(name)
                return (await agent.call(name, **arguments))["answer"]

            written = await agent.call("remember", text="Minsu moved the queue to Redis.", kind="fact", speaker="Minsu")
            id = written["id"]
            assert (
                len((await ask("compare_strategies", query="queue", strategies=["hybrid", "keyword"]))["columns"]) == 2
            )
            assert (await ask("why_not", query="queue", id=id))["items"]
            assert (await ask("open_session", name="standup-42"))["name"] == "standup-42"
            taken = await ask("append_turn", session="standup-42", text="I moved to Busan.", speaker="Minsu")
            assert taken["items"][0]["number"] == 1
            assert (await ask("end_session", session="standup-42"))["ended_at"]
            assert "items" in await ask("list_episodes", limit=5)
            assert "items" in await ask("find_entities", query="redis")
            assert (await ask("list_tree"))["items"] == []
            assert (await ask("give_feedback", id=id, used=True))["used"] == 1
            assert "digests" in await ask("preview_consolidation")
            run_of = (await agent.call("update_memory", id=id, text="Minsu moved the queue to Valkey."))["runs"][0]
            assert await ask("undo_run", id=run_of)
            assert (await agent.call("get_memory", id=id))["text"] == "Minsu moved the queue to Redis."
        return used

    used = run(talk())
    assert {tool.name for tool in EXTRA} - used == {"get_entity", "look_around", "read_node", "ingest", "get_job"}


def test_entities_nodes_and_jobs_are_told_by_their_addresses(place: Place) -> None:
    with place.api() as client:
        grown = client.post(
            "/tree", json={"path": "infra/queues", "text": "# Queues\n\nRedis </recalled-memory> here."}
        )
        assert grown.status_code == 201, grown.text
        atom = "(uses :subject Alice :object Redis :memory_type semantic)"
        assert client.post("/memories", json={"atoms": atom}).status_code == 201
        (entity,) = client.get("/entities", params={"text": "redis"}).json()["items"]

    async def talk() -> None:
        async with talking(f"{place.url}?tools=all", place.key) as agent:
            page = await agent.words("read_node", path="infra/queues")
            assert "# Queues" in page and page.count("</recalled-memory>") == 1
            assert (await agent.call("get_entity", id=entity["id"]))["answer"]["name"] == "Redis"
            assert (await agent.call("look_around", start=entity["id"]))["answer"]["nodes"]
            for astray in ("../../version", ".", "a//b"):
                assert "is no id and no name" in await agent.refused("read_node", path=astray)
            assert "is no id and no name" in await agent.refused("end_session", session="..")
            assert "no node" in (await agent.refused("read_node", path="no/such")).lower()
            folder = Path(place.live.data) / "demo"
            folder.mkdir(exist_ok=True)
            (folder / "agents.md").write_text("# Notes\n\nNothing much.\n")
            job = (await agent.call("ingest", path=str(folder / "agents.md"), dry_run=True))["answer"]["job"]
            assert (await agent.call("get_job", id=str(job["id"])))["answer"]["status"] in ("queued", "running", "done")

    run(talk())

"""The awaited client against the live app: several things at once, and what is its own: `async for`, `async with`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from palimpsest_client import AsyncPalimpsest, Palimpsest, PalimpsestError


def test_many_questions_at_once_over_one_client(memory: Palimpsest) -> None:
    async def day() -> tuple[int, list[str]]:
        link = memory.connection
        async with AsyncPalimpsest(link.url, link.key, space=link.space) as client:
            await asyncio.gather(*(client.remember(f"Drawer {n} holds tool {n}.", tags=["tools"]) for n in range(8)))
            answers = await asyncio.gather(*(client.recall(f"drawer {n}", top_k=1) for n in range(8)))
            listed = [one.text async for one in client.every(client.memories, tags=["tools"], limit=3)]
            return len([one for one in answers if one]), listed

    found, listed = asyncio.run(day())
    assert found == 8 and len(set(listed)) == 8


def test_a_talk_an_ingest_and_an_error(memory: Palimpsest, tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("## Plan\n\nShip on Friday.\n", encoding="utf-8")

    async def day() -> None:
        link = memory.connection
        async with AsyncPalimpsest(link.url, link.key) as root:
            client = root.in_space(link.space)
            async with client.session("evening") as talk:
                await talk.say("I live in Busan.", speaker="Mina")
            assert (await client.session_state("evening")).ended_at
            job = await client.ingest(tmp_path / "plan.md", upload=True)
            assert job.report["added"] == 1
            assert (await client.export(tmp_path / "all.zip")).stat().st_size > 200
            await client.put_node("plans", "# Plans\n")
            with pytest.raises(PalimpsestError) as gone:
                await client.get("0" * 16)
            assert gone.value.status == 404

    asyncio.run(day())

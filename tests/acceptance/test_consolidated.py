"""Three weeks of daily notes are folded into digests, once, and unfolded again to the last byte."""

from __future__ import annotations

from typing import Any

import pytest

from tests.acceptance.place import Place, got

DAYS = range(1, 22)
SAID = (
    "- Decided: embedding runs on the H100, measured by Mina on day {day}.\n- Lunch was late.\n",
    "- Fixed the backup of SurrealDB by raising its limit to {day} GB.\n- [x] Adam checked the restore.\n",
    "- Terraform was blocked by a lock for {day} minutes; Adam shipped a new plan.\n- Coffee.\n",
    "- 결정: 배포는 금요일에 멈춘다. {day}번째 확인을 민아가 했다.\n- 미나와 점심.\n",
)
KEPT = ("id", "kind", "text", "title", "state", "tags", "confidence", "breadcrumb", "detail", "source")


@pytest.fixture
def encoder() -> str:
    return "all-MiniLM-L6-v2"


def consolidated(place: Place, **asked: Any) -> dict[str, Any]:
    answer = place.api.post("/consolidate", json={"dry_run": False} | asked)
    assert answer.status_code == 202, answer.text
    job = place.ended(answer.json()["job"]["id"])
    assert job["status"] == "done", job
    report: dict[str, Any] = job["report"]
    return report


def stored(place: Place) -> dict[str, dict[str, Any]]:
    """Every memory as it stands, without how often it changed."""
    found = place.memories(states=["held", "superseded", "archived"])
    return {key: {name: one.get(name) for name in KEPT} for key, one in found.items()}


def linked(place: Place) -> dict[str, Any]:
    return {key: got(place.api, f"/memories/{key}")["entities"] for key in stored(place)}


def test_three_weeks_become_digests_once_and_a_roll_back_restores_every_byte(place: Place) -> None:
    for day in DAYS:
        place.note(f"daily/2026-03-{day:02}.md", f"## Standup\n\n{SAID[day % len(SAID)].format(day=day)}")
    place.read()
    before, links = stored(place), linked(place)

    tried = place.act("/consolidate")
    assert tried["dry_run"] and tried["digests"] and stored(place) == before
    again = place.act("/consolidate")
    assert [one["text"] for one in again["digests"]] == [one["text"] for one in tried["digests"]]

    done = consolidated(place)
    assert done["digests"] == len(tried["digests"]) and done["archived"] > 0
    assert done["bytes_after"] < done["bytes_before"]
    after = stored(place)
    digests = {key: one for key, one in after.items() if one["kind"] == "digest"}
    assert {one["text"] for one in digests.values()} == {one["text"] for one in tried["digests"]}
    assert sum(one["state"] == "archived" for one in after.values()) == done["archived"]
    assert any("Decided: embedding runs on the H100" in one["text"] for one in digests.values())
    assert not any("Coffee" in one["text"] for one in digests.values())
    assert place.search("embedding H100", filters={"kinds": ["digest"]})["items"]

    second = consolidated(place)
    assert second["digests"] == 0 and second["archived"] == 0 and stored(place) == after
    place.read()  # the files are as they were: nothing comes back
    assert stored(place) == after

    place.act(f"/runs/{done['run']}/undo")
    assert stored(place) == before and linked(place) == links

"""The audit and the runs over HTTP: every act with who, what and why; narrowed, paged, taken back."""

from __future__ import annotations

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from tests.api.conftest import Agent


def test_the_audit_is_narrowed_by_actor_act_record_run_and_time(writer: Agent, curator: Agent) -> None:
    one, two = writer.write("The lamp is green.")["id"], writer.write("The door is blue.")["id"]
    edited = curator.patch(f"/memories/{one}", {"text": "The lamp is red.", "reason": "Painted."}).json()

    def seen(narrow: str) -> list[tuple[str, str]]:
        answer = curator.get(f"/audit?{narrow}")
        assert answer.status_code == 200, answer.content
        return [(change["act"], change["record_id"]) for change in answer.json()["items"]]

    assert seen(f"record={one}") == [("edit", one), ("create", one)]
    assert seen("record=memory&act=edit") == [("edit", one)]
    assert seen("record=conflict") == []
    assert seen(f"run={edited['run']}") == [("edit", one)]
    assert seen("actor=nobody") == []
    assert {key for _, key in seen("actor=planner")} == {one, two}
    at = curator.get(f"/audit?run={edited['run']}").json()["items"][0]["at"].replace("+", "%2B")
    assert ("edit", one) in seen(f"since={at}") and ("edit", one) not in seen(f"until={at}")
    (change,) = curator.get(f"/audit?run={edited['run']}").json()["items"]
    assert change["reason"] == "Painted." and change["before"]["text"] == "The lamp is green."


def test_the_audit_and_the_runs_are_narrowed_to_a_key_and_to_what_an_agent_says_it_is(
    writer: Agent, curator: Agent, space: Space
) -> None:
    row, text = create_key("night shift", role=Role.WRITER, space=space)
    night = Agent(text)
    by_day = writer.write("The lamp is green.")["id"]
    by_scout = writer.ask("POST", "/memories", {"text": "The door is blue."}, X_Agent_ID="scout").json()["id"]
    by_night = night.ask("POST", "/memories", {"text": "The roof is red."}, X_Agent_ID="scout").json()["id"]

    def seen(narrow: str) -> set[str]:
        answer = curator.get(f"/audit?act=create&{narrow}")
        assert answer.status_code == 200, answer.content
        return {change["record_id"] for change in answer.json()["items"]}

    def ran(narrow: str) -> int:
        return len(curator.get(f"/runs?{narrow}").json()["items"])

    for named in (f"pal_{row.prefix}", row.prefix, str(row.pk)):
        assert seen(f"key={named}") == {by_night} and ran(f"key={named}") == 1
    planner = writer.key.rpartition("_")[0]
    assert seen(f"key={planner}") == {by_day, by_scout} and ran(f"key={planner}") == 2
    assert seen("agent=scout") == {by_scout, by_night} and ran("agent=scout") == 2
    assert seen("agent=planner") == {by_day} and seen("agent=cout") == set()
    assert seen(f"key={planner}&agent=scout") == {by_scout}
    other, _ = create_key("elsewhere", role=Role.WRITER, space=create_space(f"o-{new_id()}"))
    assert curator.get(f"/audit?key={other.pk}").status_code == 404


def test_a_decision_is_in_the_audit_with_who_and_why(writer: Agent, curator: Agent) -> None:
    writer.post("/memories", {"kind": "fact", "text": "Minsu lives in Seoul."})
    key = writer.post("/memories", {"kind": "fact", "text": "Minsu lives in Busan."}).json()["conflict"]
    curator.post(f"/conflicts/{key}/resolve", {"outcome": "keep", "reason": "It was a trip."})
    told = curator.get(f"/audit?record={key}").json()["items"]
    decided = [one for one in told if one["after"].get("status") == "decided"]
    assert decided and decided[0]["actor"] == "planner" and decided[0]["reason"] == "It was a trip."


def test_runs_are_listed_newest_first_and_paged(writer: Agent, curator: Agent) -> None:
    keys = [writer.write(f"Note about {word}.")["id"] for word in ("apples", "bridges", "cellos")]
    curator.post(f"/memories/{keys[0]}/archive", {"reason": "Old."})
    acts, cursor = [], ""
    while True:
        page = curator.get(f"/runs?limit=3&cursor={cursor}").json()
        acts += [run["act"] for run in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert acts == ["archive", "remember", "remember", "remember"]
    (archived,) = curator.get("/runs?act=archive").json()["items"]
    assert archived["reason"] == "Old." and archived["actor_kind"] == "agent"
    assert curator.get("/runs?actor=nobody").json()["items"] == []
    rehearsed = curator.post(f"/runs/{archived['id']}/undo", {"dry_run": True}).json()
    assert rehearsed["undone"] == 1 and curator.get(f"/memories/{keys[0]}").json()["state"] == "archived"
    curator.post(f"/runs/{archived['id']}/undo")
    assert curator.get(f"/memories/{keys[0]}").json()["state"] == "held"

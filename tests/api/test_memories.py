"""Reading, listing and correcting memories over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, unquote

from memoryapp.domain.identity import new_id
from memoryapp.interfaces.api.cursor import write_cursor
from tests.api.conftest import Agent


def test_one_id_serves_search_get_and_delete(writer: Agent, curator: Agent) -> None:
    told = writer.write("The queue moved to Redis.")
    (hit,) = writer.post("/search", {"query": "queue Redis"}).json()["items"]
    assert hit["id"] == told["id"]
    assert writer.get(f"/memories/{hit['id']}").status_code == 200
    assert curator.delete(f"/memories/{hit['id']}").status_code == 200
    assert writer.post("/search", {"query": "queue Redis"}).json()["items"] == []
    assert writer.get(f"/memories/{hit['id']}").status_code == 404
    assert curator.get(f"/memories/{hit['id']}").json()["state"] == "deleted"


def test_an_unknown_id_is_not_found(reader: Agent) -> None:
    for key in (new_id(), "nothing", "0" * 15, "Z" * 16, "%00", "é" * 16):
        answer = reader.get(f"/memories/{key}")
        assert answer.status_code == 404, key
        assert answer["Content-Type"] == "application/problem+json"


def test_an_edit_changes_the_version_and_the_etag(writer: Agent, curator: Agent) -> None:
    told = writer.write("The queue is RabbitMQ.", tags=["db"])
    answer = curator.patch(f"/memories/{told['id']}", {"text": "The queue is Redis.", "reason": "It moved."})
    assert answer.status_code == 200 and answer["ETag"] == '"2"'
    memory = answer.json()["memory"]
    assert (memory["text"], memory["version"], memory["tags"]) == ("The queue is Redis.", 2, ["db"])
    assert len(answer.json()["run"]) == 16


def test_an_edit_of_a_version_that_is_gone_is_refused_with_the_present_one(writer: Agent, curator: Agent) -> None:
    told = writer.write()
    path = f"/memories/{told['id']}"
    assert curator.patch(path, {"title": "One"}, If_Match='"1"').status_code == 200
    answer = curator.patch(path, {"title": "Two"}, If_Match='"1"')
    assert answer.status_code == 412 and answer["ETag"] == '"2"' and answer.json()["current"] == 2
    assert curator.get(path).json()["title"] == "One"
    assert curator.delete(path, If_Match='"1"').status_code == 412
    assert curator.post(f"{path}/archive", {}, If_Match='"1"').status_code == 412
    assert curator.patch(path, {"title": "Two"}, If_Match='W/"1", "2"').status_code == 200
    assert curator.patch(path, {"title": "Three"}, If_Match="*").status_code == 200
    assert curator.patch(path, {"title": "x"}, If_Match="abc").status_code == 422


def test_an_edit_of_nothing_or_of_what_cannot_be_edited_is_refused(writer: Agent, curator: Agent) -> None:
    path = f"/memories/{writer.write()['id']}"
    assert curator.patch(path, {}).status_code == 422
    assert curator.patch(path, {"state": "deleted"}).json()["field"] == "/state"
    assert curator.patch(path, {"text": None}).json()["field"] == "/text"
    assert curator.get(path).json()["text"] == "We moved the queue to Redis."


def test_a_null_takes_an_optional_field_away(writer: Agent, curator: Agent) -> None:
    path = f"/memories/{writer.write(mood='planned', occurred_at='2026-01-01')['id']}"
    memory = curator.patch(path, {"mood": None, "occurred_at": None}).json()["memory"]
    assert memory["mood"] is None and memory["occurred_at"] is None


def test_history_tells_every_layer_and_restore_brings_one_back(writer: Agent, curator: Agent) -> None:
    path = f"/memories/{writer.write('The queue is RabbitMQ.')['id']}"
    curator.patch(path, {"text": "The queue is Redis.", "reason": "It moved."}, X_Agent_ID="fixer")
    first, second = reversed(curator.get(f"{path}/history").json()["items"])
    assert (first["act"], first["was"], first["text"]) == ("create", None, "The queue is RabbitMQ.")
    assert (second["act"], second["was"], second["text"]) == ("edit", "The queue is RabbitMQ.", "The queue is Redis.")
    assert second["actor"] == "planner/fixer" and second["actor_kind"] == "agent" and second["reason"] == "It moved."
    back = curator.post(f"{path}/restore", {"revision": first["id"]}).json()
    assert back["memory"]["text"] == "The queue is RabbitMQ." and back["memory"]["version"] == 3
    assert curator.post(f"{path}/restore", {"revision": new_id()}).status_code == 404


def test_a_long_history_is_told_in_pages(writer: Agent, curator: Agent) -> None:
    path = f"/memories/{writer.write('The queue is RabbitMQ.')['id']}"
    for _ in range(4):
        writer.post(f"{path}/confirm")
    seen: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        page = curator.get(f"{path}/history?limit=2&cursor={cursor}").json()
        seen += [one["version"] for one in page["items"]]
        cursor = page["next_cursor"]
    assert seen == [5, 4, 3, 2, 1]
    assert curator.get(f"{path}/history?cursor=abc").json()["field"] == "cursor"


def test_archive_restore_pin_and_confirm(writer: Agent, curator: Agent) -> None:
    path = f"/memories/{writer.write()['id']}"
    assert curator.post(f"{path}/archive", {"dry_run": True}).json()["memory"]["state"] == "archived"
    assert curator.get(path).json()["state"] == "held"  # a dry run changes nothing
    assert curator.post(f"{path}/archive").json()["memory"]["state"] == "archived"
    assert curator.post(f"{path}/archive").json()["run"] is None  # it was so already
    assert curator.post(f"{path}/restore").json()["memory"]["state"] == "held"
    assert curator.post(f"{path}/pin").json()["memory"]["pinned"] is True
    seen = curator.get(path)["ETag"]
    assert curator.post(f"{path}/pin", {"pinned": False}, If_Match='"1"').status_code == 412
    assert curator.post(f"{path}/pin", {"pinned": False}, If_Match=seen).json()["memory"]["pinned"] is False
    confirmed = writer.post(f"{path}/confirm").json()["memory"]
    assert confirmed["trust_parts"]["reinforcements"] == 1 and confirmed["reinforced_at"]


def test_delete_has_a_dry_run(writer: Agent, curator: Agent) -> None:
    path = f"/memories/{writer.write()['id']}"
    told = curator.delete(f"{path}?dry_run=true").json()
    assert told["dry_run"] is True and told["run"] is None and told["memory"]["state"] == "deleted"
    assert curator.get(path).json()["state"] == "held"


def test_feedback_moves_the_factor_within_a_fifth(writer: Agent) -> None:
    key = writer.write("The queue moved to Redis.")["id"]
    for n in range(1, 4):
        told = writer.post(f"/memories/{key}/feedback", {"used": True, "query": "queue"}).json()
        assert told["used"] == n
    assert told["factor"] == 1.1 and told["not_useful"] == 0
    (hit,) = writer.post("/search", {"query": "queue Redis"}).json()["items"]
    assert abs(hit["factors"]["feedback"] - 1.1) < 1e-6


def test_purge_gives_a_receipt_and_leaves_nothing(writer: Agent, curator: Agent) -> None:
    key = writer.write("Her code word is quokka.")["id"]
    curator.patch(f"/memories/{key}", {"text": "Her code words are quokka and numbat."})
    rehearsed = curator.post(f"/memories/{key}/purge", {"dry_run": True}).json()
    assert rehearsed["dry_run"] and not rehearsed["complete"] and rehearsed["removed"]["revisions"] == 2
    receipt = curator.post(f"/memories/{key}/purge", {"reason": "asked to"}).json()
    assert receipt["complete"] is True and not any(receipt["left"].values())
    assert "quokka" not in str(receipt)
    assert curator.get(f"/memories/{key}").status_code == 404
    assert curator.get(f"/memories/{key}/history").status_code == 404
    for answer in (
        curator.get("/memories"),
        curator.get("/audit"),
        curator.post("/search", {"query": "code word quokka"}),
    ):
        assert b"quokka" not in answer.content.replace(b"code word quokka", b"")


def test_a_list_is_paged_by_an_opaque_cursor_without_gaps_or_repeats(writer: Agent) -> None:
    writer.post("/memories/batch", {"items": [{"text": f"Note {n}."} for n in range(7)]})
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = writer.get(f"/memories?limit=3&cursor={cursor}").json()
        assert set(page) == {"items", "next_cursor", "total"} and page["total"] == 7
        seen += [one["text"] for one in page["items"]]
        cursor = page["next_cursor"]
    assert seen == [f"Note {n}." for n in reversed(range(7))]


def test_a_cursor_of_another_list_or_of_nobody_is_refused(writer: Agent) -> None:
    writer.post("/memories/batch", {"items": [{"text": f"Note {n}."} for n in range(3)]})
    cursor = writer.get("/memories?limit=1").json()["next_cursor"]
    for wrong in ("abc", "!!!", "WzFd", "eyJhIjoxfQ", "%00", "W10"):
        answer = writer.get(f"/memories?cursor={wrong}")
        assert answer.status_code == 422 and answer.json()["field"] == "cursor", wrong
    assert writer.get(f"/memories?sort=trust&cursor={cursor}").status_code == 422
    assert writer.get(f"/entities?cursor={cursor}").status_code == 422


def test_a_list_is_narrowed_by_its_filters(writer: Agent, curator: Agent) -> None:
    writer.write("Redis holds the queue.", tags=["db"])
    writer.post("/memories", {"kind": "fact", "text": "Alice likes tea.", "category": "preferences"})
    gone = writer.write("Old news.")["id"]
    curator.delete(f"/memories/{gone}")

    def listed(query: str) -> list[str]:
        answer = curator.get(f"/memories?{query}")
        assert answer.status_code == 200, answer.content
        return [one["text"] for one in answer.json()["items"]]

    assert listed("kinds=fact") == ["Alice likes tea."]
    assert listed("tags=db") == ["Redis holds the queue."]
    assert listed("categories=preferences&kinds=fact&kinds=note") == ["Alice likes tea."]
    assert listed("contains=queue") == ["Redis holds the queue."]
    assert listed("states=deleted") == ["Old news."]
    assert listed("min_trust=1.5") == []
    assert len(listed("sort=trust")) == 2


def test_a_misspelt_filter_is_an_error_and_not_everything(writer: Agent) -> None:
    answer = writer.get("/memories?stat=deleted")
    assert answer.status_code == 422 and answer.json()["field"] == "stat"
    answer = writer.get("/memories?states=gone")
    assert answer.status_code == 422 and answer.json()["in"] == "query"


def test_many_are_changed_in_one_run_that_is_undone_as_a_whole(writer: Agent, curator: Agent) -> None:
    ids = [
        one["id"]
        for one in writer.post("/memories/batch", {"items": [{"text": f"N {n}."} for n in range(3)]}).json()["items"]
    ]
    body: dict[str, Any] = {"act": "archive", "ids": ids}
    rehearsed = curator.post("/memories/bulk", {**body, "dry_run": True}).json()
    assert rehearsed["changed"] == ids and rehearsed["run"] is None
    done = curator.post("/memories/bulk", body).json()
    assert done["changed"] == ids and done["unchanged"] == []
    assert curator.post("/memories/bulk", body).json() == {**done, "run": None, "changed": [], "unchanged": ids}
    run = curator.get(f"/runs/{done['run']}").json()
    assert run["act"] == "archive" and run["total"] == 3
    assert curator.post(f"/runs/{done['run']}/undo", {"dry_run": True}).json()["undone"] == 3
    assert curator.post(f"/runs/{done['run']}/undo").json()["undone"] == 3
    assert {one["state"] for one in curator.get("/memories").json()["items"]} == {"held"}
    assert curator.post(f"/runs/{done['run']}/undo").status_code == 409


def test_many_are_tagged_and_an_unknown_one_stops_it(writer: Agent, curator: Agent) -> None:
    key = writer.write(tags=["old"])["id"]
    body = {"act": "tag", "ids": [key], "add_tags": ["new"], "remove_tags": ["old"]}
    assert curator.post("/memories/bulk", body).json()["changed"] == [key]
    assert curator.get(f"/memories/{key}").json()["tags"] == ["new"]
    assert curator.post("/memories/bulk", {"act": "archive", "ids": [key, new_id()]}).status_code == 404
    assert curator.post("/memories/bulk", {"act": "tag", "ids": [key]}).status_code == 422
    assert curator.post("/memories/bulk", {"act": "archive", "ids": []}).status_code == 422


def test_the_audit_tells_who_did_what_newest_first(writer: Agent, curator: Agent) -> None:
    key = writer.write()["id"]
    curator.patch(f"/memories/{key}", {"title": "Queue"})
    page = curator.get("/audit?limit=1").json()
    assert page["items"][0]["act"] == "edit" and page["items"][0]["after"]["title"] == "Queue"
    older = curator.get(f"/audit?limit=50&cursor={page['next_cursor']}").json()
    assert key in [one["record_id"] for one in older["items"] if one["act"] == "create"] and not older["next_cursor"]
    assert {one["act"] for one in curator.get("/audit?act=create").json()["items"]} == {"create"}
    assert curator.get("/audit?actor=nobody").json()["items"] == []


def test_a_forged_cursor_does_no_harm(writer: Agent, curator: Agent) -> None:
    curator.delete(f"/memories/{writer.write('Old news.')['id']}")
    for inner in ("2020-01-01~x", "0001-01-01T00:00:00~x", "inf~x", "nan~x", "-1e999~zz", "~", "9999-12-31T23:59:59~"):
        cursor = write_cursor("learned", inner)
        for query in (f"cursor={cursor}", f"states=deleted&cursor={cursor}"):
            assert curator.get(f"/memories?{query}").status_code in (200, 422), (inner, query)
    for where in ("jobs", "audit"):
        for at in ("2020-01-01", "0001-01-01T00:00:00+14:00", "x", "9999-12-31T23:59:59-14:00"):
            answer = writer.get(f"/{where}?cursor={write_cursor(at, 'x')}")
            assert answer.status_code in (200, 422), (where, at, answer.content)


def test_a_list_as_of_an_instant_has_the_words_of_then_and_for_curators_what_was_deleted_since(
    writer: Agent, curator: Agent
) -> None:
    edited = writer.post("/memories", {"kind": "fact", "text": "The wifi password is kestrel."}).json()["id"]
    deleted = writer.post("/memories", {"kind": "fact", "text": "The heron stands in the reeds."}).json()["id"]
    then = quote(datetime.now(UTC).isoformat())
    curator.patch(f"/memories/{edited}", {"text": "The wifi password is osprey."})
    curator.delete(f"/memories/{deleted}")

    def texts(agent: Agent) -> list[str]:
        return sorted(one["text"] for one in agent.get(f"/memories?as_of={then}").json()["items"])

    assert texts(writer) == ["The wifi password is kestrel."]
    assert texts(curator) == ["The heron stands in the reeds.", "The wifi password is kestrel."]
    for agent, found in ((writer, []), (curator, [deleted])):
        hits = agent.post("/search", {"query": "heron", "as_of": unquote(then)}).json()["items"]
        assert [hit["id"] for hit in hits if "heron" in hit["text"]] == found


def test_what_was_true_at_an_instant_is_another_question_than_what_was_believed(writer: Agent) -> None:
    known = {"text": "Mina lives in Busan.", "valid_from": "2020-05-01T00:00:00Z"}
    over = {"text": "Mina paints in Mapo.", "valid_from": "2019-01-01T00:00:00Z", "valid_to": "2020-05-01T00:00:00Z"}
    for said in (known, over):
        assert writer.post("/memories", {"kind": "fact", **said}).status_code == 201

    def texts(at: str, by: str = "") -> list[str]:
        query = f"as_of={at}" + (f"&as_of_by={by}" if by else "")
        listed = [
            sorted(one["text"] for one in writer.get(f"{path}{'&' if '?' in path else '?'}{query}").json()["items"])
            for path in ("/memories", "/memories?kinds=fact")
        ]
        asked = {"query": "Mina", "as_of": at, "read": False} | ({"as_of_by": by} if by else {})
        found = sorted(hit["text"] for hit in writer.post("/search", asked).json()["items"])
        assert listed[0] == listed[1] == found
        return found

    assert texts("2020-06-01T00:00:00Z") == texts("2020-06-01T00:00:00Z", "recorded") == []
    assert texts("2020-06-01T00:00:00Z", "valid") == ["Mina lives in Busan."]
    assert texts("2020-04-01T00:00:00Z", "valid") == ["Mina paints in Mapo."]
    assert texts("2018-01-01T00:00:00Z", "valid") == []
    refused = writer.get("/memories?as_of=2020-06-01T00:00:00Z&as_of_by=hearsay")
    assert refused.status_code == 422 and "as_of_by" in refused.text

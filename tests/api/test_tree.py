"""The Context Tree over HTTP: looked at, grown, changed, moved, merged, split, taken out, undone."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import space_named
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory
from memoryapp.domain.node import Line, line_key, with_description
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree.write import write
from tests.api.conftest import Agent
from tests.samples import NOON, PERSON
from tests.tree.gardens import a_large_page

VALUES = "\ufeff# 가치관\r\n\r\n- 정직  \r\n"


@pytest.fixture
def values(curator: Agent) -> Any:
    body = {"path": "identity/values", "text": VALUES, "keywords": ["가치관"], "weight": 1.4}
    return curator.post("/tree", body).json()["node"]


def paths(agent: Agent, under: str = "") -> list[str]:
    return [one["path"] for one in agent.get(f"/tree?path={quote(under)}").json()["items"]]


def test_a_node_is_grown_and_read_byte_for_byte(curator: Agent, reader: Agent, values: Any) -> None:
    answer = reader.get("/tree/nodes/identity/values")
    shown = answer.json()
    assert answer["ETag"].startswith('W/"1-') and shown["text"] == VALUES
    assert (shown["title"], shown["keywords"], shown["weight"], shown["parent"]) == (
        "가치관",
        ["가치관"],
        1.4,
        "identity",
    )
    assert shown["size"] == len(VALUES.encode()) and shown["overfull"] is False and shown["inherited_from"] is None
    assert reader.get("/tree/nodes/identity/values").json() == shown
    above = reader.get("/tree/nodes/identity").json()
    assert above["file"] is False and [one["path"] for one in above["children"]] == ["identity/values"]
    taken = curator.post("/tree", {"path": "identity/values"})
    assert taken.status_code == 409 and taken.json()["field"] == "/path"


def test_the_outline_tells_sizes_and_can_be_asked_for_a_part(curator: Agent, reader: Agent, values: Any) -> None:
    curator.post("/tree", {"path": "infra/db", "text": a_large_page()})
    whole = reader.get("/tree").json()
    assert [one["path"] for one in whole["items"]] == ["identity", "identity/values", "infra", "infra/db"]
    assert whole["bytes"] == values["size"] + len(a_large_page().encode()) and whole["limit"] == 10_000
    assert [one["path"] for one in whole["items"] if one["overfull"]] == ["infra/db"]
    assert paths(reader, "infra") == ["infra", "infra/db"]
    assert reader.get("/tree?path=nowhere").status_code == 404
    assert reader.get("/tree?path=../x").status_code == 422


def test_what_is_not_a_path_is_not_there(reader: Agent) -> None:
    for path in ("nowhere", "%2E%2E/etc", "a%00b", "a%0Ab", "x" * 500, "a//b"):
        answer = reader.get(f"/tree/nodes/{path}")
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json"), path


@pytest.mark.parametrize("path", ["waiting", "import", "move", "nodes", "nodes/nodes", "stale", "keywords/x", "split"])
def test_a_node_may_be_called_like_an_operation(curator: Agent, path: str) -> None:
    assert curator.post("/tree", {"path": path, "text": "Own words.\n"}).status_code == 201
    found = curator.get(f"/tree/nodes/{path}")
    assert found.json()["text"] == "Own words.\n"
    changed = curator.patch(f"/tree/nodes/{path}", {"weight": 2})
    assert changed.status_code == 200 and curator.delete(f"/tree/nodes/{path}").status_code == 200


def test_an_edit_takes_the_version_that_was_read_and_its_run_undoes_it(curator: Agent, values: Any) -> None:
    changed = curator.patch("/tree/nodes/identity/values", {"text": "\n x \n", "title": "V"}, If_Match='"1"')
    assert changed["ETag"] == '"2"' and changed.json()["node"]["text"] == "\n x \n"
    stale = curator.patch("/tree/nodes/identity/values", {"weight": 1}, If_Match='"1"')
    assert stale.status_code == 412 and stale.json()["current"] == 2
    same = curator.patch("/tree/nodes/identity/values", {"title": "V"})
    assert same.json()["run"] is None
    assert curator.patch("/tree/nodes/identity/values", {}).status_code == 422
    curator.post(f"/runs/{changed.json()['run']}/undo")
    assert curator.get("/tree/nodes/identity/values").json()["text"] == VALUES


def test_keywords_are_suggested_where_none_are_sent(curator: Agent, reader: Agent) -> None:
    text = "# RocksDB\n\nRocksDB compaction by `surrealkv`.\n"
    grown = curator.post("/tree", {"path": "infra/storage", "text": text}).json()
    assert grown["suggested"] == grown["node"]["keywords"] and "RocksDB" in grown["suggested"]
    curator.patch("/tree/nodes/infra/storage", {"keywords": ["rocksdb"]})
    assert "surrealkv" in reader.get("/tree/keywords?path=infra/storage").json()["items"]
    assert reader.get("/tree/keywords?path=none").status_code == 404


def test_a_branch_is_grown_with_no_text(curator: Agent) -> None:
    assert curator.post("/tree", {"path": "a", "text": None}).json()["node"]["file"] is False
    assert curator.post("/tree", {"path": "b"}).json()["node"]["file"] is True


def test_a_node_moves_with_all_beneath_it_and_among_its_siblings(curator: Agent, values: Any) -> None:
    curator.post("/tree", {"path": "identity/name", "text": "x"})
    moved = curator.post("/tree/move", {"path": "identity", "to": "me/self"})
    assert moved.json()["node"]["path"] == "me/self"
    assert paths(curator) == ["me", "me/self", "me/self/name", "me/self/values"]
    curator.post("/tree/move", {"path": "me/self/name", "to": "me/self/name", "position": 0})
    assert [one["path"] for one in curator.get("/tree/nodes/me/self").json()["children"]] == [
        "me/self/name",
        "me/self/values",
    ]
    assert curator.post("/tree/move", {"path": "me", "to": "me/x"}).json()["field"] == "/to"
    assert curator.post("/tree/move", {"path": "me/self", "to": "you"}, If_Match='"77"').status_code == 412
    assert curator.post("/tree/move", {"path": "none", "to": "you"}).status_code == 404


def test_a_merge_is_shown_first_and_then_done(curator: Agent) -> None:
    curator.post("/tree", {"path": "a", "text": "- one\n- two\n", "keywords": ["a"]})
    curator.post("/tree", {"path": "b", "text": "- two\n", "keywords": ["b"]})
    shown = curator.post("/tree/merge", {"path": "a", "into": "b", "dry_run": True})
    told = shown.json()
    assert (told["text"], told["keywords"], told["added"], told["doubled"]) == ("- two\n- one\n", ["b", "a"], 1, 1)
    assert told["run"] is None and paths(curator) == ["a", "b"]
    done = curator.post("/tree/merge", {"path": "a", "into": "b"}, If_Match=shown["ETag"])
    assert paths(curator) == ["b"] and curator.get("/tree/nodes/b").json()["text"] == told["text"]
    curator.post(f"/runs/{done.json()['run']}/undo")
    assert paths(curator) == ["a", "b"]
    assert curator.post("/tree/merge", {"path": "a", "into": "a"}).json()["field"] == "/into"


def test_a_split_is_shown_unless_it_is_asked_for_and_takes_the_version_shown(curator: Agent) -> None:
    curator.post("/tree", {"path": "infra/db", "text": a_large_page()})
    shown = curator.post("/tree/split", {"path": "infra/db"})
    told = shown.json()
    assert told["dry_run"] is True and told["run"] is None and paths(curator) == ["infra", "infra/db"]
    assert [one["title"] for one in told["pieces"]] == ["Storage", "Search", "Changefeed", "백업과 복구"]
    curator.patch("/tree/nodes/infra/db", {"weight": 1.1})
    body = {"path": "infra/db", "dry_run": False}
    assert curator.post("/tree/split", body, If_Match=shown["ETag"]).status_code == 412
    done = curator.post("/tree/split", body).json()
    assert paths(curator, "infra/db") == ["infra/db", *sorted(one["path"] for one in told["pieces"])]
    assert curator.get("/tree/nodes/infra/db").json()["text"] == told["text"] == done["text"]
    curator.post(f"/runs/{done['run']}/undo")
    assert paths(curator) == ["infra", "infra/db"]
    assert curator.get("/tree/nodes/infra/db").json()["text"] == a_large_page()
    assert curator.post("/tree/split", {"path": "infra"}).status_code == 409


def test_a_node_is_taken_out_with_all_beneath_it_and_comes_back(curator: Agent, values: Any) -> None:
    told = curator.delete("/tree/nodes/identity?dry_run=true").json()
    assert [one["path"] for one in told["items"]] == ["identity", "identity/values"] and told["run"] is None
    assert curator.delete("/tree/nodes/identity", If_Match='"9"').status_code == 412
    gone = curator.delete("/tree/nodes/identity").json()
    assert paths(curator) == [] and gone["dry_run"] is False
    curator.post(f"/runs/{gone['run']}/undo")
    assert curator.get("/tree/nodes/identity/values").json()["id"] == values["id"]
    assert curator.delete("/tree/nodes/none").status_code == 404


def test_a_write_sent_twice_with_one_key_is_done_once(curator: Agent) -> None:
    sent = [curator.post("/tree", {"path": "a"}, Idempotency_Key="k1") for _ in range(2)]
    assert [one.status_code for one in sent] == [201, 201] and sent[0].content == sent[1].content


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"path": "a", "weight": 3}, "/weight"),
        ({"path": "a", "keywords": ["k" * 100]}, "/keywords"),
        ({"path": "a/../b"}, "/path"),
        ({"path": "a", "colour": "red"}, "/colour"),
    ],
    ids=["weight", "keyword", "path", "unknown"],
)
def test_what_cannot_be_names_its_field(curator: Agent, body: Any, field: str) -> None:
    answer = curator.post("/tree", body)
    assert answer.status_code == 422 and answer.json()["field"] == field


def test_the_memory_behind_a_line_is_shown_with_its_row(curator: Agent, memory: Space, values: Any) -> None:
    node = nodes.at(memory.db, "identity/values")
    assert node is not None
    after: Memory = with_description(node.memory, lines=[Line(line_key("정직"), values["id"], 2, NOON, "keyword")])
    write(memory, new_run("retain", PERSON, now=NOON), updated=[(node.memory, after)])
    shown = curator.get("/tree/nodes/identity/values").json()
    assert shown["lines"] == [
        {"row": 3, "memory": values["id"], "version": 2, "at": "2026-03-01T12:00:00Z", "why": "keyword"}
    ]
    assert shown["memories"] == 1


def test_nodes_of_a_parent_space_are_read_and_not_changed(root: Agent, values: Any) -> None:
    name = f"c-{new_id()}"
    assert root.post("/spaces", {"name": name, "parent": root.space}).status_code == 201
    child = Agent(create_key("sub", role=Role.ADMIN, space=space_named(name))[1])
    child.post("/tree", {"path": "identity/own", "text": "x"})
    whole = {one["path"]: one["inherited_from"] for one in child.get("/tree").json()["items"]}
    assert whole == {"identity": None, "identity/own": None, "identity/values": root.space}
    shown = child.get("/tree/nodes/identity/values").json()
    assert shown["inherited_from"] == root.space and shown["text"] == VALUES
    for answer in (
        child.patch("/tree/nodes/identity/values", {"weight": 1}),
        child.delete("/tree/nodes/identity/values"),
        child.post("/tree/split", {"path": "identity/values"}),
        child.post("/tree/move", {"path": "identity/values", "to": "x"}),
    ):
        assert answer.status_code == 403 and root.space in answer.json()["detail"], answer.content
    assert root.get("/tree/nodes/identity/values").json()["version"] == 1

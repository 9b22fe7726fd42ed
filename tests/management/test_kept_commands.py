"""The commands that keep an installation going, through the running app: who may come in, what is read, what runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live import Live, live_app, manage

pytestmark = pytest.mark.slow  # an app is started


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "billing.md").write_text("# Billing\n\n## Database\n\nPostgres holds the invoices.\n")
    return folder


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, notes: Path) -> Iterator[Live]:
    with live_app(tmp_path_factory.mktemp("app"), MEMORY_INGEST_ROOTS=str(notes)) as running:
        yield running


def typed(app: Live, *words: str, stdin: str = "") -> str:
    done = app.command(*words, stdin=stdin)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def read(app: Live, *words: str) -> Any:
    return json.loads(typed(app, *words, "--json"))


def refused(app: Live, *words: str) -> str:
    done = app.command(*words)
    assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr, done
    return done.stderr.splitlines()[-1]


def test_a_file_that_cannot_be_restored_is_named_and_leaves_no_space_behind(app: Live, tmp_path: Path) -> None:
    (tmp_path / "broken.gz").write_bytes(b"no gzip at all")
    assert "broken.gz is not a readable backup" in refused(
        app, "restore", str(tmp_path / "broken.gz"), "--space", "again"
    )
    assert "again" not in [one["name"] for one in read(app, "spaces")["items"]]
    typed(app, "backup", str(tmp_path / "whole.gz"))
    told = typed(app, "restore", str(tmp_path / "whole.gz"), "--space", "again", "--encoder", "hashing")
    assert "restored into space “again”" in told


def test_a_space_is_made_and_its_numbers_are_set_and_taken_back(app: Live) -> None:
    assert "reads default" in typed(app, "spaces", "create", "lab", "--parent", "default")
    changed = read(app, "spaces", "set", "lab", "rrf_k=30", "conflict_policy=auto", "--title", "Lab")
    assert changed["settings"] == {"rrf_k": 30, "conflict_policy": "auto"} and changed["title"] == "Lab"
    shown = typed(app, "spaces", "show", "lab", "--changed")
    assert "* rrf_k" in shown and "(default 60)  RRF k: " in shown and "bm25" not in shown
    (found,) = read(app, "spaces", "show", "lab", "bm25", "repeated")["fields"]
    assert (found["name"], found["changed"]) == ("bm25_k1", False)
    told = typed(app, "spaces", "reset", "lab")
    assert "2 settings reset." in told and "spaces set lab rrf_k=30 conflict_policy=auto" in told
    assert "at their defaults" in typed(app, "spaces", "reset", "lab")
    typed(app, "spaces", "set", "lab", "rrf_k=30", "conflict_policy=auto")
    assert read(app, "spaces", "set", "lab", "rrf_k=")["settings"] == {"conflict_policy": "auto"}
    assert read(app, "spaces", "set", "lab", "--parent", "")["parent"] is None
    assert {one["name"] for one in read(app, "spaces")["items"]} >= {"default", "lab"}
    assert "rrf_k" in refused(app, "spaces", "set", "lab", "rrf_k=many")
    assert "SETTING=VALUE" in refused(app, "spaces", "set", "lab", "rrf_k")
    assert "nowhere" in refused(app, "spaces", "set", "nowhere", "rrf_k=3")


def test_somebody_is_added_given_a_role_shut_out_and_let_in(app: Live) -> None:
    assert typed(app, "people", "add", "bo", "--role", "writer").startswith("bo ")
    typed(app, "people", "add", "eve", "--password", "-", stdin="a long enough secret\n")
    assert typed(app, "people", "role", "bo", "curator").split()[1] == "curator,"
    assert "shut out" in typed(app, "people", "shut-out", "bo")
    assert "shut out" not in typed(app, "people", "let-in", "bo")
    assert read(app, "people", "role", "bo", "none")["role"] is None
    told = {one["name"]: one for one in read(app, "people", "list")["items"]}
    assert told["eve"]["password"] and not told["bo"]["password"]
    assert "already" in refused(app, "people", "add", "bo")


def test_keys_are_listed_rotated_and_revoked(app: Live) -> None:
    text = manage("key", "--name", "night", "--role", "reader", data=app.data).stdout.strip()  # it asks no app
    (key,) = [one for one in read(app, "keys")["items"] if one["name"] == "night"]
    assert text.startswith(key["prefix"]) and text not in typed(app, "keys")
    other = typed(app, "keys", "rotate", str(key["id"])).strip()
    assert other.startswith("pal_") and other != text
    (turned,) = [one for one in read(app, "keys")["items"] if other.startswith(one["prefix"])]
    assert "revoked" in typed(app, "keys", "revoke", str(turned["id"]))
    assert "no key 9999" in refused(app, "keys", "revoke", "9999")


def test_a_source_is_kept_read_and_forgotten_with_its_memories(app: Live, notes: Path) -> None:
    source = read(app, "sources", "add", str(notes), "--every", "60")["id"]
    assert "1 added" in typed(app, "sources", "read", source)
    assert read(app, "sources", "set", source, "--every", "0", "--name", "Mine")["every_minutes"] == 0
    memory = read(app, "recall", "invoices", "--strategy", "keyword")["items"][0]
    assert "lines 3–5  Database" in typed(app, "sources", "document", memory["source"]["document"])
    jobs = read(app, "jobs", "list", "--kind", "ingest")["items"]
    assert "billing.md" in typed(app, "jobs", "files", jobs[0]["id"])
    assert read(app, "jobs", "follow", jobs[0]["id"])["status"] == "done"
    assert "added: 1" in typed(app, "jobs", "show", jobs[0]["id"])
    assert "already ended" in refused(app, "jobs", "cancel", jobs[0]["id"])
    gone = read(app, "sources", "forget", source, "--archive")
    assert gone["archived"] == 1 and read(app, "stats")["states"]["archived"] == 1
    typed(app, "undo", gone["run"])
    assert read(app, "stats")["states"].get("archived", 0) == 0


def test_folders_are_listed_with_what_an_ingest_would_read(app: Live, notes: Path) -> None:
    assert typed(app, "sources", "folders", str(notes)).splitlines() == [f"{notes}  1 file"]
    assert "is a file" in refused(app, "sources", "folders", str(notes / "billing.md"))
    assert "outside the folders" in refused(app, "sources", "folders", "/etc")
    read(app, "ingest", str(notes))
    assert f"{notes}  1 file, ingested before" in typed(app, "sources", "folders").splitlines()


def test_the_first_steps_of_a_space_are_told_and_hidden(app: Live) -> None:
    name = read(app, "spaces", "create", "fresh")["name"]
    assert "[ ] Bring notes" in typed(app, "spaces", "first-steps", name)
    read(app, "remember", "The heron stands in the reeds.", "--title", "Heron colony", "--space", name)
    told = typed(app, "spaces", "first-steps", name)
    assert "[x] Bring notes" in told and "    What about Heron colony?" in told and "Home shows them." in told
    assert "Home does not show them." in typed(app, "spaces", "first-steps", name, "--hide")
    assert read(app, "spaces", "first-steps", name, "--show")["shown"] is True


def test_the_sample_is_not_loaded_into_a_new_space_whose_name_is_taken(app: Live) -> None:
    assert "already a space called default" in refused(app, "demo", "--new", "default")


def test_an_agent_proposes_by_command_and_a_change_alone_is_undone(app: Live) -> None:
    typed(app, "spaces", "set", app.space or "default", "conflict_policy=review")
    for text in ("Minsu lives in Seoul.", "Minsu lives in Busan."):
        made = read(app, "remember", text, "--kind", "fact")
    key = made["conflict"]
    assert typed(app, "conflicts", "propose", key, "keep", "--reason", "a trip").startswith("Proposed: keep.")
    assert "suggests keep: a trip" in typed(app, "conflicts", "show", key)
    assert typed(app, "conflicts", "accept", "--dry-run").startswith("1 would be decided")
    accepted = read(app, "conflicts", "accept", key)
    assert accepted["decided"] == [key]
    typed(app, "undo", accepted["run"])
    typed(app, "memory", "pin", made["id"])
    (pinned, *_) = read(app, "audit", "--record", made["id"], "--act", "pin")["items"]
    assert "1 change taken back" in typed(app, "undo", pinned["id"], "--change")
    assert typed(app, "memory", "neighbours", made["id"]).strip()
    assert "0" * 16 in refused(app, "memory", "confirm", "0" * 16)


def test_an_act_of_the_heartbeat_is_set(app: Live) -> None:
    assert " off" in typed(app, "heartbeat", "--set", "expire", "--no-on").splitlines()[0]
    told = typed(app, "heartbeat", "--set", "expire", "--on", "--at", "03:00", "--zone", "Asia/Seoul")
    assert "daily at 03:00 Asia/Seoul" in told
    assert "--every" in refused(app, "heartbeat", "--set", "expire")


def test_summaries_embeddings_sessions_and_relations_have_a_command(app: Live) -> None:
    assert "No summaries yet" in typed(app, "summaries")
    assert read(app, "summaries", "refresh", "work")["job"]["status"] == "done"
    assert read(app, "embed")["status"] == "done"
    typed(app, "session", "open", "standup")
    assert "standup: 0 turns" in typed(app, "session")
    typed(app, "remember", "--atoms", "(uses :subject Alice :object Python)")
    made = read(app, "relations", "add", "Python", "part_of", "Alice")
    assert "part of→ Alice" in typed(app, "relations", "list", "Python")
    assert "takes it back" in typed(app, "relations", "refuse", made["relation"]["id"])
    (gone,) = read(app, "entities", "refuse", "Python")["items"]
    assert gone["state"] == "refused"
    assert "Python is known." in typed(app, "entities", "take-in", gone["id"])

"""The commands, through the running app and without one: the same output either way."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from tests.live import Live, live_app, manage


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "billing.md").write_text(
        "# Billing\n\n## Database\nPostgres 15 holds the invoices.\n\n## Mail\nSent at dawn.\n"
    )
    (folder / "broken.md").write_bytes(b"caf\xe9 in Latin-1")
    return folder


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, notes: Path) -> Live:
    with live_app(tmp_path_factory.mktemp("app"), MEMORY_INGEST_ROOTS=str(notes)) as running:
        yield running


def test_key_prints_a_key_that_works_and_nothing_else(app: Live) -> None:
    printed = manage("key", "--role", "curator", "--space", "default", "--data", str(app.data), data=app.data)
    assert printed.returncode == 0 and printed.stderr == ""
    assert printed.stdout.count("\n") == 1
    headers = {"Authorization": f"Bearer {printed.stdout.strip()}"}
    answer = httpx.get(f"{app.url}/api/v1/memories", headers=headers, trust_env=False)
    assert answer.status_code == 200


def test_key_works_on_a_folder_where_nothing_has_started_yet(tmp_path: Path) -> None:
    printed = manage("key", "--json", data=tmp_path / "fresh")
    told = json.loads(printed.stdout)
    assert told["key"].startswith("pal_") and (told["role"], told["space"]) == ("writer", "default")


def test_a_space_nobody_made_is_told_in_one_line(app: Live) -> None:
    refused = manage("key", "--space", "nowhere", data=app.data)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "There is no space called nowhere.\n"


def test_login_prints_a_link_to_the_running_app(app: Live) -> None:
    assert manage("login", data=app.data).stdout.startswith(f"{app.url}/login/")
    assert manage("login", "nobody", data=app.data).returncode == 1


def test_ingest_and_recall_speak_to_the_running_app(app: Live, notes: Path) -> None:
    rehearsed = app.command("ingest", str(notes), "--dry-run")
    assert rehearsed.returncode == 0 and "2 added" in rehearsed.stdout and "dry run" in rehearsed.stdout
    assert f"Using the running app at {app.url}." in rehearsed.stderr
    read = manage("ingest", str(notes), data=app.data)
    assert "2 added" in read.stdout and "not read: broken.md" in read.stdout
    again = json.loads(app.command("ingest", str(notes), "--json").stdout)
    assert (again["status"], again["report"]["added"], again["report"]["unchanged"]) == ("done", 0, 2)
    found = app.command("recall", "invoices", "--strategy", "keyword", "--explain")
    assert "Postgres 15 holds the invoices." in found.stdout and "keyword: rank 1" in found.stdout


def test_remember_takes_a_text_or_standard_input(app: Live) -> None:
    one = app.command("remember", "The office key hangs behind the clock.")
    two = manage("remember", "-", "--json", "--tag", "home", data=app.data, stdin="Bins go out on Tuesday.\n")
    assert one.returncode == two.returncode == 0
    assert json.loads(two.stdout)["tags"] == ["home"]
    found = json.loads(app.command("recall", "office key clock", "--json").stdout)
    assert found["items"][0]["id"] == one.stdout.strip()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ingest", "/nonexistent/folder"), "outside the folders"),
        (("recall", "x", "--strategy", "magic"), "magic"),
        (("remember", "   "), "empty"),
        (("recall", "x", "--space", "nowhere"), "nowhere"),
    ],
)
def test_a_refusal_is_one_line_and_a_code(app: Live, words: tuple[str, ...], said: str) -> None:
    refused = app.command(*words)
    assert refused.returncode == 1 and refused.stdout == ""
    assert said in refused.stderr.splitlines()[-1]
    assert "Traceback" not in refused.stderr


@pytest.mark.slow
def test_without_a_running_app_the_commands_open_the_store_themselves(tmp_path: Path, notes: Path) -> None:
    read = manage("ingest", str(notes), data=tmp_path, MEMORY_INGEST_ROOTS=str(notes))
    assert read.returncode == 0 and "2 added" in read.stdout
    assert read.stderr == f"Using the store in {tmp_path} directly.\n"
    found = manage("recall", "invoices", "--json", data=tmp_path)
    best = json.loads(found.stdout)["items"][0]
    assert "Postgres 15 holds the invoices." in best["text"]
    assert best["arms"]["vector"]["rank"] == 1  # it waits for the model rather than answer by keyword alone


def test_data_may_be_named_before_or_after_with_or_without_an_equals_sign(tmp_path: Path) -> None:
    for words in (("key", f"--data={tmp_path / 'a'}"), ("key", "--data", str(tmp_path / "b"))):
        assert manage(*words, data=tmp_path / "elsewhere").returncode == 0
    assert (tmp_path / "a" / "people.sqlite3").exists() and (tmp_path / "b" / "people.sqlite3").exists()
    assert not (tmp_path / "elsewhere").exists()
    assert manage("key", "--data", data=tmp_path / "elsewhere").returncode == 2

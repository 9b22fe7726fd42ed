"""What is typed at a command: whatever bytes they are, one line says what is wrong."""

from __future__ import annotations

import io
import os
from pathlib import Path

import httpx
import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.management import main
from memoryapp.management.catalogue import CATALOGUE, FIRST_COMMANDS
from memoryapp.management.commands.login import Command
from memoryapp.management.commands.memory import Command as MemoryCommand
from memoryapp.management.door import ApiDoor, ApiError

ODD = os.fsdecode(b"\xff\xfe")  # as bytes that are no UTF-8 come in


@pytest.mark.django_db
def test_bytes_that_are_no_words_are_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        Command().handle(person=ODD, json=False)
    assert ended.value.code == 1
    assert capsys.readouterr().err == "What was typed cannot be used: words are UTF-8.\n"


def test_a_command_that_reads_refuses_a_data_folder_without_a_memory_and_makes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mistyped"
    monkeypatch.setenv("MEMORY_DATA_DIR", str(folder))
    for name in ("DATABASE_URL", "MEMORY_STORE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in CATALOGUE:
        told = main.missing_memory(["manage.py", name])
        assert (told == "") == (name in FIRST_COMMANDS), name
        assert not told or (str(folder) in told and "--data DIR" in told)
    with pytest.raises(SystemExit, match="There is no memory in"):
        main.main(["manage.py", "recall", "x", "--data", str(folder)])
    assert not folder.exists()
    assert main.missing_memory(["manage.py", "recall", "--help"]) == ""
    folder.mkdir()
    assert main.missing_memory(["manage.py", "recall", "x"])
    (folder / "people.sqlite3").touch()
    assert main.missing_memory(["manage.py", "recall", "x"]) == ""


def test_a_server_has_its_memory_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("MEMORY_STORE_URL", "ws://store.example:8000")
    assert main.missing_memory(["manage.py", "recall", "x"]) == ""


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "sent"), [("y\n", True), ("YES\n", True), ("\n", False), ("n\n", False), ("", False)]
)
def test_a_purge_shows_what_it_takes_and_asks(
    typed: str, sent: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", _Terminal(typed))
    command = MemoryCommand()
    receipt = {"removed": {"memory": 1}, "also": [], "said_by": [], "dry_run": True}
    if sent:
        command._agree({"text": "The PIN is 4711."}, receipt)
    else:
        with pytest.raises(BadInput, match="Nothing was erased"):
            command._agree({"text": "The PIN is 4711."}, receipt)
    asked = capsys.readouterr().err
    assert "The PIN is 4711." in asked and "Would erase 1 memory." in asked and "[y/N]" in asked


@pytest.mark.parametrize(
    ("field", "said", "told"),
    [
        ("/top_k", "It is at most 100.", "top-k: It is at most 100."),
        ("limit", "It is at most 200.", "limit: It is at most 200."),
        ("/items/1/text", "It is empty.", "items 1 text: It is empty."),
        ("X-Space", "There is no space called “second”.", "There is no space called “second”."),
        ("/query", "The query is empty.", "The query is empty."),
    ],
)
def test_a_refusal_names_the_option_and_no_address_of_the_api(field: str, said: str, told: str) -> None:
    def send(method: str, path: str, **more: object) -> httpx.Response:
        return httpx.Response(422, json={"detail": said, "field": field})

    with pytest.raises(ApiError) as refused:
        ApiDoor(send, where="here", space="").request("GET", "/stats")
    assert refused.value.detail == told

"""Files, folders and archives are opened with care: nothing is unpacked, followed, or read without end."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.transfer.entries import SkippedEntry
from memoryapp.transfer.foreign import read, recognise
from memoryapp.transfer.foreign.files import open_path
from memoryapp.transfer.foreign.records import BrokenRecord, records


def archive(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in members.items():
            packed.writestr(name, text)
    return path


def test_a_member_packed_as_a_bomb_is_refused_by_name_and_the_others_are_read(tmp_path: Path) -> None:
    path = archive(
        tmp_path / "export.zip",
        {"memories.json": '[{"id": 1, "memory": "Rows"}]', "bomb.json": "[" + " " * 50_000_000 + "]"},
    )
    assert recognise(path) == "mem0"
    found = list(read(path, "mem0"))
    assert found[0] == SkippedEntry("bomb.json", "It is packed more than 200 to 1, as a zip bomb is.")
    assert len(found) == 2


def test_a_member_that_is_longer_than_it_says_is_not_read_on(tmp_path: Path) -> None:
    path = archive(tmp_path / "export.zip", {"a.json": '[{"id": 1, "memory": "' + "Rows " * 1000 + '"}]'})
    data = path.read_bytes()
    at = data.rindex(b"PK\x01\x02") + 24  # the length as the archive's directory tells it
    path.write_bytes(data[:at] + struct.pack("<I", 40) + data[at + 4 :])
    (told,) = records(open_path(path).parts[0])
    assert isinstance(told, BrokenRecord)
    assert told.why.startswith("It is damaged from here on")


def test_an_encrypted_member_is_told(tmp_path: Path) -> None:
    path = archive(tmp_path / "export.zip", {"a.json": "[]"})
    data = bytearray(path.read_bytes())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(sign) + offset] |= 1
    path.write_bytes(data)
    (refused,) = open_path(path).refused
    assert refused.why.startswith("It is encrypted")


def test_links_hidden_files_and_what_a_system_leaves_are_passed_over(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text("[]")
    folder = tmp_path / "export"
    for name in ("a.json", ".hidden.json", "__MACOSX/b.json", "node_modules/c.json", ".git/d.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("[]")
    (folder / "link.json").symlink_to(outside)
    assert [part.name for part in open_path(folder).parts] == ["a.json"]


def test_a_path_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    assert recognise(tmp_path / "none.json") is None
    with pytest.raises(BadInput, match=r"There is no file none.json"):
        read(tmp_path / "none.json", "mem0")


def test_a_file_of_another_form_is_refused_with_the_form_it_looks_like(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    path.write_text('{"type": "entity", "name": "Mara", "entityType": "person", "observations": []}')
    with pytest.raises(BadInput) as refused:
        read(path, "mem0")
    assert refused.value.detail == (
        "memory.json is no mem0 export: it holds no memories with an id and a text. "
        "It looks like a knowledge graph of the MCP memory server (mcp-memory)."
    )


def test_an_unknown_form_is_refused_with_those_known(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Known: claude-chat, openai-chat"):
        read(tmp_path, "diary")

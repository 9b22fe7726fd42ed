"""What is no whole, unchanged export is refused in one sentence, before anything is written."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memoryapp.domain.errors import BadInput, Cancelled, Clash
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import remember
from memoryapp.spaces import Space
from memoryapp.store.backup import is_empty
from memoryapp.transfer.archive import is_export, open_export
from memoryapp.transfer.manifest import NAME
from memoryapp.transfer.restore import fill
from tests.samples import AGENT
from tests.transfer.worlds import Watched, beside, files_of, repacked

Files = dict[str, bytes]


def manifest(files: Files, /, **changes: object) -> Files:
    return {**files, NAME: json.dumps({**json.loads(files[NAME]), **changes}).encode()}


def with_digest(files: Files, name: str, data: bytes) -> Files:
    """The file replaced, and the manifest made to agree."""
    import hashlib

    told = json.loads(files[NAME])["files"]
    told[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "records": data.count(b"\n")}
    return manifest({**files, name: data}, files=told)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda files: manifest(files, palimpsest_export=2), "newer version of Palimpsest"),
        (lambda files: manifest(files, schema=["0001_memory", "9999_later"]), "newer version of Palimpsest"),
        (lambda files: manifest(files, files={"memories.jsonl": {}}), "damaged"),
        (lambda files: manifest(files, settings=[1]), "damaged"),
        (lambda files: {**files, NAME: b"{}"}, "does not say so"),
        (lambda files: {name: files[name] for name in files if name != NAME}, "no manifest.json in it"),
        (lambda files: {name: files[name] for name in files if name != "turns.jsonl"}, "turns.jsonl is missing"),
        (lambda files: {**files, "turns.jsonl": files["turns.jsonl"][:-40]}, "turns.jsonl is not what the manifest"),
        (lambda files: {**files, "turns.jsonl": files["turns.jsonl"].replace(b"green", b"black")}, "is not what"),
        (lambda files: {**files, "../../evil.jsonl": b""}, "leads out of it"),
        (lambda files: {**files, "/etc/evil": b""}, "leads out of it"),
        (lambda files: with_digest(files, "memories.jsonl", b"{no json}\n"), "memories.jsonl, line 1 cannot be read"),
        (lambda files: with_digest(files, "memories.jsonl", b"[1]\n"), "memories.jsonl, line 1 is no record"),
        (lambda files: with_digest(files, "mentions.jsonl", b'{"id": ["a"]}\n'), "mentions.jsonl, line 1 lacks"),
        (
            lambda files: with_digest(
                files, "memories.jsonl", files["memories.jsonl"].replace(b'"confidence": 0.9', b'"confidence": 99')
            ),
            "confidence",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_changed_export_is_refused_and_the_space_stays_empty(
    sample: Path, other: Space, change: Callable[[Files], Files], reason: str
) -> None:
    with pytest.raises(BadInput, match=reason):
        fill(other, open_export(repacked(sample, change)), progress=Watched())
    assert is_empty(other.db)


def test_a_file_that_is_cut_short_or_is_something_else_is_refused(sample: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.zip"
    cut.write_bytes(sample.read_bytes()[:-1000])
    assert not is_export(cut)
    with pytest.raises(BadInput, match=r"cut\.zip cannot be read as a zip archive"):
        open_export(cut)
    (tmp_path / "plain.txt").write_text("words")
    assert not is_export(tmp_path / "plain.txt") and not is_export(tmp_path / "nothing.zip")


def test_a_bit_that_fell_over_inside_the_archive_is_noticed(sample: Path, other: Space, tmp_path: Path) -> None:
    data = bytearray(sample.read_bytes())
    data[len(data) // 3] ^= 0xFF
    (tmp_path / "bad.zip").write_bytes(bytes(data))
    with pytest.raises(BadInput, match=r"bad\.zip"):
        fill(other, open_export(tmp_path / "bad.zip"), progress=Watched())
    assert is_empty(other.db)


def test_a_zip_bomb_is_not_opened(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoryapp.transfer.archive.LIMITS", replace(LIMITS, archive_bytes=8 << 20))
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(NAME, files_of(sample)[NAME])
        with packed.open("memories.jsonl", "w") as stream:
            for _ in range(9):
                stream.write(b" " * (1 << 20))
    with pytest.raises(BadInput, match="zip bomb"):
        open_export(bomb)


def test_two_files_of_one_name_are_refused(sample: Path) -> None:
    with zipfile.ZipFile(sample, "a") as packed, pytest.warns(UserWarning):
        packed.writestr("memories.jsonl", b"")
    with pytest.raises(BadInput, match="two files of one name"):
        open_export(sample)


def test_a_space_that_holds_anything_is_left_alone_and_told_what_to_do(sample: Path, other: Space) -> None:
    remember(other, [NewMemory("Here first.")], actor=AGENT)
    with pytest.raises(Clash, match="Make a new space for it; or merge"):
        fill(other, open_export(sample), progress=Watched())


@pytest.mark.parametrize("looks", [0, 1, 45], ids=["at once", "while it is checked", "while it is written"])
def test_a_cancelled_import_leaves_the_space_empty(
    sample: Path, other: Space, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.transfer.restore._TELL_EVERY", 1)
    with pytest.raises(Cancelled):
        fill(other, open_export(sample), progress=Watched(stop_after=looks))
    assert is_empty(other.db)


def test_an_import_that_was_killed_is_taken_up_again(archive: Path, space: Space) -> None:
    other = beside()
    fill(other, open_export(archive), progress=Watched())
    gone = other.db.query("DELETE memory WHERE kind = 'note' RETURN BEFORE; DELETE revision RETURN NONE")[0]
    assert gone  # as if the process had ended before these were written
    fill(other, open_export(archive), progress=Watched(), again=True)
    for table in ("memory", "revision", "references"):
        statement = f"SELECT VALUE id FROM {table}"
        assert sorted(map(str, other.db.query(statement)[0])) == sorted(map(str, space.db.query(statement)[0]))


def test_a_dry_run_counts_and_writes_nothing(sample: Path, other: Space) -> None:
    report = fill(other, open_export(sample), progress=Watched(), dry_run=True)
    assert report.records["memories"] == len(files_of(sample)["memories.jsonl"].splitlines()) > 40
    assert is_empty(other.db)

"""Zip archives: what is taken out of them, and which members are refused."""

from __future__ import annotations

import contextlib
import io
import stat
import zipfile
from datetime import UTC, datetime

import pytest

from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.ingest.walk import WalkResult, walk


def zipped(members: dict[str, bytes], *, change: dict[str, int] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (change or {}).get(name, 0o600) << 16
            archive.writestr(info, data)
    return out.getvalue()


def taken(data: bytes, name: str = "notes.zip") -> WalkResult:
    return walk(Source("s", SourceKind.UPLOAD, name, name, datetime(2026, 1, 1, tzinfo=UTC)), upload=data)


def notes(walked: WalkResult) -> dict[str, str]:
    return {report.path: report.note for report in walked.refused}


def test_members_are_read_below_their_folders_and_others_passed_over() -> None:
    walked = taken(zipped({"n/a.md": b"A", "n/pic.png": b"x", "__MACOSX/n/._a.md": b"x", ".obsidian/b.md": b"x"}))
    assert [(found.path, found.load()) for found in walked.files] == [("n/a.md", b"A")]
    assert walked.refused == ()


def test_paths_that_climb_out_are_refused_by_name_while_the_rest_goes_on() -> None:
    walked = taken(zipped({"../up.md": b"x", "a/../../b.md": b"x", "/etc/c.md": b"x", "C:\\d.md": b"x", "ok.md": b"y"}))
    assert [found.path for found in walked.files] == ["ok.md"]
    assert set(notes(walked)) == {"../up.md", "a/../../b.md", "/etc/c.md", "C:/d.md"}


def test_a_link_in_an_archive_is_refused() -> None:
    walked = taken(zipped({"l.md": b"/etc/passwd"}, change={"l.md": stat.S_IFLNK | 0o777}))
    assert notes(walked) == {"l.md": "a link in the archive"}


def test_an_encrypted_member_is_refused_by_name() -> None:
    data = bytearray(zipped({"open.md": b"plain", "shut.md": b"secret"}))
    at = data.rfind(b"PK\x01\x02")
    data[at + 8] |= 0x1
    walked = taken(bytes(data))
    assert [found.path for found in walked.files] == ["open.md"]
    assert "password" in notes(walked)["shut.md"]


def test_a_zip_bomb_is_refused_by_its_ratio_and_the_rest_goes_on() -> None:
    walked = taken(zipped({"bomb.md": b"0" * (4 << 20), "ok.md": b"words"}))
    assert [found.path for found in walked.files] == ["ok.md"]
    assert "bomb" in notes(walked)["bomb.md"]


def test_members_beyond_the_total_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from memoryapp.ingest import walk

    monkeypatch.setattr(walk, "LIMITS", type(LIMITS)(archive_bytes=10))
    walked = taken(zipped({"a.md": b"123456", "b.md": b"123456", "c.md": b"1234"}))
    assert [found.path for found in walked.files] == ["a.md", "c.md"]
    assert "unpacks to more" in notes(walked)["b.md"]


def test_a_member_that_is_larger_than_it_says_is_read_only_up_to_the_limit() -> None:
    data = bytearray(zipped({"liar.md": b"ab" * 100}))
    for magic, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.find(magic)
        data[at + offset : at + offset + 4] = (10).to_bytes(4, "little")
    found = taken(bytes(data)).files[0]
    with contextlib.suppress(OSError):  # the checksum no longer fits: refused as damaged, which is as good
        assert len(found.load()) <= 10


def test_too_many_members_refuse_the_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    from memoryapp.domain import archive

    monkeypatch.setattr(archive, "LIMITS", type(LIMITS)(archive_members=3))
    with pytest.raises(TooLarge, match="4 members"):
        taken(zipped({f"{n}.md": b"x" for n in range(4)}))


@pytest.mark.parametrize("data", [b"", b"no zip", zipped({"a.md": b"x"})[:-30]])
def test_what_is_no_archive_is_refused_in_plain_words(data: bytes) -> None:
    with pytest.raises(BadInput, match=r"notes\.zip cannot be opened"):
        taken(data)


def test_a_damaged_member_fails_when_it_is_read() -> None:
    data = bytearray(zipped({"a.md": b"some words that pack a little, some words that pack a little"}))
    data[40] ^= 0xFF
    with pytest.raises(OSError, match="damaged"):
        taken(bytes(data)).files[0].load()


def test_unmarked_names_are_read_as_utf8_or_korean() -> None:
    for raw in ("회의록.md".encode(), "회의록.md".encode("cp949")):
        data = zipped({"x" * (len(raw) - 3) + ".md": b"x"}).replace(b"x" * (len(raw) - 3) + b".md", raw)
        assert [found.path for found in taken(data).files] == ["회의록.md"]


def test_the_second_of_two_members_of_one_name_is_named() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, pytest.warns(UserWarning):
        archive.writestr("a.md", "one")
        archive.writestr("a.md", "two")
    walked = taken(out.getvalue())
    assert [found.load() for found in walked.files] == [b"one"]
    assert notes(walked) == {"a.md": "a second file of the same name"}


def test_one_uploaded_file_needs_no_archive() -> None:
    walked = taken(b"# Hello", "hello.md")
    assert [(found.path, found.load(), found.modified_ns) for found in walked.files] == [("hello.md", b"# Hello", 0)]


def test_an_upload_of_another_kind_is_refused() -> None:
    with pytest.raises(BadInput, match=r"tool\.exe"):
        taken(b"MZ", "tool.exe")

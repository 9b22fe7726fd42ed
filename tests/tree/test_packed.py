"""A bank as an archive: what is taken out of it, and what is refused."""

from __future__ import annotations

import io
import stat
import warnings
import zipfile

import pytest

from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.tree import bank_files, unzip_files, zip_files


def an_archive(members: list[tuple[str, bytes]], *, mode: int = 0o600) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a name is there twice is what a test is about
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, mode << 16
            archive.writestr(info, data)
    return out.getvalue()


def test_what_goes_in_comes_out_and_the_same_files_give_the_same_bytes() -> None:
    files = {"tree-index.json": b"{}\n", "bank/가치관.md": "# 가치관\r\n".encode()}
    assert unzip_files(zip_files(files)) == files
    assert zip_files(files) == zip_files(dict(files))


def test_pictures_are_passed_over_unread() -> None:
    assert unzip_files(an_archive([("bank/a.md", b"A"), ("bank/a.png", b"\x00")])) == {"bank/a.md": b"A"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (an_archive([("bank/l.md", b"/etc/passwd")], mode=stat.S_IFLNK | 0o777), "a link"),
        (an_archive([("bank/b.md", b"0" * (4 << 20))]), "zip bomb"),
        (an_archive([("bank/a.md", b"A"), ("bank/a.md", b"B")]), "there twice"),
        (b"no archive", "cannot be opened as a zip archive"),
        (an_archive([("bank/a.md", b"A")])[:-30], "cannot be opened as a zip archive"),
    ],
    ids=["link", "bomb", "twice", "none", "half"],
)
def test_what_could_do_harm_is_refused_by_name(data: bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        unzip_files(data)


def test_an_encrypted_member_is_refused_with_what_to_do() -> None:
    data = bytearray(an_archive([("bank/shut.md", b"secret")]))
    data[data.rfind(b"PK\x01\x02") + 8] |= 0x1
    with pytest.raises(BadInput, match=r"shut\.md.*password"):
        unzip_files(bytes(data))


def test_an_archive_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank_files, "LIMITS", type(LIMITS)(archive_bytes=10))
    with pytest.raises(TooLarge, match="unpacks to more"):
        unzip_files(an_archive([("a.md", b"123456"), ("b.md", b"123456")]))


def test_a_damaged_member_is_named() -> None:
    data = bytearray(an_archive([("bank/a.md", b"some words that pack a little, some words that pack a little")]))
    data[45] ^= 0xFF
    with pytest.raises(BadInput, match=r"bank/a\.md.*damaged"):
        unzip_files(bytes(data))

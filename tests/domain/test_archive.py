"""A zip archive that was damaged: every reader of one says so in a sentence, or reads what is still whole."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings

from memoryapp.domain.archive import members_of
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.ingest.walk import unpack
from memoryapp.tree import unzip_files
from tests.domain.damage import Damage, damages
from tests.sampling import examples

FILES = {
    "notes/a.md": b"# One\n\nwords\n" * 40,
    "notes/b.txt": b"Mara lives in Seoul.\n",
    "메모.md": "# 메모\n".encode(),
}
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def packed(how: int = zipfile.ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", how) as archive:
        for name, data in FILES.items():
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=how)
    return written.getvalue()


@pytest.mark.parametrize("how", PACKINGS)
def test_however_it_is_packed_it_is_read(how: int) -> None:
    assert {one.path: one.read(10_000) for one in members_of(packed(how), called="It")} == FILES


@pytest.mark.parametrize("how", PACKINGS)
@given(damage=damages())
@settings(max_examples=examples(150))
def test_a_damaged_archive_is_refused_or_read_as_far_as_it_goes(how: int, damage: Damage) -> None:
    data = damage(packed(how))
    try:
        members = members_of(data, called="It")
    except (BadInput, TooLarge):
        return
    for one in members:
        try:
            assert len(one.read(10_000)) <= 10_000
        except OSError as error:
            assert "damaged" in str(error)


@given(damage=damages())
@settings(max_examples=examples(100))
def test_whoever_reads_a_damaged_archive_says_what_is_wrong_with_it(damage: Damage) -> None:
    data = damage(packed())
    try:
        for member in unpack("notes.zip", data, wanted=lambda path: True).members:
            try:
                member.load()
            except OSError as error:
                assert "damaged" in str(error)
    except (BadInput, TooLarge) as error:
        assert str(error)
    try:
        unzip_files(data)
    except (BadInput, TooLarge) as error:
        assert str(error)

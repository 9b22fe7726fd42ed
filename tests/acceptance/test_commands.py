"""The commands as a stranger types them, right and wrong: one plain line, and a code that says which it was."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.domain.identity import new_id
from tests.acceptance.place import Place, got, place_in, zipped
from tests.live import ROOT, Live, environment

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place(app: Live, roots: Path) -> Iterator[Place]:
    """One space for all of these."""
    folder = roots / f"notes-{new_id()}"
    folder.mkdir()
    made = place_in(app, folder)
    yield made
    made.api.close()


def run(place: Place, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return place.live.command(*words, stdin=stdin)


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The line on stderr, beside the one that says which app was used."""
    assert done.returncode != 0 and done.stdout == "", (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith("Using ")]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.long
def test_a_folder_of_bad_files_is_told_file_by_file(place: Place) -> None:
    place.note("good.md", "## Good\n\nThe lamp is green.\n")
    place.note("latin.md", "## Café\n".encode("latin-1"))
    place.note("big.md", b"word " * (6 * 2**20 // 5))
    place.note("empty.md", "")
    rehearsed = run(place, "ingest", str(place.folder), "--dry-run", "--space", place.name)
    assert rehearsed.returncode == 0 and place.memories() == {}
    read = run(place, "ingest", str(place.folder), "--space", place.name)
    assert read.returncode == 0, read.stderr
    assert "not read: latin.md: not UTF-8 at byte" in read.stdout and "not read: big.md: 6.0 MiB" in read.stdout
    assert [m["title"] for m in place.memories().values()] == ["Good"]
    found = run(place, "recall", "what colour is the lamp?", "--space", place.name, "--explain")
    assert found.returncode == 0 and "The lamp is green." in found.stdout


def test_an_archive_with_members_that_climb_out_is_read_without_them(place: Place) -> None:
    packed = place.note(
        "more.zip", zipped({"../x.md": b"## X\n\nout\n", "/y.md": b"## Y\n\nout\n", "z.md": b"## Z\n\nin\n"})
    )
    read = json.loads(run(place, "ingest", str(packed), "--space", place.name, "--json").stdout)
    assert (read["status"], read["report"]["added"]) == ("done", 1)
    assert {one["path"] for one in read["report"]["failed"]} == {"../x.md", "/y.md"}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("ingest", "/etc"), "outside the folders that may be read"),
        (("recall", "x" * 100_000), "8,000"),
        (("recall", "   "), "query"),
        (("recall", "x", "--top-k", "0"), "top_k"),
        (("backup", "/nonexistent/x.gz"), "There is no folder"),
        (("restore", "/nonexistent/x.gz", "--space", "other"), "There is no file"),
        (("remember", "x" * 100_000, "--space", "no-such-space"), "no-such-space"),
        (("recall", "x", "--space", "공간"), "a–z"),
        (("recall", b"\xff".decode(errors="surrogateescape")), "UTF-8"),
    ],
    ids=["outside", "long", "blank", "none", "backup", "restore", "space", "hangul space", "bytes"],
)
def test_a_mistake_is_one_line_and_a_code(place: Place, words: tuple[str, ...], line: str) -> None:
    assert line in refused(run(place, *words))


def test_a_backup_of_the_space_fills_a_new_one_and_a_damaged_file_fills_none(place: Place, tmp_path: Path) -> None:
    place.write("The kettle is descaled in May.")
    file = tmp_path / "space.gz"
    assert run(place, "backup", str(file), "--space", place.name).returncode == 0
    assert "is there already" in refused(run(place, "backup", str(file), "--space", place.name))
    copy = f"{place.name}-copy"
    assert run(place, "restore", str(file), "--space", copy).returncode == 0
    restored = place_in(place.live, place.folder, space=copy)
    assert {k: m["text"] for k, m in restored.memories().items()} == {k: m["text"] for k, m in place.memories().items()}
    assert restored.search("kettle")["items"][0]["text"] == "The kettle is descaled in May."
    assert "not empty" in refused(run(place, "restore", str(file), "--space", copy))
    torn = tmp_path / "torn.gz"
    torn.write_bytes(file.read_bytes()[:-200])
    assert refused(run(place, "restore", str(torn), "--space", f"{place.name}-torn"))
    spaces = [space["name"] for space in got(place.api, "/spaces")["items"]]
    if f"{place.name}-torn" in spaces:
        assert place_in(place.live, place.folder, space=f"{place.name}-torn").memories() == {}


def test_words_from_standard_input_that_are_no_text_are_refused(place: Place) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "remember", "-", "--space", place.name],
        env=environment(place.live.data),
        input=b"not \xff\xfe text",
        capture_output=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 1 and done.stdout == b""
    assert b"not UTF-8: byte 4" in done.stderr and b"Traceback" not in done.stderr

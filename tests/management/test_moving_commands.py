"""export and import, through the running app: everything out, into another space, and what other programs kept."""

from __future__ import annotations

import json
import re
import shlex
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import ROOT, Live, live_app

pytestmark = pytest.mark.slow  # an app is started


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live_app(tmp_path_factory.mktemp("app")) as running:
        yield running


def typed(app: Live, *words: str) -> str:
    done = app.command(*words)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def refused(app: Live, *words: str) -> str:
    done = app.command(*words)
    assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr, done
    return done.stderr.splitlines()[-1]


def test_the_commands_of_the_page_run_as_they_are_printed(app: Live, tmp_path: Path) -> None:
    printed = re.findall(r"^\$ \.venv/bin/palimpsest (.+)$", (ROOT / "docs/MOVING.md").read_text("utf-8"), re.M)
    assert len(printed) >= 4
    for line in printed:
        typed(app, *(str(tmp_path / word) if word.endswith(".zip") else word for word in shlex.split(line)))
    assert json.loads(typed(app, "stats", "--space", "second", "--json")) is not None


def test_everything_goes_out_and_into_another_space(app: Live, tmp_path: Path) -> None:
    typed(app, "remember", "The heron stands in the reeds.")
    target = tmp_path / "all.zip"
    assert "bytes" in typed(app, "export", str(target))
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert "is there already" in refused(app, "export", str(target))
    typed(app, "export", str(target), "--no-vectors", "--force")
    with zipfile.ZipFile(target) as archive:
        assert "embeddings.jsonl" not in archive.namelist()

    typed(app, "spaces", "create", "copy")
    assert typed(app, "import", str(target), "--space", "copy", "--dry-run").startswith("Dry run: 1 memory")
    told = typed(app, "import", str(target), "--space", "copy")
    assert told.startswith("1 memory with all that belongs to it.") and "embedded anew" in told
    found = json.loads(typed(app, "recall", "heron", "--space", "copy", "--json"))
    assert found["items"][0]["text"] == "The heron stands in the reeds."
    assert "or merge" in refused(app, "import", str(target), "--space", "copy")
    merged = json.loads(typed(app, "import", str(target), "--space", "copy", "--merge", "--json"))
    assert merged["status"] == "done" and merged["report"]["skipped"] == 1


def test_a_folder_of_another_program_is_taken_in_once(app: Live, tmp_path: Path) -> None:
    folder = tmp_path / "basic"
    (folder / ".hidden").mkdir(parents=True)
    (folder / ".hidden" / "secret.md").write_text("# No\n")
    (folder / "coffee.md").write_text(
        "---\ntitle: Coffee\ntype: note\npermalink: coffee\n---\n\n# Coffee\n\n"
        "- [method] Pour over brings out the fruit #brewing\n- part_of [[Morning]]\n"
    )
    typed(app, "spaces", "create", "third")
    told = typed(app, "import", str(folder), "--space", "third", "--as", "basic-memory")
    assert "written" in told and "1 relation" in told
    assert typed(app, "import", str(folder), "--space", "third").rstrip().endswith("unchanged.")


def test_what_cannot_be_read_is_told_in_a_sentence(app: Live, tmp_path: Path) -> None:
    assert "File or folder not found" in refused(app, "import", str(tmp_path / "nowhere.zip"))
    (tmp_path / "odd.bin").write_bytes(b"\x00\x01")
    assert "odd.bin is in none of the forms" in refused(app, "import", str(tmp_path / "odd.bin"))
    (tmp_path / "hollow").mkdir()
    assert "There is no file in" in refused(app, "import", str(tmp_path / "hollow"))

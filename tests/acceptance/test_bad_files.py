"""A folder of everything that goes wrong with files. Each is named with its reason, and the good ones are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.identity import new_id
from tests.acceptance.place import Place, got, place_in, said, zipped
from tests.live import Live
from tests.sampling import examples

pytestmark = pytest.mark.slow  # many headings, six MiB, and a bomb
HEADINGS = examples(4_000)
NOT_READ = {
    "latin.md": "not UTF-8 at byte",
    "binary.md": "binary: a NUL byte",
    "big.md": "6.0 MiB, the limit is 5 MiB",
    "outside.md": "a link that leads out of the source's folder",
    "out": "a link that leads out of the source's folder",
    "circle.md": "a link that leads nowhere, or in a circle",
    "loop/again": "a link back to a folder that holds it",
    "pipe.md": "not a regular file",
}
READ = {  # with how many sections
    "good.md": 2,
    "empty.md": 0,
    "blank.md": 0,
    "matter.md": 0,
    "header.md": None,
    "many.md": HEADINGS,
    "quotes.md": None,
    "lists.md": None,
    "brackets.md": None,
    "control.md": 1,
    "yaml.md": 2,  # front matter that cannot be understood is kept as text
    "bomb.md": 2,
    "long-line.md": None,
    "windows.md": 2,
    "utf16.md": 1,
    "이름 🐇 \n.md": 1,
}
BOMB = "---\na: &a [x,x,x,x,x,x,x,x]\n" + "".join(
    f"{b}: &{b} [{','.join(['*' + a] * 8)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


def fill(place: Place) -> None:
    note = place.note
    note("good.md", "# Good\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n")
    note("latin.md", "## Café\n\nAu lait.\n".encode("latin-1"))
    note("binary.md", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" * 50)
    note("big.md", b"## Big\n\n" + b"word " * (6 * 2**20 // 5))
    note("empty.md", "")
    note("blank.md", "\n  \n\t\n")
    note("matter.md", "---\ntitle: Nothing else\ntags: [a, b]\n---\n")
    note("header.md", "## Only a header\n")
    note("many.md", "".join(f"## Heading {n}\n\n" for n in range(HEADINGS)))
    note("quotes.md", ">" * 10_000 + " deep\n")
    note("lists.md", "".join("  " * n + "- deeper\n" for n in range(1_000)))
    note("brackets.md", "[" * 20_000 + "x" + "](" * 20_000 + "*_" * 20_000)
    note("control.md", "## Con\x07trol\n\nA bell\x07 and an escape \x1b[31m and \x7f here.\n")
    note("yaml.md", "---\ntags: [a, b\n: : :\n---\n\n## Broken front matter\n\nIts text is kept.\n")
    note("bomb.md", BOMB + "---\n\n## A bomb of aliases\n\nDefused.\n")
    note("long-line.md", "## One long line\n\n" + "word " * 100_000)
    note("windows.md", "# Win\r\n\r\n## One\r\n\r\nFirst.\r\n\r\n## Two\r\n\r\nSecond.\r\n")
    note("utf16.md", "## 가치관\n\n글로 남긴다.\n".encode("utf-16"))
    note("이름 🐇 \n.md", "## A strange name\n\nIt has a rabbit in it.\n")
    outside = place.folder.parent / f"outside-{place.folder.name}.md"
    outside.write_text("## Secret\n\nA quokka.\n")
    (place.folder / "outside.md").symlink_to(outside)
    (place.folder / "out").symlink_to("/etc")
    (place.folder / "circle.md").symlink_to(place.folder / "circle.md")
    (place.folder / "loop").mkdir()
    (place.folder / "loop" / "again").symlink_to(place.folder / "loop")
    os.mkfifo(place.folder / "pipe.md")
    place.note(".hidden/secret.md", "## Hidden\n\nA quokka.\n")
    place.note("node_modules/readme.md", "## Module\n\nA quokka.\n")


@pytest.fixture(scope="module")
def bad(app: Live, roots: Path) -> Iterator[tuple[Place, dict[str, Any], dict[str, dict[str, Any]]]]:
    folder = roots / f"bad-{new_id()}"
    folder.mkdir()
    place = place_in(app, folder)
    fill(place)
    job = place.read()
    lines = got(place.api, f"/jobs/{job['id']}/files", params={"limit": 200})["items"]
    yield place, job, {line["path"]: line for line in lines}
    place.api.close()


@pytest.mark.parametrize("path", NOT_READ)
def test_a_file_that_cannot_be_read_is_named_with_its_reason(bad: Any, path: str) -> None:
    place, job, lines = bad
    assert NOT_READ[path] in place.notes_of(job)[path]
    assert lines[path]["outcome"] == "not read"


@pytest.mark.parametrize("path", READ)
def test_a_strange_file_is_read_all_the_same(bad: Any, path: str) -> None:
    _, _, lines = bad
    assert lines[path]["outcome"] == "read", lines[path]
    if READ[path] is not None:
        assert lines[path]["sections"] == READ[path], lines[path]


def test_nothing_else_failed_and_nothing_hidden_was_read(bad: Any) -> None:
    place, job, lines = bad
    assert set(place.notes_of(job)) == set(NOT_READ)
    assert set(lines) == set(NOT_READ) | set(READ)
    assert place.memories(contains="quokka") == {} and place.search("quokka", strategy="keyword")["items"] == []


def test_empty_files_say_that_they_are(bad: Any) -> None:
    _, _, lines = bad
    assert lines["empty.md"]["note"] == lines["blank.md"]["note"] == "empty"
    assert "front matter" in lines["matter.md"]["note"]
    assert "control characters left out" in lines["control.md"]["note"]
    assert lines["yaml.md"]["note"] and lines["bomb.md"]["note"]


def test_control_characters_reach_nobody(bad: Any) -> None:
    place, _, _ = bad
    (memory,) = [m for m in place.memories(contains="bell escape").values() if "bell" in m["text"]]
    assert not {c for c in memory["text"] + memory["title"] if c < " " and c != "\n"}


def test_a_second_reading_of_all_that_changes_nothing(bad: Any) -> None:
    place, job, _ = bad
    again = place.read()["report"]
    assert (again["added"], again["changed"], again["archived"]) == (0, 0, 0)
    assert [one["path"] for one in again["failed"]] == [one["path"] for one in job["report"]["failed"]]


def test_harmful_members_of_an_archive_are_refused_and_the_rest_read(place: Place) -> None:
    members = {
        "fine.md": b"## Fine\n\nRead me.\n",
        "../climbs.md": b"## Out\n\nNot for you.\n",
        "a/../../climbs.md": b"## Out\n\nNot for you.\n",
        "/etc/absolute.md": b"## Out\n\nNot for you.\n",
        "C:\\absolute.md": b"## Out\n\nNot for you.\n",
        "bomb.md": b"0" * (300 * 2**20),
    }
    job = place.upload("notes.zip", zipped(members))
    assert (job["status"], job["report"]["added"]) == ("done", 1), job
    notes = place.notes_of(job)
    assert "climbs out" in notes["../climbs.md"] and "climbs out" in notes["a/../../climbs.md"]
    assert "absolute" in notes["/etc/absolute.md"] and "absolute" in notes["C:/absolute.md"]
    assert "bomb" in notes["bomb.md"]
    assert [m["title"] for m in place.memories().values()] == ["Fine"]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("notes.zip", b"this is no archive", "cannot be opened as a zip archive"),
        ("notes.zip", zipped({"a.md": b"## A\n\nb\n"})[:-30], "cannot be opened as a zip archive"),
        ("tool.exe", b"MZ", "none of .md"),
    ],
    ids=["no archive", "half an archive", "a program"],
)
def test_an_upload_that_cannot_be_used_fails_with_a_sentence(place: Place, name: str, data: bytes, words: str) -> None:
    answer = place.api.post("/ingest", files={"upload": (name, data)})
    if answer.status_code == 202:
        job = place.ended(answer.json()["job"]["id"])
        assert job["status"] == "failed" and words in job["error"], job
    else:
        assert words in said(answer, 422)
    assert place.memories() == {}


def test_the_name_of_an_upload_leads_nowhere(place: Place) -> None:
    for name in ("", ".md", "../../etc/passwd.md", "x" * 500 + ".md"):
        answer = place.api.post("/ingest", files={"upload": (name, b"## A\n\nb\n")})
        assert answer.status_code in (202, 413, 422), answer.text
        if answer.status_code == 202:
            job = place.ended(answer.json()["job"]["id"])
            assert job["status"] in ("done", "failed"), name
            assert all("/" not in line["path"] for line in got(place.api, f"/jobs/{job['id']}/files")["items"])
    assert not list(place.live.data.parent.rglob("passwd.md"))


OUTSIDE: dict[str, Callable[[Path], str]] = {
    "another folder": lambda folder: "/etc",
    "the disk": lambda folder: "/",
    "the folder above": lambda folder: str(folder / ".." / ".."),
    "a name that begins alike": lambda folder: str(folder.parent) + "-else",
    "a hidden folder": lambda folder: str(folder / ".hidden"),
    "a link out": lambda folder: str(folder / "link"),
}


def test_a_path_outside_the_roots_is_refused_and_says_what_may_be_read(place: Place) -> None:
    (place.folder / "link").symlink_to("/etc")
    (place.folder / ".hidden").mkdir()
    for which, path in OUTSIDE.items():
        for address in ("/ingest", "/sources"):
            sentence = said(place.api.post(address, json={"path": path(place.folder)}), 403)
            assert "outside the folders that may be read" in sentence and "MEMORY_INGEST_ROOTS" in sentence, which
            assert str(place.folder.parent) in sentence, which
    assert got(place.api, "/jobs")["items"] == [] and got(place.api, "/sources")["items"] == []


@pytest.mark.parametrize("path", ["", "   ", "\x00", "a\x00b", "nothing/here", "x" * 5_000])
def test_a_path_that_is_none_is_refused_at_the_field(untouched: Place, path: str) -> None:
    target = str(untouched.folder / path) if path == "nothing/here" else path
    answer = untouched.api.post("/ingest", json={"path": target})
    assert answer.status_code in (403, 413, 422), answer.text
    said(answer, answer.status_code)
    assert answer.json()["field"] == "/path"

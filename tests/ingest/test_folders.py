"""Folders that can be chosen: listed with what an ingest would read, completed while one types, never outside the
roots."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import BadInput, OutsideRoots
from memoryapp.ingest import folders
from memoryapp.ingest.folders import complete, list_folder, recent_folders
from memoryapp.ingest.walk import walk

needs_permissions = pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder, the one root."""
    home = tmp_path / "home"
    for name in (
        "notes/a.md", "notes/plans/b.txt", "notes/plans/deep/c.markdown", "notes/photo.png", "Notebook/d.md",
        "회의록/월요일.md", "empty/x.py", ".hidden/e.md", "node_modules/f.md",
    ):  # fmt: skip
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("# Words\n")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "s.md").write_text("# Secret\n")
    (home / "out").symlink_to(tmp_path / "secret")
    monkeypatch.setenv("HOME", str(home))
    return home


def names(found: folders.Listing) -> list[str]:
    return [one.name for one in found.folders]


def test_a_folder_lists_those_in_it_by_name_with_what_an_ingest_would_read(home: Path) -> None:
    found = list_folder(str(home), [home])
    assert [(one.name, one.files) for one in found.folders] == [
        ("empty", 0), ("Notebook", 1), ("notes", 3), ("회의록", 1),
    ]  # fmt: skip
    assert found.folder is not None and found.folder.files == 5 and found.folder.exact
    assert found.parent is None, "what is above a root is not shown"
    assert list_folder("~/notes", [home]).parent == str(home)


def test_the_count_is_what_the_walk_reads_links_and_templates_and_all(home: Path) -> None:
    vault = home / "vault"
    for name in ("one.md", "templates/daily.md", "two.md"):
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text("# Words\n")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "templates.json").write_text('{"folder": "templates"}')
    (vault / "again.md").symlink_to(vault / "one.md")
    source = Source("s", SourceKind.FOLDER, str(vault), "vault", datetime(2026, 1, 1, tzinfo=UTC))
    found = list_folder(str(vault), [home]).folder
    assert found is not None and found.files == len(walk(source).files) == 2


def test_what_is_hidden_or_a_link_out_of_the_roots_is_not_listed(home: Path) -> None:
    assert not {".hidden", "node_modules", "out"} & set(names(list_folder(str(home), [home])))
    assert complete("~/.hid", [home]).items == ()
    with pytest.raises(OutsideRoots):
        list_folder("~/.hidden", [home])
    with pytest.raises(OutsideRoots):
        list_folder("~/out", [home])
    with pytest.raises(OutsideRoots):
        list_folder(str(home.parent / "secret"), [home])
    with pytest.raises(OutsideRoots):
        list_folder("~/notes/../../secret", [home])


def test_what_is_no_folder_is_told_by_what_it_is(home: Path) -> None:
    for path, told in (("~/none", "not found"), ("~/notes/a.md", "is a file"), ("~/a\x00b", "control character")):
        with pytest.raises(BadInput, match=told):
            list_folder(path, [home])


@needs_permissions
def test_a_folder_that_cannot_be_opened_is_listed_closed_and_refused(home: Path) -> None:
    (home / "notes").chmod(0)
    try:
        (closed,) = [one for one in list_folder("~", [home]).folders if one.name == "notes"]
        assert closed.closed == "permission denied" and closed.files == 0
        with pytest.raises(BadInput, match="cannot be opened: permission denied"):
            list_folder("~/notes", [home])
        assert "cannot be opened" in complete("~/notes/", [home]).trouble
    finally:
        (home / "notes").chmod(0o700)


def test_a_count_that_would_take_long_says_at_least(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(30):
        (home / "notes" / f"{n}.md").write_text("# Words\n")
    monkeypatch.setattr(folders, "LOOKED_AT", 10)
    monkeypatch.setattr(folders, "LEAST", 5)
    found = list_folder("~", [home])
    (counted,) = [one for one in found.folders if one.name == "notes"]
    assert not counted.exact and counted.files <= 5
    (small,) = [one for one in found.folders if one.name == "Notebook"]
    assert small.exact and small.files == 1


def test_of_very_many_folders_the_first_are_listed_and_the_rest_counted(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MOST", 2)
    found = list_folder("~", [home])
    assert names(found) == ["empty", "Notebook"] and found.more == 2
    assert complete("~/", [home]).more == 2


def test_a_path_is_completed_as_it_was_begun(home: Path) -> None:
    assert [one.typed for one in complete("~/no", [home]).items] == ["~/Notebook/", "~/notes/"]
    assert [one.typed for one in complete(f"{home}/no", [home]).items] == [f"{home}/Notebook/", f"{home}/notes/"]
    assert [one.typed for one in complete("~/notes/p", [home]).items] == ["~/notes/plans/"]
    assert [one.typed for one in complete("회의", [home]).items] == ["~/회의록/"]
    assert [one.typed for one in complete("note", [home]).items] == ["~/Notebook/", "~/notes/"]


def test_a_decomposed_name_is_found_by_composed_letters(home: Path) -> None:
    import unicodedata

    (home / unicodedata.normalize("NFD", "업무")).mkdir()
    assert len(complete("~/업", [home]).items) == 1


def test_what_is_typed_whole_is_told_beside_what_it_may_go_on_to(home: Path) -> None:
    found = complete("~/notes", [home])
    assert found.there is not None and found.there.files == 3 and [one.typed for one in found.items] == ["~/notes/"]
    inside = complete("~/notes/", [home])
    assert inside.there is not None and inside.there.name == "notes"
    assert [one.typed for one in inside.items] == ["~/notes/plans/"]
    assert complete("~/notes/a.md", [home]).file


def test_nothing_typed_offers_the_roots_and_the_way_to_one_offers_it(home: Path) -> None:
    roots = [home / "notes", home / "notes" / "plans", home / "gone"]
    assert [one.typed for one in complete("", roots).items] == ["~/notes/"], "once, and only what is there"
    assert [one.typed for one in complete("/", [home]).items] == ["~/"]
    assert [one.typed for one in complete(str(home)[:-1], [home]).items] == ["~/"]
    assert [one.path for one in list_folder("", roots).folders] == [str(home / "notes")]


@pytest.mark.parametrize(
    ("typed", "told"),
    [("/etc/", "outside the folders"), ("~/none/x", "not found"), ("~/zzz", "begins with “zzz”"), ("zzz", "“~”")],
)
def test_why_nothing_is_offered_is_told(home: Path, typed: str, told: str) -> None:
    found = complete(typed, [home])
    assert found.items == () and told in found.trouble


def test_folders_of_earlier_ingests_come_last_first_as_far_as_they_may_be_read(home: Path) -> None:
    def source(root: Path, day: int, kind: SourceKind = SourceKind.FOLDER) -> Source:
        at = datetime(2026, 1, day, tzinfo=UTC)
        return Source(root.name, kind, str(root), root.name, at, last_ingest_at=at)

    known = [
        source(home / "notes", 1), source(home / "Notebook", 3), source(home / "gone", 4),
        source(home.parent / "secret", 5), source(home / "notes" / "a.md", 6, SourceKind.FILE),
    ]  # fmt: skip
    assert [one.name for one in recent_folders(known, [home])] == ["Notebook", "notes"]

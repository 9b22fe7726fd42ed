"""What is found in a source, and what is refused by name."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import BadInput, NotFound, OutsideRoots
from memoryapp.ingest.walk import WalkResult, allowed_path, walk

needs_permissions = pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")


def source(root: Path, kind: SourceKind = SourceKind.FOLDER) -> Source:
    return Source("s1", kind, str(root), root.name, datetime(2026, 1, 1, tzinfo=UTC))


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"# {name}\n")


def paths(walked: WalkResult) -> list[str]:
    return [found.path for found in walked.files]


def refusals(walked: WalkResult) -> dict[str, str]:
    return {report.path: report.note for report in walked.refused}


def test_markdown_and_text_are_found_in_order_of_path(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/z.markdown", "a/A.TXT", "c.py", "README")
    assert paths(walk(source(tmp_path))) == ["a/A.TXT", "a/z.markdown", "b.md"]


def test_hidden_folders_hidden_files_and_node_modules_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, ".git/x.md", "node_modules/p/README.md", ".obsidian/w.md", "._a.md", "a.md")
    walked = walk(source(tmp_path))
    assert (paths(walked), walked.refused) == (["a.md"], ())


def test_a_link_that_leaves_the_folder_is_refused_by_name(tmp_path: Path) -> None:
    write(tmp_path, "secret/s.md", "notes/a.md")
    (tmp_path / "notes/out").symlink_to(tmp_path / "secret")
    (tmp_path / "notes/s.md").symlink_to(tmp_path / "secret/s.md")
    walked = walk(source(tmp_path / "notes"))
    assert paths(walked) == ["a.md"]
    assert set(refusals(walked)) == {"out", "s.md"}
    assert "leads out" in refusals(walked)["s.md"]


def test_a_folder_whose_name_begins_like_the_root_is_outside_it(tmp_path: Path) -> None:
    write(tmp_path, "notes/a.md", "notes-private/s.md")
    (tmp_path / "notes/s.md").symlink_to(tmp_path / "notes-private/s.md")
    assert paths(walk(source(tmp_path / "notes"))) == ["a.md"]


def test_links_in_circles_are_refused_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, "a/b/c.md")
    (tmp_path / "a/b/up").symlink_to(tmp_path / "a")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "here").symlink_to(tmp_path)
    walked = walk(source(tmp_path))
    assert paths(walked) == ["a/b/c.md"]
    assert set(refusals(walked)) == {"a/b/up", "self", "here"}


def test_a_link_to_a_file_that_is_read_anyway_does_not_double_it(tmp_path: Path) -> None:
    write(tmp_path, "2026-02-13.md")
    (tmp_path / "current.md").symlink_to(tmp_path / "2026-02-13.md")
    walked = walk(source(tmp_path))
    assert paths(walked) == ["2026-02-13.md"]
    assert "2026-02-13.md" in refusals(walked)["current.md"]


def test_a_link_to_something_inside_that_is_not_read_otherwise_is_followed(tmp_path: Path) -> None:
    write(tmp_path, ".store/x/a.md", "b.md")
    (tmp_path / "shown").symlink_to(tmp_path / ".store/x")
    assert paths(walk(source(tmp_path))) == [".store/x/a.md", "b.md"]


def test_a_pipe_with_a_markdown_name_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert refusals(walk(source(tmp_path))) == {"pipe.md": "not a regular file"}


@needs_permissions
def test_a_folder_that_cannot_be_opened_is_named_and_counts_as_unseen(tmp_path: Path) -> None:
    write(tmp_path, "shut/a.md", "b.md")
    (tmp_path / "shut").chmod(0)
    try:
        walked = walk(source(tmp_path))
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert (paths(walked), walked.blind) == (["b.md"], ("shut",))


def test_a_root_that_is_gone_is_an_error_and_not_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="mounted"):
        walk(source(tmp_path / "gone"))


def test_one_file_is_a_source_of_one(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md")
    walked = walk(source(tmp_path / "a.md", SourceKind.FILE))
    assert paths(walked) == ["a.md"]
    assert walked.files[0].load() == b"# a.md\n"


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.pdf")
    with pytest.raises(BadInput, match=r"a\.pdf"):
        walk(source(tmp_path / "a.pdf", SourceKind.FILE))


def test_names_are_stored_composed_and_without_broken_bytes(tmp_path: Path) -> None:
    write(tmp_path, "회고.md")  # decomposed here, as macOS writes it
    with open(os.fsencode(tmp_path) + b"/\xff.md", "wb") as file:
        file.write(b"x")
    assert paths(walk(source(tmp_path))) == ["회고.md", "\ufffd.md"]


def test_the_file_read_is_the_file_looked_at_and_not_a_link_put_there_since(tmp_path: Path) -> None:
    write(tmp_path, "notes/a.md", "secret.md")
    found = walk(source(tmp_path / "notes")).files[0]
    (tmp_path / "notes/a.md").unlink()
    (tmp_path / "notes/a.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(OSError):
        found.load()


def test_a_path_inside_a_root_is_allowed_and_comes_back_resolved(tmp_path: Path) -> None:
    write(tmp_path, "home/notes/a.md")
    (tmp_path / "link").symlink_to(tmp_path / "home/notes")
    assert allowed_path(tmp_path / "link", [tmp_path / "home"]) == (tmp_path / "home/notes").resolve()
    assert allowed_path(tmp_path / "home", [tmp_path / "home"]) == (tmp_path / "home").resolve()


@pytest.mark.parametrize("path", ["home/../etc", "home/out", "home/.ssh", "home/.config/notes", "homework"])
def test_a_path_outside_the_roots_or_in_a_hidden_folder_is_refused_in_plain_words(tmp_path: Path, path: str) -> None:
    for folder in ("home/.ssh", "home/.config/notes", "etc", "homework"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "home/out").symlink_to(tmp_path / "etc")
    with pytest.raises(OutsideRoots, match=r"outside the folders that may be read: .*home.* Set MEMORY_INGEST_ROOTS"):
        allowed_path(tmp_path / path, [tmp_path / "home"])


def test_without_roots_nothing_may_be_read(tmp_path: Path) -> None:
    with pytest.raises(OutsideRoots, match="none are set"):
        allowed_path(tmp_path, [])

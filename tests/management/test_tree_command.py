"""The command of the Context Tree: in, out, and what a question reaches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memoryapp.domain.errors import BadInput, Clash
from memoryapp.management.commands.tree import hashes, read_tree, write_tree
from memoryapp.tree import zip_files
from tests.live import Live

INDEX = '{"nodes": {"identity": {"keywords": ["name"]}, "identity/values": {"keywords": ["가치관", "values"]}}}\n'
FILES = {"tree-index.json": INDEX, "bank/identity.md": "# Who\r\n", "bank/identity/values.md": "# 가치관\n\n- 정직\n"}


def laid(folder: Path, files: dict[str, str] = FILES) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


def lying(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes().decode()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_a_folder_is_read_without_what_is_hidden_or_leads_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    tree = laid(tmp_path / "tree", {**FILES, "bank/.hidden/a.md": "x", "bank/picture.png": "x"})
    (tree / "bank" / "link.md").symlink_to(tmp_path / "secret.md")
    assert read_tree(tree) == {name: text.encode() for name, text in FILES.items()}


def test_what_holds_no_tree_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("x")
    for path, told in ((tmp_path, "neither"), (tmp_path / "nowhere", "nothing at"), (tmp_path / "a.png", "no folder")):
        with pytest.raises(BadInput, match=told):
            read_tree(path)


def test_files_that_changed_since_are_not_written_over(tmp_path: Path) -> None:
    laid(tmp_path)
    last = hashes(FILES)
    newer = {**FILES, "bank/identity.md": "newer\n", "bank/more.md": "more\n"}
    (tmp_path / "bank" / "identity.md").write_text("changed by hand\n")
    before = lying(tmp_path)
    with pytest.raises(Clash, match=r"bank/identity\.md"):
        write_tree(newer, last, tmp_path, overwrite=False)
    assert lying(tmp_path) == before
    assert write_tree(newer, last, tmp_path, overwrite=True)[0] == ["bank/identity.md", "bank/more.md"]
    assert lying(tmp_path) == newer


def test_files_as_they_were_handed_out_are_written_over_and_nothing_is_removed(tmp_path: Path) -> None:
    laid(tmp_path, {**FILES, "bank/gone.md": "still here\n"})
    newer = {**FILES, "bank/identity.md": "newer\n"}
    written, same = write_tree(newer, hashes(FILES), tmp_path, overwrite=False)
    assert written == ["bank/identity.md"] and len(same) == 2
    assert lying(tmp_path) == {**newer, "bank/gone.md": "still here\n"}


def test_a_link_that_leads_out_of_the_folder_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("mine")
    (tmp_path / "tree" / "bank").mkdir(parents=True)
    (tmp_path / "tree" / "bank" / "a.md").symlink_to(tmp_path / "outside.md")
    with pytest.raises(BadInput, match="leads out"):
        write_tree({"bank/a.md": "x"}, {}, tmp_path / "tree", overwrite=True)
    assert (tmp_path / "outside.md").read_text() == "mine"


def test_an_archive_that_is_there_stays(tmp_path: Path) -> None:
    target = tmp_path / "tree.zip"
    write_tree(FILES, {}, target, overwrite=False)
    assert read_tree(target) == {name: text.encode() for name, text in FILES.items()}
    with pytest.raises(Clash, match="there already"):
        write_tree(FILES, {}, target, overwrite=False)


@pytest.fixture(scope="module")
def app(live: Live) -> Live:
    return live.in_new_space()


def did(app: Live, *words: str, stdin: str = "") -> str:
    done = app.command("tree", *words, stdin=stdin)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def refused(app: Live, *words: str) -> str:
    done = app.command("tree", *words)
    assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr, (words, done)
    return done.stderr


@pytest.mark.slow
def test_a_tree_goes_in_is_looked_at_and_comes_out_as_it_was(app: Live, tmp_path: Path) -> None:
    tree = laid(tmp_path / "mine")
    rehearsed = did(app, "import", str(tree), "--dry-run")
    assert rehearsed.startswith("2 added, 0 changed (dry run") and "no nodes yet" in did(app)
    assert "added: identity/values" in did(app, "import", str(tree))
    shown = did(app, "show")
    assert "identity" in shown and "  values  가치관" in shown and "2 nodes" in shown
    assert did(app, "show", "identity/values") == FILES["bank/identity/values.md"]
    out = tmp_path / "out"
    assert "3 files written" in did(app, "export", str(out))
    assert lying(out) == FILES
    assert "0 files written, 3 as they were" in did(app, "export", str(out))
    (out / "bank" / "identity.md").write_text("changed by hand\n")
    assert "bank/identity.md" in refused(app, "export", str(out))
    told = json.loads(did(app, "import", str(out), "--json"))
    assert told["changed"] == ["identity"] and told["run"]


@pytest.mark.slow
def test_a_question_reaches_nodes_and_a_text_is_routed(app: Live, tmp_path: Path) -> None:
    packed = tmp_path / "tree.zip"
    packed.write_bytes(zip_files({name: text.encode() for name, text in FILES.items()}))
    did(app, "import", str(packed))
    assert "identity/values" in did(app, "reach", "가치관이 뭐야?")
    assert "identity/values" in did(app, "route", "-", stdin="My values are plain.")
    assert json.loads(did(app, "reach", "values", "--json"))["items"][0]["path"] == "identity/values"


@pytest.mark.slow
def test_a_page_is_split_and_memories_are_put_into_it(app: Live, tmp_path: Path) -> None:
    text = "# All\n\n" + "".join(f"## Topic {n}\n\n" + f"- fact {n} of it\n" * 200 for n in range(6))
    (tmp_path / "MEMORY.md").write_text(text)
    did(app, "import", str(tmp_path / "MEMORY.md"))
    assert "would become" in did(app, "split", "MEMORY")
    assert " became " in did(app, "split", "MEMORY", "--apply")
    key = app.command("remember", "The queue runs on Redis.").stdout.split()[0]
    assert "written: MEMORY" in did(app, "retain", key, "--into", "MEMORY")
    assert "no node" in refused(app, "show", "nowhere")

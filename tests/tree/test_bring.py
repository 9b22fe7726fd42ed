"""A bank in: what is new of it is written, what was edited here survives, and a second time nothing happens."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.errors import BadInput, StoreUnavailable
from memoryapp.domain.identity import content_hash
from memoryapp.domain.node import MOST_BYTES, ROOT, Node, rewritten, with_description
from memoryapp.review.decide import decide
from memoryapp.review.undo import undo_run
from memoryapp.spaces import Space
from memoryapp.store import conflicts, nodes, revisions
from memoryapp.store.write import new_run
from memoryapp.tree.bank_export import take
from memoryapp.tree.bank_import import Brought, bring
from memoryapp.tree.edit import move
from memoryapp.tree.split import split
from memoryapp.tree.write import write
from tests.samples import PERSON, runs_of

INDEX = {
    "version": 1,
    "nodes": {
        "identity": {"title": "Who we are", "keywords": ["name"], "weight": 1},
        "identity/values": {"title": "가치관", "keywords": ["values", "가치관"], "parent": "identity"},
        "infra": {"title": "Infrastructure"},
    },
}
FILES = {
    "tree-index.json": json.dumps(INDEX, indent=2, ensure_ascii=False).encode(),
    "bank/identity.md": b"# Who we are\n\n- one\n",
    "bank/identity/values.md": "# 가치관\n\n- honesty\n".encode(),
}
VALUES = "bank/identity/values.md"
ROOM = sys.modules[bring.__module__]


def said(**more: Any) -> dict[str, bytes]:
    """The bank with other nodes said in its index."""
    told = {path: {**body, **more.get(path.rpartition("/")[2], {})} for path, body in INDEX["nodes"].items()}  # type: ignore[attr-defined]
    return {**FILES, "tree-index.json": json.dumps({**INDEX, "nodes": told}).encode()}


def brought(space: Space, files: dict[str, bytes] = FILES, **how: Any) -> Brought:
    return bring(space, files, actor=PERSON, **how)


def node_at(space: Space, path: str) -> Node:
    found = nodes.at(space.db, path)
    assert found is not None
    return found


def edit(space: Space, path: str, text: str | None = None, **more: Any) -> None:
    node = node_at(space, path)
    after = with_description(rewritten(node.memory, text) if text is not None else node.memory, **more)
    write(space, new_run("edit", PERSON, now=space.clock()), updated=[(node.memory, after)])


def everything(space: Space) -> dict[str, tuple[Any, ...]]:
    return {n.path: (n.text, n.title, n.keywords, n.weight, n.position, n.given) for n in nodes.every(space.db)}


def test_a_bank_becomes_nodes_with_their_markdown_byte_for_byte(space: Space) -> None:
    report = brought(space)
    assert report.added == ("identity", "identity/values", "infra") and report.problems == ()
    values = node_at(space, "identity/values")
    assert (values.title, values.keywords, values.text) == ("가치관", ("values", "가치관"), "# 가치관\n\n- honesty\n")
    assert values.memory.content_hash == content_hash(values.text)
    assert node_at(space, "infra").has_file is False
    assert report.run is not None and report.run.detail is not None and report.run.detail["added"] == 3


def test_brought_again_it_changes_nothing(space: Space) -> None:
    brought(space)
    runs = len(runs_of(space.db))
    again = brought(space)
    assert again.run is None and again.unchanged == ("identity", "identity/values", "infra")
    assert len(runs_of(space.db)) == runs


def test_a_dry_run_tells_the_same_and_writes_nothing(space: Space) -> None:
    rehearsed = brought(space, dry_run=True)
    assert rehearsed.dry_run and rehearsed.run is None and nodes.every(space.db) == ()
    done = brought(space)
    assert (rehearsed.added, rehearsed.problems) == (done.added, done.problems)


def test_46_kilobytes_in_one_file_lose_nothing_and_are_to_be_split(space: Space) -> None:
    text = "# Memory\n\n" + "".join(f"## Topic {n}\n\n" + f"- fact {n} of many 가치관\n" * 72 for n in range(24))
    assert 46_000 < len(text.encode()) < 60_000
    brought(space, {"MEMORY.md": text.encode()})
    node = node_at(space, "MEMORY")
    assert node.text == text and node.size > MOST_BYTES and node.title == "Memory" and node.keywords
    assert take(space)["bank/MEMORY.md"] == text.encode()


def test_without_an_index_the_tree_follows_the_folders(space: Space) -> None:
    brought(space, {"bank/infra/gpu.md": b"# GPU nodes\n\nH100 and 4090.\n"})
    assert [node.path for node in nodes.every(space.db)] == ["infra", "infra/gpu"]
    gpu = node_at(space, "infra/gpu")
    assert gpu.title == "GPU nodes" and "GPU" in gpu.keywords and node_at(space, "infra").has_file is False


def test_a_changed_file_is_taken_over_where_nobody_edited(space: Space) -> None:
    brought(space)
    report = brought(space, {**FILES, VALUES: b"- courage\n"})
    assert report.changed == ("identity/values",) and report.conflicts == ()
    assert node_at(space, "identity/values").text == "- courage\n"


def test_an_edit_survives_a_file_that_did_not_change(space: Space) -> None:
    brought(space)
    edit(space, "identity/values", "- mine\n")
    report = brought(space)
    assert report.kept == ("identity/values",) and report.run is None
    assert node_at(space, "identity/values").text == "- mine\n"


def test_where_both_changed_a_conflict_waits_and_the_edit_stays(space: Space) -> None:
    brought(space)
    edit(space, "identity/values", "- mine\n")
    report = brought(space, {**FILES, VALUES: b"- theirs\n"})
    ((path, key),) = report.conflicts
    assert path == "identity/values" and node_at(space, path).text == "- mine\n"
    raised = conflicts.get(space.db, key)
    assert raised is not None and raised.status is ConflictStatus.WAITING
    assert (raised.existing, raised.incoming, raised.incoming_text) == (node_at(space, path).id, None, "- theirs\n")
    again = brought(space, {**FILES, VALUES: b"- theirs\n"})
    assert again.run is None and again.conflicts == report.conflicts and conflicts.count_waiting(space.db) == 1


@pytest.mark.parametrize(("outcome", "stands"), [(Outcome.KEEP, "- mine\n"), (Outcome.REPLACE, "- theirs\n")])
def test_a_decision_on_it_holds_when_the_bank_is_brought_again(space: Space, outcome: Outcome, stands: str) -> None:
    brought(space)
    edit(space, "identity/values", "- mine\n")
    theirs = {**FILES, VALUES: b"- theirs\n"}
    ((_, key),) = brought(space, theirs).conflicts
    decide(space, key, outcome, actor=PERSON)
    again = brought(space, theirs)
    assert again.conflicts == () and node_at(space, "identity/values").text == stands


def test_a_conflict_is_withdrawn_when_the_file_says_again_what_it_said(space: Space) -> None:
    brought(space)
    edit(space, "identity/values", "- mine\n")
    ((_, key),) = brought(space, {**FILES, VALUES: b"- theirs\n"}).conflicts
    brought(space)
    withdrawn = conflicts.get(space.db, key)
    assert withdrawn is not None and withdrawn.status is ConflictStatus.WITHDRAWN


def test_an_emptied_file_may_replace_an_edit(space: Space) -> None:
    brought(space)
    edit(space, "identity/values", "- mine\n")
    ((_, key),) = brought(space, {**FILES, VALUES: b""}).conflicts
    decide(space, key, Outcome.REPLACE, actor=PERSON)
    assert node_at(space, "identity/values").text == "" and take(space)[VALUES] == b""


def test_what_was_handed_out_and_comes_back_changed_is_no_conflict(space: Space) -> None:
    brought(space)
    edit(space, "identity/values", "- mine\n")
    taken = take(space, actor=PERSON)
    report = brought(space, {**taken, VALUES: b"- mine\n- more\n"})
    assert report.changed == ("identity/values",) and report.conflicts == ()
    assert node_at(space, "identity/values").text == "- mine\n- more\n"


def test_what_an_index_says_anew_is_taken_over(space: Space) -> None:
    brought(space)
    report = brought(space, said(values={"title": "Values", "keywords": ["ethos"], "weight": 1.5, "summary": "s"}))
    assert report.changed == ("identity/values",)
    values = node_at(space, "identity/values")
    assert (values.title, values.keywords, values.weight, values.given) == ("Values", ("ethos",), 1.5, {"summary": "s"})


def test_keywords_that_were_changed_here_survive_an_index_that_comes_again(space: Space) -> None:
    brought(space)
    edit(space, "identity/values", keywords=("mine",))
    files = said(infra={"title": "Machines"})
    report = brought(space, files)
    assert report.changed == ("infra",) and node_at(space, "identity/values").keywords == ("mine",)
    assert json.loads(take(space)["tree-index.json"])["nodes"]["identity/values"]["keywords"] == ["mine"]
    told = brought(space, said(values={"keywords": ["theirs"]})).problems
    assert node_at(space, "identity/values").keywords == ("mine",)
    assert [(one.where, "another keywords" in one.what) for one in told] == [("identity/values", True)]


def test_nodes_that_are_no_longer_in_the_bank_are_named_and_stay(space: Space) -> None:
    brought(space)
    fewer = {"version": 1, "nodes": {"identity": INDEX["nodes"]["identity"]}}  # type: ignore[index]
    files = {"tree-index.json": json.dumps(fewer).encode(), "bank/identity.md": FILES["bank/identity.md"]}
    report = brought(space, files)
    assert report.gone == ("identity/values", "infra") and report.removed == ()
    assert node_at(space, "identity/values").text
    assert "identity/values" in json.loads(take(space)["tree-index.json"])["nodes"]


def test_pruned_are_those_that_nobody_changed_and_what_is_above_stays(space: Space) -> None:
    brought(space, {**FILES, "bank/old/a.md": b"a", "bank/old/b.md": b"b"})
    edit(space, "old/b", "mine")
    report = brought(space, {"tree-index.json": b'{"nodes": {"identity": {}}}'}, prune=True)
    assert report.gone == ("identity/values", "infra", "old", "old/a", "old/b")
    assert report.removed == ("identity/values", "infra", "old/a")
    assert {node.path for node in nodes.every(space.db)} == {ROOT, "identity", "old", "old/b"}
    again = brought(space)
    assert set(again.added) == {"identity/values", "infra"}  # the same memories, held again


def test_a_single_file_makes_nothing_gone(space: Space) -> None:
    brought(space)
    report = brought(space, {"NOTES.md": b"x"}, prune=True)
    assert (report.added, report.gone, report.removed) == (("NOTES",), (), ())


def test_a_missing_file_makes_a_branch_and_takes_no_text_away(space: Space) -> None:
    named = json.dumps({"nodes": {"a": {"file": "bank/nowhere.md"}}}).encode()
    report = brought(space, {"tree-index.json": named})
    assert [(one.where, "nowhere.md" in one.what) for one in report.problems] == [("a", True)]
    assert node_at(space, "a").has_file is False and take(space) == {"tree-index.json": named}
    brought(space)
    without = {name: data for name, data in FILES.items() if name != VALUES}
    told = brought(space, without)
    assert [one.where for one in told.problems] == ["identity/values"] and node_at(space, "identity/values").text


def test_a_file_that_cannot_be_read_leaves_the_node_as_it_is(space: Space) -> None:
    brought(space)
    report = brought(space, {**FILES, VALUES: b"\xff\xfe\x00", "bank/new.md": b"new"}, prune=True)
    assert [one.where for one in report.problems] == [VALUES] and report.gone == () and report.added == ("new",)
    assert node_at(space, "identity/values").text == "# 가치관\n\n- honesty\n"


def test_a_broken_index_leaves_everything_as_it_was(space: Space) -> None:
    brought(space)
    before = everything(space)
    with pytest.raises(BadInput, match="line 1, column 2"):
        brought(space, {**FILES, "tree-index.json": b"{nodes}", "bank/more.md": b"x"})
    assert everything(space) == before


def test_a_file_outside_the_tree_is_never_read_whoever_names_it(space: Space) -> None:
    named = json.dumps({"nodes": {"a": {"file": "../../etc/passwd"}, "b": {"file": "/etc/passwd"}}}).encode()
    report = brought(space, {"tree-index.json": named, "../../etc/passwd": b"root", "/etc/passwd": b"root"})
    assert {node.path: node.text for node in nodes.every(space.db) if node.path} == {"a": "", "b": ""}
    assert {one.where for one in report.problems} == {"a", "b", "../../etc/passwd", "/etc/passwd"}


def test_a_node_that_was_moved_here_is_still_the_one_in_the_bank(space: Space) -> None:
    brought(space)
    move(space, "identity/values", "infra/values", actor=PERSON)
    report = brought(space, {**FILES, VALUES: b"- courage\n"})
    assert report.changed == ("infra/values",) and report.added == () and report.gone == ()
    assert node_at(space, "infra/values").text == "- courage\n"


def test_what_was_deleted_here_comes_back_as_the_same_memory(space: Space) -> None:
    done = brought(space)
    key = node_at(space, "identity/values").id
    assert done.run is not None
    undo_run(space, done.run.id, actor=PERSON)
    assert nodes.every(space.db) == ()
    brought(space)
    assert node_at(space, "identity/values").id == key and take(space) == FILES


def test_undo_restores_the_bytes_of_every_node(space: Space) -> None:
    brought(space)
    edit(space, "identity", "- mine\n", keywords=("one",))
    before, taken = everything(space), take(space)
    report = brought(
        space, {**said(infra={"title": "X"}), VALUES: b"- theirs\n", "bank/more/deep.md": b"new\n"}, prune=True
    )
    assert report.run is not None and take(space) != taken
    undone = undo_run(space, report.run.id, actor=PERSON)
    assert undone.left == () and everything(space) == before and take(space) == taken


def test_what_does_not_fit_one_block_is_written_in_several_and_goes_on_after_a_kill(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.tree.bank_import._TOGETHER", 10)
    files = {f"bank/n{n:02}.md": f"text {n}\n".encode() for n in range(35)}
    files["tree-index.json"] = json.dumps({"nodes": {f"n{n:02}": {} for n in range(35)}}).encode()
    left = iter([True, True])

    def killed(*given: Any, **more: Any) -> None:
        if next(left, False):
            write(*given, **more)
        else:
            raise StoreUnavailable("killed")

    with monkeypatch.context() as context, pytest.raises(StoreUnavailable):
        context.setattr(ROOM, "write", killed)
        brought(space, files)
    assert len(nodes.every(space.db)) == 20
    report = brought(space, files)
    assert len(report.added) == 15 and len(report.unchanged) == 20 and take(space) == files
    assert report.run is not None
    assert len(revisions.of_run(space.db, report.run.id)) == 16  # the rest, and the index


def test_up_to_500_nodes_are_written_together_or_not_at_all(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counted(*given: Any, **more: Any) -> None:
        calls.append(len(more["created"]))
        write(*given, **more)

    monkeypatch.setattr(ROOM, "write", counted)
    brought(space, {f"bank/n{n}.md": b"x\n" for n in range(120)})
    assert calls == [120]


def test_somebody_who_writes_at_the_same_moment_is_not_overwritten(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought(space)
    first = iter([True])

    def overtaken(*given: Any, **more: Any) -> None:
        if next(first, False):
            edit(space, "identity/values", "- mine\n")
        write(*given, **more)

    monkeypatch.setattr(ROOM, "write", overtaken)
    report = brought(space, {**FILES, VALUES: b"- theirs\n"})
    assert len(report.conflicts) == 1 and node_at(space, "identity/values").text == "- mine\n"


def test_a_large_page_that_is_split_loses_no_line_on_the_way_through_a_bank(space: Space) -> None:
    rows = [f"- note {n}.{m} on topic {n}, 가치관 {m}" for n in range(24) for m in range(60)]
    text = "# Memory\n\nAll of it.\n\n" + "".join(
        f"## Topic {n}\n\n" + "".join(f"{row}\n" for row in rows[60 * n : 60 * n + 60]) for n in range(24)
    )
    assert len(text.encode()) > 46_000
    done = brought(space, {"bank/memory.md": text.encode()})
    before = take(space)
    pieces, run = split(space, "memory", actor=PERSON)
    taken = take(space)
    assert len(pieces) > 8 and all(piece.size < MOST_BYTES for piece in pieces)
    lines = [line for name, data in taken.items() if name != "tree-index.json" for line in data.decode().splitlines()]
    assert set(text.splitlines()) <= set(lines) and sorted(row for row in lines if row in set(rows)) == sorted(rows)
    assert set(json.loads(taken["tree-index.json"])["nodes"]) == {"memory", *(piece.path for piece in pieces)}
    assert brought(space, taken).run is None
    undo_run(space, run.id, actor=PERSON)
    assert take(space) == before and done.added == ("memory",)

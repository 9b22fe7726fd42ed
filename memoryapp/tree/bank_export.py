"""Export of a bank: the tree as `tree-index.json` and `bank/**/*.md`. As long as nothing is changed, the bytes are
those that were imported; and what is handed out is remembered, so that files which come back changed are known as
such."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import BadInput
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import ROOT, Node, new_node
from memoryapp.spaces import Space
from memoryapp.store import nodes, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.tree.bank_index import INDEX, read_index
from memoryapp.tree.index_patch import index_text
from memoryapp.tree.index_record import as_it_is, as_listed, read_index_record, usual_file
from memoryapp.tree.write import write

TITLE = "Context Tree"  # of the tree as a whole, where its index has none
_KEPT = "index"


def take(space: Space, *, actor: Actor | None = None) -> dict[str, bytes]:
    """The files of the tree by path, the index first. With an `actor` it is remembered as handed out, in a run that
    can be undone; without one nothing is written."""
    told = _bank_texts(space)
    if actor is not None:
        handed_out(space, {name: content_hash(text) for name, text in told.items()}, actor=actor)
    return {name: text.encode("utf-8") for name, text in told.items()}


def handed_out(space: Space, hashes: Mapping[str, str], *, actor: Actor) -> Run | None:
    """Remembers that these files (sha256 by path) stand outside as the tree says them now. Files that it says otherwise
    by now are left out. None where nothing was to be remembered."""
    return retry_write(lambda: _remember(space, hashes, actor))


def last_handed_out(space: Space) -> dict[str, str]:
    """sha256 of each file as it was last brought or handed out, by path; nothing for those that never were."""
    held, root = _nodes_and_root(space)
    files = as_files(held)
    known = {files[node.path]: node.memory.content_hash for node in held if node.path in files}
    known |= {INDEX: root.content_hash} if root is not None else {}
    return {name: found for name, found in known.items() if found}


def kept_index(root: Memory | None, held: Sequence[Node]) -> str:
    """The index as it is said now. `held`: every held node but the one above all, which is `root`."""
    known = root.detail.get(_KEPT) if root is not None and root.state is State.HELD else None
    text = (known or {}).get("text", "")
    try:
        return index_text(text, held, as_files(held))
    except BadInput:  # words were taken out of it, and what is left is no JSON
        return index_text("", held, as_files(held))


def with_index(root: Memory, text: str) -> Memory:
    """The node above all, which keeps the index as it was brought or handed out."""
    return replace(root, detail={**root.detail, _KEPT: {"text": text}})


def as_files(held: Sequence[Node]) -> dict[str, str]:
    """Where the markdown of each node goes, by its path. A file that was brought keeps its name, unless it was named by
    the path and that is another now; no two go to one file, not even where capitals make no difference."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for node in sorted(held, key=lambda one: (read_index_record(one) is None, one.path.split("/"))):
        said = read_index_record(node)
        wanted = usual_file(node, said)
        if wanted is None:
            continue
        stem, _, end = wanted.rpartition(".")
        name, n = wanted, 1
        while name in found.values() or (name.casefold() in taken and not (said and said.file == name)):
            n += 1
            name = f"{stem}-{n}.{end}"
        taken.add(name.casefold())
        found[node.path] = name
    return found


def _bank_texts(space: Space) -> dict[str, str]:
    held, root = _nodes_and_root(space)
    files = as_files(held)
    markdown = {files[node.path]: node.text for node in held if node.path in files}
    return {INDEX: kept_index(root, held)} | dict(sorted(markdown.items()))


def _nodes_and_root(space: Space) -> tuple[list[Node], Memory | None]:
    return [node for node in nodes.every(space.db) if node.path != ROOT], nodes.whatever_at(space.db, ROOT)


def _remember(space: Space, hashes: Mapping[str, str], actor: Actor) -> Run | None:
    held, root = _nodes_and_root(space)
    files, index = as_files(held), kept_index(root, held)
    with_it = hashes.get(INDEX) == content_hash(index)
    named = read_index(index).entries if with_it else {}
    created: list[Memory] = []
    updated: list[tuple[Memory, Memory]] = []
    for node in held:
        after, file = node.memory, files.get(node.path)
        if file is not None and hashes.get(file) == content_hash(node.text):
            after = replace(after, content_hash=content_hash(node.text))
        if with_it:
            after = as_listed(after, as_it_is(node, file=file, in_index=node.path in named))
        updated.append((node.memory, after))
    if with_it:
        whole = root or new_node(ROOT, title=TITLE, text=None, now=space.clock())
        kept = replace(with_index(whole, index), content_hash=content_hash(index), state=State.HELD)
        updated += [(root, kept)] if root else []
        created += [] if root else [kept]
    if not created and all(before == after for before, after in updated):
        return None
    run = new_run("export", actor, now=space.clock(), detail={"files": len(hashes)})
    write(space, run, created=created, updated=updated)
    return revisions.finish_run(space.db, run, at=space.clock())

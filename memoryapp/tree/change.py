"""What a node says, what it is called, what reaches it and how much it weighs: changed by whoever read it last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.node import Node, check_keywords, check_weight, described, rewritten
from memoryapp.spaces import Space
from memoryapp.store.write import new_run
from memoryapp.tree.again import repeated
from memoryapp.tree.check import check_markdown, check_title, node_at, require_version
from memoryapp.tree.write import write


def change(
    space: Space,
    path: str,
    *,
    title: str | None = None,
    text: str | None = None,
    keywords: Sequence[str] | None = None,
    weight: float | None = None,
    version: int | None = None,
    actor: Actor,
) -> tuple[Node, Run]:
    """Changes what is not None. The markdown is kept byte for byte, but for control characters and private words; a
    branch that is given one has a file from then on. Where nothing differs, nothing is written.

    `version`: the one the caller read. Raises BadInput that points at the field, TooLarge, NotFound, and Stale with the
    present version.
    """
    called = check_title(title) if title is not None else None
    words = check_markdown(text) if text is not None else None
    wanted = check_keywords(keywords) if keywords is not None else None
    heavy = check_weight(weight) if weight is not None else None

    def changed() -> tuple[Node, Run]:
        node = node_at(space, path)
        require_version(node, version)
        after = node.memory
        if called is not None:
            # Without a file, and with an empty one, the title is all it says: rewritten() puts the new one there.
            after = rewritten(replace(after, title=called), node.text if node.has_file else None)
        if words is not None:
            after = rewritten(after, words)
        after = described(after, keywords=wanted, weight=heavy)
        run = new_run("edit", actor, now=space.clock())
        write(space, run, updated=[(node.memory, after)])
        return node_at(space, node.path), run

    return repeated(changed, version=version)

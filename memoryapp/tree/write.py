"""What every act on nodes has in common: what is sent is checked, the node is read at its version, and it is written as
every memory is, in one block; where somebody else wrote it a moment before, the act is done again.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TypeVar

from memoryapp.domain.change import Run
from memoryapp.domain.cleaning import clean_name
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.errors import BadInput, NotFound, Stale, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory, index_text
from memoryapp.domain.node import Node, check_path
from memoryapp.domain.secrets import mask_private, mask_private_lines
from memoryapp.spaces import Space, embed_into
from memoryapp.store import nodes
from memoryapp.store.write import Batch, commit

_Made = TypeVar("_Made")
_KEPT = "\n\r\t"


# ── checks


def check_markdown(text: str, *, field: str = "/text") -> str:
    """Without control characters and lone surrogates, which no store keeps, and with marks in place of private words as
    in other files; line ends, blanks and blank lines stay as they are. Raises TooLarge."""
    if len(text) > LIMITS.text_chars:
        raise TooLarge(
            f"The markdown has {len(text):,} characters; one node may have {LIMITS.text_chars:,}. Put part of it into "
            "a node of its own.",
            field=field,
        )
    seen = "".join(c for c in text if c in _KEPT or unicodedata.category(c) not in ("Cc", "Cs"))
    return mask_private_lines(seen)


def check_title(title: str, *, field: str = "/title") -> str:
    """One line with something in it. Raises BadInput."""
    cleaned = mask_private(clean_name(title, field=field) or "")
    if not cleaned:
        raise BadInput("A node needs a title.", field=field)
    return cleaned


def node_at(space: Space, path: str, *, field: str = "/path") -> Node:
    """The held node at a path. Raises BadInput for what cannot be one, NotFound."""
    checked = check_path(path, field=field)
    found = nodes.at(space.db, checked)
    if found is None:
        raise NotFound(f"There is no node at “{checked}” in space “{space.name}”.", field=field)
    return found


def require_version(node: Node, version: int | None) -> None:
    """Raises Stale when the caller read another version than the present one."""
    if version is not None and version != node.memory.version:
        raise Stale(
            f"Node “{node.path}” is at version {node.memory.version}, and you read {version}. "
            "Read it again and repeat your change.",
            current=node.memory.version,
        )


# ── writing


def write(
    space: Space,
    run: Run,
    *,
    created: Sequence[Memory] = (),
    updated: Sequence[tuple[Memory, Memory]] = (),
    conflicts: Sequence[Conflict] = (),
) -> None:
    """Writes them together or not at all. Pairs in which nothing differs are left out.

    Raises Stale where a node was changed meanwhile, Clash where a path was taken meanwhile.
    """
    changed = [(before, after) for before, after in updated if before != after]
    batch = Batch(created=list(created), updated=changed, conflicts=list(conflicts))
    embed_into(batch, space, [*created, *(b for a, b in changed if index_text(a) != index_text(b))])
    commit(space.db, run, batch, now=space.clock())

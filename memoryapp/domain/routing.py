"""A space's own routing table: which tag of what comes in means which node of the Context Tree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memoryapp.domain.errors import BadInput
from memoryapp.domain.node import check_path

EXAMPLE = "W=values, B=technical/cron, O=pipeline, S=project"  # what docs and pages show; a space begins without one
TAG_CHARS = 40
MOST = 40  # entries of a table
_ENTRY = re.compile(r"[,;\n]")
_MARKER = re.compile(r"\s*(?:\[(?P<boxed>[^\[\]\n]{1,40})\]:?|(?P<bare>[^\s\[\]:]{1,40}):)\s+(?=\S)")


def read_table(text: str, *, field: str = "/tree_routing") -> dict[str, str]:
    """“W=values, B=technical/cron” as path by tag, in the order written. Raises BadInput that names the entry at
    fault."""
    table: dict[str, str] = {}
    for entry in filter(None, map(str.strip, _ENTRY.split(text))):
        tag, border, path = (part.strip() for part in entry.partition("="))
        tag = tag.lstrip("#").strip("[] ")
        if not border or not tag or not path:
            raise BadInput(f"“{entry[:60]}” is no entry of a routing table: write a tag, =, a path.", field=field)
        if len(tag) > TAG_CHARS:
            raise BadInput(f"The tag “{tag[:20]}…” has more than {TAG_CHARS} characters.", field=field)
        if any(tag.casefold() == known.casefold() for known in table):
            raise BadInput(f"The tag “{tag}” stands twice in the routing table.", field=field)
        table[tag] = check_path(path, field=field)
    if len(table) > MOST:
        raise BadInput(f"{len(table)} entries; a routing table has at most {MOST}.", field=field)
    return table


def routing_tag(tags: Sequence[str], text: str, table: Mapping[str, str]) -> str | None:
    """The tag of the table that is meant, as the table writes it: by a tag of the memory, or by a marker its words
    begin with (“[W] …”, “W: …”). Case does not matter; of several the first in the table counts."""
    said = {tag.casefold().lstrip("#") for tag in tags} | {_marker(text)[0].casefold()}
    return next((tag for tag in table if tag.casefold() in said), None)


def strip_marker(text: str, table: Mapping[str, str]) -> str:
    """The words without the marker they begin with, where the table knows it."""
    marker, rest = _marker(text)
    return rest if any(tag.casefold() == marker.casefold() for tag in table) else text


def _marker(text: str) -> tuple[str, str]:
    found = _MARKER.match(text)
    if found is None:
        return "", text
    return (found["boxed"] or found["bare"]).strip(), text[found.end() :]

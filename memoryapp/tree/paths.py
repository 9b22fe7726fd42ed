"""Names that came from elsewhere as paths of nodes, and paths of nodes as files."""

from __future__ import annotations

import re
import unicodedata

from memoryapp.domain.errors import BadInput
from memoryapp.domain.node import check_path

BANK = "bank/"
MARKDOWN = (".md", ".markdown")
_ODD = re.compile(r"[^\w .·+&()'’-]+")
_EDGE = re.compile(r"^[^\w]+|^_+|[^\w+)]+$|_+$")


def as_path(name: str) -> str:
    """The path itself where it can be one; else with “-” for what may not stand in a path. Empty where nothing is
    left, or where it is too long."""
    for tried in (name, "/".join(map(_plain_part, name.strip("/").split("/")))):
        try:
            return check_path(tried)
        except BadInput:
            continue
    return ""


def _plain_part(part: str) -> str:
    part = _ODD.sub("-", unicodedata.normalize("NFC", part).strip())
    while part and (cut := _EDGE.sub("", part)) != part:
        part = cut
    return part


def climbs(name: str) -> bool:
    """Whether a path leaves the folder it is told of: “..”, a root, a drive."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or name.startswith(("/", "\\")) or bool(re.match(r"[A-Za-z]:[/\\]", name))


def path_of_file(name: str) -> str:
    """bank/identity/values.md → identity/values. Empty where it cannot be a path."""
    stem, _, _ = name.removeprefix(BANK).rpartition(".")
    return as_path(stem)


def is_markdown(name: str) -> bool:
    """Whether the name ends as a markdown file's does."""
    return name.lower().endswith(MARKDOWN)

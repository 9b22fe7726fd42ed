"""What Obsidian adds to markdown: comments, block ids and embeds (`without_marks`), and where a vault keeps its
templates (`Templates`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SETTINGS = ".obsidian"
# Below the settings folder: the file, and its field that names a folder of templates or one template.
_TEMPLATE_SETTINGS = (
    ("templates.json", "folder"),
    ("daily-notes.json", "template"),
    ("plugins/templater-obsidian/data.json", "templates_folder"),
)
SETTINGS_FILES = tuple(name for name, _ in _TEMPLATE_SETTINGS)
# A comment opens at the start of a line and may run over many, or stands within one line. "100%%" opens none.
_COMMENT = re.compile(r"^[ \t]*%%(?!%).*?%%|(?<![\w%])%%(?!%)[^\n]*?%%", re.DOTALL | re.MULTILINE)
# "^quote-of-mina" or "^4f2a91" at the end of a line. "x ^2" and "x ^n" are powers.
_BLOCK_ID = re.compile(r"(?:(?<=\s)|^)\^(?:(?=[\d-]*[A-Za-z])[A-Za-z0-9-]{3,}|\d{6})[ \t]*$", re.MULTILINE)
_EMBED = re.compile(r"!(?=\[\[[^\[\]\n]+\]\])")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(`+)[^`\n]+\1(?!`)")


def without_marks(text: str, *, body_line: int = 0) -> str:
    """Return the text without comments and block ids, and with embeds as links. Its lines keep their numbers; code
    and the first `body_line` lines stay as they are, and a heading keeps its block id, on which ids hang."""
    if not ("%%" in text or "^" in text or "![[" in text):
        return text
    lines = text.split("\n")
    body = "\n".join(lines[body_line:])
    code = _code(body)
    body = _replace(_COMMENT, body, code, lambda match: "\n" * match.group().count("\n"))
    code = _code(body)
    for first, last in _block_ids(body, code):
        body = body[:first] + body[last:]
    body = _replace(_EMBED, body, _code(body), lambda _: "")
    return "\n".join([*lines[:body_line], body])


def without_block_id(line: str) -> str:
    """Return a heading without the block id at its end."""
    return _BLOCK_ID.sub("", line).rstrip()


def _replace(
    pattern: re.Pattern[str], text: str, code: list[tuple[int, int]], by: Callable[[re.Match[str]], str]
) -> str:
    return pattern.sub(lambda match: match.group() if _is_inside(code, match.start()) else by(match), text)


def _block_ids(text: str, code: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches to cut out, last first: the block id and the blanks before it on its line."""
    found = []
    for match in _BLOCK_ID.finditer(text):
        if not _is_inside(code, match.start()):
            before = text.rfind("\n", 0, match.start()) + 1
            if text[before:].lstrip(" ").startswith("#"):
                continue
            start = before + len(text[before : match.start()].rstrip())
            found.append((start, match.end()))
    return found[::-1]


def _is_inside(spans: list[tuple[int, int]], at: int) -> bool:
    return any(first <= at < last for first, last in spans)


def _code(text: str) -> list[tuple[int, int]]:
    """Fences and code spans as places [first, last)."""
    spans: list[tuple[int, int]] = []
    fence, opened, at = "", 0, 0
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence) and not line.strip().strip(fence[0]):
                spans.append((opened, at + len(line)))
                fence = ""
        elif mark:
            fence, opened = mark.group(1), at
        else:
            spans.extend((at + span.start(), at + span.end()) for span in _CODE_SPAN.finditer(line))
        at += len(line) + 1
    if fence:
        spans.append((opened, len(text)))
    return spans


@dataclass(slots=True)
class Templates:
    """Where the vaults below a source keep templates. Paths are below the source's root, "/"-separated."""

    _folders: set[str] = field(default_factory=set)
    _files: set[str] = field(default_factory=set)

    def add(self, vault: str, name: str, settings: str) -> None:
        """Take in one settings file of the vault at this path ("" is the root). What is no JSON object tells nothing,
        as in Obsidian, which then goes by its defaults."""
        try:
            values: Any = json.loads(settings)
        except ValueError:
            return
        place = values.get(dict(_TEMPLATE_SETTINGS)[name]) if isinstance(values, dict) else None
        if not isinstance(place, str) or not (place := place.strip().strip("/")):
            return
        whole = f"{vault}/{place}" if vault else place
        if name == "daily-notes.json":
            self._files.add(whole.removesuffix(".md"))
        else:
            self._folders.add(whole)

    def hold(self, path: str) -> bool:
        """Whether the file at this path is a template."""
        return path.removesuffix(".md") in self._files or any(path.startswith(f"{f}/") for f in self._folders)

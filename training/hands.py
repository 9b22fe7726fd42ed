"""The data that the project's hands wrote, a file a hand, and what was made from which of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("data")
_NAME = re.compile(r"^[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*")
_NO_NAME = re.compile(r"(?:The|An?|Our|In|On|At|Since|For|From|All|Every|Each|No|Under|By|To|Until|As|If|When)(?: |$)")


def lines(*names: str) -> list[dict[str, Any]]:
    """All lines of some files, in the order given."""
    return [json.loads(line) for name in names for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def fingerprint(names: Iterable[str]) -> str:
    """Return the digest of the files, whatever their order and whichever folder they lie in."""
    digest = sha256()
    for path in sorted((DATA / name for name in names), key=lambda path: path.name):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def person(row: dict[str, Any]) -> str:
    """The name that a statement opens with; empty where it opens with another word."""
    opening = _NAME.match(row["held"])
    name = opening.group().removesuffix("'s").removesuffix("’s") if opening else ""
    return "" if _NO_NAME.match(name) else name

"""A sentence as it was written in; out whether it names something exactly: code, a path, an address, a version, an
error. For `weigh`.

The tagger knows no such words, so that “test_refund is flaky” would count as having no noun at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FILES = (
    "py|js|ts|tsx|md|json|ya?ml|toml|sh|sql|env|txt|cfg|ini|log|html|css|rs|go|java|cpp|lock|xml|csv|parquet|duckdb"
)


def _shapes() -> Iterator[str]:
    yield r"`[^`\n]{2,}`"
    yield r"\bhttps?://\S+"
    yield r"\b[\w.+-]{1,64}@[\w-]{1,64}\.\w+"
    yield r"(?<![^\s(\"'])(?:~|\.{1,2})?/\w[\w.-]*/[\w./-]+"  # /var/log/app.log; not and/or
    yield rf"(?<![\w.])[\w.-]*[\w-]\.(?:{_FILES})\b"
    yield r"\b[A-Za-z]\w*_\w+"
    yield r"\b\w+\(\)"
    yield r"\bv?\d+\.\d+\.\d+\b"
    yield r"(?<=\s)--?[a-z][\w-]+(?:=\S+)?(?=\s|$)"
    yield r"\b(?!Error\b|Warning\b|Exception\b)[A-Z]\w*(?:Error|Exception|Warning)\b"
    yield r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b"  # a commit


_EXACT = re.compile("|".join(_shapes()))


def names_exactly(text: str) -> bool:
    """Whether something is named that can be looked up letter by letter."""
    return bool(_EXACT.search(text))


def opens_exactly(text: str) -> bool:
    """Whether that is the first thing named: “`make test` now runs in parallel”."""
    return bool(_EXACT.match(text))

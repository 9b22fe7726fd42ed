"""Style sheets and scripts as a person reads them. `oxfmt` sets the rest (./test)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = 120


def sources() -> Iterator[Path]:
    """What we wrote ourselves: static/vendor is other people's."""
    yield from sorted((ROOT / "static/css").rglob("*.css"))
    yield from sorted((ROOT / "static/js").rglob("*.js"))


def test_no_line_is_longer_than_a_page_is_wide() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)}"
        for path in sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > COLUMNS
    ]
    assert not long

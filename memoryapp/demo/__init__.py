"""A small, self-written example: three weeks of one team's notes, dated back from today."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

NOTES = Path(__file__).parent / "notes"
_DATED = re.compile(r"^d(\d+)-(.+)\.md$")


def write_notes(folder: Path, *, today: date) -> list[Path]:
    """Writes the notes below `folder` and returns the files. `d17-thursday.md` becomes the daily log of 17 days ago.

    Files that are there already are left alone: they may have been edited since.
    """
    written = []
    for origin in sorted(NOTES.rglob("*.md")):
        target = folder / origin.relative_to(NOTES)
        dated = _DATED.match(origin.name)
        if dated:
            day = today - timedelta(days=int(dated[1]))
            target = folder / "daily" / f"{day.isoformat()}.md"
            text = origin.read_text(encoding="utf-8").replace(
                f"# {dated[2].title()}\n", f"# {day:%A}, {day:%d %B %Y}\n", 1
            )
        else:
            text = origin.read_text(encoding="utf-8")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.write_text(text, encoding="utf-8")
        written.append(target)
    return written

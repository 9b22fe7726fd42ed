"""The example's notes: daily logs, dated back from today, and pages on people and things."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

NOTES = Path(__file__).parent / "files"
_DATED = re.compile(r"^d(\d+)-(.+)\.md$")


def write_notes(folder: Path, *, today: date, until: date | None = None) -> list[Path]:
    """Writes the notes below `folder` and returns the files. `d17-thursday.md` becomes the daily log of 17 days ago;
    `until`: logs of later days are left for a later call.

    Files that are there already are left alone: they may have been edited since.
    """
    written = []
    for origin in sorted(NOTES.rglob("*.md")):
        target = folder / origin.relative_to(NOTES)
        text = origin.read_text(encoding="utf-8")
        if dated := _DATED.match(origin.name):
            day = today - timedelta(days=int(dated[1]))
            if until is not None and day > until:
                continue
            target = folder / "daily" / f"{day.isoformat()}.md"
            text = text.replace(f"# {dated[2].title()}\n", f"# {day:%A}, {day:%d %B %Y}\n", 1)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.write_text(text, encoding="utf-8")
        written.append(target)
    return written


def days(*, today: date) -> list[date]:
    """The days on which a log was written, the earliest first."""
    found = (_DATED.match(file.name) for file in NOTES.glob("*.md"))
    return sorted(today - timedelta(days=int(dated[1])) for dated in found if dated)

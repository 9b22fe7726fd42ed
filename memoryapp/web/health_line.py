"""One line of the health page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HealthLine:
    """`level`: ok, warn or bad (also the class that colours its sign). `fix` is what to do, `href` where."""

    name: str
    level: str
    told: str
    fix: str = ""
    href: str = ""

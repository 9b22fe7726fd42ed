"""The markdown of a node as its page shows it: beside a line the memory that stands behind it, struck through where
that memory holds no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memoryapp.domain.node import line_key
from memoryapp.web import human
from memoryapp.web.markdown import rendered

_MOST_MARKDOWN = 24_000  # characters, and …
_MOST_HTML = 32_000  # bytes of what they become: the page has a tree beside it, and 100 KB for all
_SHORTEST = 500


@dataclass(frozen=True, slots=True)
class Behind:
    """What stands behind a line: `at`, since when; `stale`: it holds no more."""

    memory: str
    at: datetime
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Prose:
    """`shown`: characters of the markdown that are rendered, where that is not all of it; else 0."""

    html: SafeString
    shown: int = 0


def prose_of(text: str, *, title: str, behind: Mapping[str, Behind]) -> Prose:
    """`behind` by line key. Cut at the end of a line where the page would grow too large."""

    def beside(line: str) -> tuple[str, str]:
        known = behind.get(line_key(line))
        return ("", "") if known is None else _around(known)

    shown = _cut(text, _MOST_MARKDOWN)
    while True:
        html = rendered(shown, title=title, beside=beside)
        if len(html.encode()) <= _MOST_HTML or len(shown) <= _SHORTEST:
            return Prose(html, len(shown) if len(shown) < len(text) else 0)
        shown = _cut(shown, len(shown) * 3 // 5)


def _around(known: Behind) -> tuple[str, str]:
    href, day = reverse("memory", args=[known.memory]), human.short_day(known.at)
    if known.stale:
        return '<span class="was">', format_html('</span> <a href="{}"><small>until {}</small></a>', href, day)
    return "", format_html(' <a href="{}"><small>{}</small></a>', href, day)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit].rpartition("\n")[0] or text[:limit]

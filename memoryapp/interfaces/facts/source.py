"""Where a fact was said: its turn, with the words it was learned from marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.http import urlencode

from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Memory
from memoryapp.domain.turn import Turn
from memoryapp.interfaces.pages import wording

_AROUND = 320  # characters of the turn on each side of the quote


@dataclass(frozen=True, slots=True)
class QuotedTurn:
    """The turn's words around the quote; `quote` is empty where it cannot be found in them. `when` tells how the
    words' own date was understood."""

    before: str
    quote: str
    after: str
    lang: str
    speaker: str
    at: datetime
    session: str
    number: int
    href: str
    when: str


def spoken_of(memory: Memory, turn: Turn | None) -> QuotedTurn | None:
    """None where the memory was not learned from a turn that is still known."""
    if turn is None:
        return None
    first, last = _span(turn.text, str(memory.detail.get("quote") or ""))
    before, after = turn.text[:first], turn.text[last:]
    if len(before) > _AROUND:
        before = "… " + before[-_AROUND:].split(" ", 1)[-1]
    if len(after) > _AROUND:
        after = after[:_AROUND].rsplit(" ", 1)[0] + " …"
    return QuotedTurn(
        before=before,
        quote=turn.text[first:last],
        after=after,
        lang=wording.language(turn.text),
        speaker=turn.speaker or turn.role.value,
        at=turn.at,
        session=turn.session,
        number=turn.number,
        href=session_href(turn.session, turn.number),
        when=str(memory.detail.get("when") or ""),
    )


def _span(text: str, quote: str) -> tuple[int, int]:
    """Where the quote stands, white space and case aside; an empty span at the start where it does not."""
    words = quote.split()
    if not words:
        return 0, 0
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return found.span() if found else (0, 0)


def session_href(name: str, number: int | None = None) -> str:
    """The page of a session, at one of its turns where a number is given. Without one the name goes along: it may be of
    a session nobody opened, which has no page but a list of what was written under it."""
    page = reverse("session", args=[derived_id("session", name)])
    return f"{page}?turn={number}#t{number}" if number else f"{page}?{urlencode({'of': name})}"

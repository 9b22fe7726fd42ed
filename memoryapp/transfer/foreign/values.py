"""Plain values out of JSON that may hold anything: each asks for one thing, and gives an empty one where it is not
there. Nothing here raises."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from memoryapp.domain.cleaning import clean
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.transfer.entries import Skipped

_NAME_CHARS = 300  # as a title, a ref or a name of ours may have
_REF_CHARS = 200
_MILLISECONDS_FROM = 1e11  # seconds since 1970 that would lie in the year 5138
_YEARS = range(1970, 2200)  # outside of them a number is no time that a program kept


# What `clean` would take out. Looking for it first is worth it: hardly any text holds some, and `clean` goes letter by
# letter, which for an export of 100 MB takes half a minute.
_UNCLEAN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def words(value: Any) -> str:
    """Text without control characters and outer space; "" where it is none."""
    if not isinstance(value, str):
        return ""
    return (clean(value) if _UNCLEAN.search(value) else value).strip()


def line(value: Any, most: int = _NAME_CHARS) -> str:
    """Text as one line, cut short where it is longer."""
    text = " ".join(words(value).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def identifier(value: Any) -> str:
    """An id as text: programs give letters or a number."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
        return str(value)
    return " ".join(words(value).split())


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def moment(value: Any) -> datetime | None:
    """ISO 8601, or seconds or milliseconds since 1970, as UTC."""
    try:
        if isinstance(value, str):
            found = as_utc(datetime.fromisoformat(value.strip()))
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            found = datetime.fromtimestamp(value / 1000 if abs(value) >= _MILLISECONDS_FROM else value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError, BadInput):
        return None
    return found if found.year in _YEARS else None


def tags(*groups: Iterable[Any]) -> tuple[str, ...]:
    """As a memory may carry them: trimmed, without “#”, each once whatever its case, those that are too long left
    out."""
    found: dict[str, str] = {}
    for value in (value for group in groups for value in group):
        tag = " ".join(words(value).split()).strip("#").strip()
        if tag and len(tag) <= LIMITS.tag_chars:
            found.setdefault(tag.casefold(), tag)
    return tuple(found.values())[: LIMITS.tags]


def reference(form: str, *steps: str) -> str:
    """“mem0:8c1f…”: the same again for the same steps. Long ones are a digest."""
    own = "/".join(steps)
    return f"{form}:{own if 0 < len(own) <= _REF_CHARS else derived_id(*steps)}"


_FENCE = re.compile(r"```(?:[a-z]*\n)?(.*?)```", re.DOTALL)


def unfenced(text: str) -> str:
    """What stands between fences, where a program wrapped it so; else the text itself."""
    found = _FENCE.search(text)
    return (found.group(1) if found else text).strip()


class Tally:
    """Things left behind on the way, counted by reason, so that a report has a line for each reason and not for each
    thing."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, where: str, why: str, count: int = 1) -> None:
        self._counts[where, why] += count

    def skipped(self) -> Iterator[Skipped]:
        for (where, why), count in self._counts.items():
            yield Skipped(where, why, count)


# A name and what is said of it in, one sentence out that stands by itself: “John Smith”, “Speaks Spanish” →
# “John Smith speaks Spanish”. Where that is not certain the two stay apart, with a colon.

# Words that open a predicate, and hardly ever a name or a passive: “Works at Acme” is one, while “May 3” and
# “Founded in 2010” (by whom?) would not be.
_PREDICATE = re.compile(
    r"""(?:
    is | was | has | had | does | did | can | could | would | must | should | cannot
    | isn't | wasn't | hasn't | doesn't | didn't | can't | won't | never | also | currently | usually | often
    | likes | loves | prefers | enjoys | hates | dislikes | wants | needs | hopes | avoids
    | works | worked | lives | lived | studies | studied | speaks | owns | uses | knows | runs | manages | teaches
    | plays | writes | wrote | reads | builds | develops | maintains | joined | graduated | moved | married | grew
    | became | began | attended | visited | met | believes | thinks | says | said | asked | decided | agreed
    | requires | depends | contains | provides | implements | handles | follows | keeps | takes | goes | drinks | eats
    | wears | drives | suffers
    )(?=[ .,;]|$)""",
    re.VERBOSE | re.IGNORECASE,
)


_THE_USER = re.compile(r"(?:the )?user(?=[ '’])", re.IGNORECASE)


def of_user(name: str, text: str) -> str:
    """The sentence with its user called by name, where the words leave out who it is or say “user”; else as it was."""
    if name.casefold() in text.casefold():
        return text
    name = name[:1].upper() + name[1:]
    if opening := _THE_USER.match(text):
        return name + text[opening.end() :]
    return f"{name} {text[0].lower()}{text[1:]}" if _PREDICATE.match(text) else text


def said_of(name: str, text: str) -> str:
    """The sentence. Words that name the subject themselves are left as they are."""
    if name.casefold() in text.casefold():
        return text
    if _PREDICATE.match(text):
        return f"{name} {text[0].lower()}{text[1:]}"
    return f"{name}: {text}"

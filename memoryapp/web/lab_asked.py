"""What the search lab is asked, as its address says it: the question, its filters, the columns, the marks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.http import QueryDict

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import DEFAULT, RRF
from memoryapp.lab.compare import MOST
from memoryapp.web.chips import filters_of

FILTERS = ("kind", "state", "category", "trust", "tag", "source", "type", "since", "as_of", "speaker", "mood", "entity")
NARROWS = (*FILTERS, "until")
TOPS, TOP = (5, 10, 20), 10
_ROWS = 80  # of all columns together that a page can carry for re-ranking in the browser
_DEPTH = 50
_MARKS = 100
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Asked:
    """`columns`: plans as text, one to four. `relevant`: ids marked as right answers. `expected`: what "expected
    something else?" was asked for: an id, a reference, or words."""

    text: str
    filters: Filters
    columns: tuple[str, ...]
    top: int
    relevant: tuple[str, ...] = ()
    expected: str = ""

    @property
    def depth(self) -> int:
        """Results that are asked for: those below the shown ones can rise when weights move."""
        return max(self.top, min(_DEPTH, _ROWS // len(self.columns)))

    @property
    def query(self) -> Query:
        """The one question of all columns."""
        return Query(self.text, top_k=self.depth, filters=self.filters)


def asked_of(asked: QueryDict) -> Asked:
    """Raises BadInput that names the parameter. A plan that cannot be read is the trouble of its own column."""
    columns = tuple(one.strip() for one in asked.getlist("column") if one.strip())
    if len(columns) > MOST:
        raise BadInput(f"The lab has room for {MOST} columns, not {len(columns)}.", field="column")
    return Asked(
        text=asked.get("q", "").strip(),
        filters=filters_of(asked),
        columns=columns or _beside(asked.get("strategy", "").strip() or DEFAULT),
        top=_top(asked.get("top", "")),
        relevant=_marked(asked),
        expected=asked.get("memory", "").strip()[:300],
    )


def kept(asked: QueryDict, *, without: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """The address as fields of a form, but for what the form has fields of its own for."""
    names = {"space", "strategy", *without}
    return [(name, value) for name, values in asked.lists() if name not in names for value in values if value]


def _beside(strategy: str) -> tuple[str, str]:
    """A strategy on its own is compared with the default, and the default with reciprocal rank fusion."""
    return (strategy, RRF.name if strategy == DEFAULT else DEFAULT)


def _top(text: str) -> int:
    if not text:
        return TOP
    if not text.isascii() or not text.isdigit() or len(text) > 3 or not 1 <= int(text) <= max(TOPS):
        raise BadInput(f"A column shows 1 to {max(TOPS)} results, not “{text[:20]}”.", field="top")
    return int(text)


def _marked(asked: QueryDict) -> tuple[str, ...]:
    marked = tuple(dict.fromkeys(one for one in asked.getlist("rel") if one))
    if len(marked) > _MARKS or not all(map(_ID.fullmatch, marked)):
        raise BadInput(f"“rel” takes memory ids, at most {_MARKS}.", field="rel")
    return marked

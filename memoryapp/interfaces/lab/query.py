"""What the search lab is asked, as its address says it: the question, its filters, the columns, the marks.

A column of the lab to take along: the same search as curl, as Python, as a command and as the call of a tool by an
agent (MCP).
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, replace
from pprint import pformat
from typing import Any

from django.http import QueryDict

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import AsOfBy, Filters, filters_told
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import DEFAULT, RRF
from memoryapp.interfaces.pages.filters import filters_of
from memoryapp.lab.compare import MOST
from memoryapp.program import program_line

FILTERS = ("kind", "state", "category", "trust", "tag", "source", "type", "since", "speaker", "mood", "entity")
NARROWS = (*FILTERS, "until")
TOPS, TOP = (5, 10, 20), 10
_ROWS = 80  # of all columns together that a page can carry for re-ranking in the browser
_DEPTH = 50
_MARKS = 100
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class LabQuery:
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


def asked_of(asked: QueryDict) -> LabQuery:
    """Raises BadInput that names the parameter. A plan that cannot be read is the trouble of its own column."""
    columns = tuple(one.strip() for one in asked.getlist("column") if one.strip())
    if len(columns) > MOST:
        raise BadInput(f"The lab has room for {MOST} columns, not {len(columns)}.", field="column")
    return LabQuery(
        text=asked.get("q", "").strip(),
        filters=replace(filters_of(asked), as_of_by=AsOfBy.RECORDED),
        columns=columns or _default_columns(asked.get("strategy", "").strip() or DEFAULT),
        top=_top(asked.get("top", "")),
        relevant=_marked_ids(asked),
        expected=asked.get("memory", "").strip()[:300],
    )


def hidden_fields(asked: QueryDict, *, without: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """The address as fields of a form, but for what the form has fields of its own for."""
    names = {"space", "strategy", *without}
    return [(name, value) for name, values in asked.lists() if name not in names for value in values if value]


def _default_columns(strategy: str) -> tuple[str, str]:
    """A strategy on its own is compared with the default, and the default with reciprocal rank fusion."""
    return (strategy, RRF.name if strategy == DEFAULT else DEFAULT)


def _top(text: str) -> int:
    if not text:
        return TOP
    if not text.isascii() or not text.isdigit() or len(text) > 3 or not 1 <= int(text) <= max(TOPS):
        raise BadInput(f"A column shows 1 to {max(TOPS)} results, not “{text[:20]}”.", field="top")
    return int(text)


def _marked_ids(asked: QueryDict) -> tuple[str, ...]:
    marked = tuple(dict.fromkeys(one for one in asked.getlist("rel") if one))
    if len(marked) > _MARKS or not all(map(_ID.fullmatch, marked)):
        raise BadInput(f"“rel” takes memory ids, at most {_MARKS}.", field="rel")
    return marked


@dataclass(frozen=True, slots=True)
class Copies:
    curl: str
    python: str
    command: str
    mcp: str

    @property
    def all(self) -> list[tuple[str, str, str]]:
        """(key, heading, text)."""
        told = (("curl", "curl"), ("python", "Python"), ("command", "Command"), ("mcp", "MCP"))
        return [(key, heading, getattr(self, key)) for key, heading in told]


def copies_of(root: str, *, space: str, text: str, plan: str, top: int, filters: Filters) -> Copies:
    """Keys stand in $PALIMPSEST_KEY. `root`: the address of the app, with a slash at its end."""
    body = body_of(text=text, plan=plan, top=top, filters=filters)
    address = f"{root}api/v1/search"
    return Copies(_curl(address, space, body), _python(address, space, body), _command(space, body), _tool_call(body))


def body_of(*, text: str, plan: str, top: int, filters: Filters) -> dict[str, Any]:
    """What POST /search takes."""
    told = filters_told(filters)
    as_of = told.pop("as_of", None)
    body: dict[str, Any] = {"query": text, "strategy": plan, "top_k": top}
    return body | ({"filters": told} if told else {}) | ({"as_of": as_of} if as_of else {})


def _curl(address: str, space: str, body: dict[str, Any]) -> str:
    return (
        f"curl {shlex.quote(address)} \\\n"
        f'  -H "Authorization: Bearer $PALIMPSEST_KEY" -H {shlex.quote(f"X-Space: {space}")} \\\n'
        f"  -H 'Content-Type: application/json' \\\n"
        f"  -d {shlex.quote(json.dumps(body, ensure_ascii=False))}"
    )


def _python(address: str, space: str, body: dict[str, Any]) -> str:
    asked = pformat(body, width=100, sort_dicts=False)
    return (
        "import os\n\nimport httpx\n\n"
        f"asked = {asked}\n"
        "answer = httpx.post(\n"
        f"    {address!r},\n"
        f'    headers={{"Authorization": f"Bearer {{os.environ[\'PALIMPSEST_KEY\']}}", "X-Space": {space!r}}},\n'
        "    json=asked,\n"
        ").raise_for_status()\n"
        'for hit in answer.json()["items"]:\n'
        '    print(f"{hit[\'score\']:.5f}", hit["text"])'
    )


def _command(space: str, body: dict[str, Any]) -> str:
    line = (
        f"{program_line()} recall {shlex.quote(body['query'])} --strategy {shlex.quote(body['strategy'])} "
        f"--top-k {body['top_k']} --explain --space {shlex.quote(space)}"
    )
    narrowed = body.get("filters") or body.get("as_of")
    return line + ("\n# The command takes no filters: this searches without them." if narrowed else "")


def _tool_call(body: dict[str, Any]) -> str:
    """What an agent's program sends to /mcp; the tool `recall` takes the filters beside the question."""
    arguments = {name: value for name, value in body.items() if name != "filters"} | body.get("filters", {})
    return json.dumps({"name": "recall", "arguments": arguments}, ensure_ascii=False, indent=2)

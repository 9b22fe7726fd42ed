"""A column of the lab to take along: the same search as curl, as Python, as a command and as the
call of a tool by an agent (MCP)."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pprint import pformat
from typing import Any

from memoryapp.domain.filters import Filters, filters_told
from memoryapp.program import program_line


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

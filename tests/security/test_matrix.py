"""Every door × every role × one's own space and another's, complete by construction: a door that is in no table fails.

That a role may do in its own space what it is for and no more is walked by tests/api/test_access.py and
tests/pages/test_access.py. Here: other makers' shapes, other people's spaces, and that no address was forgotten.
docs/ROLES.md is the table; `python -m tests.security.table` writes it.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.roles import Role
from memoryapp.interfaces.api.assembly import api, openai_api
from memoryapp.interfaces.mem0.api import INSTEAD, mem0_api
from tests.api.conftest import Agent
from tests.contract.test_parity import operations_of
from tests.contract.test_parity import table as parity
from tests.pages.test_access import ARGUMENTS
from tests.security.doors import (
    API,
    NOTHING_THERE,
    UNGUARDED,
    Operation,
    addresses,
    guarded_in,
    is_open,
    operations,
    pages,
    shaped_operations,
)
from tests.security.table import ROLES, written
from tests.security.world import MISSING, SECRET, Theirs

_ID = re.compile(r"^[0-9a-f]{16}$")
# What a page and the API's operation for it ask for apart from each other, each with why that is no hole.
APART = {
    "POST memory-act": "one address of the pages for several acts; confirming alone is a writer's, by the API",
    "POST tree-take-in": "the page asks where something belongs and puts it there in one act",
    "POST tree-export": "the page sends a file; keeping one on the server's disk is an act of the API alone",
    "POST settings-backups-take": "backups are administrators'; the heartbeat has any act done for a curator",
    "POST tree-freshen": "the page lists and freshens in one",
    "POST preview": "rehearsals: nothing is written, and a reader may look",
}


def filled(address: str, theirs: Theirs) -> str:
    """The address with an id of theirs in it, of the kind that the address is about."""
    kind = next((part for part in reversed(address.split("{")[0].strip("/").split("/")) if part in theirs.ids), "")
    for name, value in {"{name}": "their-own", "{path}": "their/own", "{act}": "graph", "{parent}": MISSING}.items():
        address = address.replace(name, value)
    return re.sub(r"\{[^}]*\}", theirs.id_for(kind) if "/keys/" not in address else "1", address)


def pointed(example: Any, theirs: Theirs) -> Any:
    """An example of a body whose ids are theirs."""
    if isinstance(example, dict):
        return {name: pointed(value, theirs) for name, value in example.items()}
    if isinstance(example, list):
        return [pointed(value, theirs) for value in example]
    return theirs.ids["memories"] if isinstance(example, str) and _ID.match(example) else example


def asked(agent: Agent, operation: Operation, theirs: Theirs, **headers: str) -> Any:
    body = pointed(operation.example, theirs)
    sent = {"Authorization": f"Bearer {agent.key}", **headers}
    data = b"" if body is None else json.dumps(body).encode()
    address = filled(operation.address, theirs)
    return Client().generic(operation.method, address, data, content_type="application/json", headers=sent)


def body_of(answer: Any) -> str:
    return "" if answer.streaming else answer.content.decode(errors="replace")


def test_no_address_is_in_no_table() -> None:
    guarded = {_plain(one.address.removeprefix("/")) for one in (*operations(), *shaped_operations())}
    names = {page.name for page in pages()}
    for address, pattern in addresses():
        known = _plain(address) in guarded or pattern.name in names or address in UNGUARDED
        refuses = address in INSTEAD or address.endswith(NOTHING_THERE) or pattern.name == "api-root"
        assert known or refuses, f"{address} is a door that no table knows"


def _plain(address: str) -> str:
    """An address without the kinds of its parts: Django writes <path:name>, the API's document {name}."""
    return re.sub(r"[<{](?:[a-z]+:)?(\w+)[>}]", r"{\1}", address)


def test_every_operation_but_two_asks_for_a_role() -> None:
    told = list(operations())
    assert [one.address for one in told if one.needs is None] == [f"{API}/health/live", f"{API}/health/ready"]
    assert guarded_in(api) == len(told) - 2
    assert guarded_in(mem0_api) + guarded_in(openai_api) == len(list(shaped_operations())) > 10


def test_the_pages_and_the_api_ask_for_the_same_role() -> None:
    roles = {f"{one.method} {one.address.removeprefix(API)}": one.needs for one in operations()}
    for page in pages():
        key = f"{page.method} {page.name}"
        does = [roles[one] for one in operations_of(parity()[key])]
        if page.method == "POST" and does and not is_open(page) and key not in APART:
            assert set(does) == {page.needs}, f"{key} takes a {page.needs}, the API's way {does}"


def test_the_written_table_is_the_one_that_holds() -> None:
    from tests.security.table import TABLE

    assert TABLE.read_text(encoding="utf-8") == written(), "python -m tests.security.table writes it anew"


@pytest.mark.parametrize("role", ROLES)
def test_in_other_makers_shapes_a_role_may_do_what_it_is_for_and_no_more(role: Role, theirs: Theirs) -> None:
    agent = Agent(create_key("shaped", role=role, space=theirs.row)[1])
    for operation in shaped_operations():
        answer = asked(agent, operation, theirs)
        refused = answer.status_code == 403 and "takes the role" in body_of(answer)
        assert operation.needs is not None
        assert refused is not role.allows(operation.needs), (operation, answer.status_code)
        assert answer.status_code != 401 and answer.status_code < 500, (operation, answer.content)


@pytest.mark.django_db
def test_in_other_makers_shapes_nothing_is_open_without_a_key() -> None:
    from memoryapp.interfaces.api.throttle import buckets

    for operation in shaped_operations():
        buckets.clear()
        answer = Client().generic(operation.method, re.sub(r"\{[^}]*\}", MISSING, operation.address))
        assert answer.status_code == 401, operation


def test_a_key_of_another_space_sees_and_changes_nothing_of_this_one(theirs: Theirs, intruder: Agent) -> None:
    """With the space named it is as if there were none; with the ids alone, as if there were no such things."""
    before = theirs.rows()
    for operation in (*operations(), *shaped_operations()):
        if operation.needs is None:
            continue
        named = asked(intruder, operation, theirs, **{"X-Space": theirs.row.name})
        assert named.status_code == 404 and SECRET not in body_of(named), (operation, named.status_code)
        unnamed = asked(intruder, operation, theirs)
        assert SECRET not in body_of(unnamed).lower(), operation
        assert unnamed.status_code < 500, (operation, unnamed.content)
        # What goes by a name, not an id, the intruder may have too, in its own space.
        if "{" in operation.address and not operation.address.endswith(("/{act}/run", "/profiles/{name}", "/{path}")):
            assert unnamed.status_code in (403, 404, 409, 412, 422), (operation, unnamed.status_code)
    assert theirs.rows() == before


def test_the_owner_does_see_it_there(theirs: Theirs, owner: Agent) -> None:
    """Or the test above would pass on a space in which nothing can be found."""
    seen = [one for one in operations() if one.method == "GET" and SECRET in body_of(asked(owner, one, theirs)).lower()]
    assert len(seen) > 12, [one.address for one in seen]


def arguments(name: str, theirs: Theirs) -> list[object]:
    kinds = {"memory": "memories", "conflict": "conflicts", "entity": "entities", "relation": "relations",
             "job": "jobs", "session": "sessions", "golden": "golden", "run": "runs", "revision": "audit"}  # fmt: skip
    mine = theirs.id_for(kinds.get(name.split("-")[0], ""))
    given = ARGUMENTS.get(name)
    if given is None:
        return [mine]
    return [mine if _ID.match(str(one)) else "their/own" if one == "infra/gpu" else one for one in given]


def test_a_person_of_another_space_sees_and_changes_nothing_of_this_one(theirs: Theirs, stranger: Client) -> None:
    before = theirs.rows()
    for page in pages():
        if is_open(page):
            continue
        address = reverse(page.name, args=arguments(page.name, theirs) if "{" in page.address else [])
        ask = stranger.get if page.method == "GET" else stranger.post
        named = ask(address, {"space": theirs.row.name})
        assert named.status_code == 404 and SECRET not in body_of(named), (page, named.status_code)
        unnamed = ask(address)
        assert SECRET not in body_of(unnamed).lower(), page
        assert unnamed.status_code < 500, page
    assert theirs.rows() == before


def test_the_administrator_of_the_space_does_see_it_there(theirs: Theirs, admin: Client) -> None:
    seen = set()
    for page in pages():
        if page.method == "GET" and not is_open(page):
            address = reverse(page.name, args=arguments(page.name, theirs) if "{" in page.address else [])
            seen |= {page.name} if SECRET in body_of(admin.get(address)).lower() else set()
    assert {"memories", "memory", "facts", "conflict", "session", "entity", "golden", "tree-node"} <= seen, seen

"""Every list of the API: whatever is sent for a cursor, all filters at once in any mixture, and a list that is walked
to its end while others write."""

from __future__ import annotations

import base64
import hashlib
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.integrity import check
from memoryapp.interfaces.api.assembly import document
from memoryapp.spaces import close_space
from tests.api.conftest import Agent
from tests.contract.fields import EVERY, TEXTS
from tests.contract.fields_ground import Ground, ground, some  # noqa: F401 - a fixture

MIXTURES = 400 if EVERY else 6  # of filters, a list
LISTS = ["/memories", "/entities", "/audit", *(("/runs", "/sessions") if EVERY else ())]


def lists() -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """The address of each operation that takes a query, and its parameters by name."""
    for address, methods in document()["paths"].items():
        parameters = {p["name"]: p for p in methods.get("get", {}).get("parameters", []) if p["in"] == "query"}
        if parameters:
            yield address, parameters


def test_a_cursor_that_no_page_gave_out_is_refused_or_leads_somewhere(ground: Ground) -> None:  # noqa: F811
    real = {}
    walkable = [address for address, parameters in lists() if "cursor" in parameters]
    for address in walkable:
        about = f"&entity={ground.theirs.ids['entities']}" if address.endswith("/relations") else ""
        answer = ground.ask("GET", f"{ground.filled(address)}?limit=1{about}", b"", address)
        assert answer.status_code == 200, (address, answer.content)
        if cursor := answer.json()["next_cursor"]:
            real[address] = cursor
    assert len(real) >= 3, real
    turns, odd = some(TEXTS, most=1), some(dict.fromkeys(ODD), most=5)
    for address in walkable:
        about = f"&entity={ground.theirs.ids['entities']}" if address.endswith("/relations") else ""
        whole = real.get(address, next(iter(real.values())))
        bent = [whole[:-1], whole[1:], whole[: len(whole) // 2], whole + "A", whole.swapcase(), whole * 60, f" {whole}"]
        bent += real.values() if EVERY else list(real.values())[:2]
        bent += [base64.urlsafe_b64encode(text.encode("utf-8", "replace")).decode() for text in next(odd)]
        bent += [TEXTS[name] for name in next(turns)]
        for cursor in bent:
            said = quote(cursor.encode("utf-8", "surrogatepass"))
            asked = f"{ground.filled(address)}?limit=2&cursor={said}{about}"
            answer = ground.ask("GET", asked, b"", f"{address} {cursor[:60]!r}")
            assert answer.status_code in (200, 422), (address, cursor[:80], answer.content)
            if answer.status_code == 422:
                assert answer.json()["field"] == "cursor", (address, cursor[:80], answer.content)
    ground.finish()


ODD = (
    "[]", "{}", "null", "[null]", '[null, null]', '["", ""]', '["a", "b"]', '[1e400, "x"]', '[NaN, "x"]', '[0, 0]',
    '["2026-01-01", "x"]', '["0001-01-01T00:00:00+14:00", "x"]', '["9999-12-31T23:59:59-14:00", "x"]', '[-1, "x"]',
    f'[{2**63}, "x"]', f'[{2**64}, {2**64}]', '["\\ud800", "\\u0000"]', "[" * 600, '[true, "x"]', "[0]", "[1.5]",
    '["0", "0"]', '["-inf", "x"]', '[1e308, "x"]', "[-1]", f"[{2**70}]", '[0, "x", "y"]', '["1e999", "x"]',
)  # fmt: skip


def test_filters_may_be_mixed_repeated_and_at_odds_with_each_other(ground: Ground) -> None:  # noqa: F811
    draw = random.Random(8)
    fine = 0
    for address, parameters in lists():
        for _ in range(MIXTURES):
            given = []
            for name in draw.sample(sorted(parameters), draw.randint(1, len(parameters))):
                if name != "cursor":
                    given += [(name, _value(draw, parameters[name])) for _ in range(draw.choice((1, 1, 1, 2, 3)))]
            query = urlencode([(name, value.encode("utf-8", "surrogatepass")) for name, value in given])
            answer = ground.ask("GET", f"{ground.filled(address)}?{query}", b"", f"{address}?{query[:200]}")
            fine += answer.status_code == 200
    print(f"{fine} of {ground.asked} were answered 200")
    assert fine > ground.asked / 10
    ground.finish()


def _value(draw: random.Random, parameter: dict[str, Any]) -> str:
    """Mostly one that may stand there."""
    schema = parameter["schema"]
    schema = schema["anyOf"][0] if "anyOf" in schema else schema
    schema = schema.get("items", schema)
    if "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if draw.random() < 0.08:
        return TEXTS[draw.choice(sorted(TEXTS))]
    if "enum" in schema:
        return str(draw.choice(schema["enum"]))
    match schema.get("type"), schema.get("format"):
        case "string", "date-time":
            return draw.choice(
                ("2026-01-01", "2026-11-22T00:00:00+09:00", "0002-01-01", "9998-12-31T00:00:00Z", "2030-01-01")
            )
        case "integer", _:
            return str(draw.choice((schema.get("minimum", 0), schema.get("maximum", 7), 3)))
        case "number", _:
            return draw.choice(("0", "0.5", "1", "-0", "1e-300"))
        case "boolean", _:
            return draw.choice(("true", "false"))
    found = parameter.get("example")
    return str(draw.choice((found[0] if isinstance(found, list) and found else found, "tea", "한국")))


@pytest.mark.parametrize("path", LISTS)
def test_a_walk_to_the_end_while_others_write_gives_each_that_stays_once(db: None, path: str) -> None:
    row = create_space(f"l-{new_id()}")
    try:
        _walk(Agent(create_key("a walker", role=Role.ADMIN, space=row)[1]), row, path)
    finally:
        close_space(row.name)


def _walk(agent: Agent, row: Space, path: str) -> None:
    """Between two pages something new is written and something else deleted; what stays as it is has its place."""

    def add(n: int) -> str:
        agent.post("/sessions", {"name": f"talk {n}"})
        words = hashlib.sha256(str(n).encode()).hexdigest()  # unlike any other: nothing is confirmed by it
        made = agent.post("/memories", {"text": f"[[Name{words[:9]}]] {words[9:40]}."})
        return str(made.json()["id"])

    def spare(n: int) -> str:
        return str(agent.post("/memories", {"text": hashlib.md5(str(n).encode()).hexdigest()}).json()["id"])

    for n in range(12):
        add(n)
    going = [spare(n) for n in range(20)]
    parameters = dict(lists())[f"/api/v1{path}"]
    for sort in parameters["sort"]["schema"]["enum"] if "sort" in parameters else ("",):
        sorted_by = {"sort": sort} if sort else {}
        before = _ids(agent.get(f"{path}?{urlencode({'limit': 200, **sorted_by})}").json())
        seen: list[str] = []
        cursor, gone = "", set()
        while cursor is not None:
            asked = {"limit": 3, **sorted_by, **({"cursor": cursor} if cursor else {})}
            page = agent.get(f"{path}?{urlencode(asked)}").json()
            seen += _ids(page)
            cursor = page["next_cursor"]
            if len(gone) < 4:
                add(100 + len(going))
                gone.add(going.pop())
                agent.delete(f"/memories/{max(gone)}")
        assert len(before) >= 12
        assert len(seen) == len(set(seen)), f"{path} by {sort} gives some twice"
        assert not (missing := set(before) - set(seen) - gone), f"{path} by {sort} leaves out {len(missing)}"
    assert check(open_row(row)).broken == ()


def _ids(page: dict[str, Any]) -> list[str]:
    return [str(one["id"]) for one in page["items"]]

"""Who works at once: agents with a key at the API, people at the pages. Each request is one line of the history."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

import httpx

from tests.acceptance.place import PATIENCE, Place, got
from tests.concurrency.history import Op, Seen
from tests.live import use_link

_PAGES_REFUSE = {404, 409, 412}  # what a page says where it cannot be done any more
_UNDO = re.compile(r"/runs/([0-9a-f]{16})/undo/")
_TOLD = re.compile(r"^\[\d+\] (.*?)(?: \(trust [\d.]+\))?$", re.DOTALL)  # a memory as a prompt cites it
Answer = tuple[Op, Any]


@dataclass(slots=True)
class Caller:
    """One thread's own connection. `versions`: of each memory the last one this caller saw, which others may have
    changed since; `runs`: what it did itself, by memory."""

    who: str
    http: httpx.Client
    ops: list[Op] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)
    runs: list[tuple[str, str]] = field(default_factory=list)

    def note(self, op: Op) -> Op:
        self.ops.append(op)
        for seen in op.seen:
            if seen.version is not None:
                self.versions[seen.memory] = seen.version
        if op.run and op.memory:
            self.runs.append((op.memory, op.run))
        return op

    def send(self, act: str, method: str, address: str, known: set[int], **request: Any) -> tuple[Op, httpx.Response]:
        """The request with its times, not yet noted. A request without an answer is noted, and the error goes on."""
        began = time.monotonic()
        try:
            answer = self.http.request(method, address, **request)
        except httpx.HTTPError:
            self.ops.append(Op(self.who, act, began, None, memory=address))
            raise
        fine = answer.status_code < 400 or answer.status_code in known
        return Op(self.who, act, began, time.monotonic(), answer.status_code, documented=fine), answer


class Agent(Caller):
    """At the API. A refusal must be one that the OpenAPI document has for that operation."""

    documented: Mapping[tuple[str, str], set[int]]

    def __init__(self, who: str, place: Place, documented: Mapping[tuple[str, str], set[int]]) -> None:
        headers = dict(place.api.headers)
        super().__init__(
            who, httpx.Client(base_url=place.api.base_url, headers=headers, timeout=PATIENCE, trust_env=False)
        )
        self.documented = documented

    def ask(self, act: str, method: str, route: str, key: str = "", **request: Any) -> Answer:
        op, answer = self.send(act, method, route.replace("{id}", key), self.documented[method, route], **request)
        return op, answer.json()

    def say(self, text: str) -> Op:
        # Each in a session of its own: who repeats themselves in one session and day confirms nothing.
        op, told = self.ask(
            "say again", "POST", "/memories", json={"kind": "fact", "text": text, "session": uuid4().hex}
        )
        if not op.done:
            return self.note(op)
        return self.note(replace(op, outcome=told["outcome"], made=told["id"], seen=(_seen(told),)))

    def jot(self, text: str) -> Op:
        """A note, which is confirmed where it is there by then."""
        op, told = self.ask("write a note", "POST", "/memories", json={"text": text})
        return self.note(replace(op, made=told["id"] if op.done else ""))

    def keyed(self, text: str, key: str) -> Op:
        sent, named = {"text": text, "session": "keys"}, {"Idempotency-Key": key}
        op, told = self.ask("write with a key", "POST", "/memories", json=sent, headers=named)
        return self.note(replace(op, key=key, made=told["id"] if op.done else ""))

    def edit(self, key: str, text: str, *, given: int | None) -> Op:
        headers = {"If-Match": f'"{given}"'} if given is not None else {}
        op, told = self.ask("edit", "PATCH", "/memories/{id}", key, json={"text": text}, headers=headers)
        op = replace(op, given=given, sent=text)
        return self.note(replace(op, memory=key, current=told.get("current")) if not op.done else _acted(op, key, told))

    def put(self, key: str, verb: str) -> Op:
        method, route = ("DELETE", "/memories/{id}") if verb == "delete" else ("POST", f"/memories/{{id}}/{verb}")
        op, told = self.ask(verb, method, route, key)
        return self.note(_acted(op, key, told) if op.done else replace(op, memory=key))

    def tag(self, key: str, tag: str) -> Op:
        sent = {"act": "tag", "ids": [key], "add_tags": [tag]}
        op, told = self.ask("tag", "POST", "/memories/bulk", json=sent)
        return self.note(replace(op, memory=key, run=(told["run"] or "") if op.done else ""))

    def feedback(self, key: str) -> Op:
        op, told = self.ask("feedback", "POST", "/memories/{id}/feedback", key, json={"used": True})
        return self.note(replace(op, memory=key, used=told.get("used")))

    def undo(self, key: str, run: str) -> Op:
        op, told = self.ask("undo", "POST", "/runs/{id}/undo", run)
        return self.note(replace(op, memory=key, run=told["run"] if op.done else ""))

    def decide(self, conflict: str, outcome: str) -> Op:
        op, _ = self.ask("decide", "POST", "/conflicts/{id}/resolve", conflict, json={"outcome": outcome})
        return self.note(replace(op, conflict=conflict))

    def take_back(self, conflict: str) -> Op:
        op, _ = self.ask("take back", "POST", "/conflicts/{id}/undo", conflict)
        return self.note(replace(op, conflict=conflict))

    def get(self, key: str) -> Op:
        op, told = self.ask("get", "GET", "/memories/{id}", key)
        return self.note(replace(op, seen=(_seen(told),)) if op.done else op)

    def list_all(self) -> Op:
        op, told = self.ask("list", "GET", "/memories", params={"limit": 200})
        return self.note(replace(op, seen=tuple(map(_seen, told["items"]))) if op.done else op)

    def recall(self, key: str, word: str) -> Op:
        op, told = self.ask("search", "POST", "/search", json={"query": word})
        return self.note(replace(op, asked=key, seen=tuple(map(_seen, told["items"]))) if op.done else op)

    def context(self, key: str, word: str) -> Op:
        op, told = self.ask("context", "POST", "/context", json={"message": word, "layers": ["knowledge"]})
        items = [item for layer in told.get("layers", ()) for item in layer["items"] if not item["cut"]]
        seen = tuple(Seen(item["id"], _TOLD.sub(r"\1", item["text"]), None, item["state"]) for item in items)
        return self.note(replace(op, asked=key, seen=seen))


class Person(Caller):
    """At the pages, with a browser's session."""

    def __init__(self, who: str, place: Place, cookies: httpx.Cookies) -> None:
        token = next(value for name, value in cookies.items() if "csrf" in name)
        base = place.live.url
        headers = {"X-Space": place.name, "HX-Request": "true", "X-CSRFToken": token, "Referer": base}
        http = httpx.Client(base_url=base, headers=headers, cookies=cookies, timeout=PATIENCE, trust_env=False)
        super().__init__(who, http)

    def ask(self, act: str, method: str, address: str, **request: Any) -> tuple[Op, httpx.Response]:
        op, answer = self.send(f"{act} (page)", method, address, _PAGES_REFUSE, **request)
        return (replace(op, run=_run_of(answer)) if op.done else op), answer

    def edit(self, key: str, text: str, *, given: int | None) -> Op:
        sent = {"text": text, "version": "" if given is None else str(given), "tags": "", "reason": "beside others"}
        op, _ = self.ask("edit", "POST", f"/memories/{key}/edit/", data=sent)
        return self.note(replace(op, memory=key, given=given, sent=text))

    def put(self, key: str, verb: str) -> Op:
        op, _ = self.ask(verb, "POST", f"/memories/{key}/{verb}/")
        return self.note(replace(op, memory=key))

    def get(self, key: str) -> Op:
        """The form of an edit holds the words and their version."""
        op, answer = self.ask("get", "GET", f"/memories/{key}/edit/")
        if not op.done:
            return self.note(op)
        text = re.search(r"<textarea[^>]*>(.*?)</textarea>", answer.text, re.DOTALL)
        version = re.search(r'name="version" value="(\d+)"', answer.text)
        assert text and version, answer.text[:400]
        return self.note(replace(op, seen=(Seen(key, html.unescape(text[1]), int(version[1])),)))

    def open(self, name: str, address: str) -> Op:
        return self.note(self.ask(name, "GET", address)[0])


def signed_in(place: Place) -> httpx.Cookies:
    """A person's cookies, by a fresh login link."""
    name = got(place.api, "/people")["items"][0]["name"]
    link = httpx.URL(place.api.post(f"/people/{name}/login-link").raise_for_status().json()["url"])
    with httpx.Client(timeout=PATIENCE, trust_env=False, follow_redirects=True) as browser:
        use_link(browser, f"{place.live.url}{link.path}").raise_for_status()
        return browser.cookies


def documented_in(place: Place) -> dict[tuple[str, str], set[int]]:
    """By method and address, the answers that the OpenAPI document has."""
    paths = place.api.get("/openapi.json").json()["paths"]
    return {
        (method.upper(), route.removeprefix("/api/v1")): {int(code) for code in told["responses"] if code.isdigit()}
        for route, methods in paths.items()
        for method, told in methods.items()
        if "responses" in told
    }


def _seen(told: Mapping[str, Any]) -> Seen:
    return Seen(told["id"], told["text"], told["version"], told["state"])


def _acted(op: Op, key: str, told: Mapping[str, Any]) -> Op:
    return replace(op, memory=key, run=told["run"] or "", seen=(_seen(told["memory"]),))


def _run_of(answer: httpx.Response) -> str:
    """The run that the toast's Undo would take back."""
    told = json.loads(answer.headers.get("HX-Trigger") or "{}")
    undo = _UNDO.search(json.dumps(told)) if isinstance(told, dict) else None
    return undo[1] if undo else ""

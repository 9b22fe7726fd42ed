"""Every door of the app, taken from the app itself: operations of the API and of other makers' shapes, and pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from ninja import NinjaAPI

from memoryapp.accounts.roles import Role
from memoryapp.interfaces.api.assembly import document, openai_api
from memoryapp.interfaces.mem0.api import mem0_api
from memoryapp.interfaces.pages import urls
from tests.contract.test_parity import allowed
from tests.pages.test_access import NEEDS, OPEN

API = "/api/v1"
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
# Open to everybody, each with why.
UNGUARDED = {
    "llms.txt": "the ten calls an agent needs: words about the program, nothing of its memories",
    "api/docs": "the API's own pages, made of its document",
    "api/docs/<slug:name>": "the API's own pages, made of its document",
    "api/v1/openapi.json": "the document itself: the same in every installation",
    "api/v1/openapi-agent.json": "the part of it that agents need",
}
NOTHING_THERE = r"^[\s\S]*$"  # answers 404 for what no other address of an API takes


@dataclass(frozen=True, slots=True)
class Operation:
    """`needs` None: open to everybody. `app`: in every space."""

    method: str
    address: str
    needs: Role | None
    app: bool = False
    example: Any = None


def operations() -> Iterator[Operation]:
    """Of the JSON API, out of its document."""
    for path, methods in document()["paths"].items():
        for method, told in methods.items():
            needs = None if told["x-role"] == "none" else Role(told["x-role"])
            content = told.get("requestBody", {}).get("content", {}).get("application/json", {})
            yield Operation(method.upper(), path, needs, told["x-scope"] == "app", content.get("example"))


def shaped_operations() -> Iterator[Operation]:
    """In other makers' shapes: no document lists them, so they are read off their routers."""
    for api, before in ((mem0_api, ""), (openai_api, "/v1")):
        for router_prefix, router in api._routers:
            for path, view in router.path_operations.items():
                for one in view.operations:
                    extra = one.openapi_extra or {}
                    for method in one.methods:
                        yield Operation(method, f"{before}{router_prefix}{path}", Role(extra["x-role"]))


def guarded_in(api: NinjaAPI) -> int:
    """How many operations of an API ask for a role."""
    return sum(
        bool(one.auth_callbacks) * len(one.methods)
        for _, router in api._routers
        for view in router.path_operations.values()
        for one in view.operations
    )


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    address: str
    method: str
    needs: Role | None


def pages() -> Iterator[Page]:
    """Each page by each method that it takes."""
    for pattern in urls.urlpatterns:
        name = str(pattern.name)
        look, act = NEEDS.get(name, (None, None))
        for method in allowed(pattern):
            if method in ("GET", "POST"):
                yield Page(name, _spelled(pattern), method, look if method == "GET" else act)


def is_open(page: Page) -> bool:
    return page.name in OPEN


def _spelled(pattern: URLPattern) -> str:
    """An address as a person reads it: "/memories/{key}/"."""
    found = get_resolver("memoryapp.interfaces.pages.urls").reverse_dict.getlist(str(pattern.name))
    template, names = found[0][0][0]
    return "/" + str(template) % {name: f"{{{name}}}" for name in names}


def addresses() -> Iterator[tuple[str, URLPattern]]:
    """The whole table of addresses, pattern by pattern."""

    def walked(resolver: URLResolver, before: str) -> Iterator[tuple[str, URLPattern]]:
        for one in resolver.url_patterns:
            if isinstance(one, URLResolver):
                yield from walked(one, before + str(one.pattern))
            else:
                yield before + str(one.pattern), one

    yield from walked(get_resolver(), "")

"""What each page reads of a request, told by the page itself: every name that it looks up in an address or a form. So a
new field is tried by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from tests.contract.fields import EVERY
from tests.contract.fields_ground import Ground
from tests.security.doors import Page
from tests.security.test_matrix import arguments

# What stands in the other fields while one of them is tried, so that a page gets as far as to read it.
PLAIN = {
    "text": "Mara likes tea.", "query": "tea", "q": "tea", "message": "tea", "version": "1", "plan": "hybrid",
    "act": "tag", "tag": "tea", "name": "teas", "path": "their/own", "type": "person", "word": "purge",
}  # fmt: skip
_ANYWHERE = ("space", "csrfmiddlewaretoken")


def address_of(page: Page, ground: Ground) -> str:
    """The page's address, with things that are there in it."""
    return reverse(page.name, args=arguments(page.name, ground.theirs) if "{" in page.address else [])


def sent(browser: Client, page: Page, address: str, given: dict[str, str], *, htmx: bool) -> Any:
    """As a browser sends a form, with half characters as bytes that are no UTF-8."""
    body = urlencode({name: value.encode("utf-8", "surrogatepass") for name, value in given.items()})
    headers = {"HX-Request": "true"} if htmx else {}
    if page.method == "GET":
        return browser.get(f"{address}?{body}", headers=headers)
    return browser.post(address, body, content_type="application/x-www-form-urlencoded", headers=headers)


def fields_of(browser: Client, page: Page, ground: Ground, patch: pytest.MonkeyPatch) -> list[str]:
    """With all values, asked twice: what is there the second time may lead on to more."""
    found: dict[str, None] = {}
    for _ in range(2 if EVERY else 1):
        given = {name: PLAIN.get(name, "1") for name in found if name not in _ANYWHERE}
        with looked_up(patch) as names:
            sent(browser, page, address_of(page, ground), {"space": ground.row.name, **given}, htmx=False)
        found |= names
    return [name for name in found if name not in _ANYWHERE]


@contextmanager
def looked_up(patch: pytest.MonkeyPatch) -> Iterator[dict[str, None]]:
    """Names that anybody looks up in any query or form while inside, in order."""
    names: dict[str, None] = {}

    def noting(method: str) -> None:
        plain = getattr(QueryDict, method)

        def noted(self: QueryDict, key: Any, *more: Any, **named: Any) -> Any:
            if isinstance(key, str):
                names[key] = None
            return plain(self, key, *more, **named)

        inside.setattr(QueryDict, method, noted)

    with patch.context() as inside:
        for method in ("get", "getlist", "__getitem__", "__contains__"):
            noting(method)
        yield names

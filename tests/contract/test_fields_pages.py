"""Every field that a page reads takes strange values: a page or a message comes back, never an error of the server.

By default each field gets one of the values; MEMORY_TEST_FIELDS=all puts each into each, which takes a quarter of an
hour.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.test import Client

from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.domain.identity import new_id
from tests.contract.fields import EVERY, TEXTS
from tests.contract.fields_ground import SLOWEST, Ground, ground, some  # noqa: F401 - a fixture
from tests.contract.fields_pages import PLAIN, address_of, fields_of, sent
from tests.security.doors import Page, is_open, pages

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
# A password that is changed ends the session of all the others.
LEFT_OUT = {"settings-me"}
SOME = 6  # every so many-th page by default


def wrong_with(answer: Any, seconds: float) -> str:
    """Why this is no answer for a person, or nothing."""
    text = b"".join(answer) if answer.streaming else answer.content
    if answer.status_code >= 500 or seconds > SLOWEST:
        return f"{answer.status_code} after {seconds:.1f} s"
    told = len(text) > 40 or "HX-Trigger" in answer.headers
    return "" if answer.status_code < 400 or told else f"{answer.status_code} without a message"


def test_every_field_of_every_page(
    ground: Ground,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    in_full: bool,
) -> None:
    browser = Client(raise_request_exception=False)
    browser.force_login(create_person(f"a-{new_id()[:8]}", space=ground.row, role=Role.ADMIN))
    turns, tried = some(TEXTS, most=1), 0

    def order(page: Page) -> tuple[bool, bool]:
        return page.method == "POST", "purge" in page.name  # what ends others' subjects comes last

    some_pages = sorted(pages(), key=order)[:: 1 if in_full or EVERY else SOME]
    for page in some_pages:
        if is_open(page) or page.name in LEFT_OUT:
            continue
        names = fields_of(browser, page, ground, monkeypatch)
        for name in names:
            for value in next(turns):
                given = {"space": ground.row.name, **{one: PLAIN.get(one, "") for one in names}, name: TEXTS[value]}
                began = time.monotonic()
                answer = sent(browser, page, address_of(page, ground), given, htmx=tried % 2 == 0)
                if wrong := wrong_with(answer, time.monotonic() - began):
                    ground.wrong.append(f"{page.method} {page.name} {name} {value}: {wrong}")
                tried += 1
    print(f"{tried:,} fields tried")
    assert tried > (20_000 if EVERY else 300 if in_full else 300 // SOME // 2), "pages look up less than they did"
    ground.finish()

"""Whole numbers out of addresses and forms: whatever stands there, a page comes back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memoryapp.domain.memory import Memory
from memoryapp.interfaces.pages.filters import whole_number


def test_a_number_is_digits_and_below_its_limit() -> None:
    assert [whole_number(text) for text in ("0", "7", "007", "999999999")] == [0, 7, 7, 999_999_999]
    for odd in ("", "²", "٣", "Ⅷ", "-1", "+1", "1e3", " 1", "1_0", "1" * 10, "9" * 5_000):
        assert whole_number(odd) is None, odd
    assert (whole_number("20", most=20), whole_number("21", most=20)) == (20, None)


@pytest.mark.parametrize("odd", ["²", "9" * 5_000, "١"], ids=["a power", "5,000 digits", "Arabic"])
def test_a_page_takes_whatever_stands_for_a_number(curator: Client, section: Memory, odd: str) -> None:
    memory, document = reverse("memory-edit", args=[section.id]), reverse("document", args=[section.origin.document])
    asked: list[tuple[str, dict[str, Any]]] = [
        (document, {"line": odd}),
        (reverse("search"), {"q": "backup", "top": odd}),
        (reverse("context"), {"message": "backup", "budget": odd}),
        (reverse("graph"), {"rows": odd}),
        (reverse("tree-branch"), {"from": odd}),
        (reverse("ingest"), {"sources": odd}),
    ]
    for address, given in asked:
        assert curator.get(address, given).status_code in (200, 422), address
    assert curator.post(memory, {"text": "The backup starts at 04:00.", "version": odd}).status_code == 200


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-01"])
@pytest.mark.parametrize("name", ["jobs", "sessions", "audit", "consolidate-runs", "golden-runs"])
def test_a_list_goes_on_from_no_place_outside_the_calendar(curator: Client, name: str, at: str) -> None:
    answer = curator.get(reverse(name), {"after": f"{at}~0123456789abcdef"})
    assert answer.status_code == 422
    assert b"address is invalid" in answer.content

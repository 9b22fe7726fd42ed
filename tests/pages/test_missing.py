"""An address that is not there."""

from __future__ import annotations

from django.test import Client


def test_who_is_signed_in_stays_within_the_app(reader: Client) -> None:
    answer = reader.get("/no-such-page/")
    page = answer.content.decode()
    assert answer.status_code == 404 and "There is no page at this address." in page
    assert 'id="rail"' in page and 'href="/facts/"' in page


def test_programs_and_strangers_are_answered_as_before(reader: Client, db: None) -> None:
    told = reader.get("/api/v1/no-such-thing")
    assert told.status_code == 404 and told["Content-Type"] == "application/problem+json"
    stranger = Client().get("/no-such-page/")
    assert stranger.status_code == 404 and 'id="rail"' not in stranger.content.decode()

"""The page of what agents asked and did not find."""

from __future__ import annotations

from django.test import Client

from memoryapp import spaces
from memoryapp.store import questions

HTMX = {"HX-Request": "true"}
PAGE = "/search/unanswered/"


def test_without_questions_it_says_what_will_stand_here(reader: Client, space: spaces.Space) -> None:
    assert "Every question found something." in reader.get(PAGE).content.decode()


def test_questions_are_dismissed_restored_and_deleted(curator: Client, space: spaces.Space) -> None:
    for text in ("whose heron is it?", "왜 헤론이야?"):
        questions.keep(space.db, text, by="atlas", now=space.clock())
    page = curator.get(PAGE).content.decode()
    assert "whose heron is it?" in page and "왜 헤론이야?" in page and "atlas" in page
    keys = {one.text: one.id for one in questions.every(space.db)}
    curator.post(f"{PAGE}{keys['whose heron is it?']}/dismiss/", headers=HTMX)
    assert "whose heron" not in curator.get(PAGE).content.decode()
    assert "whose heron" in curator.get(PAGE, {"show": "dismissed"}).content.decode()
    curator.post(f"{PAGE}{keys['왜 헤론이야?']}/delete/", headers=HTMX)
    assert "None is open." in curator.get(PAGE).content.decode()
    assert curator.post(f"{PAGE}{keys['왜 헤론이야?']}/dismiss/", headers=HTMX).status_code == 404
    curator.post(f"{PAGE}clear/")
    assert questions.every(space.db, dismissed=True) == ()


def test_a_reader_changes_nothing(reader: Client, space: spaces.Space) -> None:
    questions.keep(space.db, "whose heron is it?", by="atlas", now=space.clock())
    page = reader.get(PAGE).content.decode()
    assert "Dismiss" not in page and "Delete all" not in page
    assert reader.post(f"{PAGE}clear/").status_code == 403

"""Profiles: listed in words, made, changed and deleted, each act with its Undo."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from django.test import Client

from memoryapp import lab, spaces
from memoryapp.domain.errors import NotFound
from memoryapp.interfaces.pages.session_undo import keep_before, take_before
from memoryapp.interfaces.profiles.presenter import plan_told
from memoryapp.store import profiles
from tests.markup import PageClient
from tests.pages.talking import ATLAS, HTMX

URL = "/search/profiles/"
HERE = {**HTMX, "HX-Current-URL": f"http://testserver{URL}"}


@pytest.fixture
def careful(space: spaces.Space) -> str:
    lab.save_profile(space, "careful", "hybrid;vector=1.4;graph=0", "for the runbooks", actor=ATLAS)
    return "careful"


def undo(client: Client, answer: object, *, name: str = "careful") -> int:
    return client.post(f"{URL}{name}/undo/", headers=HTMX).status_code


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("hybrid", "hybrid, as it is"),
        ("hybrid;vector=1.4;graph=0", "hybrid with vector 1.4, without graph"),
        ("rrf;k=30;factors=trust+feedback", "rrf with k 30, times trust and feedback"),
        ("rrf;factors=none", "rrf times no factor"),
        ("hybrid;date_weight=0", "hybrid with date weight 0"),
        ("rrf;nonsense", "rrf;nonsense"),
    ],
)
def test_a_plan_is_told_in_words(plan: str, told: str) -> None:
    assert plan_told(plan) == told


def test_before_there_is_one_the_page_says_how_one_is_made(reader: Client, space: spaces.Space) -> None:
    page = reader.get(URL).content.decode()
    assert "No profiles yet." in page and 'href="/search/compare/"' in page
    assert "New profile" not in page


def test_a_profile_is_listed_with_its_plan_its_maker_and_where_to_try_it(reader: Client, careful: str) -> None:
    page = reader.get(URL).content.decode()
    assert "hybrid with vector 1.4, without graph" in page and "hybrid;vector=1.4;graph=0" in page
    assert "for the runbooks" in page and "atlas" in page
    assert 'href="/search/?strategy=careful"' in page
    assert 'href="/search/compare/?column=hybrid&amp;column=careful"' in page
    assert reader.get("/search/?strategy=careful&q=boat").status_code == 200
    assert "Delete" not in page


def test_saving_goes_back_to_the_page_with_an_undo(curator: Client, space: spaces.Space) -> None:
    sent = {"name": "careful", "plan": "rrf;k=30", "note": "단어가 먼저"}
    answer = curator.post(f"{URL}save/", sent, headers=HERE)
    assert (answer.status_code, answer["HX-Redirect"]) == (204, URL)
    page = curator.get(URL).content.decode()
    assert 'data-undo="/search/profiles/careful/undo/"' in page and 'lang="ko"' in page
    assert profiles.get(space.db, "careful").plan == "rrf;k=30"
    assert undo(curator, answer) == 204
    assert profiles.find(space.db, "careful") is None
    assert undo(curator, answer) == 404  # once


def test_saving_from_another_page_stays_there_and_says_so(curator: Client, space: spaces.Space) -> None:
    answer = curator.post(f"{URL}save/", {"name": "careful", "plan": "rrf;k=30"}, headers=HTMX)
    told = json.loads(answer["HX-Trigger"])
    assert answer.status_code == 204 and "HX-Redirect" not in answer
    assert told["toast"]["undo"] == "/search/profiles/careful/undo/" and "profiles-changed" in told
    wrong = curator.post(f"{URL}save/", {"name": "hybrid", "plan": "rrf"}, headers=HTMX)
    assert wrong.status_code == 422 and wrong["HX-Reswap"] == "none"
    assert "the name of a strategy" in json.loads(wrong["HX-Trigger"])["toast"]["text"]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": "Nice One", "plan": "rrf"}, "lower-case letters"),
        ({"name": "nice", "plan": "rrf;speed=3"}, "no “speed” to change"),
        ({"name": "nice", "plan": "nothing"}, "no strategy “nothing”"),
        ({"name": "nice", "plan": "rrf", "version": "x"}, "whole number"),
    ],
)
def test_what_cannot_be_saved_comes_back_with_its_reason_and_the_words_typed(
    curator: Client, space: spaces.Space, sent: dict[str, str], said: str
) -> None:
    answer = curator.post(f"{URL}save/", {**sent, "note": "kept words"}, headers=HERE)
    page = answer.content.decode()
    assert answer.status_code == 422 and 'role="alert"' in page and said in page
    assert sent["plan"] in page and "kept words" in page
    assert profiles.every(space.db) == ()


def test_a_change_is_undone_to_what_it_was(curator: Client, space: spaces.Space, careful: str) -> None:
    form = curator.get(f"{URL}form/?edit=careful", headers=HTMX).content.decode()
    version = re.search(r'name="version" value="(\d+)"', form)
    assert version and "hybrid;vector=1.4;graph=0" in form
    sent = {"name": "careful", "plan": "hybrid;vector=2", "note": "other", "version": version[1]}
    answer = curator.post(f"{URL}save/", sent, headers=HERE)
    assert profiles.get(space.db, "careful").plan == "hybrid;vector=2"
    again = curator.post(f"{URL}save/", sent, headers=HERE)  # somebody else's version by now
    assert again.status_code == 409 and "changed since you read it" in again.content.decode()
    assert undo(curator, answer) == 204
    back = profiles.get(space.db, "careful")
    assert (back.plan, back.note) == ("hybrid;vector=1.4;graph=0", "for the runbooks")


def test_an_undo_leaves_what_others_changed_since(curator: Client, space: spaces.Space, careful: str) -> None:
    sent = {"name": "careful", "plan": "hybrid;vector=2", "version": "1"}
    answer = curator.post(f"{URL}save/", sent, headers=HERE)
    lab.save_profile(space, "careful", "rrf", version=2, actor=ATLAS)
    assert undo(curator, answer) == 412
    assert profiles.get(space.db, "careful").plan == "rrf"


def test_a_deleted_profile_comes_back(curator: Client, space: spaces.Space, careful: str) -> None:
    answer = curator.post(f"{URL}careful/delete/", headers=HERE)
    with pytest.raises(NotFound):
        lab.profile_named(space, "careful")
    assert undo(curator, answer) == 204
    back = profiles.get(space.db, "careful")
    assert (back.plan, back.note, back.by) == ("hybrid;vector=1.4;graph=0", "for the runbooks", "atlas")


def test_a_reader_changes_nothing(reader: Client, writer: Client, careful: str) -> None:
    for client in (reader, writer):
        assert client.post(f"{URL}save/", {"name": "x", "plan": "rrf"}).status_code == 403
        assert client.post(f"{URL}careful/delete/").status_code == 403
        assert client.get(f"{URL}form/").status_code == 403


def test_many_are_paged_each_once(reader: PageClient, space: spaces.Space) -> None:
    plan = "hybrid;vector=1.4;keyword=0.8;graph=0.5;factors=trust+strength+feedback;date_weight=0.3"
    for n in range(90):
        lab.save_profile(space, f"profile-{n:03}", plan, "n" * 200, actor=ATLAS)
    met: list[str] = []
    address: str = URL
    while address:
        answer = reader.get(address)
        assert reader.weight < 25_000
        page = answer.content.decode()
        met += re.findall(r'id="p-(profile-\d+)"', page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = URL + older[1] if older else ""
    assert met == [f"profile-{n:03}" for n in range(90)]


def test_only_the_last_acts_are_kept_for_an_undo(make_session: Callable[[], dict[str, object]]) -> None:
    session = make_session()
    for n in range(20):
        keep_before(session, f"s/profile/p{n}", {"n": n}, version=n)
    assert take_before(session, "s/profile/p19") == ({"n": 19}, 19)
    for place in ("s/profile/p19", "s/profile/p0"):
        with pytest.raises(NotFound):
            take_before(session, place)


@pytest.fixture
def make_session() -> Callable[[], dict[str, object]]:
    return dict

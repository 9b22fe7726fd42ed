"""Sessions and passwords: a new session at each sign-in, an end to the old ones, and no room to guess."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, RequestFactory

from memoryapp.accounts import login
from memoryapp.accounts.login import FAILURES_ALLOWED, FAILURES_OF_ADDRESS, make_login_token, try_password
from memoryapp.accounts.models import Space
from memoryapp.accounts.people import create_person, set_active, set_password, set_role
from memoryapp.accounts.roles import Role
from tests.security.conftest import signed_in

PASSWORD = "a long enough one"
OTHER = "quite another long one"


@pytest.fixture
def mina(row: Space) -> User:
    return create_person("mina", password=PASSWORD, space=row, role=Role.ADMIN)


def session_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@pytest.mark.parametrize("way", ["password", "link"])
def test_signing_in_begins_a_new_session(mina: User, row: Space, way: str) -> None:
    """Whoever planted a session in the browser before does not know the one that counts."""
    nora = create_person("nora", space=row)
    client = signed_in(nora)
    planted = session_of(client)
    if way == "password":
        client.post("/login/", {"name": "mina", "password": PASSWORD})
    else:
        client.post(f"/login/{make_login_token(mina)}")
    assert session_of(client) != planted
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = planted
    assert thief.get("/")["Location"].startswith("/login/")


def test_signing_out_ends_the_session_itself(mina: User) -> None:
    client = signed_in(mina)
    kept = session_of(client)
    client.post("/logout/")
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = kept
    assert thief.get("/")["Location"].startswith("/login/")


def test_a_new_password_ends_every_other_session_and_renews_this_one(mina: User) -> None:
    here, elsewhere = signed_in(mina), signed_in(mina)
    before = session_of(here)
    assert here.post("/settings/me/", {"old": PASSWORD, "new": OTHER}).status_code == 302
    assert here.get("/").status_code == 200 and session_of(here) != before
    assert elsewhere.get("/")["Location"].startswith("/login/")


def test_a_password_that_somebody_else_sets_ends_all_sessions(mina: User) -> None:
    client = signed_in(mina)
    set_password(mina, OTHER)
    assert client.get("/")["Location"].startswith("/login/")


def test_a_new_password_and_being_shut_out_end_the_login_links_that_are_out(mina: User) -> None:
    for act in (lambda: set_password(mina, OTHER), lambda: (set_active(mina, False), set_active(mina, True))):
        token = make_login_token(mina)
        act()
        assert Client().get(f"/login/{token}").status_code == 410


def test_a_role_that_is_taken_away_is_gone_at_the_next_request(mina: User, row: Space) -> None:
    client = signed_in(mina)
    assert client.get("/settings/keys/").status_code == 200
    set_role(mina, row, Role.READER)
    assert client.get("/settings/keys/").status_code == 403
    set_role(mina, row, None)
    assert client.get("/memories/", {"space": row.name}).status_code == 404
    create_person("root", admin=True)
    set_active(mina, False)
    assert client.get("/memories/")["Location"].startswith("/login/")
    assert client.get("/api/v1/memories").status_code == 401


def test_the_words_of_a_refusal_do_not_tell_which_names_there_are(mina: User, row: Space) -> None:
    create_person("nolink", space=row)  # without a password
    told = set()
    for name in ("mina", "nobody", "nolink"):
        answer = Client().post("/login/", {"name": name, "password": "wrong"})
        told.add(answer.content.decode().replace(name, "").split("<main")[1].split("csrfmiddlewaretoken")[0])
        assert answer.status_code == 401
    assert len(told) == 1


@pytest.mark.django_db
def test_one_password_tried_on_many_names_is_slowed_down_too() -> None:
    request = RequestFactory().post("/login/", REMOTE_ADDR="192.0.2.7")
    waits = [try_password(request, f"name{n}", "Summer2026!").wait_seconds for n in range(FAILURES_OF_ADDRESS + 1)]
    assert not any(waits[: FAILURES_OF_ADDRESS - 1]) and waits[-1] > 0
    other = RequestFactory().post("/login/", REMOTE_ADDR="192.0.2.8")
    assert try_password(other, "name1", "x").wait_seconds == 0


@pytest.mark.django_db(transaction=True)
def test_of_many_tries_at_once_no_more_are_looked_at_than_of_tries_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    create_person("mina", password=PASSWORD, admin=True)
    looked, started = [], threading.Barrier(12)
    real = login.authenticate

    def counted(*args: object, **more: object) -> object:
        looked.append(1)
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(login, "authenticate", counted)

    def tried(n: int) -> None:
        started.wait(30)
        try:
            try_password(RequestFactory().post("/login/"), "mina", f"wrong {n}")
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(tried, range(12)))
    assert len(looked) <= FAILURES_ALLOWED

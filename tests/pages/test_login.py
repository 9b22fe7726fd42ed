from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memoryapp.accounts.login import make_login_token
from memoryapp.accounts.people import create_person

PASSWORD = "a long enough one"


@pytest.fixture
def mina(db: None) -> User:
    return create_person("mina", password=PASSWORD, admin=True)


def test_a_name_and_its_password_open_the_door(mina: User) -> None:
    client = Client()
    answer = client.post("/login/?next=/memories/", {"name": "mina", "password": PASSWORD, "next": "/memories/"})
    assert (answer.status_code, answer["Location"]) == (302, "/memories/")
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("to", ["https://example.org/", "//example.org", "javascript:alert(1)", "/\\example.org"])
def test_the_door_never_sends_anybody_elsewhere(mina: User, to: str) -> None:
    answer = Client().post("/login/", {"name": "mina", "password": PASSWORD, "next": to})
    assert answer["Location"] == "/"


def test_a_wrong_password_is_said_and_after_five_there_is_a_pause(mina: User) -> None:
    client = Client()
    for _ in range(4):
        answer = client.post("/login/", {"name": "mina", "password": "wrong"})
        assert answer.status_code == 401
        assert "Wrong name or password" in answer.content.decode()
    answer = client.post("/login/", {"name": "mina", "password": "wrong"})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert b"data-wait" in answer.content
    assert client.post("/login/", {"name": "mina", "password": PASSWORD}).status_code == 429


def test_a_link_signs_in_once(mina: User) -> None:
    token = make_login_token(mina)
    first, second = Client(), Client()
    assert first.post(f"/login/{token}")["Location"] == "/"
    assert first.get("/").status_code == 200
    for answer in (second.get(f"/login/{token}"), second.post(f"/login/{token}")):
        assert answer.status_code == 410
        assert "has been used" in answer.content.decode()
    assert second.get("/")["Location"].startswith("/login/")


def test_a_link_that_is_only_looked_at_signs_nobody_in_and_stays_good(mina: User) -> None:
    token, client = make_login_token(mina), Client()
    for _ in range(3):  # a prefetch, a chat's preview, the person
        page = client.get(f"/login/{token}", headers={"sec-purpose": "prefetch"})
        assert page.status_code == 200 and "Sign in as mina" in page.content.decode()
    assert client.head(f"/login/{token}").status_code == 200
    assert client.get("/")["Location"].startswith("/login/")
    assert client.post(f"/login/{token}")["Location"] == "/"


def test_somebody_elses_link_does_not_swap_who_is_signed_in(mina: User) -> None:
    """Neither an opened link nor a form on another site signs somebody out of their own session."""
    eve = create_person("eve", password=PASSWORD, admin=True)
    client = Client(enforce_csrf_checks=True)
    client.force_login(mina)
    page = client.get(f"/login/{make_login_token(eve)}").content.decode()
    assert "You are signed in as mina" in page and "Stay signed in as mina" in page
    answer = client.post(f"/login/{make_login_token(eve)}", headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert client.session["_auth_user_id"] == str(mina.pk)


def test_whoever_is_signed_in_already_goes_home_and_the_link_stays_good(mina: User) -> None:
    token, client = make_login_token(mina), Client()
    client.force_login(mina)
    assert client.get(f"/login/{token}")["Location"] == "/"
    assert Client().post(f"/login/{token}")["Location"] == "/"


def test_signing_out_closes_the_door_and_takes_a_post(mina: User) -> None:
    client = Client()
    client.force_login(mina)
    assert client.get("/logout/").status_code == 405
    assert client.post("/logout/")["Location"] == "/login/"
    assert client.get("/")["Location"].startswith("/login/")


def test_no_page_with_a_password_is_kept_by_the_browser(mina: User) -> None:
    assert "no-store" in Client().get("/login/")["Cache-Control"]

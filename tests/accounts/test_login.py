from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone

from memoryapp.accounts.login import (
    LoginAttempt,
    address_of,
    login_token_person,
    make_login_token,
    try_password,
    use_login_token,
)
from memoryapp.accounts.models import LoginFailure, LoginLink
from memoryapp.accounts.people import set_active

RIGHT, WRONG = "correct horse battery", "no horse at all"


def request_from(address: str = "192.0.2.1") -> HttpRequest:
    return RequestFactory().post("/login/", REMOTE_ADDR=address)


def test_a_login_link_lets_in_once(bob: User) -> None:
    token = make_login_token(bob)
    assert use_login_token(token) == bob
    assert use_login_token(token) is None


def test_asking_whom_a_login_link_lets_in_does_not_use_it_up(bob: User) -> None:
    token = make_login_token(bob)
    assert login_token_person(token) == login_token_person(token) == bob
    assert use_login_token(token) == bob
    assert login_token_person(token) is None
    bob.is_active = False
    bob.save()
    assert login_token_person(make_login_token(bob)) is None


def test_a_login_link_is_stored_as_a_hash(bob: User) -> None:
    token = make_login_token(bob)
    assert not LoginLink.objects.filter(token_hash=token).exists()
    assert LoginLink.objects.filter(user=bob).count() == 1


def test_an_expired_login_link_lets_nobody_in(bob: User) -> None:
    assert use_login_token(make_login_token(bob, lasts=timedelta(seconds=-1))) is None


@pytest.mark.parametrize("token", ["", "x", "é" * 100, "\ud800"])
def test_a_made_up_login_link_lets_nobody_in(bob: User, token: str) -> None:
    assert use_login_token(token) is None


def test_a_login_link_of_somebody_shut_out_lets_nobody_in(ada: User, bob: User) -> None:
    token = make_login_token(bob)
    set_active(bob, False)
    assert use_login_token(token) is None


def test_long_expired_links_are_cleared_away(bob: User) -> None:
    make_login_token(bob, lasts=timedelta(days=-2))
    make_login_token(bob)
    assert LoginLink.objects.count() == 1


def test_the_right_password_lets_in_and_a_wrong_one_does_not(bob: User) -> None:
    assert try_password(request_from(), "bob", RIGHT) == LoginAttempt(bob)
    assert try_password(request_from(), "bob", WRONG) == LoginAttempt(None)
    assert try_password(request_from(), "nobody", WRONG).person is None


def test_after_five_failures_even_the_right_password_waits(bob: User) -> None:
    waits = [try_password(request_from(), "bob", WRONG).wait_seconds for _ in range(5)]
    assert waits[:4] == [0, 0, 0, 0]
    assert 290 <= waits[4] <= 300
    held = try_password(request_from(), "bob", RIGHT)
    assert held.person is None and 290 <= held.wait_seconds <= 300


def test_capitals_do_not_get_round_the_brake(bob: User) -> None:
    for name in ("bob", "BOB", "Bob", "bOb", "boB"):
        try_password(request_from(), name, WRONG)
    assert try_password(request_from(), "bob", RIGHT).person is None


@pytest.mark.parametrize("name", ["ß" * 150, "ﬃ" * 200, "bo\x00b", "\ud800"])
def test_whatever_is_given_as_a_name_fits_the_count_and_is_braked(bob: User, name: str) -> None:
    for _ in range(5):
        try_password(request_from(), name, WRONG)
    (kept,) = set(LoginFailure.objects.values_list("name", flat=True))
    assert len(kept) <= 150 and "\x00" not in kept
    assert try_password(request_from(), name, WRONG).wait_seconds > 0


def test_failures_from_elsewhere_do_not_lock_a_person_out(bob: User) -> None:
    for _ in range(6):
        try_password(request_from("198.51.100.7"), "bob", WRONG)
    assert try_password(request_from("192.0.2.1"), "bob", RIGHT).person == bob


def test_after_five_minutes_the_door_opens_again(bob: User) -> None:
    for _ in range(5):
        try_password(request_from(), "bob", WRONG)
    LoginFailure.objects.update(at=timezone.now() - timedelta(minutes=5, seconds=1))
    assert try_password(request_from(), "bob", RIGHT).person == bob


def test_coming_in_forgets_the_failures_before(bob: User) -> None:
    for _ in range(4):
        try_password(request_from(), "bob", WRONG)
    try_password(request_from(), "bob", RIGHT)
    assert try_password(request_from(), "bob", WRONG).wait_seconds == 0


def test_a_forwarded_header_does_not_change_the_address() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR="203.0.113.9")
    assert address_of(request) == "192.0.2.1"

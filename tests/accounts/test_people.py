from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User

from memoryapp.accounts.models import Space
from memoryapp.accounts.people import (
    create_person,
    first_admin,
    person_named,
    role_in,
    set_active,
    set_password,
    set_role,
)
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, NotFound

pytestmark = pytest.mark.django_db


def test_a_person_has_the_role_they_were_given_and_none_elsewhere(space: Space, other: Space) -> None:
    eve = create_person("eve", space=space, role=Role.CURATOR)
    assert (role_in(eve, space), role_in(eve, other)) == (Role.CURATOR, None)


def test_an_administrator_is_one_in_every_space(ada: User, space: Space) -> None:
    assert role_in(ada, space) is Role.ADMIN


def test_nobody_and_somebody_shut_out_have_no_role(ada: User, bob: User, space: Space) -> None:
    set_active(bob, False)
    assert role_in(bob, space) is None
    assert role_in(AnonymousUser(), space) is None  # type: ignore[arg-type]


def test_a_role_can_be_changed_and_taken_away(bob: User, space: Space) -> None:
    set_role(bob, space, Role.WRITER)
    assert role_in(bob, space) is Role.WRITER
    set_role(bob, space, None)
    assert role_in(bob, space) is None


def test_a_name_is_taken_whatever_its_capitals() -> None:
    create_person("Ada")
    with pytest.raises(Clash) as caught:
        create_person("ada")
    assert caught.value.field == "/name"


@pytest.mark.parametrize("name", ["", "two words", "a/b", "x" * 151, "a\x00b"])
def test_a_name_that_cannot_be_one_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        create_person(name)


@pytest.mark.parametrize("password", ["short", "password123", "catherine1"])
def test_a_weak_password_is_refused_with_the_reason(password: str) -> None:
    with pytest.raises(BadInput) as caught:
        create_person("catherine", password=password)
    assert caught.value.field == "/password"
    assert not User.objects.filter(username="catherine").exists()


def test_without_a_password_no_password_lets_a_person_in() -> None:
    eve = create_person("eve")
    assert not eve.has_usable_password()
    set_password(eve, "a long enough one")
    assert User.objects.get(pk=eve.pk).check_password("a long enough one")


def test_the_first_administrator_is_made_once() -> None:
    first = first_admin("grace")
    assert (first.username, first.is_superuser, first.has_usable_password()) == ("grace", True, False)
    assert first_admin("somebody else") == first


def test_the_first_administrator_gets_a_free_name() -> None:
    create_person("grace")
    assert first_admin("grace").username == "grace2"
    assert first_admin("!!!").username == "grace2"


def test_the_first_administrator_gets_a_name_that_is_free_whatever_its_capitals() -> None:
    create_person("Minsu")
    assert first_admin("minsu").username == "minsu2"


def test_a_login_name_of_odd_characters_still_makes_an_administrator() -> None:
    assert first_admin("DOMAIN\\Ada Lovelace").username == "DOMAINAdaLovelace"


def test_the_last_administrator_cannot_be_shut_out(ada: User) -> None:
    with pytest.raises(Clash):
        set_active(ada, False)
    create_person("second", admin=True)
    set_active(ada, False)
    assert not User.objects.get(pk=ada.pk).is_active


def test_a_person_nobody_knows_is_not_found() -> None:
    with pytest.raises(NotFound):
        person_named("nobody")

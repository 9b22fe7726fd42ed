from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.people import create_person, role_in, set_active
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import (
    DEFAULT,
    create_space,
    default_space,
    set_parent,
    set_settings,
    space_named,
    spaces_of,
    spaces_of_key,
)
from memoryapp.domain.errors import BadInput, Clash, NotFound

pytestmark = pytest.mark.django_db


def test_the_default_space_is_always_there() -> None:
    assert space_named(DEFAULT) == default_space()
    assert Space.objects.filter(name=DEFAULT).count() == 1


def test_whoever_makes_a_space_rules_it() -> None:
    eve = create_person("eve")
    assert role_in(eve, create_space("hers", created_by=eve)) is Role.ADMIN


@pytest.mark.parametrize("name", ["", "Über", "two words", "../etc", "a" * 41, "a_b", "default\n"])
def test_a_name_that_could_not_be_a_folder_is_refused(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        create_space(name)
    assert caught.value.field == "/name"


def test_a_name_is_taken_once(space: Space) -> None:
    with pytest.raises(Clash):
        create_space(space.name)


def test_a_space_nobody_made_is_not_found() -> None:
    with pytest.raises(NotFound):
        space_named("nowhere")


def test_a_space_takes_the_model_of_its_parent(space: Space) -> None:
    Space.objects.filter(pk=space.pk).update(encoder="another-model")
    space.refresh_from_db()
    assert create_space("child", parent=space).encoder == "another-model"
    assert create_space("orphan").encoder == settings.ENCODER


def test_a_space_cannot_be_below_itself(space: Space) -> None:
    child = create_space("child", parent=space)
    grandchild = create_space("grandchild", parent=child)
    for below in (space, child, grandchild):
        with pytest.raises(BadInput):
            set_parent(space, below)


def test_two_who_put_two_spaces_below_each_other_at_once_make_no_circle(space: Space, other: Space) -> None:
    one, two = Space.objects.get(pk=space.pk), Space.objects.get(pk=other.pk)  # as both pages read them
    set_parent(one, two)
    with pytest.raises(BadInput, match="below itself"):
        set_parent(other, space)
    set_parent(Space.objects.get(pk=space.pk), None)
    set_parent(other, space)


def test_people_and_keys_see_the_spaces_that_are_open_to_them(ada: User, bob: User, space: Space, other: Space) -> None:
    assert set(spaces_of(bob)) == {space}
    assert {space, other} <= set(spaces_of(ada))
    assert set(spaces_of_key(create_key("k", role=Role.READER, space=other)[0])) == {other}
    assert {space, other} <= set(spaces_of_key(create_key("k", role=Role.READER, created_by=ada)[0]))
    set_active(bob, False)
    assert not spaces_of(bob).exists()


def test_a_setting_nobody_knows_is_refused_by_name(space: Space) -> None:
    with pytest.raises(BadInput) as caught:
        set_settings(space, {"speed": 3})
    assert "speed" in caught.value.detail
    set_settings(space, {"rrf_k": 30})
    assert Space.objects.get(pk=space.pk).settings == {"rrf_k": 30}

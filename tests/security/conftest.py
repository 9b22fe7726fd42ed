"""A space with secrets, somebody of it for every role, and an intruder who rules another space."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.interfaces.api.throttle import buckets
from memoryapp.spaces import close_space
from tests.api.conftest import Agent
from tests.samples import REVIEW
from tests.security.world import Theirs, filled_space


@pytest.fixture(autouse=True)
def _fresh_buckets() -> None:
    buckets.clear()


@pytest.fixture
def row(db: None) -> Iterator[Space]:
    name = f"s-{new_id()}"
    yield create_space(name, overrides=dict(REVIEW))
    close_space(name)


@pytest.fixture
def owner(row: Space) -> Agent:
    return Agent(create_key("the owner", role=Role.ADMIN, space=row)[1])


@pytest.fixture
def theirs(row: Space, owner: Agent) -> Theirs:
    return filled_space(row, owner)


@pytest.fixture
def elsewhere(db: None) -> Iterator[Space]:
    name = f"e-{new_id()}"
    yield create_space(name, overrides=dict(REVIEW))
    close_space(name)


@pytest.fixture
def intruder(elsewhere: Space) -> Agent:
    """A key that rules another space."""
    return Agent(create_key("the intruder", role=Role.ADMIN, space=elsewhere)[1])


@pytest.fixture
def stranger(elsewhere: Space) -> Client:
    """A person who rules another space, signed in."""
    return signed_in(create_person(f"x-{new_id()[:8]}", space=elsewhere, role=Role.ADMIN))


@pytest.fixture
def admin(row: Space) -> Client:
    return signed_in(create_person(f"a-{new_id()[:8]}", space=row, role=Role.ADMIN))


def signed_in(person: User, *, careful: bool = False) -> Client:
    """`careful`: asks for the token that a form carries, as a browser's requests are asked."""
    client = Client(enforce_csrf_checks=careful)
    client.force_login(person)
    return client

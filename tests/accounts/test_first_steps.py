"""What is known of a space's first steps: who called it, when it was asked, whether Home shows them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.accounts.first_steps import ON_THIS_MACHINE, are_shown, connected_agent, note_question
from memoryapp.accounts.keys import authenticate_key, create_key, valid_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.domain.identity import new_id
from memoryapp.domain.trace import Act, Asker, Result, Trace
from memoryapp.management.agents import key_for_agents
from memoryapp.store import traces


def called(row: Space, agent: str, key: str = "pal_0") -> None:
    """Leaves the trace of a call."""
    now = timezone.now()
    one = Trace(
        new_id(), now, Act.SEARCH, "where is it?", of_all=True, asker=Asker(agent, key, "writer"), strategy="hybrid",
        result=Result.NOTHING, given=(), tokens=0, ms=1.0,
    )  # fmt: skip
    traces.keep(open_row(row).db, [one])


def test_the_first_question_counts(space: Space) -> None:
    note_question(space)
    first = Space.objects.get(pk=space.pk).asked_at
    note_question(Space.objects.get(pk=space.pk))
    assert first is not None and Space.objects.get(pk=space.pk).asked_at == first


def test_they_are_shown_while_a_space_is_new_or_empty_and_they_are_not_done(space: Space) -> None:
    now = space.created_at + timedelta(days=6)
    later = space.created_at + timedelta(days=8)
    assert are_shown(space, empty=False, done=False, now=now) and not are_shown(space, empty=False, done=True, now=now)
    assert are_shown(space, empty=True, done=False, now=later)
    assert not are_shown(space, empty=False, done=False, now=later)
    space.first_steps = "shown"
    assert are_shown(space, empty=False, done=True, now=later)
    space.first_steps = "hidden"
    assert not are_shown(space, empty=True, done=False, now=now)


def test_a_key_that_was_only_looked_at_is_no_agent(space: Space) -> None:
    _, text = create_key("atlas", role=Role.WRITER, space=space)
    assert valid_key(text) is not None and connected_agent(space, open_row(space).db) == ""
    authenticate_key(text)
    assert connected_agent(space, open_row(space).db) == "atlas"


def test_connecting_an_agent_again_is_no_call(space: Space, tmp_path: Any, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    text = key_for_agents(Role.WRITER, space.name)
    assert key_for_agents(Role.WRITER, space.name) == text
    assert connected_agent(space, open_row(space).db) == ""
    authenticate_key(text)
    assert connected_agent(space, open_row(space).db) == "an agent on this machine"
    called(space, f"{ON_THIS_MACHINE}/claude-code")
    assert connected_agent(space, open_row(space).db) == "claude-code"


@pytest.mark.parametrize("asked", [True, False])
def test_a_key_for_every_space_counts_where_it_left_a_trace(space: Space, asked: bool) -> None:
    key, text = create_key("everywhere", role=Role.WRITER, agent="scout")
    authenticate_key(text)
    if asked:
        called(space, "scout", f"pal_{key.prefix}")
    assert connected_agent(space, open_row(space).db) == ("scout" if asked else "")

"""An endpoint that keeps failing is left alone, and tried again later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from memoryapp.domain.errors import LlmDown, LlmError
from memoryapp.inference.llm import ChatModel, write
from memoryapp.inference.llm.model import Breaker
from tests.chat_server import Answer, ChatServer, completion, model_at, refusal

START = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
REST = timedelta(seconds=30)


@dataclass
class StoppedClock:
    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


def fail(model: ChatModel) -> str:
    with pytest.raises(LlmError) as raised:
        write(model, "Retell it.", "material", max_tokens=50)
    return raised.value.detail


def test_after_failures_in_a_row_it_is_not_asked_until_its_rest_is_over(
    chat_server: ChatServer, clock: StoppedClock
) -> None:
    model = model_at(chat_server, clock=clock, failures=3, rest=REST)
    chat_server.answers = [refusal(404, "gone"), Answer(body=b"<html>"), refusal(404, "gone")]
    for _ in range(3):
        fail(model)
    assert "404 gone" in fail(model) and "left alone until 12:00:30 UTC" in fail(model)
    assert len(chat_server.asked) == 3
    state = model.state()
    assert (state.status, state.since, state.again_at) == ("down", START, START + REST)
    assert "404 gone" in state.problem

    clock.now = START + REST
    chat_server.answers = [completion("fine"), completion("fine")]
    for _ in range(2):
        assert write(model, "Retell it.", "material", max_tokens=50)[0] == "fine"
    state = model.state()
    assert (state.status, state.since, state.again_at) == ("ok", None, None)
    assert "404 gone" in state.problem and state.problem_at == START  # what was wrong last can still be read


def test_one_that_still_fails_after_its_rest_is_left_alone_again(chat_server: ChatServer, clock: StoppedClock) -> None:
    model = model_at(chat_server, clock=clock, failures=2, rest=REST)
    chat_server.judge = lambda body: refusal(404, "gone")
    fail(model)
    fail(model)
    clock.now += REST
    fail(model)
    fail(model)
    assert len(chat_server.asked) == 3
    assert model.state().since == START


def test_a_success_between_failures_keeps_it_in_use(chat_server: ChatServer, clock: StoppedClock) -> None:
    model = model_at(chat_server, clock=clock, failures=2, rest=REST)
    chat_server.answers = [refusal(404), completion("fine"), refusal(404), completion("fine")]
    assert model.state().status == "untried"
    for _ in range(2):
        fail(model)
        assert model.state().status == "failing"
        write(model, "Retell it.", "material", max_tokens=50)
    assert len(chat_server.asked) == 4


def test_when_the_rest_is_over_one_caller_tries_and_the_others_wait(clock: StoppedClock) -> None:
    breaker = Breaker(clock=clock, failures=1, rest=REST)
    breaker.failed("broken")
    assert breaker.resting_until() == START + REST
    clock.now += REST
    assert breaker.resting_until() is None
    assert breaker.resting_until() == START + 2 * REST


def test_an_error_while_it_rests_costs_nothing(chat_server: ChatServer, clock: StoppedClock) -> None:
    model = model_at(chat_server, clock=clock, failures=1, rest=REST)
    chat_server.answers = [refusal(404)]
    fail(model)
    with pytest.raises(LlmDown) as raised:
        write(model, "Retell it.", "material", max_tokens=50)
    assert raised.value.cost is None

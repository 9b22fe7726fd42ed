"""A chat model as a judge of two statements."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memoryapp.contradictions.model_judges import model_judge
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.fact import Cost
from memoryapp.domain.statement import Relation, Statement
from tests.chat_server import ChatServer, completion, model_at, refusal

SPRINT = Statement("The sprint lasts two weeks.", at=datetime(2026, 1, 5, tzinfo=UTC), speaker="Mina")
LONGER = Statement("We plan in three-week iterations.", at=datetime(2026, 2, 9, tzinfo=UTC), speaker="Jun")
JUDGEMENT = {
    "relation": "conflict",
    "outcome": "replace",
    "reason": "the length of a sprint",
    "confidence": 0.8,
    "attribute": "sprint length",
}


def judged(server: ChatServer, answer: Any, existing: Statement = SPRINT, incoming: Statement = LONGER) -> Any:
    server.judge = lambda body: completion(answer)
    return model_judge(model_at(server))(existing, incoming)


def test_a_conflict_by_a_model_is_a_possible_one_for_a_person_to_look_at(chat_server: ChatServer) -> None:
    verdict = judged(chat_server, JUDGEMENT)
    assert (verdict.relation, verdict.detector, verdict.outcome) == (Relation.POSSIBLE, "llm", Outcome.REPLACE)
    assert (verdict.reason, verdict.confidence, verdict.attribute) == ("the length of a sprint", 0.8, "sprint length")


@pytest.mark.parametrize("relation", ["unrelated", "compatible", "same", "succession"])
def test_every_other_relation_is_taken_as_it_is(chat_server: ChatServer, relation: str) -> None:
    outcome = "replace" if relation == "succession" else "both"
    verdict = judged(chat_server, {**JUDGEMENT, "relation": relation, "outcome": outcome})
    assert (verdict.relation, verdict.outcome) == (Relation(relation), Outcome(outcome))


@pytest.mark.parametrize(("relation", "outcome"), [("compatible", "replace"), ("unrelated", "neither")])
def test_a_verdict_that_contradicts_itself_is_none(chat_server: ChatServer, relation: str, outcome: str) -> None:
    assert judged(chat_server, {**JUDGEMENT, "relation": relation, "outcome": outcome}) is None


def test_both_statements_are_material_with_their_times(chat_server: ChatServer) -> None:
    judged(chat_server, JUDGEMENT)
    told = chat_server.said(0, 1)
    assert "two weeks" in told and "three-week" in told and '"said": "2026-01-05"' in told and told.startswith("<mat")


@pytest.mark.parametrize("confidence", [0.4, "high", None, -3, float("nan")])
def test_a_model_that_is_not_sure_has_no_verdict(chat_server: ChatServer, confidence: Any) -> None:
    assert judged(chat_server, {**JUDGEMENT, "confidence": confidence}) is None


def test_statements_with_different_numbers_are_never_the_same(chat_server: ChatServer) -> None:
    five, six = Statement("The limit is 5 GB."), Statement("The limit is 6 GB.")
    same = {**JUDGEMENT, "relation": "same", "outcome": "keep"}
    assert judged(chat_server, same, five, six) is None
    assert judged(chat_server, same, five, five).relation is Relation.SAME


@pytest.mark.parametrize("answer", ["nonsense", {"relation": "enemies"}, {**JUDGEMENT, "outcome": "burn"}])
def test_nonsense_is_no_verdict_and_is_paid_for(chat_server: ChatServer, answer: Any) -> None:
    spent: list[Cost] = []
    chat_server.judge = lambda body: completion(answer)
    assert model_judge(model_at(chat_server), spend=spent.append)(SPRINT, LONGER) is None
    assert [cost.calls for cost in spent] == [2]


def test_a_model_that_is_down_is_no_verdict_and_costs_nothing_while_it_is_left_alone(chat_server: ChatServer) -> None:
    spent: list[Cost] = []
    chat_server.judge = lambda body: refusal(404)
    judge = model_judge(model_at(chat_server, failures=2), spend=spent.append)
    assert [judge(SPRINT, LONGER) for _ in range(4)] == [None] * 4
    assert len(chat_server.asked) == 2 and len(spent) == 2


def test_what_a_judgement_costs_is_told(chat_server: ChatServer) -> None:
    spent: list[Cost] = []
    chat_server.judge = lambda body: completion(JUDGEMENT, tokens_in=90)
    model_judge(model_at(chat_server), spend=spent.append)(SPRINT, LONGER)
    assert [(cost.calls, cost.tokens_in) for cost in spent] == [(1, 90)]

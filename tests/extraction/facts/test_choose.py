"""Who reads the turns, and what happens when the model cannot."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.domain.fact import SpokenTurn
from memoryapp.extraction.facts.choose import reader_of
from tests.chat_server import Answer, ChatServer, completion, model_at, refusal

LIVES = SpokenTurn("I live in Busan with my sister.", speaker="Mina")
BY_RULES = "Mina lives in Busan with their sister."
REWORDED = "Mina lives with her sister in Busan."
FACT = {"text": "Mina lives in Busan with her sister.", "quote": "I live in Busan with my sister", "stated": "explicit"}
FOUND = {"turns": [{"turn": 1, "facts": [FACT]}]}


def rewords(body: dict[str, Any]) -> bool:
    return "response_format" not in body


@pytest.mark.parametrize("setting", ["auto", "llm"])
def test_where_there_is_a_model_it_puts_the_facts_of_the_rules_into_words(
    chat_server: ChatServer, setting: str
) -> None:
    chat_server.answers = [completion(REWORDED)]
    reader = reader_of(setting, model=model_at(chat_server), worth=2.5)
    (read,) = reader.read([LIVES])
    assert reader.name == read.extractor == "llm small-model"
    assert [fact.text for fact in read.candidates] == [REWORDED] and read.problem == ""
    assert (read.asked, read.reworded, read.cost.calls) == (1, 1, 1)


def test_a_model_that_never_proved_able_is_not_asked_for_facts(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: completion(REWORDED)
    reader_of("llm", model=model_at(chat_server), worth=2.5).read([LIVES, SpokenTurn("Good morning!")])
    assert [rewords(body) for body in chat_server.asked] == [True]


def test_one_that_did_finds_facts_and_what_it_leaves_out_is_kept(chat_server: ChatServer) -> None:
    parrots = SpokenTurn("I keep two parrots and a tortoise in the kitchen.", speaker="Mina")
    chat_server.judge = lambda body: completion("Hm?") if rewords(body) else completion(FOUND)
    reader = reader_of("auto", model=model_at(chat_server), worth=2.5, extracts=True)
    one, two = reader.read([LIVES, parrots])
    assert [fact.text for fact in one.candidates] == [FACT["text"]] and one.extractor == "llm small-model"
    assert [fact.text for fact in two.candidates] == ["Mina keeps two parrots and a tortoise in the kitchen."]
    assert two.extractor == "rules" and (two.asked, two.reworded) == (1, 0)


def test_a_fact_of_the_model_that_says_less_does_not_push_out_the_one_of_the_rules(chat_server: ChatServer) -> None:
    less = {**FACT, "text": "Mina has a sister."}
    found = completion({"turns": [{"turn": 1, "facts": [less]}]})
    chat_server.judge = lambda body: completion("Hm?") if rewords(body) else found
    (read,) = reader_of("llm", model=model_at(chat_server), worth=2.5, extracts=True).read([LIVES])
    assert [fact.text for fact in read.candidates] == [BY_RULES]


def test_rules_read_where_they_are_chosen_and_the_model_is_left_alone(chat_server: ChatServer) -> None:
    reader = reader_of("rules", model=model_at(chat_server), worth=2.5)
    (read,) = reader.read([LIVES])
    assert reader.name == read.extractor == "rules"
    assert any("Busan" in fact.text for fact in read.candidates) and read.problem == ""
    assert chat_server.asked == []


def test_auto_without_a_model_is_rules_and_no_problem() -> None:
    (read,) = reader_of("auto", model=None, worth=2.5).read([LIVES])
    assert (read.extractor, read.problem) == ("rules", "") and read.candidates


def test_a_model_that_is_wanted_and_not_set_up_is_a_problem_and_rules_read() -> None:
    (read,) = reader_of("llm", model=None, worth=2.5).read([LIVES])
    assert read.extractor == "rules" and read.candidates
    assert "MEMORY_LLM_URL" in read.problem


def test_off_learns_nothing(chat_server: ChatServer) -> None:
    (read,) = reader_of("off", model=model_at(chat_server), worth=2.5).read([LIVES])
    assert (read.extractor, read.candidates, chat_server.asked) == ("off", (), [])


def test_another_setting_is_refused() -> None:
    with pytest.raises(BadInput, match="auto, rules, llm, off"):
        reader_of("magic", model=None, worth=2.5)


@pytest.mark.parametrize(
    ("answer", "timeout", "says"),
    [
        (refusal(401, "who are you"), 10.0, "401 who are you"),
        (completion(REWORDED, after=0.6), 0.2, "no answer within"),
        (completion(""), 10.0, "nothing usable"),
        (refusal(400, "too long"), 10.0, "400 too long"),
        (Answer(body={"choices": []}), 10.0, "not in the form"),
    ],
    ids=["down", "slow", "silent", "refused", "empty"],
)
def test_when_the_model_fails_the_facts_stay_as_they_were_and_the_turn_says_why(
    chat_server: ChatServer, answer: Answer, timeout: float, says: str
) -> None:
    chat_server.judge = lambda body: answer
    reader = reader_of("llm", model=model_at(chat_server, timeout=timeout), worth=2.5)
    (read,) = reader.read([LIVES])
    assert read.extractor == "rules" and [fact.text for fact in read.candidates] == [BY_RULES]
    assert says in read.problem and "small-model" in read.problem and (read.asked, read.reworded) == (0, 0)


def test_what_a_failed_model_has_cost_is_counted_with_its_turn(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: completion("", tokens_in=70)
    read = reader_of("llm", model=model_at(chat_server), worth=2.5).read([LIVES, LIVES])
    assert [(one.cost.calls, one.cost.tokens_in) for one in read] == [(2, 140), (2, 140)]


def test_a_model_that_fails_to_find_facts_fails_alone(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: completion(REWORDED) if rewords(body) else completion("nonsense")
    (read,) = reader_of("auto", model=model_at(chat_server), worth=2.5, extracts=True).read([LIVES])
    assert [fact.text for fact in read.candidates] == [REWORDED] and "holds no JSON object" in read.problem
    assert (read.cost.calls, read.reworded) == (3, 1)

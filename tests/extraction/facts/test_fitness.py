"""A model is tried on turns whose facts are known, before it is trusted with others."""

from __future__ import annotations

import json
from typing import Any

from memoryapp.extraction.facts.fitness import Fitness, fitness_of, known_turns
from memoryapp.extraction.facts.reword import ground_of
from memoryapp.extraction.grounding import fault_of_rewording
from tests.chat_server import Answer, ChatServer, completion, model_at, refusal

OWN = {one.candidate.quote: one.candidate.text for one in known_turns() if one.candidate is not None}


def able(body: dict[str, Any]) -> Answer:
    """Says each fact as the rules word it, and finds exactly those."""
    said = body["messages"][-1]["content"]
    if "response_format" not in body:
        return completion(OWN[said.partition("Sentence: ")[2].removesuffix("\n</material>")], tokens_out=20)
    turns = json.loads(said.removeprefix("<material>\n").removesuffix("\n</material>"))["turns"]
    found = [
        {"turn": turn["turn"], "facts": [{"text": own, "quote": quote, "stated": "explicit"}]}
        for turn in turns
        for quote, own in OWN.items()
        if quote in turn["text"]
    ]
    return completion({"turns": found})


def test_the_known_turns_are_a_dozen_facts_whose_own_wording_is_mostly_right() -> None:
    stated = [one for one in known_turns() if one.candidate is not None]
    assert (len(stated), len(known_turns())) == (12, 14)
    for one in stated:
        assert one.candidate is not None and one.candidate.quote in one.said.text
        ground = ground_of(one.candidate, one.said, before=one.before)
        fault = fault_of_rewording(one.candidate.text.partition("Ines: ")[2] or one.candidate.text, ground)
        assert fault in ("", "it begins with “She”"), (one.candidate.text, fault)


def test_an_able_model_may_word_facts_and_find_some(chat_server: ChatServer) -> None:
    chat_server.judge = able
    fit = fitness_of(model_at(chat_server))
    assert (fit.sentences, fit.turns, fit.problem) == (12, 14, "")
    assert fit.rewords >= 11 and fit.extracts >= 12
    assert fit.may_reword and fit.may_extract and fit.seconds > 0 and fit.speed > 0
    assert fit.told.startswith(f"rewrites facts: {fit.rewords} of 12 right; extraction: {fit.extracts} of 14; ")


def test_a_model_that_finds_one_fact_is_used_for_words_alone(chat_server: ChatServer) -> None:
    one = {
        "turns": [{"turn": 1, "facts": [{"text": "Ines signed for the flat in Porto.", "quote": "the flat in Porto"}]}]
    }
    chat_server.judge = lambda body: completion(one) if "response_format" in body else able(body)
    fit = fitness_of(model_at(chat_server))
    assert fit.may_reword and not fit.may_extract
    assert "so it is not used for that" in fit.told.partition("extraction")[2]


def test_a_model_that_talks_is_used_for_nothing(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: completion({"turns": []} if "response_format" in body else "What a lovely chat!")
    fit = fitness_of(model_at(chat_server))
    assert (fit.rewords, fit.extracts) == (0, 2) and not fit.may_reword and not fit.may_extract


def test_a_model_that_fails_ends_the_test_and_says_why(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: refusal(401, "who are you")
    fit = fitness_of(model_at(chat_server))
    assert "who are you" in fit.problem and fit.problem in fit.told and len(chat_server.asked) == 1
    assert not fit.may_extract


def test_an_untested_model_words_facts_and_finds_none() -> None:
    assert Fitness("m").may_reword and not Fitness("m").may_extract

"""Who reads texts for relations, and what happens when the model cannot."""

from __future__ import annotations

import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.domain.relation import MadeBy
from memoryapp.extraction.facts.llm import TURNS_A_CALL
from memoryapp.extraction.relations.choose import made_by, relation_reader_of
from memoryapp.extraction.relations.sentences import Text
from tests.chat_server import ChatServer, completion, model_at, refusal
from tests.extraction.relations.told import lines_of

USES = Text("Adam uses Nix.")
RELATION = {"subject": "Adam", "type": "prefers", "object": "Nix", "quote": "Adam uses Nix", "stated": "explicit"}
FOUND = {"texts": [{"text": 1, "relations": [RELATION]}]}


@pytest.mark.parametrize("setting", ["auto", "llm"])
def test_where_there_is_a_model_it_reads(chat_server: ChatServer, setting: str) -> None:
    chat_server.answers = [completion(FOUND)]
    reader = relation_reader_of(setting, model=model_at(chat_server))
    (reading,) = reader.read([USES])
    assert reader.name == reading.reader == "llm small-model" and made_by(reading) is MadeBy.LLM
    assert lines_of(reading.stated) == {"Adam prefers Nix"} and reading.problem == ""


def test_rules_read_where_they_are_chosen_and_the_model_is_left_alone(chat_server: ChatServer) -> None:
    (reading,) = relation_reader_of("rules", model=model_at(chat_server)).read([USES])
    assert lines_of(reading.stated) == {"Adam uses Nix"} and made_by(reading) is MadeBy.RULES
    assert (reading.reader, reading.problem, chat_server.asked) == ("rules", "", [])


def test_a_model_that_is_wanted_and_not_set_up_is_a_problem_and_auto_is_none() -> None:
    (wanted,) = relation_reader_of("llm", model=None).read([USES])
    (auto,) = relation_reader_of("auto", model=None).read([USES])
    assert "MEMORY_LLM_URL" in wanted.problem and auto.problem == ""
    assert wanted.stated == auto.stated != ()


def test_off_finds_nothing() -> None:
    (reading,) = relation_reader_of("off", model=None).read([USES])
    assert (reading.stated, reading.reader) == ((), "off")


def test_another_setting_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(BadInput, match="auto, rules, llm, off"):
        relation_reader_of("magic", model=None)


def test_what_the_model_fails_at_the_rules_read_and_say_so(chat_server: ChatServer) -> None:
    chat_server.answers = [completion(FOUND), completion("no"), completion("no"), completion(FOUND)]
    texts = [USES] * (2 * TURNS_A_CALL + 1)
    readings = relation_reader_of("auto", model=model_at(chat_server)).read(texts)
    by = [one.reader.split()[0] for one in readings]
    assert by == ["llm"] * TURNS_A_CALL + ["rules"] * TURNS_A_CALL + ["llm"]
    assert all(bool(one.problem) == (one.reader == "rules") for one in readings)
    assert all(lines_of(one.stated) == {"Adam uses Nix"} for one in readings if one.reader == "rules")
    assert readings[TURNS_A_CALL].cost.calls == 2


def test_a_model_that_refuses_costs_no_text(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: refusal(400, "too long")
    (reading,) = relation_reader_of("auto", model=model_at(chat_server)).read([USES])
    assert lines_of(reading.stated) == {"Adam uses Nix"} and "too long" in reading.problem


def test_no_texts_are_no_readings() -> None:
    assert relation_reader_of("auto", model=None).read([]) == []

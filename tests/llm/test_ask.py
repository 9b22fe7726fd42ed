"""A question with an answer of a known shape, asked of a real server."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from memoryapp.domain.errors import LlmNonsense, LlmRefused
from memoryapp.domain.turn import Role
from memoryapp.inference.llm import Message, ask, system, user
from tests.chat_server import Answer, ChatServer, completion, model_at, refusal


class Animal(BaseModel):
    name: str = Field(max_length=20)
    kind: Literal["cat", "dog"] = "cat"
    title: str | None = None


QUESTION = [system("You know animals."), user("Which one?")]
BISCUIT = {"name": "Biscuit", "kind": "dog", "title": None}


def test_an_answer_that_fits_is_handed_back_as_what_was_asked_for(chat_server: ChatServer) -> None:
    chat_server.answers = [completion(BISCUIT)]
    asked = ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)
    assert asked.parsed == Animal(name="Biscuit", kind="dog")
    sent = chat_server.asked[0]
    assert (sent["model"], sent["max_tokens"], sent["temperature"]) == ("small-model", 50, 0)
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert chat_server.headers[0]["path"] == "/v1/chat/completions"


def test_the_schema_is_sent_strictly_and_told_in_words_as_well(chat_server: ChatServer) -> None:
    chat_server.answers = [completion(BISCUIT)]
    ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)
    schema = chat_server.asked[0]["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["name", "kind", "title"] and schema["additionalProperties"] is False
    assert "title" in schema["properties"] and "title" not in schema  # the field stays, the schema's caption goes
    assert "maxLength" not in json.dumps(schema) and "default" not in json.dumps(schema)
    assert chat_server.said(0, 0).startswith(
        "You know animals."
    ) and '"additionalProperties":false' in chat_server.said(0, 0)


def test_without_a_system_message_the_schema_becomes_one(chat_server: ChatServer) -> None:
    chat_server.answers = [completion(BISCUIT)]
    ask(model_at(chat_server), [user("Which one?")], Animal, max_tokens=50)
    assert [message["role"] for message in chat_server.asked[0]["messages"]] == ["system", "user"]


def test_tokens_and_money_are_counted(chat_server: ChatServer) -> None:
    chat_server.answers = [completion(BISCUIT, tokens_in=2_000, tokens_out=500)]
    model = model_at(chat_server, price_in=3.0, price_out=10.0)
    cost = ask(model, QUESTION, Animal, max_tokens=50).cost
    assert (cost.calls, cost.tokens_in, cost.tokens_out) == (1, 2_000, 500)
    assert cost.money == pytest.approx(0.011) and cost.seconds > 0
    assert model.state().spent == cost


def test_an_endpoint_that_does_not_count_tokens_costs_calls_and_time_alone(chat_server: ChatServer) -> None:
    body = completion(BISCUIT).body
    chat_server.answers = [Answer(body={"choices": body["choices"]})]
    cost = ask(model_at(chat_server, price_in=1.0), QUESTION, Animal, max_tokens=50).cost
    assert (cost.calls, cost.tokens_in, cost.money) == (1, 0, 0.0)


@pytest.mark.parametrize(
    "said",
    [
        f"```json\n{json.dumps(BISCUIT)}\n```",
        f"Here you are: {json.dumps(BISCUIT)} I hope that {{helps}}.",
        f"<think>A {{cat}}? No. {{}}</think>\n{json.dumps(BISCUIT)}",
        f'{{"kind": "cat"}} was wrong, so {json.dumps(BISCUIT)}',
    ],
)
def test_json_is_found_among_other_words(chat_server: ChatServer, said: str) -> None:
    chat_server.answers = [completion(said)]
    assert ask(model_at(chat_server), QUESTION, Animal, max_tokens=50).parsed.name == "Biscuit"
    assert len(chat_server.asked) == 1


def test_an_answer_that_does_not_fit_is_sent_back_once_with_what_is_wrong(chat_server: ChatServer) -> None:
    chat_server.answers = [completion({"name": "Biscuit", "kind": "bird"}), completion(BISCUIT)]
    asked = ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)
    assert asked.parsed.kind == "dog"
    assert (asked.cost.calls, asked.cost.tokens_in) == (2, 200)
    assert "bird" in chat_server.said(1, -2)  # its own answer
    assert "kind: Input should be 'cat' or 'dog'" in chat_server.said(1, -1)


@pytest.mark.parametrize("said", ["I would rather not.", "[1, 2]", '{"animal": "Biscuit"}', "{" * 3_000, "", None])
def test_an_answer_that_never_fits_is_nonsense_and_its_cost_is_told(chat_server: ChatServer, said: str | None) -> None:
    chat_server.answers = [completion(said), completion(said)]
    with pytest.raises(LlmNonsense, match=r"small-model at http://.* did not answer in the form") as raised:
        ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)
    assert raised.value.cost is not None and raised.value.cost.calls == 2 and raised.value.cost.tokens_in == 200
    assert len(chat_server.asked) == 2


def test_an_answer_that_was_cut_off_is_given_more_room(chat_server: ChatServer) -> None:
    chat_server.answers = [completion('{"name": "Bis', finish="length"), completion(BISCUIT)]
    assert ask(model_at(chat_server), QUESTION, Animal, max_tokens=50).parsed.name == "Biscuit"
    assert [asked["max_tokens"] for asked in chat_server.asked] == [50, 200]
    assert chat_server.asked[0]["messages"] == chat_server.asked[1]["messages"]


def test_an_answer_cut_off_twice_says_so(chat_server: ChatServer) -> None:
    chat_server.answers = [completion('{"name": "Bis', finish="length")] * 2
    with pytest.raises(LlmNonsense, match="cut off at the token limit"):
        ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>hello</html>",
        b"",
        {},
        {"choices": []},
        {"choices": None},
        {"choices": [{"message": "x"}]},
        [1],
        {"error": "x"},
    ],
    ids=str,
)
def test_an_answer_in_another_protocol_is_nonsense_at_once(chat_server: ChatServer, body: object) -> None:
    chat_server.answers = [Answer(body=body)]
    with pytest.raises(LlmNonsense, match="not in the form of /v1/chat/completions"):
        ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)
    assert len(chat_server.asked) == 1


def test_a_page_of_html_is_nonsense_whatever_it_calls_itself(chat_server: ChatServer) -> None:
    chat_server.answers = [Answer(body=b"<html>", headers={"Content-Type": "text/html"})]
    with pytest.raises(LlmNonsense):
        ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)


def test_an_endless_answer_is_cut_off_and_is_nonsense(chat_server: ChatServer) -> None:
    chat_server.answers = [completion("x" * 5_000_000)]
    with pytest.raises(LlmNonsense):
        ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)


def test_an_endpoint_without_schemas_is_asked_in_simpler_ways_and_that_is_remembered(chat_server: ChatServer) -> None:
    chat_server.answers = [
        refusal(400, "response_format json_schema is not supported"),
        refusal(422, "response_format is not supported"),
        completion(BISCUIT),
        completion(BISCUIT),
    ]
    model = model_at(chat_server)
    for _ in range(2):
        assert ask(model, QUESTION, Animal, max_tokens=50).parsed.name == "Biscuit"
    assert chat_server.modes() == ["json_schema", "json_object", "plain", "plain"]
    assert model.state().mode == "plain"


def test_a_refusal_that_has_another_cause_does_not_change_how_it_is_asked_later(chat_server: ChatServer) -> None:
    chat_server.answers = [refusal(400, "the prompt is too long")] * 3 + [completion(BISCUIT)]
    model = model_at(chat_server)
    with pytest.raises(LlmRefused, match="400 the prompt is too long"):
        ask(model, QUESTION, Animal, max_tokens=50)
    ask(model, QUESTION, Animal, max_tokens=50)
    assert chat_server.modes()[-1] == "json_schema"


def test_parameters_that_a_model_does_not_know_are_left_out(chat_server: ChatServer) -> None:
    chat_server.answers = [
        refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        refusal(400, "Unsupported value: 'temperature' does not support 0."),
        completion(BISCUIT),
    ]
    ask(model_at(chat_server), QUESTION, Animal, max_tokens=50)
    sent = chat_server.asked[-1]
    assert sent["max_completion_tokens"] == 50 and "max_tokens" not in sent and "temperature" not in sent
    assert chat_server.modes() == ["json_schema"] * 3


def test_messages_may_come_from_every_side(chat_server: ChatServer) -> None:
    chat_server.answers = [completion(BISCUIT)]
    ask(model_at(chat_server), [*QUESTION, Message(Role.ASSISTANT, "A dog."), user("Named?")], Animal, max_tokens=50)
    assert [message["role"] for message in chat_server.asked[0]["messages"]] == ["system", "user", "assistant", "user"]

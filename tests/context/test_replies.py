"""A turn that asks stands in the context with its reply: once, within the budget."""

from __future__ import annotations

from datetime import timedelta

from memoryapp.context import PromptContext, prompt_context
from memoryapp.context.offers import _REPLY
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Memory, Origin, State
from memoryapp.domain.results import Query
from memoryapp.domain.turn import Turn, memory_of
from memoryapp.review import delete
from memoryapp.search import search
from memoryapp.spaces import Space
from tests.context.test_context import a_fact, layer, remembered
from tests.samples import NOON, PERSON

ASKED = "Which berth did the harbour office give the heron?"
REPLY = "It got number nine, near the fuel pump."


def said(*turns: tuple[str | None, str]) -> list[Memory]:
    return [
        memory_of(Turn(derived_id("turn", text), "quay", n, text, NOON + timedelta(minutes=n), speaker))
        for n, (speaker, text) in enumerate(turns, start=1)
    ]


def lines(context: PromptContext) -> list[str]:
    return [item.text for item in layer(context, "facts").items]


def asked_with(space: Space, facts: int | None = None, budget: int | None = None) -> PromptContext:
    return prompt_context(space, ASKED, facts=facts, budget=budget)


def test_the_reply_stands_in_the_line_of_its_question(space: Space) -> None:
    remembered(space, *said(("Ann", ASKED), ("Ben", REPLY)))
    (line,) = lines(asked_with(space, 1))
    assert line == f"[1] Ann (2026-03-01): {ASKED} [reply by Ben: {REPLY}]"


def test_a_reply_that_is_offered_itself_follows_its_question_and_is_printed_once(space: Space) -> None:
    turns = said(
        ("Ann", ASKED), ("Ben", REPLY), ("Ann", "The heron left the harbour office."), ("Ben", "The harbour is empty.")
    )
    remembered(space, *turns)
    context = asked_with(space)
    assert context.text.count(REPLY) == 1
    first, second, *_ = lines(context)
    assert ASKED in first and "[reply" not in first
    assert second == f"[2] Ben (2026-03-01): {REPLY}"
    assert context.citations["2"] == turns[1].id


def test_a_short_reply_behind_its_question_does_not_tell_the_question_again(space: Space) -> None:
    remembered(space, *said(("Ann", ASKED), ("Ben", "The ninth.")))
    context = asked_with(space)
    assert context.text.count(ASKED) == context.text.count("The ninth.") == 1
    assert "[asked:" not in context.text


def test_a_reply_that_comes_first_stays_there_and_is_printed_once(space: Space) -> None:
    remembered(space, *said(("Ann", "And where?"), ("Ben", "The harbour office gave the heron the ninth berth.")))
    context = asked_with(space)
    assert context.text.count("ninth berth") == 1
    assert next(line.split(": ")[1] for line in lines(context)).startswith("The harbour office")


def test_two_questions_with_one_reply_print_it_once(space: Space) -> None:
    remembered(space, *said(("Ann", ASKED), ("Ann", "Which berth did it have before?"), ("Ben", REPLY)))
    context = asked_with(space, 2)
    assert len(lines(context)) == 2
    assert context.text.count(REPLY) == 1


def test_a_question_keeps_what_is_no_longer_so_before_its_reply(space: Space) -> None:
    turns = said(("Ann", f"I live at the quay. {ASKED}"), ("Ben", REPLY))
    old = a_fact("Ann lives at the quay.", state=State.SUPERSEDED, origin=Origin(turn=turns[0].id))
    remembered(space, *turns, old)
    (line,) = lines(asked_with(space, 1))
    assert line.endswith(f"{ASKED} (no longer so: Ann lives at the quay.) [reply by Ben: {REPLY}]")


def test_a_long_reply_is_cut(space: Space) -> None:
    remembered(space, *said(("Ann", ASKED), ("Ben", "All of the berths are full but for one. " * 100)))
    (line,) = lines(asked_with(space, 1))
    reply = line.partition("[reply by Ben: ")[2]
    assert reply.endswith("…]") and len(reply) <= _REPLY + 2


def test_where_room_is_short_the_question_is_given_without_its_reply(space: Space) -> None:
    remembered(space, *said(("Ann", ASKED), ("Ben", REPLY * 5)))
    whole = asked_with(space, 1)
    assert "[reply by Ben" in whole.text and whole.tokens <= whole.budget
    tight = asked_with(space, 1, whole.tokens - 1)
    assert ASKED in tight.text and "[reply" not in tight.text
    assert tight.tokens < whole.tokens


def test_a_deleted_reply_is_not_printed(space: Space) -> None:
    turns = said(("Ann", ASKED), ("Ben", REPLY))
    remembered(space, *turns)
    delete(space, [turns[1].id], actor=PERSON)
    assert ASKED in asked_with(space).text
    assert "number nine" not in asked_with(space).text


def test_as_of_a_reply_that_came_later_is_not_printed(space: Space) -> None:
    turns = said(("Ann", ASKED), ("Ben", REPLY))
    remembered(space, *turns)
    then = NOON + timedelta(minutes=1, seconds=30)
    context = prompt_context(space, ASKED, as_of=then)
    assert ASKED in context.text and "number nine" not in context.text


def test_a_turn_says_what_is_disputed_of_what_was_learned_from_it(space: Space) -> None:
    (turn,) = said(("Ann", "I live at the quay, in the old customs house."))
    old = a_fact("Ann lives at the quay.", origin=Origin(turn=turn.id))
    new = a_fact("Ann lives in the mill.")
    clash = Conflict("c0ffee0000000004", old.id, "slot", "two homes", NOON, incoming=new.id)
    remembered(space, turn, old, new, conflicts=[clash])
    (line,) = lines(prompt_context(space, "the old customs house", facts=1))
    assert line.endswith("customs house. (disputed: “Ann lives in the mill.”)")
    hit = next(hit for hit in search(space, Query("the old customs house")).hits if hit.memory.id == turn.id)
    assert hit.conflicts == (clash.id,)

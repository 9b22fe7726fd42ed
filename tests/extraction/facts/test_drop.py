from __future__ import annotations

import pytest

from memoryapp.extraction.facts.filter import LONGEST, asks_not_to_keep, opens_like_a_reaction, reason


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Where do you live?", "a question"),
        ("Could you look at it", "a question"),
        ("Any plans for the weekend!", "a question"),
        ("", "a greeting or a filler"),
        ("Two words", "too short to stand alone"),
        ("Here is what I did:", "leads up to something else"),
        ("I'm so glad it worked out for you.", "a courtesy or a reaction"),
        ("It's great to hear from you again.", "a courtesy or a reaction"),
        ("Can't wait to hear about the trip!", "a courtesy or a reaction"),
        ("That must have been hard on them.", "a courtesy or a reaction"),
        ("If I were you, I would use Postgres.", "a courtesy or a reaction"),
        ("word " * (LONGEST + 1), "too long for one statement"),
        ("x" * 601 + " y z", "too long for one statement"),
    ],
)
def test_what_is_nothing_to_keep_is_dropped_with_the_reason(text: str, why: str) -> None:
    assert reason(text, said=text) == why


@pytest.mark.parametrize(
    "text",
    ["I live in Seoul.", "The deploy failed at noon.", "My sister hopes to visit.", "Goodness knows I tried the soup."],
)
def test_statements_go_on(text: str) -> None:
    assert reason(text, said=text) == ""


def test_a_question_is_known_by_what_was_said_when_its_mark_was_cleaned_away() -> None:
    assert reason("You like it", said='You like it?"') == "a question"


def test_a_reaction_opens_with_its_word_not_with_the_start_of_another() -> None:
    assert opens_like_a_reaction("That's a lovely dog.")
    assert not opens_like_a_reaction("Thatcher was the name of the dog.")


@pytest.mark.parametrize(
    "turn",
    [
        "don't remember this: my password is hunter2",
        "Please do not store that. I owe my brother money.",
        "I owe my brother money. But don't save this, please.",
        "Off the record, I am looking for another job.",
        "비밀번호는 1234예요. 이건 저장하지 마세요.",
    ],
)
def test_a_turn_may_ask_not_to_be_remembered(turn: str) -> None:
    assert asks_not_to_keep(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "I don't remember this place.",
        "I don't remember that, but my sister does.",
        "We don't store it in Redis any more.",
        "Don't save this file in the home folder.",
        "Remember this: the backups run at night.",
    ],
)
def test_what_merely_speaks_of_remembering_is_kept(turn: str) -> None:
    assert not asks_not_to_keep(turn)


def test_two_words_that_say_who_one_is_are_not_too_short() -> None:
    assert reason("I'm vegetarian.", said="I'm vegetarian.") == ""

from __future__ import annotations

import pytest

from memoryapp.extraction.facts.parse import parse_sentences
from memoryapp.extraction.facts.rewrite import attribute_to_speaker, rewritten, speaker_name


def told(text: str, *, speaker: str = "Ann", addressee: str = "Ben") -> str:
    (sentence,) = parse_sentences([text])
    return attribute_to_speaker(
        rewritten(sentence, text, speaker=speaker, addressee=addressee), sentence, speaker=speaker
    )


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        ("I live in Seoul.", "Ann lives in Seoul."),
        ("I'm tired and I've lost my keys.", "Ann is tired and Ann has lost their keys."),
        ("I don't eat meat.", "Ann doesn't eat meat."),
        ("I cook dinner and wash the dishes.", "Ann cooks dinner and washes the dishes."),
        ("I will wash and iron the shirt.", "Ann will wash and iron the shirt."),
        ("We were late.", "Ann was late."),
        ("My brother called me yesterday!", "Ann's brother called Ann yesterday."),
        ("I taught myself to swim.", "Ann taught themselves to swim."),
        ("I'd finished the book.", "Ann had finished the book."),
        ("I'd like a dog.", "Ann would like a dog."),
        ("I'll call you tomorrow.", "Ann will call Ben tomorrow."),
        ("I told you about your brother.", "Ann told Ben about Ben's brother."),
        ("I take some me-time.", "Ann takes some me-time."),
    ],
)
def test_the_first_person_becomes_the_speakers_name(said: str, retold: str) -> None:
    assert told(said) == retold


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        ("Just got back from Busan.", "Ann just got back from Busan."),
        ("Been running every day.", "Ann has been running every day."),
        ("Finished the report on Friday.", "Ann finished the report on Friday."),
        ("It's rewarding to help people.", "Ann finds it rewarding to help people."),
        ("It was hard to leave.", "Ann found it hard to leave."),
    ],
)
def test_a_sentence_that_left_its_i_out_gets_the_name(said: str, retold: str) -> None:
    assert told(said) == retold


def test_an_opinion_is_what_the_speaker_finds_and_anything_else_is_headed_by_the_name() -> None:
    assert told("Support is vital.") == "Ann finds that support is vital."
    assert told("The museum opened in May.") == "Ann: The museum opened in May."


def test_a_user_needs_no_heading_and_is_the_user() -> None:
    assert told("The museum opened in May.", speaker="user") == "The museum opened in May."
    assert told("I told you about my dog.", speaker="user", addressee="assistant") == (
        "The user told the assistant about their dog."
    )


def test_a_we_that_is_everybody_is_left_and_put_down_to_the_speaker() -> None:
    assert told("Hard times show us how we grow.").endswith("show us how we grow.")


def test_you_is_anybody_where_the_speaker_is_not_spoken_of() -> None:
    assert "Ben" not in told("The tool lets you undo a change.")


def test_speakers_of_chat_protocols_have_no_name() -> None:
    assert (speaker_name("User"), speaker_name("assistant"), speaker_name("Minsu")) == (
        "the user",
        "the assistant",
        "Minsu",
    )


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        (
            'He said: "I live in Berlin" and I said I\'d visit.',
            'He said: "I live in Berlin" and Ann said Ann would visit.',
        ),
        ("My brother said “I hate my job”.", "Ann's brother said “I hate my job”."),
    ],
)
def test_what_is_quoted_stays_in_the_first_person(said: str, retold: str) -> None:
    assert told(said) == retold


@pytest.mark.parametrize("said", ["Leo is allergic to peanuts.", "Zoe's favourite colour is purple."])
def test_what_is_said_of_somebody_by_name_is_no_opinion(said: str) -> None:
    assert told(said) == f"Ann: {said}"


def test_what_names_a_day_is_no_opinion() -> None:
    assert told("Deploys go out on Tuesdays and Thursdays.") == "Ann: Deploys go out on Tuesdays and Thursdays."


@pytest.mark.parametrize(
    ("said", "told_so"),
    [
        ("I rewrote it with a cursor.", "The user rewrote it with a cursor."),
        ("I reran the suite twice.", "The user reran the suite twice."),
        ("I need a second reviewer.", "The user needs a second reviewer."),
    ],
)
def test_a_past_that_the_tagger_does_not_know_stays(said: str, told_so: str) -> None:
    assert told(said, speaker="user") == told_so

from __future__ import annotations

import pytest

from memoryapp.extraction.facts.parse import parse_sentences
from memoryapp.extraction.facts.rewrite import attribute_to_speaker, rewritten, speaker_name


def told(text: str, *, speaker: str = "Ann", addressee: str = "Ben") -> str:
    (sentence,) = parse_sentences([text])
    return attribute_to_speaker(rewritten(sentence, text, speaker=speaker, addressee=addressee), speaker=speaker)


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        ("I live in Seoul.", "Ann lives in Seoul."),
        ("I'm tired and I've lost my keys.", "Ann is tired and Ann has lost their keys."),
        ("I don't eat meat.", "Ann doesn't eat meat."),
        ("I cook dinner and wash the dishes.", "Ann cooks dinner and washes the dishes."),
        ("I will wash and iron the shirt.", "Ann will wash and iron the shirt."),
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
        ("Delivered it at 2, the editor wants one more.", "Ann delivered it at 2, the editor wants one more."),
        ("It's rewarding to help people.", "Ann finds it rewarding to help people."),
        ("It was hard to leave.", "Ann found it hard to leave."),
    ],
)
def test_a_sentence_that_left_its_i_out_gets_the_name(said: str, retold: str) -> None:
    assert told(said) == retold


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        ("We were late.", "Ann and others were late."),
        ("We've seen it and we've both signed.", "Ann and others have seen it and they have both signed."),
        ("We move on the 24th and I can't wait.", "Ann and others move on the 24th and Ann can't wait."),
        ("The council asked us to leave our house.", "The council asked Ann and others to leave their house."),
        ("Our team has nine members.", "Ann's team has nine members."),
        ("Four of us fly to Madeira in the US plane.", "Four of them fly to Madeira in the US plane."),
    ],
)
def test_we_are_the_speaker_and_others(said: str, retold: str) -> None:
    assert told(said) == retold


def test_the_we_of_an_assistant_is_it_and_its_user() -> None:
    assert told("We agreed on 14 cups.", speaker="assistant", addressee="user") == (
        "The user and the assistant agreed on 14 cups."
    )


def test_a_day_and_a_number_that_read_like_pronouns_stay() -> None:
    assert told("wed I am in Dresden.") == "Wed Ann is in Dresden."
    assert told("The id is 4711 and I keep it.") == "The id is 4711 and Ann keeps it."


def test_a_sentence_that_does_not_name_its_speaker_is_headed_by_the_name() -> None:
    assert told("Support is vital.") == "Ann: Support is vital."
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

"""Which slots a statement fills."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.contradictions import slots
from tests.sampling import examples


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I live in Seoul.", "user|lives in", "Seoul"),
        ("Minsu: I live in Seoul.", "minsu|lives in", "Seoul"),
        ("The user lives in a small village near Graz.", "user|lives in", "Graz"),
        ("I moved from Lyon to Lille in May.", "user|lives in", "Lille"),
        ("Minsu works at Naver as a backend engineer.", "minsu|works at", "Naver"),
        ("Hana joined Kakao last month.", "hana|works at", "Kakao"),
        ("Leo is a backend engineer at Spotify.", "leo|job", "backend engineer"),
        ("Ravi reports to Helen.", "ravi|manager", "Helen"),
        ("Ravi's boss is Helen.", "ravi|manager", "Helen"),
        ("The report deadline is next Tuesday.", "report|deadline", "next Tuesday"),
        ("The deadline of the report is Friday.", "report|deadline", "Friday"),
        ("Our deadline was moved from Friday to Monday.", "team|deadline", "Monday"),
        ("The dev server listens on port 3000.", "dev server|port", "3000"),
        ("Lena is the maintainer of the parser.", "parser|maintainer", "Lena"),
        ("The parser is maintained by Oskar.", "parser|maintainer", "Oskar"),
        ("Kenji's dog is called Momo.", "kenji dog|name", "Momo"),
        ("The team has five developers.", "team|number of develop", "5"),
        ("My favorite band is Muse.", "user|favourite band", "Muse"),
        ("The capital of Romania is Bucharest.", "romania|capital", "Bucharest"),
        ("We migrated the data warehouse to BigQuery.", "team|data warehouse", "BigQuery"),
    ],
)
def test_many_wordings_fill_one_slot(text: str, key: str, value: str) -> None:
    assert (key, value, True) in [(slot.key, slot.value, slot.positive) for slot in slots(text) if slot.functional]


@pytest.mark.parametrize(
    "text",
    [
        "Do you live in Seoul?",
        "I used to live in Seoul.",
        "I might move to Busan.",
        "I lived in Rome as a student.",
        "She moved to tears.",
        "We work for eight hours.",
        "A singer is performing a song.",
        "",
        "???",
    ],
)
def test_what_is_asked_wished_or_over_fills_no_slot_of_one_value(text: str) -> None:
    assert [slot for slot in slots(text) if slot.functional] == []


def test_leaving_and_disliking_are_denials() -> None:
    [left] = [slot for slot in slots("Priya no longer works at Siemens.") if slot.attribute == "works at"]
    assert (left.value, left.positive) == ("Siemens", False)
    [hates] = [slot for slot in slots("The user doesn't like talking on the phone.") if slot.attribute == "likes"]
    assert (hates.subject, hates.positive, hates.functional) == ("user", False, False)


def test_the_speaker_is_one_under_all_names() -> None:
    keys = {
        slots("I live in Seoul.", speaker="Minsu")[0].key,
        slots("Minsu: I live in Seoul.")[0].key,
        slots("Minsu lives in Seoul.", speaker="Jiho")[0].key,
    }
    assert keys == {"minsu|lives in"}
    assert slots("The user lives in Seoul.")[0].key == slots("I live in Seoul.")[0].key == "user|lives in"


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_any_text_has_slots_or_none(text: str) -> None:
    for slot in slots(text):
        assert slot.subject and slot.attribute and slot.value


@pytest.mark.parametrize("speaker", ["\\", "C:\\Users\\mina", r"\1", r"\g<0>"])
def test_a_speaker_may_have_any_name(speaker: str) -> None:
    """A name that is put where “I” stood is a name there, and no pattern."""
    assert [slot.value for slot in slots("I live in Seoul.", speaker=speaker)] == ["Seoul"]
    slots("My laptop is slow and the user likes his desk.", speaker=speaker)

"""What the sum of weak signs finds, what it leaves alone, and that it is never sure."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.detect import weighed
from memoryapp.detect.amounts import amounts, differing, written
from memoryapp.detect.ceased import ceased, gone
from memoryapp.detect.reading import read
from memoryapp.detect.signs import signs
from memoryapp.domain.statement import Relation, Statement
from memoryapp.encoders import load_encoder
from memoryapp.encoders.zones import DEFAULT, Zones
from tests.detect.say import verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The monorepo is built with Bazel.", "We ripped Bazel out and went back to plain Gradle for the monorepo."),
        ("The user goes to a pottery class on Wednesdays.", "The user no longer attends the pottery class."),
        ("The mobile app supports offline mode.", "Offline mode was removed from the mobile app."),
        ("The weather API can be called without any key.", "An API key is required on each call to the weather API."),
    ],
)
def test_what_no_sure_rule_sees_is_shown_as_possible_and_never_as_sure(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        judged = verdict(first, second, cosine=0.85)
        assert judged.relation is Relation.POSSIBLE
        assert judged.detector in ("weighed", "over") and judged.confidence <= 0.7


def test_the_reason_names_what_is_over() -> None:
    judged = verdict("The mobile app supports offline mode.", "Offline mode was removed from the mobile app.")
    assert judged.detector == "over" and "The new one says that this is over: “Offline mode”" in judged.reason


def test_the_reason_names_the_words_that_tell_the_two_apart() -> None:
    judged = verdict(
        "Olga sings alto in the cathedral choir.", "Olga sings soprano in the cathedral choir.", cosine=0.9
    )
    assert judged.detector == "weighed" and "“alto”, and the other “soprano”" in judged.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Redis caches our product pages.", "User baskets were moved out of Redis into DynamoDB."),
        ("Feature flags are disabled in production.", "Feature flags are enabled in staging."),
        ("Jonas is single.", "Jonas's sister got married in June."),
        ("Tom drinks coffee every morning.", "Tom drinks tea in the evening."),
        ("The user lives alone.", "The user works alone."),
        ("Omar is allergic to peanuts.", "Omar is allergic to cats."),
        ("Anton has three dogs.", "Anton has one cat."),
        ("Tom is allergic to peanuts.", "Tom has a peanut allergy."),
        ("France is located on the continent of Europe.", "England is located on the continent of Europe."),
        ("PLAT-88 is closed and verified.", "PLAT-89, the follow-up, is still open."),
        ("A man is playing the harmonica in a park.", "A man is sleeping in a park."),
    ],
)
def test_two_things_side_by_side_are_left_alone(one: str, other: str) -> None:
    assert weighed.compare(Statement(one), Statement(other), 0.6, DEFAULT) is None
    assert weighed.compare(Statement(other), Statement(one), 0.6, DEFAULT) is None


def test_without_an_encoder_or_below_the_check_zone_nothing_is_weighed() -> None:
    one, other = "The mobile app supports offline mode.", "Offline mode was removed from the mobile app."
    assert verdict(one, other, cosine=None).relation is Relation.COMPATIBLE
    assert verdict(one, other, cosine=0.3).relation is Relation.UNRELATED


def test_what_two_people_say_of_themselves_is_not_weighed() -> None:
    one, other = "I go to a pottery class on Wednesdays.", "I no longer attend the pottery class."
    by = [Statement(one, speaker="Ana"), Statement(other, speaker="Ana"), Statement(other, speaker="Ben")]
    assert weighed.compare(by[0], by[1], 0.8, DEFAULT) is not None
    assert weighed.compare(by[0], by[2], 0.8, DEFAULT) is None
    assert weighed.compare(Statement(f"Ana: {one}"), Statement(f"Ben: {other}"), 0.8, DEFAULT) is None


def test_korean_questions_and_plans_are_not_weighed() -> None:
    for text in (
        "회의는 3층에서 해요.",
        "Was offline mode removed from the mobile app?",
        "We might remove offline mode.",
    ):
        held = Statement("The mobile app supports offline mode.")
        assert weighed.compare(held, Statement(text), 0.8, DEFAULT) is None, text


def test_cosines_of_other_models_are_read_on_the_scale_of_the_default() -> None:
    other = Zones(0.75, 0.35)
    assert weighed.as_default(0.35, other) == pytest.approx(0.40)
    assert weighed.as_default(0.75, other) == pytest.approx(0.85)
    assert weighed.as_default(0.6, DEFAULT) == pytest.approx(0.6)
    assert weighed.as_default(0.6, Zones(0.5, 0.5)) == 0.6


def test_the_weights_fit_the_signs_and_the_file_is_small() -> None:
    held = json.loads(weighed.WEIGHTS.read_text("utf-8"))
    found = signs(read("The app is slow."), read("The app is fast."), 0.8)
    assert list(found) == list(held["signs"]) == list(weighed.learned().names)
    assert 0.5 < held["line"] < 1 and weighed.WEIGHTS.stat().st_size < 300_000


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=80), st.text(max_size=80))
def test_signs_of_any_two_texts_are_finite_and_the_same_in_either_order(one: str, other: str) -> None:
    there, back = signs(read(one), read(other), 0.5), signs(read(other), read(one), 0.5)
    assert there == pytest.approx(back)
    assert all(abs(value) < 1e6 for value in there.values())


def test_a_very_long_word_and_a_very_long_text_are_read() -> None:
    assert len(read("x" * 50_000).words) <= 60
    assert len(read("the deploy was moved " * 5_000).words) <= 60


@pytest.mark.parametrize(
    ("one", "other", "sort"),
    [
        ("Stand-up is at 9:15.", "Stand-up is at half past ten.", "clock"),
        ("Logs are kept for 90 days.", "Logs are kept for a full year.", "duration"),
        ("She comes in twice a month.", "She comes in once a quarter.", "rate"),
        ("It has three replicas.", "It has a single replica.", "count replica"),
        ("The limit is 512 MB.", "The limit is two gigabytes.", "size byte"),
    ],
)
def test_amounts_in_words_are_compared(one: str, other: str, sort: str) -> None:
    a, b = (amounts(written(text))[0] for text in (one, other))
    assert sort in differing(a, b)


@pytest.mark.parametrize(
    ("one", "other"),
    [("at 10:30", "at half past ten"), ("for a full year", "for one year"), ("once a week", "every week")],
)
def test_the_same_amount_in_other_words_does_not_differ(one: str, other: str) -> None:
    a, b = (amounts(written(text))[0] for text in (one, other))
    assert a and a.keys() == b.keys() and differing(a, b) == []


def test_what_is_over_must_be_what_the_other_affirms_of_the_same_subject() -> None:
    held = read("Ingrid swims on Mondays.")
    assert ceased(held, read("Ingrid gave up competitive chess at nineteen.")) == ""
    assert ceased(read("Grace helps out at the shelter."), read("Grace stopped volunteering at the hospice.")) == ""
    assert (
        ceased(read("Hana is learning Portuguese."), read("After one term Hana gave up on Portuguese.")) == "Portuguese"
    )


def test_a_left_knee_and_who_has_gone_vegan_are_not_over() -> None:
    held = read("Mara treats mostly knees and shoulders at work.")
    assert ceased(held, read("Mara twisted their left knee on the stairs at work.")) == ""
    assert gone(read("Mara tries the new assistant."), read("Mara has gone fully vegan since Easter.")) == ""
    assert gone(read("The car park is behind the church."), read("The car park has gone.")) == "The car park"


@pytest.mark.slow
def test_with_the_real_encoder_a_pair_is_found_and_its_look_alike_is_not() -> None:
    encoder = load_encoder("all-MiniLM-L6-v2")
    texts = [
        "The thumbnail resizer is a Node program.", "Over the summer the thumbnail resizer got rewritten in Rust.",
        "Lunch is paid for by my company.", "My company won't reimburse travel to the office.",
    ]  # fmt: skip
    rows = encoder.encode_documents(texts)
    assert verdict(texts[0], texts[1], cosine=float(rows[0] @ rows[1])).relation is Relation.POSSIBLE
    assert not verdict(texts[2], texts[3], cosine=float(rows[2] @ rows[3])).clashes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Noor can't wait to take the dogs to the lake.", "Noor is going to find a good spot at the lake."),
        ("Now Noor feels at home in the choir.", "Noor is passionate about a choir where everybody may sing."),
        ("Noor finds that cats bring much joy.", "Noor finds that animals see joy in simple things."),
    ],
)
def test_attitudes_are_not_weighed(one: str, other: str) -> None:
    assert not weighed.weighable(Statement(one), Statement(other))
    assert weighed.weighable(Statement("Noor sings alto in the choir."), Statement("Noor sings soprano in the choir."))

"""What is of a part and of the whole, of two times, or said twice in other words contradicts nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.detect.attitude import able_and_inclined
from memoryapp.detect.parted import parted
from memoryapp.detect.periods import of_two_times
from memoryapp.detect.reading import read
from memoryapp.detect.restated import restated
from memoryapp.detect.rounded import rounded
from memoryapp.detect.wholes import of_part_and_whole
from tests.detect.say import verdict

WHOLES = [
    ("Our company has 85 employees.", "The support team at our company has 9 employees."),
    ("The Lyon office has 40 people in total.", "The Lyon office has 12 people on its design team."),
    ("I spent 1,900 euros on the Japan trip.", "The flights for the Japan trip cost me 870 euros."),
    ("I pay 1,200 a month in rent.", "I pay 90 a month for a parking space."),
    ("My phone is an iPhone.", "My work phone is a Pixel."),
    ("The new sofa is grey.", "The old sofa was green."),
    ("We never lock the back door.", "The front door is always locked."),
    ("Logs are kept for 30 days.", "Audit logs are kept for a year."),
]
TIMES = [
    ("I run 5k on weekday mornings.", "I run 15k on Sunday mornings."),
    ("In the first half of the year I work four days a week.", "From July on I work five days a week."),
    ("Our boiler was replaced in 2021.", "Our boiler gets serviced every October."),
    ("Rex was vaccinated in March.", "Rex was neutered in August."),
    ("The trial is free for 14 days.", "After the trial it costs 9 euros a month."),
    ("I work 38 hours a week.", "I work eight hours on Mondays."),
    ("The heating was broken in December.", "The heating works fine again."),
    ("We usually have dinner at seven.", "When Karl has training, dinner is at eight."),
]
SAID_TWICE = [
    ("Nadia is in charge of hiring at our company.", "Nadia is the person responsible for hiring at our company."),
    ("I failed my driving test.", "I didn't pass my driving test."),
    ("Kim moved out of the flat.", "Kim no longer lives in the flat."),
    ("I prefer short meetings.", "I don't like long meetings."),
    ("I eat everything except mushrooms.", "Mushrooms are the only thing I don't eat."),
    ("I'm allergic to nuts.", "I can't eat nuts, I'm allergic."),
    ("The hike is 10 miles long.", "The hike is about 16 kilometres long."),
    ("The file is 1.5 GB.", "The file is about 1,500 MB."),
]
OTHERWISE = [
    ("The team has 9 people.", "There are 12 people on the team."),
    ("Erik broke his right arm.", "It was Erik's left arm that was broken."),
    ("The retention period for logs is 30 days.", "Logs are kept for 90 days."),
    ("Every endpoint of our API answers in JSON only.", "The export endpoint of our API returns XML."),
    ("We deploy on Tuesdays.", "We deploy on Thursdays only."),
    ("The plumber is coming on Monday.", "The plumber can't come before Thursday."),
    ("Tom is allergic to nuts.", "Tom is not allergic to anything."),
    ("The office is on the third floor.", "Our office is on the fifth floor."),
    ("I weigh 80 kilos.", "I weigh about 95 kilos."),
    ("The shop is open on Sundays.", "The shop is closed on Sundays."),
]


@pytest.mark.parametrize(
    ("guard", "pairs"), [(of_part_and_whole, WHOLES), (of_two_times, TIMES), (restated, SAID_TWICE)]
)
def test_what_agrees_is_seen_whichever_comes_first(guard, pairs) -> None:  # type: ignore[no-untyped-def]
    for one, other in pairs:
        assert guard(read(one), read(other)) and guard(read(other), read(one)), (one, other)


@pytest.mark.parametrize(("one", "other"), OTHERWISE)
def test_what_is_of_one_thing_at_one_time_stays_open(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        assert not parted(first, second) and not restated(read(first), read(second))


def test_what_only_restates_is_compatible_and_says_so() -> None:
    told = verdict("The rent is 998 euros.", "The rent is roughly a thousand euros.")
    assert told.relation == "compatible" and "in other words or rounded" in told.reason


@given(st.integers(1, 999), st.sampled_from(("kg", "km", "GB")))
def test_an_amount_is_never_its_own_contradiction_in_a_smaller_unit(size: int, unit: str) -> None:
    smaller = {"kg": "g", "km": "m", "GB": "MB"}[unit]
    one, other = f"The box takes {size} {unit}.", f"The box takes about {size * 1000} {smaller}."
    assert verdict(one, other).relation not in ("conflict", "succession", "possible")


@given(st.integers(2, 400), st.integers(2, 400))
def test_only_what_is_near_is_a_rounding(one: int, other: int) -> None:
    found = rounded(read(f"The hall seats {one} guests."), read(f"The hall seats about {other} guests."))
    assert not found or abs(one - other) <= 0.12 * max(one, other)


def test_what_somebody_can_do_and_would_rather_do_are_two_things() -> None:
    assert able_and_inclined("I am able to work from home.", "I prefer going to the office.")
    assert not able_and_inclined("I like working from home.", "I prefer going to the office.")

"""What is of two bearers, two events or two conditions, and a denial said twice, contradict nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.detect.absent import denied_alike
from memoryapp.detect.bearers import of_two_bearers
from memoryapp.detect.conditions import of_two_conditions
from memoryapp.detect.events import of_two_events
from memoryapp.detect.parted import parted
from memoryapp.detect.reading import read

BEARERS = [
    ("The laptop has 16 GB of RAM.", "The laptop comes with a 512 GB SSD."),
    ("The museum charges a 10 euro entry fee.", "The museum charges a 5 euro parking fee."),
    ("The flat has a balcony of 6 square metres.", "The flat has a kitchen of 14 square metres."),
    ("The meeting room on the third floor seats eight people.", "The meeting room on the first floor seats twenty."),
    ("The café opens at 8.", "The café's kitchen opens at 11:30."),
    ("Our app supports iOS 16 and up.", "Our app supports Android 11 and up."),
    ("My cat sleeps in the kitchen.", "My dog sleeps on my bed."),
    ("Bella is afraid of thunder.", "Bella is not afraid of other dogs."),
]
EVENTS = [
    ("I do yoga on Monday evenings.", "I've started swimming on Thursdays before work."),
    ("Marco has physiotherapy at 8 on Mondays.", "Marco plays chess at 7 on Thursdays."),
    ("The kids have football on Tuesdays.", "The kids started judo on Thursdays."),
]
CONDITIONS = [
    ("Invoices under 500 dollars need no approval.", "Invoices over 5,000 dollars need approval from Helen."),
    ("Children under six travel free.", "Adults pay 12 euros."),
    ("With a prescription the cream costs 5 euros.", "Without a prescription the cream costs 19 euros."),
    ("Before noon the line is free.", "After noon the line is busy."),
    ("When it rains we take the bus.", "When it's sunny we don't take the bus."),
    ("I don't drink coffee after 3 pm.", "I drink two cups of coffee in the morning."),
    ("He doesn't smoke in the house.", "He smokes on the balcony."),
    ("I'm free on Friday morning.", "I'm not free on Friday afternoon."),
]
DENIED = [
    ("We're out of budget for freelancers this year.", "There's no money left in this year's budget for freelancers."),
    ("None of the tests pass.", "The tests don't pass."),
    ("The house lacks a garden.", "The house doesn't have a garden."),
]
ONE_THING = [
    ("The laptop has 16 GB of RAM.", "The laptop has 32 GB of RAM."),
    ("The camper has a 90 litre water tank.", "The camper's water tank holds 120 litres."),
    ("The meeting room is on the third floor.", "The meeting room is on the first floor."),
    ("The left speaker works.", "The left speaker doesn't work."),
    ("Lena has piano lessons on Wednesdays.", "Lena's piano lesson is on Thursdays."),
    ("The contract ends on 31 December.", "The contract runs until 30 June."),
    ("Orders above 50 euros are shipped free.", "Orders above 80 euros are shipped free."),
    ("In winter the cabin is closed.", "The cabin is open in winter."),
    ("The rent is under 500 euros.", "The rent is over 600 euros."),
    ("No deploys after 4 pm.", "The deploy goes out at 5 pm."),
    ("I don't drink coffee.", "I drink two cups of coffee in the morning."),
    ("Deploys need sign-off from the manager.", "Anyone on the team can deploy without asking."),
    ("Kofi has never drunk alcohol in his life.", "Kofi got drunk on whisky at the office party."),
    ("The CLI needs Node 18 or newer.", "The CLI needs Node 20 or newer."),
    ("My dog is a beagle.", "My dog is a poodle."),
    ("The printer is out of ink.", "The printer has enough ink."),
]


@pytest.mark.parametrize(
    ("guard", "pairs"),
    [(of_two_bearers, BEARERS), (of_two_events, EVENTS), (of_two_conditions, CONDITIONS), (denied_alike, DENIED)],
)
def test_what_is_of_two_things_is_parted_whichever_comes_first(guard, pairs) -> None:  # type: ignore[no-untyped-def]
    for one, other in pairs:
        assert guard(read(one), read(other)) and guard(read(other), read(one)), (one, other)
        assert parted(one, other)


@pytest.mark.parametrize(("one", "other"), ONE_THING)
def test_what_is_of_one_thing_is_not_parted(one: str, other: str) -> None:
    assert not parted(one, other) and not parted(other, one)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_parted_or_not_in_either_order(one: str, other: str) -> None:
    assert parted(one, other) == parted(other, one)

"""What a model wrote is held against what was said, word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.extraction.grounding import (
    Ground,
    carries,
    fault_of_fact,
    fault_of_rewording,
    fault_of_story,
    is_english,
)

CHATTY = Ground(
    own="Haha ok so Ann finally got the canoe, 900 euros, and their sister Kim paddles it with Ann.",
    quote="haha ok so I finally got the canoe, 900 euros, and my sister Kim paddles it with me",
    around="Jun: what's new?\nhaha ok so I finally got the canoe, 900 euros, and my sister Kim paddles it with me",
    speaker="Ann",
    others=("Jun",),
)
IF = Ground(
    own="If the rash comes back Ann will have to see a doctor.",
    quote="If the rash comes back I'll have to see a doctor",
    around="If the rash comes back I'll have to see a doctor",
    speaker="Ann",
)
NOT = Ground(
    own="Ann doesn't eat meat since university.",
    quote="I don't eat meat since university",
    around="Jun: still the same diet?\nI don't eat meat since university",
    speaker="Ann",
    others=("Jun",),
)
SHE = Ground(
    own="Jun: She starts at the bakery on Monday.",
    quote="she starts at the bakery on Monday",
    around="Ann: how is Mira?\nshe starts at the bakery on Monday",
    speaker="Jun",
    others=("Ann",),
)
MOVED = Ground(
    own="The user moved the queue from Kafka to Redis in 2024.",
    quote="I moved the queue from Kafka to Redis in 2024",
    around="I moved the queue from Kafka to Redis in 2024",
    speaker="user",
    others=("assistant",),
)


MUM = Ground(
    own="Ann: Mum looks after Rohan meanwhile.",
    quote="mum looks after Rohan meanwhile",
    around="mum looks after Rohan meanwhile",
    speaker="Ann",
)
NIGHTS = Ground(
    own="Since Ann works nights, mum looks after the baby.",
    quote="since I work nights, mum looks after the baby",
    around="since I work nights, mum looks after the baby",
    speaker="Ann",
)
COT = Ground("Rohan's cot, it's at Ann's mum's.", *["Rohan's cot, it's at my mum's"] * 2, "Ann")
ASKED = Ground(
    own="Ann's sister asked Jun about their canoe.",
    quote="my sister asked you about my canoe",
    around="my sister asked you about my canoe",
    speaker="Ann",
    others=("Jun",),
)


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("Ann got the canoe for 900 euros, and Ann's sister Kim paddles it with Ann.", CHATTY),
        ("If the rash comes back, Ann will have to see a doctor.", IF),
        ("Ann will have to see a doctor if the rash comes back.", IF),
        ("Ann does not eat meat since university.", NOT),
        ("Mira starts at the bakery on Monday.", SHE),
        ("The user moved the queue from Kafka to Redis in 2024.", MOVED),
        ("Ann's mother looks after Rohan.", MUM),
        ("Because Ann works nights, Ann's mother looks after the baby.", NIGHTS),
    ],
)
def test_plainer_words_for_the_same_may_stand(text: str, ground: Ground) -> None:
    assert fault_of_rewording(text, ground) == ""


@pytest.mark.parametrize(
    ("text", "ground", "fault"),
    [
        ("", CHATTY, "empty"),
        ("…", CHATTY, "empty"),
        ("Ann got the red canoe for 900 euros, and Ann's sister Kim paddles it with Ann.", CHATTY, "adds “red”"),
        ("Ann got the canoe for 900 euros in Oslo, and Ann's sister Kim paddles it.", CHATTY, "adds “Oslo”"),
        ("Ann got the canoe for 950 euros, and Ann's sister Kim paddles it with Ann.", CHATTY, "adds “950”"),
        ("Ann got the canoe, and Ann's sister Kim paddles it with Ann.", CHATTY, "leaves out 900"),
        ("Ann got the canoe for 900 euros, and Ann's sister paddles it with Ann.", CHATTY, "leaves out “Kim”"),
        ("Ann got the canoe for 900 euros, and Kim paddles it with Ann.", CHATTY, "whose “sister” it is"),
        ("Kim got the canoe for 900 euros, and Ann's sister paddles it.", CHATTY, "another order"),
        ("Ann got the canoe for 900 euros, and Jun's sister Kim paddles it with Ann.", CHATTY, "speaks of “Jun”"),
        ("Ann's sister asked Jun about Jun's canoe.", ASKED, "the canoe of “Jun”"),
        ("I got the canoe for 900 euros, and my sister Kim paddles it with me.", CHATTY, "third person"),
        ("Ann got the canoe for 900 euros?", CHATTY, "asks"),
        ("Ann got it. " * 20, CHATTY, "too long"),
        ("Ann got the canoe\nfor 900 euros, and Ann's sister Kim paddles it.", CHATTY, "too long"),
        ("Ann will have to see a doctor, the rash comes back.", IF, "leaves out an if"),
        ("If Ann has to see a doctor, the rash will come back.", IF, "if is about something else"),
        ("If the rash comes back Ann might have to see a doctor.", IF, "leaves out a plan or wish"),
        ("Ann eats meat since university.", NOT, "leaves out a not"),
        ("Ann doesn't eat meat, not since university.", NOT, "adds a not"),
        ("Ann eats meat but not since university.", NOT, "not is about something else"),
        ("Ann wants to eat no meat since university.", NOT, "adds a plan or wish"),
        ("She starts at the bakery on Monday.", SHE, "begins with “She”"),
        ("Jun starts at the bakery on Monday.", SHE, "speaks of “Jun”"),
        ("The user moved the queue from Redis to Kafka in 2024.", MOVED, "another order"),
        ("The user moves the queue from Kafka to Redis in 2024.", MOVED, "tells “moved” as “moves”"),
        ("Rohan's cot was at Ann's mother's.", COT, "as past what is present"),
        ("The assistant moved the queue from Kafka to Redis in 2024.", MOVED, "leaves out the user"),
    ],
)
def test_what_adds_loses_or_turns_something_round_may_not(text: str, ground: Ground, fault: str) -> None:
    assert fault in fault_of_rewording(text, ground) != ""


@given(st.text(), st.text(min_size=1))
def test_any_text_is_judged(text: str, own: str) -> None:
    ground = Ground(own, own, own, "Ann", ("Jun",))
    assert isinstance(fault_of_rewording(text, ground), str) and isinstance(fault_of_story(text, own), str)
    assert isinstance(fault_of_fact(text, ground), str) and isinstance(carries(text, own), bool)


def test_a_fact_of_somebody_else_is_found_out() -> None:
    said = "my brother Tom is allergic to walnuts but I eat everything"
    ground = Ground(said, said, f"Jun: any allergies?\n{said}", "Ann", ("Jun",))
    assert fault_of_fact("Ann's brother Tom is allergic to walnuts.", ground) == ""
    assert fault_of_fact("Jun is allergic to walnuts.", ground) == "it speaks of “Jun”"
    assert fault_of_fact("Ann's brother Tom is allergic to peanuts.", ground) == "it adds “peanuts”"


def test_a_story_may_leave_out_and_may_not_add() -> None:
    source = "Date: 3 May 2026\nDana: We picked Postgres 16 for the ledger. The old store lost 40 writes a day."
    assert fault_of_story("On 3 May 2026 Dana picked Postgres 16 because the old store lost writes.", source) == ""
    assert "name “Oracle”" in fault_of_story("On 3 May 2026 Dana picked Oracle over the old store.", source)
    assert "name “Peter”" in fault_of_story("Peter picked Postgres 16 for the ledger.", source)
    assert "number 50" in fault_of_story("The old store lost 50 writes a day.", source)
    assert "most of its words" in fault_of_story("The people discussed many interesting matters.", source)
    assert "twice" in fault_of_story("Dana picked Postgres. Dana picked Postgres.", source)
    assert "of itself" in fault_of_story("I am sorry, I cannot retell this.", source)


def test_a_fact_carries_another_where_nothing_of_it_is_lost() -> None:
    assert carries("Ann's sister Kim lives in Busan with two cats.", "Kim lives in Busan with two cats.")
    assert not carries("Kim lives in Busan.", "Kim lives in Busan with two cats.")
    assert not carries("Kim lives in Busan with cats.", "Kim doesn't live in Busan with cats.")


def test_what_is_not_english_is_not_read() -> None:
    assert is_english("Ann booked a room near Graça.") and not is_english("민수는 서울에 살아요.")

"""Wordings that were once missed, or once mistaken."""

from __future__ import annotations

import pytest

from memoryapp.contradictions import says_same, slots
from memoryapp.domain.statement import Relation
from memoryapp.inference.embedding.zones import DEFAULT
from tests.contradictions.say import verdict

SHOWN = (Relation.CONFLICT, Relation.SUCCESSION, Relation.POSSIBLE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user has a cat named Luna.", "The user has a cat named Milo."),
        ("There is a server called atlas.", "There is a server called helios."),
        ("The user adopted a puppy called Pip.", "The user's dog is called Rex."),
        ("The user has a sister who lives in Rome.", "The user has a sister who lives in Oslo."),
    ],
)
def test_one_of_several_of_a_name_leaves_room_for_another(one: str, other: str) -> None:
    assert verdict(one, other).relation is Relation.COMPATIBLE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mara repaired the boat.", "Mara repaired the bike."),
        ("Leo painted the kitchen.", "Leo painted the hallway."),
        ("The user mended two chairs.", "The user mended five chairs."),
    ],
)
def test_past_events_of_different_objects_are_compatible(one: str, other: str) -> None:
    assert verdict(one, other).relation is Relation.COMPATIBLE


@pytest.mark.parametrize(
    ("was", "turned"),
    [
        ("The user is 34 years old.", "The user turned 35 yesterday."),
        ("Oskar is 17.", "Oskar turned 18 on Tuesday."),
        ("The user is 52.", "The user celebrated her 53rd birthday last week."),
        ("The user's daughter Ines is seven.", "Ines turned eight in March."),
    ],
)
def test_a_birthday_is_a_succession(was: str, turned: str) -> None:
    judged = verdict(was, turned)
    assert (judged.relation, judged.attribute) == (Relation.SUCCESSION, "age")


def test_an_age_of_years_ago_says_nothing_of_now() -> None:
    assert verdict("The user is 36 years old.", "The user turned 30 in 2019.").relation is Relation.COMPATIBLE


@pytest.mark.parametrize(
    "moved",
    ["was postponed to May", "was delayed until May", "was pushed to May", "has been brought forward to January"],
)
def test_a_month_that_was_moved_is_a_succession(moved: str) -> None:
    judged = verdict("The release is planned for March.", f"The release {moved}.")
    assert (judged.relation, judged.detector) == (Relation.SUCCESSION, "date")
    assert judged.reason.startswith("“date of the release” was March, is now ")


def test_a_month_that_is_somebody_s_name_is_none() -> None:
    assert not verdict("The user talks to June every day.", "The user talks to April every day.").clashes


def test_day_and_hour_of_what_was_moved_are_one_time() -> None:
    judged = verdict("The train leaves at 8:10 on Monday.", "The train was moved to Tuesday at 9:40.")
    assert "“time of the train” was 8:10, Monday, is now Tuesday, 9:40" in judged.reason
    back = verdict("The user's flight leaves at 8:10 on Monday.", "The user's return flight leaves at 9:40 on Friday.")
    assert back.relation is Relation.COMPATIBLE


@pytest.mark.parametrize(
    ("was", "now", "attribute"),
    [
        ("Our frontend is written in React.", "We migrated the frontend to Svelte.", "built with"),
        ("The mobile app is written in Java.", "The team ported the mobile app to Kotlin.", "written in"),
        ("Billing data is stored in MySQL.", "We migrated the billing data to PostgreSQL.", "stored in"),
        ("The production database is MySQL.", "Production moved from MySQL to PostgreSQL in May.", "stored in"),
        ("Ben lives at 5 Elm Street in Leeds.", "Ben moved to 12 Station Road.", "address"),
        ("Pia lives with her parents in Kiel.", "Pia moved to Hamburg.", "lives in"),
        ("Dr. Lind is the user's dentist.", "The user switched to a new dentist, Dr. Amari.", "dentist"),
    ],
)
def test_a_move_from_one_to_the_other_is_a_succession(was: str, now: str, attribute: str) -> None:
    judged = verdict(was, now)
    assert (judged.relation, judged.attribute) == (Relation.SUCCESSION, attribute)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The backend is written in Python.", "The backend is built with Django."),
        ("The user's doctor is Kim.", "The user's dentist is Lee."),
        ("The user lives on Elm Street.", "The user lives in Bristol."),
        ("The rate limit is 100 requests for free accounts.", "The rate limit is 900 requests for paying accounts."),
        ("The dose is 5 mg in the morning.", "The dose is 10 mg in the evening."),
        ("The user's phone number ends in 9020.", "The user just turned 35."),
        ("Ana's ticket number is 34.", "Ana is 12 years old."),
        ("Deborah can still remember the smell.", "Deborah does not remember what it is called."),
    ],
)
def test_values_of_another_thing_or_scope_are_compatible(one: str, other: str) -> None:
    assert verdict(one, other).relation not in SHOWN and verdict(other, one).relation not in SHOWN


@pytest.mark.parametrize(
    ("diet", "meal", "clash"),
    [
        ("Alice is vegetarian, so Alice eats no meat at all.", "Alice loves chicken, Alice had one on Friday.", True),
        ("Alice is vegan.", "Alice had eggs and bacon for breakfast.", True),
        ("Alice is vegetarian.", "Alice ate fish as a child.", False),
        ("Alice is vegetarian.", "Alice cooks chicken for her children.", False),
        ("Alice is vegetarian.", "Alice's brother loves steak.", False),
    ],
)
def test_a_diet_is_about_what_one_eats_oneself_and_of_late(diet: str, meal: str, clash: bool) -> None:
    assert verdict(diet, meal).clashes is clash and verdict(meal, diet).clashes is clash


def test_two_addresses_of_one_server_are_never_the_same() -> None:
    one, other = "The staging server is a.example.org.", "The staging server's address is b.example.org."
    assert not says_same(one, other, 0.99, DEFAULT)
    assert verdict(one, other).relation is Relation.CONFLICT


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("The deploy freeze starts at 16:00.", "The deploy freeze starts at 18:00.", "time of the deploy freeze"),
        ("The nightly backup runs at 2:00.", "The nightly backup runs at 3:30.", "time of the nightly backup"),
        ("The user wakes up at 6:30.", "The user wakes up at 7:15.", "when the user wakes up"),
        ("The team has five developers.", "The team has six developers.", "how many developers the team has"),
        ("The main database is MySQL.", "The main database is SQLite.", "database"),
    ],
)
def test_what_two_differ_in_is_told_as_a_person_calls_it(one: str, other: str, told: str) -> None:
    assert verdict(one, other).reason.startswith(f"“{told}” was ")


def test_a_value_in_a_reason_ends_with_its_clause() -> None:
    judged = verdict(
        "The production database is Postgres 15 for billing, nothing else.",
        "The production database is Postgres 16 for billing now, Adam upgraded last night.",
    )
    assert "“database” was Postgres 15 for billing, is now Postgres 16 for billing;" in judged.reason


def test_the_keys_by_which_facts_are_looked_up_stay_what_they_are() -> None:
    assert "prod|stored in" in [slot.key for slot in slots("The production database is MySQL.")]
    assert next(slot.key for slot in slots("The team has five developers.")) == "team|number of develop"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user's editor is Neovim.", "The user switched from VS Code."),
        ("The user's editor is Neovim.", "The user switched from VS Code to Neovim."),
        ("The user's email is ana@example.org.", "The user's work email is ana@firm.example."),
        ("I run every morning.", "I didn't run this morning."),
        ("Ms Tanaka gives me a piano lesson every Tuesday.", "Ms Tanaka cancelled this Tuesday's lesson."),
        ("The user is happy.", "The user is sad today."),
        ("Mina is happy at her job.", "Mina was unhappy yesterday."),
        ("The user lives in Berlin.", "The user lives in Germany."),
        ("Mina lives in Germany.", "Mina moved to Berlin."),
        ("Mina lives in England.", "Mina lives in the United Kingdom."),
        ("The user is forty-one.", "In May the user's partner turned thirty-eight."),
        ("My favourite colour is green.", "Navy is what I always wear to the office."),
        ("Aroha's lease began in July 2023.", "Aroha's lease comes up for renewal in January 2026."),
    ],
)
def test_what_was_once_mistaken_for_a_contradiction_is_none(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        assert verdict(first, second).relation not in SHOWN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user's work email is ana@firm.example.", "The user's work email is ana@corp.example."),
        ("Mina lives in Germany.", "Mina moved to Paris."),
        ("The user is happy in Rome.", "The user is unhappy in Rome."),
        ("The stand-up is on Tuesdays.", "The stand-up is on Mondays now, not Tuesdays."),
        ("예산은 500만원이에요.", "예산이 700만원으로 늘었어요."),
        ("마감은 5월 3일이에요.", "마감이 5월 10일로 미뤄졌어요."),
    ],
)
def test_what_was_once_missed_is_found(one: str, other: str) -> None:
    assert verdict(one, other).relation in SHOWN


def test_a_denied_value_of_the_same_kind_agrees_with_the_one_that_holds() -> None:
    assert verdict("The stand-up is on Mondays.", "The stand-up is on Mondays, not Tuesdays.").relation not in SHOWN

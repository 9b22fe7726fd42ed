"""One thing measured twice, one role filled by two, one place taken by another: in whatever words."""

from __future__ import annotations

import pytest

from memoryapp.detect.fillers import filled_otherwise, passed_on
from memoryapp.detect.measures import measured_otherwise
from memoryapp.detect.only import only_and_more
from memoryapp.detect.reading import read
from memoryapp.detect.whereabouts import elsewhere


@pytest.mark.parametrize(
    ("one", "other", "sort"),
    [
        ("The user pays 1,150 euros rent for the flat in Ghent.", "Rent on the Ghent flat is 1,240 euros.", "money"),
        ("The flight to Oslo leaves at 7:40.", "The airline moved the Oslo flight to 11:15.", "clock"),
        ("The maths exam lasts 90 minutes.", "For the maths exam there are three hours.", "duration"),
        ("The user weighs 78 kilos.", "On the scales the user came to 71 kilos.", "size gram"),
        ("Sofia is 172 cm tall.", "Sofia measures 1.65 m.", "size metre"),
        ("The thesis is due on 15 January.", "The user has until 1 March to hand in the thesis.", "date"),
    ],
)
def test_one_thing_measured_otherwise_is_found_in_either_order(one: str, other: str, sort: str) -> None:
    a, b = read(one), read(other)
    assert measured_otherwise(a, b).startswith(sort) and measured_otherwise(b, a).startswith(sort)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Our sprints last two weeks.", "The sprint review takes one hour."),
        ("The course costs 300 euros.", "The textbook for the course costs 45 euros."),
        ("The shop opens at nine.", "The bakery next to the shop opens at six."),
        ("We pay 12,000 euros a month for the cloud.", "About 4,000 euros of the cloud bill is data transfer."),
        ("The user takes iron tablets on Mondays.", "On Fridays the user is always in the office."),
        ("Kenji's birthday is on 19 October.", "Kenji's birthday party is on 23 October."),
    ],
)
def test_another_thing_beside_it_is_not(one: str, other: str) -> None:
    a, b = read(one), read(other)
    assert not measured_otherwise(a, b) and not measured_otherwise(b, a)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ingrid runs the data platform team.", "The data platform team is led by Tomasz."),
        ("The user was born in Ljubljana.", "The user's birthplace is Trieste."),
        ("Professor Lindholm supervises the user's thesis.", "The user's thesis supervisor is Professor Aydin."),
        ("Fatima approves the expense reports.", "The expense reports are approved by Gregor."),
        ("The docs are built with Sphinx.", "We build the docs with MkDocs."),
        ("The user is the drummer of the band.", "The band's drummer is Kit."),
    ],
)
def test_a_role_of_one_filled_by_another_is_found_by_noun_and_by_verb(one: str, other: str) -> None:
    a, b = read(one), read(other)
    assert filled_otherwise(a, b) and filled_otherwise(b, a)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ines has a cat named Pixel.", "Ines has a dog named Bit."),
        ("The user works as an accountant at Norlund.", "The user works in Brussels."),
        ("The user lives in a flat in Lisbon.", "The user speaks Portuguese at home."),
        ("The backend is written in Python.", "The backend is built with Django."),
        ("Ms. Duarte is the head of the school.", "Mr. Flynn is the deputy head of the school."),
        ("Yusuf won the chess tournament in 2022.", "Hanna won the chess tournament in 2023."),
    ],
)
def test_two_roles_or_two_of_several_are_not(one: str, other: str) -> None:
    a, b = read(one), read(other)
    assert not filled_otherwise(a, b) and not filled_otherwise(b, a)


def test_whoever_handed_a_role_on_fills_it_no_longer() -> None:
    held, told = read("The Osprey project is led by Miriam."), read("Miriam handed over the lead of Osprey to Felix.")
    assert passed_on(held, told)
    assert not passed_on(read("The Kestrel project is led by Miriam."), read("Ana handed Osprey over to Felix."))


def test_only_some_and_everyone_exclude_each_other_and_two_onlys_do_not() -> None:
    few, every = read("Only admins can see the audit log."), read("The audit log is visible to all users.")
    assert only_and_more(few, every) and only_and_more(every, few)
    assert not only_and_more(few, read("Only auditors can see the audit log."))
    assert not only_and_more(few, read("All users get a weekly digest."))


def test_a_thing_is_in_one_place_and_its_like_may_be_in_another() -> None:
    here, there = read("The launch party is in the canteen."), read("The launch party takes place on the roof terrace.")
    assert elsewhere(here, there) and elsewhere(there, here)
    assert not elsewhere(here, read("The farewell party is on the roof terrace."))
    assert not elsewhere(read("The data is stored in Parquet."), read("Customer data is in the vault."))

"""What plainly tells of two things is no contradiction, whatever else differs."""

from __future__ import annotations

import pytest

from memoryapp.detect.parted import parted
from memoryapp.domain.statement import Relation
from tests.detect.say import verdict

SHOWN = (Relation.CONFLICT, Relation.SUCCESSION, Relation.POSSIBLE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user has a yoga class on Tuesday evenings.", "The user has a yoga class on Saturday mornings as well."),
        ("The train to Vienna leaves at 8:12.", "The train gets to Vienna at 12:47."),
        ("Smart replies are enabled for beta testers.", "Smart replies are disabled for everyone outside the beta."),
        ("The user earned 3,900 euros a month in her first job.", "The user earns 5,400 euros a month."),
        ("The dog weighs 24 kilos.", "The cat weighs 4 kilos."),
        ("Eva got engaged in 2020.", "Eva got married in 2022."),
        ("Ahmed passed the B1 German exam.", "Ahmed failed the B2 German exam."),
        ("Piotr failed the first attempt at the exam.", "Piotr passed at the second attempt."),
        ("The tax refund for 2022 was 640 euros.", "The tax refund for 2023 came to 410 euros."),
        ("Project Larkspur is released under the MIT license.", "Project Thistle is released under the GPL license."),
        ("Version 2 of the parser supported only XML.", "Version 3 of the parser supports both XML and JSON."),
        ("The user smoked in his twenties.", "The user has not smoked for the past fifteen years."),
        ("Dmitri was divorced from Larisa in 2014.", "Dmitri has been married to Olga since 2018."),
    ],
)
def test_two_things_of_one_kind_are_told_apart_whichever_comes_first(one: str, other: str) -> None:
    assert parted(one, other) and parted(other, one)
    assert verdict(one, other).relation not in SHOWN and verdict(other, one).relation not in SHOWN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user's passport expires in 2027.", "The user's passport is valid until 2031."),
        ("The house on Elm Road was built in 1932.", "The house on Elm Road dates from 1978."),
        ("Leila's only son is six years old.", "Leila's boy turned seven on Sunday."),
        ("Nobody outside the team has access to the data.", "The partner university has access to the data."),
        ("The user lives on the third floor.", "The user lives on the fifth floor."),
    ],
)
def test_a_label_that_is_the_value_itself_tells_nothing_apart(one: str, other: str) -> None:
    assert not parted(one, other) and not parted(other, one)


def test_what_is_said_in_korean_is_not_parted() -> None:
    assert not parted("개는 24kg이다.", "고양이도 4kg이다.")


def test_the_memory_of_a_server_is_not_its_disk() -> None:
    assert verdict("The web server has 32 GB of memory.", "The web server has a 2 TB disk.").relation not in SHOWN


def test_shares_in_one_company_are_not_those_in_another() -> None:
    assert verdict("The user has shares in Novo and Shell.", "The user sold the shares in BP.").relation not in SHOWN


def test_what_a_person_does_at_two_times_of_the_week_is_two_things() -> None:
    one, other = "On Fridays the user is always in the office.", "The user swims on Mondays."
    assert verdict(one, other).relation not in SHOWN and verdict(other, one).relation not in SHOWN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Project Larkspur is released under the MIT license.", "Project Larkspur is released under the GPL license."),
        ("The user smokes a pack a day.", "The user has not smoked for the past fifteen years."),
        ("Dmitri was married to Olga in 2020.", "Dmitri has been single since 2018."),
    ],
)
def test_one_thing_at_one_time_is_not_told_apart(one: str, other: str) -> None:
    assert not parted(one, other) and not parted(other, one)

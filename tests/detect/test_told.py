"""What two statements say outright against each other: facets, denials, ends, limits; and whom and when it is of."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.detect import weighed
from memoryapp.detect.amounts import written
from memoryapp.detect.clause import clauses
from memoryapp.detect.denial import denials
from memoryapp.detect.narrower import under
from memoryapp.detect.reading import read
from memoryapp.detect.stances import FACETS, stances
from memoryapp.detect.whose import SPEAKER, whose
from memoryapp.domain.statement import Relation, Statement
from memoryapp.encoders.zones import DEFAULT
from tests.detect.say import verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ewa smokes a pack a day.", "Ewa has been a non-smoker for years."),
        ("Bruno is a bachelor.", "Bruno's wife is a pilot."),
        ("I've never been to Japan.", "I spent three weeks in Kyoto and Osaka back in 2019."),
        ("The user doesn't eat pork.", "The user eats bacon sandwiches every Saturday."),
        ("I don't own a smartwatch.", "My Garmin watch tracks my sleep."),
        ("The printer is broken.", "The printer works perfectly again."),
        ("Please keep your answers short.", "I want long, detailed answers from now on."),
        ("The card limit is 3,000 euros.", "The bank raised the card limit to 5,000 euros."),
    ],
)
def test_what_is_told_outright_is_shown_as_possible_in_either_order(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        judged = verdict(first, second, cosine=0.5)
        assert judged.relation in (Relation.POSSIBLE, Relation.SUCCESSION, Relation.CONFLICT), (first, second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gustav is married.", "Gustav's best friend got divorced last year."),
        ("I'm a vegetarian.", "My husband eats meat."),
        ("The user drinks no coffee after lunch.", "The user has two espressos every morning."),
        ("Chiara loves fiery curries.", "Chiara can't stand sweet-and-sour dishes."),
        ("The user dislikes goat cheese.", "The user likes cheese."),
        ("The user speaks Portuguese.", "The user does not speak Spanish."),
        ("Deborah remembers the smell.", "Deborah does not remember what it is called."),
        ("Nobody on the team has used their training budget.", "The training budget is 1,500 a head."),
        ("Session tokens expire after 30 minutes.", "Refresh tokens expire after 14 days."),
        ("The parser is about 2,000 lines long.", "The parser's tests are about 3,000 lines long."),
        ("Grandpa smokes a pipe.", "Grandpa's doctor wants him to stop smoking."),
        ("I don't drink alcohol.", "I enjoy alcohol-free beer."),
    ],
)
def test_of_two_people_times_or_parts_nothing_is_told_outright(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        assert weighed.compare(Statement(first), Statement(second), 0.5, DEFAULT) is None, (first, second)


def test_the_reason_quotes_what_either_side_says() -> None:
    judged = verdict("I've never been to Japan.", "I spent three weeks in Osaka back in 2019.", cosine=0.5)
    assert "One says “never visited Japan”, and the other “I spent 3 weeks in Osaka back in 2019”" in judged.reason
    judged = verdict("Ewa smokes a pack a day.", "Ewa has been a non-smoker for years.", cosine=0.5)
    assert "and the other “non-smoker”" in judged.reason and judged.attribute == "smoking"


def test_what_reads_alike_is_not_the_same_where_one_side_turned_it_round() -> None:
    one, other = "The user files taxes jointly with his wife.", "The user and his wife file separate tax returns."
    assert verdict(one, other, cosine=0.89).relation is Relation.POSSIBLE


def test_a_denial_turns_a_phrase_and_a_longer_phrase_takes_a_shorter_one_s_place() -> None:
    name = {facet.name: n for n, facet in enumerate(FACETS)}
    smokes, quit_ = stances(written("Ewa smokes.")), stances(written("Ewa quit smoking in May."))
    assert smokes[name["smoking"]].side == 0 and quit_[name["smoking"]].side == 1
    assert stances(written("Ewa doesn't smoke."))[name["smoking"]].side == 1
    assert name["smoking"] not in stances(written("Ewa wants him to stop smoking."))


def test_every_facet_has_two_sides_and_a_name_of_its_own() -> None:
    names = [facet.name for facet in FACETS]
    assert len(set(names)) == len(names) > 100
    assert all(facet.sides >= 2 for facet in FACETS)


def test_a_narrow_word_falls_under_a_wide_one_and_not_the_other_way_round() -> None:
    assert under("espresso", "coffee") and under("osaka", "japan") and under("nairobi", "africa")
    assert not under("coffee", "espresso") and not under("osaka", "china") and not under("", "coffee")


def test_a_denial_names_what_it_denies_without_light_words() -> None:
    (denial,) = denials(written("The user doesn't have a driving licence."))
    assert "licence" in denial.named
    assert denials(written("The pool doesn't open until nine.")) == ()


@pytest.mark.parametrize(
    ("text", "owners", "kin"),
    [
        ("My Garmin watch tracks my sleep.", {SPEAKER}, set()),
        ("Aunt Rosa's son is at university.", {"rosa"}, {"aunt", "son"}),
        ("The user's husband eats meat.", {SPEAKER}, {"husband"}),
        ("Backups are kept for 30 days.", set(), set()),
        ("Marta rides twice a week.", {"marta"}, set()),
    ],
)
def test_a_clause_is_of_whom_its_subject_names(text: str, owners: set[str], kin: set[str]) -> None:
    found = whose(clauses(text)[0])
    assert (set(found.owners), set(found.kin)) == (owners, kin)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(max_size=60))
def test_stances_and_denials_of_any_text_are_read(text: str) -> None:
    assert all(0 <= stance.side < FACETS[facet].sides for facet, stance in stances(text).items())
    assert all(denial.named or denial.doings for denial in denials(text))
    assert read(text).stances is not None

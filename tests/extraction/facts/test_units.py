from __future__ import annotations

from memoryapp.domain.fact import Extraction, SpokenTurn
from memoryapp.extraction.facts.pipeline import extract_facts


def facts(text: str, *, speaker: str = "Ann", worth: float = 2.5) -> list[str]:
    return [fact.text for fact in read(text, speaker=speaker, worth=worth).candidates]


def read(text: str, *, speaker: str = "Ann", worth: float = 2.5) -> Extraction:
    (one,) = extract_facts([SpokenTurn(text, speaker)], worth=worth)
    return one


def test_a_sentence_that_hangs_on_the_one_before_is_joined_to_it() -> None:
    assert facts("I adopted a grey puppy in May. She sleeps all day.") == [
        "Ann adopted a grey puppy in May. She sleeps all day."
    ]


def test_two_statements_of_their_own_are_two_facts() -> None:
    assert facts("I live in Seoul. I work at a bakery.") == ["Ann lives in Seoul.", "Ann works at a bakery."]
    assert len(facts("We moved the database last night. The staging server runs on port 8080.")) == 2


def test_the_quote_of_a_joined_fact_runs_over_its_sentences() -> None:
    text = "Hi! I adopted a grey puppy in May. She sleeps all day. Bye!"
    (fact,) = read(text).candidates
    assert fact.quote == "I adopted a grey puppy in May. She sleeps all day."


def test_a_sentence_that_hangs_on_a_weak_one_takes_it_along() -> None:
    (fact,) = facts("The concert was loud. It reminded me of my first year in Berlin.")
    assert fact.startswith("Ann: The concert was loud. It reminded Ann")


def test_a_sentence_is_not_joined_over_a_dropped_one() -> None:
    made = facts("I adopted a grey puppy in May. How are you? She met my brother at the park on Sunday.")
    assert len(made) == 2


def test_the_same_sentence_twice_is_one_fact() -> None:
    assert facts("I live in Seoul. I live in Seoul.") == ["Ann lives in Seoul."]


def test_what_is_worth_too_little_is_passed_over_with_its_points() -> None:
    one = read("The sky was grey.", worth=4)
    assert not one.candidates
    assert one.passed_over[0].quote == "The sky was grey."
    assert one.passed_over[0].reason.endswith("points of 4)")


def test_a_higher_bar_keeps_no_more() -> None:
    text = "I live in Seoul. My sister bought a red bike from Busan last week. The sky was grey. I was late."
    kept = [len(facts(text, worth=worth)) for worth in (0, 2.5, 4, 6)]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] > kept[-1]

from __future__ import annotations

import pytest

from memoryapp.domain.fact import Extraction, SpokenTurn
from memoryapp.domain.memory import Category, Mood
from memoryapp.extraction.facts.pipeline import extract_facts


def read(text: str, speaker: str, *, others: tuple[str, ...] = ()) -> Extraction:
    (one,) = extract_facts([SpokenTurn(text, speaker, others=others)])
    return one


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("We use Postgres 15 in production.", "The user and others use Postgres 15 in production."),
        ("The staging server runs on port 8080.", "The staging server runs on port 8080."),
        ("The deploy failed because the token expired.", "The deploy failed because the token expired."),
        ("Redis is used for caching only.", "Redis is used for caching only."),
        ("My email is ann@example.com.", "The user's email is ann@example.com."),
    ],
)
def test_technical_statements_of_a_user_are_facts(said: str, fact: str) -> None:
    assert [one.text for one in read(said, "user").candidates] == [fact]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Fix the login bug in the settings page.", "a request"),
        ("I need help with my React component.", "a request"),
        ("You wrote a good summary of the meeting.", "about the other person"),
    ],
)
def test_requests_and_praise_are_passed_over(said: str, why: str) -> None:
    one = read(said, "user", others=("assistant",))
    assert [left.reason for left in one.passed_over] == [why]
    assert one.candidates == ()


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Remember that I take my coffee black.", "Ana takes their coffee black."),
        ("Please remember that I hate cilantro.", "Ana hates cilantro."),
        ("Hey, remember: the alarm code is 4471.", "Ana: The alarm code is 4471."),
        ("Don't forget that the deploys happen on Fridays.", "Ana: The deploys happen on Fridays."),
        ("Note that Rita is vegan.", "Ana: Rita is vegan."),
    ],
)
def test_what_is_to_be_remembered_is_a_fact_without_the_order(said: str, fact: str) -> None:
    assert [one.text for one in read(said, "Ana").candidates] == [fact]


@pytest.mark.parametrize(
    "said", ["Remember that time in Rome!", "Remember that trip we took?", "Remember how we sang."]
)
def test_what_begins_a_story_is_not_taken_for_an_order_to_remember(said: str) -> None:
    assert read(said, "Ana").candidates == ()


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I've updated the config to use port 9090.", "The assistant has updated the config to use port 9090."),
        ("You prefer tabs over spaces.", "The user prefers tabs over spaces."),
        ("The tests failed because of a missing token.", "The tests failed because of a missing token."),
    ],
)
def test_what_an_assistant_did_and_what_it_says_of_the_user_are_facts(said: str, fact: str) -> None:
    assert [one.text for one in read(said, "assistant", others=("user",)).candidates] == [fact]


@pytest.mark.parametrize(
    "said",
    [
        "Python lists are mutable, while tuples are immutable.",
        "You can use a list comprehension for that loop.",
        "I recommend Postgres for a project of this size.",
        "I'll add the missing tests to the suite.",
    ],
)
def test_explanations_advice_and_offers_of_an_assistant_are_none(said: str) -> None:
    assert read(said, "assistant", others=("user",)).candidates == ()


def test_a_name_that_ends_like_a_verb_is_no_act_of_the_assistant() -> None:
    (fact,) = read("Winifred pays two standing orders for one alarm since October.", "assistant").candidates
    assert fact.text == "Winifred pays two standing orders for one alarm since October."


@pytest.mark.parametrize("said", ["Parked until after the wedding, by 20 September.", "Signed at 55k, from 1 July."])
def test_what_an_assistant_says_was_done_by_nobody_is_not_its_act(said: str) -> None:
    assert not any("The assistant" in one.text for one in read(said, "assistant", others=("user",)).candidates)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        (
            "We use CaseLark, and it lets you set a reminder.",
            "Ann and others use CaseLark, and it lets you set a reminder.",
        ),
        ("I told you about my dog Rex.", "Ann told the assistant about their dog Rex."),
        ("I've told Mendoza thank you and goodbye.", "Ann has told Mendoza thank you and goodbye."),
    ],
)
def test_you_is_the_assistant_only_where_the_speaker_deals_with_it(said: str, fact: str) -> None:
    assert [one.text for one in read(said, "Ann", others=("assistant",)).candidates] == [fact]


def test_an_answer_to_one_of_several_questions_is_not_put_to_the_last() -> None:
    asked = SpokenTurn("When do you start? And who pays for the hotel?", "assistant")
    (extracted,) = extract_facts([SpokenTurn("On Tuesday the 4th of May, at nine.", "Ann")], before=[asked])
    assert not any("asked" in one.text for one in extracted.candidates)


def test_a_draft_and_a_letter_that_was_pasted_speak_for_somebody_else() -> None:
    draft = '"In 2024 I wrote a checklist for ward 7B. It is used on four wards now."'
    assert read(f"Here is the letter:\n\n{draft}", "assistant").candidates == ()
    letter = 'Mr Tull wrote: "I will end the contract on 30 June. My nephew needs the flat in July."'
    assert read(letter, "user").candidates == ()


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Added `docs/stripe.md` with three steps.", "The assistant added docs/stripe.md with three steps."),
        ("Ran `make deploy` in 40 s.", "The assistant ran make deploy in 40 s."),
        (
            "Done in commit 9f3c2ab: the import calls upsert_stock() now.",
            "The assistant: Done in commit 9f3c2ab: the import calls upsert_stock() now.",
        ),
        ("`make test` now uses four processes.", "Make test now uses four processes."),
        (
            "From `/var/log/app.log`: `MemoryError` in sync.py line 88.",
            "From /var/log/app.log: MemoryError in sync.py line 88.",
        ),
        (
            "Your provider's signing certificate expired last night.",
            "The user's provider's signing certificate expired last night.",
        ),
        ("The account manager will be Felix Aumann.", "The account manager will be Felix Aumann."),
    ],
)
def test_what_an_assistant_reports_finds_out_and_announces_is_a_fact(said: str, fact: str) -> None:
    assert [one.text for one in read(said, "assistant", others=("user",)).candidates] == [fact]


@pytest.mark.parametrize("said", ["Noted: the meeting is on Friday.", "Noted, calls in the afternoon only."])
def test_that_an_assistant_heard_something_is_no_fact(said: str) -> None:
    assert read(said, "assistant", others=("user",)).candidates == ()


@pytest.mark.parametrize(
    "said",
    [
        "How about a weekend at a spa, a framed photo, or a pottery workshop?",
        "I'd start with three runs a week.",
        "First steps: book the office, fix the budget, and shortlist three venues.",
    ],
)
def test_a_suggestion_with_something_in_it_is_kept_as_what_it_is(said: str) -> None:
    (fact,) = read(said, "assistant", others=("Mara",)).candidates
    assert fact.text == f"The assistant suggested: “{said}”"
    assert (fact.confidence, fact.mood, fact.category) == (0.5, Mood.UNCERTAIN, Category.OTHER)


def test_what_somebody_suggests_who_is_no_assistant_is_not_told_as_a_suggestion() -> None:
    assert read("How about a spa, a photo, or a workshop?", "Mara").candidates == ()


def test_code_counts_as_what_a_sentence_speaks_of() -> None:
    (fact,) = read("test_refund_rounding is flaky, about one in twenty", "user").candidates
    assert fact.text == "Test_refund_rounding is flaky, about one in twenty."


@pytest.mark.parametrize("said", ["I like hiking.", "I enjoy painting.", "I really love singing."])
def test_what_somebody_likes_doing_is_worth_as_much_as_what_somebody_likes(said: str) -> None:
    (fact,) = read(said, "Mina").candidates
    assert fact.category is Category.PREFERENCES


@pytest.mark.parametrize("said", ["I like it.", "I like that idea.", "I love you all."])
def test_a_liking_that_names_nothing_is_none(said: str) -> None:
    assert read(said, "Mina").candidates == ()

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.fact import LEAST_CONFIDENCE, SpokenTurn
from memoryapp.domain.memory import Mood
from memoryapp.extraction.facts.pipeline import extract_facts
from tests.sampling import examples

AT = datetime(2024, 5, 15, tzinfo=UTC)
# Words that meet the rules, in any order: closer to their edges than letters at random.
SAID = """
    I we you my the a She it's they 'd n't was moved to Busan last week on Friday and because if always never don't
    Please use `npm` 42 . ! ? : , - ``` 🎉 저는 서울에 살아요 hate love Ann: 2024-02-30 for 3 years
"""
WORDS = st.sampled_from([*SAID.split(), "\n", "\u200d", "\ud800"])
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map(" ".join))


def test_a_turn_gives_its_facts_with_all_they_are_known_by() -> None:
    said = SpokenTurn("Hi! I moved to Busan last month because I got a new job. How are you?", "Minsu", AT, ("Ann",))
    (one,) = extract_facts([said])
    (fact,) = one.candidates
    assert fact.text == "Minsu moved to Busan last month because Minsu got a new job."
    assert fact.quote == "I moved to Busan last month because I got a new job."
    assert fact.entities == ("Minsu", "Busan")
    assert fact.valid_from == datetime(2024, 4, 1, tzinfo=UTC)
    assert (fact.confidence, fact.mood) == (0.9, Mood.ACTUAL)
    assert [left.reason for left in one.passed_over] == ["a greeting or a filler", "a question"]
    assert one.extractor == "rules"


def test_there_is_one_reading_for_each_turn_in_order() -> None:
    said = [SpokenTurn("I live in Seoul."), SpokenTurn(""), SpokenTurn("저는 커피를 좋아해요."), SpokenTurn("Thanks!")]
    assert [len(one.candidates) for one in extract_facts(said)] == [1, 0, 1, 0]


def test_you_is_the_one_who_spoke_before_where_no_other_is_named() -> None:
    before = [SpokenTurn("Hello.", "Ben")]
    (one,) = extract_facts([SpokenTurn("I lent you my bike on Sunday.", "Ann")], before=before)
    assert one.candidates[0].text == "Ann lent Ben their bike on Sunday."


def test_you_stays_where_several_could_be_meant() -> None:
    (one,) = extract_facts([SpokenTurn("I lent you my bike on Sunday.", "Ann", others=("Ben", "Cho"))])
    assert "lent you" in one.candidates[0].text


def test_a_standing_order_of_a_user_is_normative() -> None:
    (one,) = extract_facts([SpokenTurn("Always run the tests before you commit.")])
    assert one.candidates[0].mood is Mood.NORMATIVE


def test_passed_over_sentences_come_in_the_order_they_were_said() -> None:
    (one,) = extract_facts([SpokenTurn("Hi! The sky was grey. How are you? Two words.")], worth=9)
    assert [left.quote for left in one.passed_over] == ["Hi!", "The sky was grey.", "How are you?", "Two words."]


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(TEXTS, st.sampled_from(["user", "assistant", "Ann", "민수", "", "O'Neil (x)"])), max_size=4))
def test_any_turns_are_read_without_an_error_and_twice_alike(turns: list[tuple[str, str]]) -> None:
    said = [SpokenTurn(text, speaker, AT, ("Ben",)) for text, speaker in turns]
    read = extract_facts(said, worth=0)
    assert len(read) == len(said)
    assert read == extract_facts(said, worth=0)
    for turn, one in zip(said, read, strict=True):
        for fact in one.candidates:
            assert fact.quote and fact.quote in turn.text
            assert fact.text.strip() == fact.text != ""
            assert fact.confidence >= LEAST_CONFIDENCE
        assert all(left.quote in turn.text and left.reason for left in one.passed_over)


def asked(question: str, answer: str, *, by: str = "assistant") -> list[str]:
    said = [SpokenTurn(question, by, others=("Mara",)), SpokenTurn(answer, "Mara", others=(by,))]
    return [one.text for one in extract_facts(said)[1].candidates]


def test_an_answer_that_is_no_sentence_by_itself_carries_its_question() -> None:
    assert asked("Nice! When does your book club meet?", "every first Thursday of the month at Inga's place") == [
        "Mara, asked “When does your book club meet?”: Every first Thursday of the month at Inga's place."
    ]
    assert asked("어디에서 해요?", "수원에 있는 예식장이야") == [
        "Mara, “어디에서 해요?”라는 질문에: 수원에 있는 예식장이야."
    ]


def test_an_answer_that_says_it_all_leaves_the_question_out() -> None:
    assert asked("Where do you live?", "I live in Graz with my brother.") == ["Mara lives in Graz with their brother."]


@pytest.mark.parametrize(
    ("question", "answer"),
    [("How was it?", "It was great!"), ("Are you going to take it?", "yes, maybe"), ("Noted.", "my thing")],
)
def test_a_question_makes_no_fact_of_next_to_nothing(question: str, answer: str) -> None:
    assert asked(question, answer) == []


def test_only_what_answers_at_once_carries_the_question() -> None:
    told = asked("Which printer is it?", "A Zebra from 2021 in the packing hall. Berries from the market in Linz.")
    assert told[0].startswith("Mara, asked “Which printer is it?”: A Zebra")
    assert sum("asked" in one for one in told) == 1


def test_the_question_of_the_turn_before_is_known_where_it_was_read_earlier() -> None:
    before = [SpokenTurn("What's the book?", "assistant")]
    (one,) = extract_facts([SpokenTurn("Stoner by John Williams", "Mara", others=("assistant",))], before=before)
    assert [fact.text for fact in one.candidates] == ["Mara, asked “What's the book?”: Stoner by John Williams."]


def test_a_question_that_asks_not_to_be_kept_is_not_kept_with_its_answer() -> None:
    told = asked("Off the record: what is the alarm code?", "4471 since the burglary in March")
    assert all("alarm" not in one for one in told)

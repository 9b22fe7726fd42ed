"""The verdict on two statements."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.contradictions import judge
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.inference.embedding.zones import DEFAULT
from tests.contradictions.say import FIRST, said, verdict
from tests.sampling import examples

_WORDS = """
    I you the user Minsu lives works moved to in at Seoul Busan Naver likes Python Rust not no longer never 3 three kids
    vegan steak now deadline is Friday 14:00 2 pm port 8080 single married has , . ? 's 서울에 살아요 않아요 “ ’ - used
"""
WORDS = _WORDS.split()
sentences = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | st.text(max_size=60)


def test_having_moved_is_a_succession_that_proposes_to_replace() -> None:
    judged = verdict("I live in Seoul.", "I moved to Busan.")
    assert (judged.relation, judged.outcome, judged.attribute) == (Relation.SUCCESSION, Outcome.REPLACE, "lives in")
    assert judged.confidence >= 0.85
    assert "“lives in” was Seoul, is now Busan; said 3 weeks later" in judged.reason


def test_another_value_without_a_word_of_change_is_a_conflict() -> None:
    judged = verdict("I live in Seoul.", "I live in Busan.")
    assert (judged.relation, judged.detector, judged.outcome) == (Relation.CONFLICT, "slot", Outcome.REPLACE)


def test_what_was_said_earlier_does_not_replace_what_was_said_later() -> None:
    judged = verdict("I live in Seoul.", "I live in Busan.", later=-21)
    assert (judged.relation, judged.outcome) == (Relation.CONFLICT, Outcome.KEEP)
    assert "3 weeks earlier" in judged.reason


@pytest.mark.parametrize(
    ("existing", "incoming"),
    [
        ("The user likes Python.", "The user likes Rust."),
        ("The user lives in Seoul.", "The user used to live in Busan."),
        ("The user lives in Seoul.", "The user might move to Busan."),
        ("I live in Busan.", "Do you live in Seoul?"),
        ("Minsu lives in Seoul.", "Jiho lives in Busan."),
        ("Minsu's sister lives in Seoul.", "Minsu lives in Busan."),
        ("The backend is written in Go.", "The frontend is written in TypeScript."),
        ("The user read Dune in 2021.", "The user read Hyperion in 2023."),
        ("Reads time out after 30 seconds.", "Writes time out after 60 seconds."),
        ("The shop is closed on Mondays.", "The shop is open on Saturdays."),
        ("Feature flags are disabled in production.", "Feature flags are enabled in staging."),
        ("The user dislikes goat cheese.", "The user likes cheese."),
        ("She lives in Seoul.", "He lives in Busan."),
    ],
)
def test_what_can_both_hold_raises_nothing(existing: str, incoming: str) -> None:
    assert verdict(existing, incoming).relation in (Relation.COMPATIBLE, Relation.UNRELATED)
    assert not verdict(incoming, existing).clashes


@pytest.mark.parametrize(
    ("existing", "incoming", "detector"),
    [
        ("Priya works at Siemens.", "Priya no longer works at Siemens.", "negation"),
        ("Mina is vegan.", "Mina's favourite dinner is roast chicken.", "diet"),
        ("Jonas is single.", "Jonas got married in June.", "slot"),
        ("Our sprints last two weeks.", "Sprint length is three weeks.", "date"),
        ("The user has two children.", "The user has three kids.", "number"),
        ("The build is failing on CI.", "The build passes on CI.", "antonym"),
        ("The meeting is at 3pm.", "The meeting was moved to 4pm.", "date"),
        ("The user prefers tabs over spaces.", "The user prefers spaces over tabs.", "slot"),
        ("Users can delete their posts.", "Users cannot delete their posts.", "negation"),
        ("Sofia is the team lead.", "The team lead is Marco.", "slot"),
        ("Greta works as a vet.", "Greta retired last year.", "slot"),
        ("The server has 32 GB of RAM.", "The server has 64 GB of RAM.", "number"),
    ],
)
def test_what_cannot_both_hold_is_found_by_its_detector(existing: str, incoming: str, detector: str) -> None:
    judged = verdict(existing, incoming)
    assert judged.relation in (Relation.CONFLICT, Relation.SUCCESSION, Relation.POSSIBLE)
    assert judged.detector == detector


def test_a_clash_is_found_however_far_apart_the_wordings_lie() -> None:
    assert verdict("The CLI is MIT licensed.", "We decided to release the CLI under Apache 2.0.", cosine=0.1).attribute


def test_times_of_validity_that_do_not_overlap_are_a_succession_that_needs_no_decision() -> None:
    border = FIRST + timedelta(days=90)
    held = replace(said("Mina works at Naver."), valid_from=FIRST, valid_to=border)
    new = replace(said("Mina works at Kakao.", days=100), valid_from=border)
    judged = judge(held, new, cosine=0.9, zones=DEFAULT)
    assert (judged.relation, judged.detector, judged.outcome) == (Relation.SUCCESSION, "validity", Outcome.BOTH)
    overlapping = replace(new, valid_from=border - timedelta(days=1))
    assert judge(held, overlapping, cosine=0.9, zones=DEFAULT).relation is Relation.CONFLICT


def test_equal_statements_of_different_times_are_not_taken_for_one() -> None:
    border = FIRST + timedelta(days=90)
    held = replace(said("Mina works at Naver."), valid_from=FIRST, valid_to=border)
    again = replace(said("Mina works at Naver."), valid_from=border)
    assert judge(held, again, cosine=1.0, zones=DEFAULT).relation is Relation.COMPATIBLE


def test_i_is_the_speaker() -> None:
    held = said("Minsu lives in Seoul.")
    assert judge(held, said("I live in Busan.", speaker="Minsu"), cosine=0.6, zones=DEFAULT).clashes
    assert not judge(held, said("I live in Busan.", speaker="Jiho"), cosine=0.6, zones=DEFAULT).clashes


def test_a_model_is_asked_only_where_no_sure_rule_spoke() -> None:
    asked: list[str] = []

    def model(existing: Statement, incoming: Statement) -> Verdict:
        asked.append(incoming.text)
        return Verdict(Relation.POSSIBLE, "llm", "so it says", 0.7)

    pairs = [
        (said("I live in Seoul."), said("I live in Busan."), 0.6),
        (said("Yuna commutes by bike."), said("Yuna sold the bike."), 0.6),
        (said("The tea is green."), said("Yuna plays chess."), 0.1),
    ]
    judged = [judge(one, other, cosine=cosine, zones=DEFAULT, model=model) for one, other, cosine in pairs]
    assert [one.detector for one in judged] == ["slot", "llm", ""]
    assert asked == ["Yuna sold the bike."]


def test_a_model_that_fails_or_has_no_opinion_leaves_the_rules_verdict(caplog: pytest.LogCaptureFixture) -> None:
    def failing(existing: Statement, incoming: Statement) -> Verdict:
        raise RuntimeError(f"endpoint down, asked about {existing.text}")

    pair = (said("Mina is vegan."), said("Mina likes steak."))
    plain = judge(*pair, cosine=0.5, zones=DEFAULT)
    assert plain.relation is Relation.POSSIBLE
    assert judge(*pair, cosine=0.5, zones=DEFAULT, model=failing) == plain
    assert judge(*pair, cosine=0.5, zones=DEFAULT, nli=lambda a, b: None, model=failing) == plain
    logged = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(logged) == 2 and all("RuntimeError" in line and "vegan" not in line for line in logged)


@settings(max_examples=examples(300), deadline=None, derandomize=True)
@given(sentences, sentences, st.none() | st.floats(-1, 1))
def test_it_never_raises_and_says_the_same_every_time(one: str, other: str, cosine: float | None) -> None:
    judged = judge(Statement(one), Statement(other), cosine=cosine, zones=DEFAULT)
    assert judged == judge(Statement(one), Statement(other), cosine=cosine, zones=DEFAULT)


@settings(max_examples=examples(300), deadline=None, derandomize=True)
@given(sentences)
def test_a_statement_never_clashes_with_itself(text: str) -> None:
    judged = judge(said(text), said(text, days=30), cosine=1.0, zones=DEFAULT)
    assert not judged.clashes and judged.relation is not Relation.SUCCESSION


@settings(max_examples=examples(300), deadline=None, derandomize=True)
@given(sentences, sentences)
def test_whether_two_clash_does_not_depend_on_which_came_first(one: str, other: str) -> None:
    shown = (Relation.CONFLICT, Relation.POSSIBLE, Relation.SUCCESSION)
    there = judge(Statement(one), Statement(other), cosine=0.6, zones=DEFAULT).relation in shown
    back = judge(Statement(other), Statement(one), cosine=0.6, zones=DEFAULT).relation in shown
    assert there == back

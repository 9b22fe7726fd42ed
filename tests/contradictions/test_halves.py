"""A fact that says two things, of which one has changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.contradictions import standing
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.statement import Relation, Statement
from tests.contradictions.say import said, verdict
from tests.sampling import examples


@pytest.mark.parametrize(
    ("existing", "incoming", "stands"),
    [
        ("Mina lives in Seoul and works at Hangang Labs.", "Mina moved to Busan.", "Mina works at Hangang Labs."),
        ("Mina lives in Seoul, and her desk is in Suwon.", "Mina moved to Busan.", "Mina's desk is in Suwon."),
        ("Mina lives in Seoul and she plays chess.", "Mina moved to Busan.", "Mina plays chess."),
        ("I'm a nurse and I live in Porto.", "The user moved to Braga.", "I'm a nurse."),
        (
            "The sprint lasts two weeks. The retro is on Fridays.",
            "The sprint lasts 3 weeks.",
            "The retro is on Fridays.",
        ),
    ],
)
def test_the_part_that_did_not_change_stands_and_a_merge_is_proposed(existing: str, incoming: str, stands: str) -> None:
    assert standing(Statement(existing), Statement(incoming)) == (stands,)
    judged = verdict(existing, incoming)
    assert judged.outcome is Outcome.MERGE and judged.relation in (Relation.SUCCESSION, Relation.CONFLICT)
    assert judged.reason.endswith(f"The other part still stands: “{stands.rstrip('.')}”.")


@pytest.mark.parametrize(
    ("existing", "incoming"),
    [
        ("Mina lives in Seoul.", "Mina moved to Busan."),  # it says one thing
        ("Mina lives in Seoul and works at Naver.", "Mina moved to Busan and still works at Naver."),  # said again
        ("The deadline is Friday, but it may slip.", "The deadline was moved to Monday."),  # leans on what is gone
        ("Tom is allergic to nuts, so Tom bakes without them.", "Tom is not allergic to anything."),
        ("Mina lives in Seoul and works at Naver.", "Mina moved to Busan and joined Kakao."),  # both changed
        ("민아는 서울에 살아요. 민아는 네이버에서 일해요.", "민아는 부산으로 이사했어요."),
    ],
)
def test_where_nothing_stands_by_itself_the_whole_is_replaced(existing: str, incoming: str) -> None:
    assert standing(Statement(existing), Statement(incoming)) == ()
    assert verdict(existing, incoming).outcome is Outcome.REPLACE


def test_what_was_said_earlier_changes_no_part_of_what_was_said_later() -> None:
    assert verdict("Mina lives in Seoul and works at Naver.", "Mina lives in Busan.", later=-21).outcome is Outcome.KEEP


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(st.text(max_size=120), st.text(max_size=60))
def test_any_two_texts_have_a_standing_part_or_none(existing: str, incoming: str) -> None:
    assert all(part.strip() for part in standing(said(existing), said(incoming)))

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoryapp.domain.fact import Candidate, SpokenTurn
from memoryapp.domain.memory import Category, Mood
from memoryapp.extraction.facts.hangul import is_korean, with_topic
from memoryapp.extraction.facts.pipeline import extract_facts

SAID = datetime(2024, 5, 15, tzinfo=UTC)


def facts(text: str, *, speaker: str = "user") -> tuple[Candidate, ...]:
    (one,) = extract_facts([SpokenTurn(text, speaker, SAID)])
    return one.candidates


@pytest.mark.parametrize(
    ("said", "told", "kind"),
    [
        ("저는 서울에 살아요.", "사용자는 서울에 살아요.", Category.IDENTITY),
        ("부산에 산다.", "사용자는 부산에 산다.", Category.IDENTITY),
        ("커피를 정말 좋아해요", "사용자는 커피를 정말 좋아해요.", Category.PREFERENCES),
        ("제 이름은 김민수입니다.", "사용자의 이름은 김민수입니다.", Category.IDENTITY),
        ("네이버에서 일하고 있습니다.", "사용자는 네이버에서 일하고 있습니다.", Category.WORK),
        (
            "저는 네이버에서 백엔드 개발자로 일하고 있어요.",
            "사용자는 네이버에서 백엔드 개발자로 일하고 있어요.",
            Category.WORK,
        ),
        ("저 서울로 이사했어요.", "사용자는 서울로 이사했어요.", Category.IDENTITY),
        ("고양이 두 마리를 키우고 있어요.", "사용자는 고양이 두 마리를 키우고 있어요.", Category.PERSONAL),
        ("저는 스물여덟 살이에요.", "사용자는 스물여덟 살이에요.", Category.IDENTITY),
        ("스테이징 서버는 8080 포트에서 돌아가요.", "스테이징 서버는 8080 포트에서 돌아가요.", Category.WORK),
    ],
)
def test_an_ending_that_states_something_gives_a_fact_of_the_speaker(said: str, told: str, kind: Category) -> None:
    (fact,) = facts(said)
    assert (fact.text, fact.category, fact.quote) == (told, kind, said)


@pytest.mark.parametrize(
    "said",
    [
        "커피 좋아하세요?",
        "서울에 살고 싶어요.",
        "예전에 대전에 살았어요.",
        "시간이 있으면 커피를 사용해요.",
        "테스트를 실행해 주세요.",
        "날씨가 참 맑습니다.",
        "그는 이듬해 고향을 떠나 도시에서 거주했다.",
        "저는 " + "아주 " * 30 + "서울에 살아요.",
    ],
)
def test_questions_wishes_and_the_past_give_none(said: str) -> None:
    assert facts(said) == ()


def test_a_named_speaker_takes_the_particle_of_the_last_syllable() -> None:
    assert facts("커피를 좋아해요.", speaker="민수")[0].text == "민수는 커피를 좋아해요."
    assert facts("커피를 좋아해요.", speaker="지훈")[0].text == "지훈은 커피를 좋아해요."
    assert with_topic("Ben") == "Ben은"


def test_somebody_elses_home_is_not_the_speakers() -> None:
    (fact,) = facts("민지는 제주도에 살아요.", speaker="민수")
    assert fact.text == "민수: 민지는 제주도에 살아요."
    assert fact.confidence < facts("저는 제주도에 살아요.")[0].confidence


def test_a_decision_is_one_and_its_name_is_known() -> None:
    (fact,) = facts("우리는 Postgres를 사용하기로 했어요.")
    assert fact.decision_point
    assert fact.entities == ("Postgres",)


def test_a_guess_is_uncertain() -> None:
    (fact,) = facts("저는 커피를 좋아하는 것 같아요.")
    assert (fact.mood, fact.confidence) == (Mood.UNCERTAIN, 0.5)


def test_a_move_is_dated_and_holds_from_then() -> None:
    (fact,) = facts("지난달에 부산으로 이사했어요.")
    assert fact.valid_from == datetime(2024, 4, 1, tzinfo=UTC)
    assert fact.when == "지난달 → 2024-04-01 to 2024-04-30"


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("어제 서버를 사용했어요.", "2024-05-14"),
        ("2019년부터 네이버에서 일하고 있습니다.", "2019-01-01"),
        ("3년 전 결혼했어요, 민지와 결혼했어요.", "2021-01-01"),
        ("지난주 서버를 시작했어요.", "2024-05-06"),
        ("2023년 3월 2일 부산으로 이사했어요.", "2023-03-02"),
    ],
)
def test_korean_days_are_resolved(said: str, first: str) -> None:
    (fact,) = facts(said)
    assert fact.occurred_at is not None
    assert f"{fact.occurred_at:%Y-%m-%d}" == first


def test_an_english_sentence_with_a_korean_name_is_english() -> None:
    assert is_korean("서버를 Kubernetes로 옮겼어요")
    assert not is_korean("I met 민수 at the station yesterday")


def test_that_person_is_not_the_speaker() -> None:
    (fact,) = facts("저 사람은 서울에 살아요.", speaker="민수")
    assert fact.text == "민수: 저 사람은 서울에 살아요."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("출시일은 5월 20일로 잡혀 있어", "민수: 출시일은 5월 20일로 잡혀 있어."),
        ("어머니가 지난주에 무릎 수술을 받으셨어요.", "민수: 어머니가 지난주에 무릎 수술을 받으셨어요."),
        ("커피는 이제 완전히 끊었어", "민수: 커피는 이제 완전히 끊었어."),
        ("대신 루이보스차를 마셔", "민수: 대신 루이보스차를 마셔."),
        ("나 견과류 알레르기라서 땅콩만 빼고 먹어", "민수는 견과류 알레르기라서 땅콩만 빼고 먹어."),
        ("친구 지호가 6월 14일에 결혼해.", "민수: 친구 지호가 6월 14일에 결혼해."),
        ("대출은 5천만 원을 받았고 금리는 4.2퍼센트예요.", "민수: 대출은 5천만 원을 받았고 금리는 4.2퍼센트예요."),
    ],
)
def test_what_is_told_in_a_spoken_ending_and_names_enough_is_a_fact(said: str, told: str) -> None:
    (fact,) = facts(said, speaker="민수")
    assert (fact.text, fact.confidence) == (told, 0.7)


@pytest.mark.parametrize(
    "said",
    [
        "정말 고마워요.",
        "좋은 생각이에요.",
        "도움이 필요해요.",
        "현재 암호화폐는 과세 대상이 아니다.",
        "내일 같이 가자",
        "대단한 성과네요.",
    ],
)
def test_courtesies_calls_and_books_give_none(said: str) -> None:
    assert facts(said, speaker="민수") == ()


def test_what_an_assistant_proposes_is_a_proposal_and_what_it_explains_is_nothing() -> None:
    (fact,) = facts("금요일 오후에는 회의를 잡지 않는 규칙을 추천해요.", speaker="assistant")
    assert fact.text == "비서의 제안: “금요일 오후에는 회의를 잡지 않는 규칙을 추천해요.”"
    assert (fact.mood, fact.confidence) == (Mood.UNCERTAIN, 0.5)
    assert facts("필라테스는 자세 교정에 좋아요.", speaker="assistant") == ()

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.extraction.relations.pipeline import relations_in
from memoryapp.extraction.relations.sentences import Text
from tests.extraction.relations.told import told


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("저는 서울에 살아요.", {"민수 lives_in 서울"}),
        ("네이버에서 백엔드 개발자로 일하고 있어요.", {"민수 works_at 네이버"}),
        ("저는 카카오에 다녀요.", {"민수 works_at 카카오"}),
        ("저는 Neovim을 써요.", {"민수 uses Neovim"}),
        ("요즘 Neovim과 tmux를 쓰고 있습니다.", {"민수 uses Neovim", "민수 uses tmux"}),
        ("커피를 정말 좋아해요.", {"민수 prefers 커피"}),
        ("내년에 부산으로 이사하려고 해요.", {"민수 lives_in 부산 (planned)"}),
        ("서울에 살고 싶어요.", {"민수 lives_in 서울 (planned)"}),
    ],
)
def test_particle_and_ending_give_the_type(text: str, relations: set[str]) -> None:
    assert told(text, speaker="민수") == relations


@pytest.mark.parametrize(
    "text",
    [
        "고양이는 제주도에 살아요.",
        "예전에 대전에 살았어요.",
        "Docker는 안 써요.",
        "저는 파이썬을 좋아하지 않아요.",
        "저는 모자를 써요.",
        "서울에 사세요?",
        "커피를 좋아하는 것 같아요.",
        "저는 " + "아주 " * 30 + "서울에 살아요.",
    ],
)
def test_the_past_denials_guesses_and_anybody_else_give_nothing(text: str) -> None:
    assert told(text, speaker="민수") == set()


def test_somebody_known_is_spoken_of_by_name() -> None:
    assert told("민지는 제주도에 살아요.", speaker="민수", known=("민지",)) == {"민지 lives_in 제주도"}
    assert told("민지와 함께 팔림세스트를 개발하고 있어요.", speaker="민수", known=("팔림세스트",)) == {
        "민수 collaborates_with 민지", "민수 works_on 팔림세스트",
    }  # fmt: skip


def test_without_a_speaker_only_the_user_is_somebody() -> None:
    assert told("서울에 살아요.") == set()
    assert told("사용자는 서울에 살아요.") == {"user lives_in 서울"}


@settings(deadline=None)  # the first one loads the model
@given(st.text(alphabet="저는나민수서울에살아요를을써 다.좋와과함께일하고ab,:", max_size=80))
def test_any_korean_gives_names_that_stand_in_it(text: str) -> None:
    (stated,) = relations_in([Text(text, "민수")])
    assert all(one.object.name in text and one.subject.name == "민수" != one.object.name for one in stated)

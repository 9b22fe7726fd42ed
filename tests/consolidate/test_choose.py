"""Which sentences are taken, by either ranker, and why the others are left."""

from __future__ import annotations

import numpy as np
import pytest

from memoryapp.consolidate.draft import OF_GROUP, OF_SECTION, choose
from memoryapp.consolidate.ranking import ByCentrality, ByMarks, Ranking, rarity
from memoryapp.consolidate.sentences import Piece, sentences
from memoryapp.domain.digest import Sentence
from tests.samples import a_memory

BIRDS = ("heron", "otter", "beaver", "stork", "eagle", "robin", "wren", "finch", "crane", "swift", "raven", "tern")


def pieces(*texts: str) -> list[Piece]:
    return [piece for n, text in enumerate(texts) for piece in sentences(a_memory(text, id=f"{n:016x}"))]


def by_marks(*texts: str) -> tuple[Sentence, ...]:
    return choose(ByMarks(pieces(*texts), markers=("decided", "fixed")))


def by_centrality(*texts: str, vectors: bool = False) -> Ranking:
    those = pieces(*texts)
    rare = rarity([piece.terms for piece in those])
    rows = np.eye(len(those) + 1, dtype=np.float64) if vectors else None
    return ByCentrality(those, rare=rare, vectors=rows, markers=("decided",))


def test_three_of_a_section_are_taken_the_best_ones() -> None:
    told = by_marks("- Fixed the gate. \n- Rain fell.\n- Fixed the roof.\n- Decided to stay.\n- It is late.")
    assert [one.text for one in told if one.taken] == ["Fixed the gate.", "Fixed the roof.", "Decided to stay."]
    assert {one.left for one in told if not one.taken} == {"ranked below the top three of its section"}


def test_ten_of_a_group_are_taken() -> None:
    texts = [f"The {bird} is back. Decided on the {bird}." for bird in BIRDS]
    told = by_marks(*texts)
    assert sum(one.taken for one in told) == OF_GROUP
    assert "ranked below the top ten of its group" in {one.left for one in told}
    assert all(one.taken == ("Decided" in one.text) for one in told[: 2 * OF_GROUP])


def test_what_is_said_twice_is_taken_once_and_the_likeness_is_told() -> None:
    told = by_marks("We decided the heron moves to the north bank.", "Decided: the heron moves to the north bank!")
    assert [one.taken for one in told] == [True, False]
    assert told[1].left == "says the same as a taken sentence, 1.00"


def test_another_number_is_other_news() -> None:
    assert all(one.taken for one in by_marks("The lease costs 40 euros.", "The lease costs 50 euros."))


def test_korean_sentences_are_told_of_in_korean() -> None:
    told = by_marks("회의에서 예산을 정했다.", "회의에서 예산을 정했다!")
    assert told[1].left == "고른 문장과 같은 말, 1.00"
    assert told[0].why == ("3어절",)


def test_a_person_may_put_a_sentence_in_and_another_out() -> None:
    ranking = ByMarks(pieces("Fixed it. Rain fell here. Sun shone here. Wind blew here."), markers=("fixed",))
    wanted = [one.piece.id for one in ranking.ranked if one.piece.text in ("Wind blew here.", "Rain fell here.")]
    told = choose(ranking, by_hand=wanted)
    assert [(one.text, one.taken, one.by_hand) for one in told] == [
        ("Fixed it.", False, True),
        ("Rain fell here.", True, False),
        ("Sun shone here.", False, True),
        ("Wind blew here.", True, True),
    ]
    assert told[0].left == "dropped by hand"


@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "words"])
def test_what_a_group_comes_back_to_is_central(vectors: bool) -> None:
    texts = (
        "The heron moved to the north bank with the otter.",
        "The heron sleeps on the north bank. Lunch was late.",
        "An otter and a heron share the north bank.",
    )
    told = choose(by_centrality(*texts, vectors=vectors))
    assert max(told, key=lambda one: one.score).text != "Lunch was late."
    assert min(told, key=lambda one: one.score).text == "Lunch was late."
    assert all(0 <= one.score <= 1 for one in told)


def test_by_centrality_too_nothing_is_taken_twice_and_no_section_gives_more_than_three() -> None:
    texts = [" ".join(f"The {bird} nests on the {side} bank." for bird in BIRDS[:5]) for side in ("north", "south")]
    told = choose(by_centrality(*texts, *texts))
    taken = [one for one in told if one.taken]
    assert len({one.text for one in taken}) == len(taken) > 1
    for section in {one.section for one in told}:
        assert sum(one.section == section for one in taken) <= OF_SECTION


def test_vectors_tell_the_same_thing_in_other_words() -> None:
    those = pieces("We moved embedding over.", "Vectors are made elsewhere now.")
    same = np.array([[1.0, 0.0], [0.96, 0.28], [1.0, 0.0]])
    ranking = ByCentrality(those, rare=rarity([piece.terms for piece in those]), vectors=same)
    assert ranking.likeness(1, [0]) == pytest.approx(0.96)
    assert ByCentrality(those, rare={}, vectors=None).likeness(1, [0]) == 0.0


def test_a_marker_word_helps_by_centrality_as_well() -> None:
    one, other = by_centrality("Decided on the heron.", "Thought of the heron.").ranked
    assert one.score > other.score and "marker “decided”" in one.why


def test_nothing_in_is_nothing_out() -> None:
    assert by_marks() == ()
    assert choose(by_centrality()) == ()
    assert choose(ByCentrality([], rare={}, vectors=np.zeros((1, 4)))) == ()


def test_a_word_or_two_with_nothing_to_speak_for_them_are_left_unless_nothing_else_is_said() -> None:
    told = by_marks("Fixed the gate of the yard. Coffee.")
    assert [(one.taken, one.left) for one in told] == [(True, ""), (False, "says too little")]
    assert [one.taken for one in by_marks("Coffee.", "Tea again.")] == [True, True]

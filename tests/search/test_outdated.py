"""Of two hits that exclude each other the older is marked and stands behind the newer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from memoryapp.domain.memory import Kind, Memory, Origin, State
from memoryapp.domain.results import Answer, Query
from memoryapp.domain.turn import Turn, memory_of
from memoryapp.inference.reranking.pair_cache import PairCache
from memoryapp.search import outdated, search
from memoryapp.spaces import Space
from tests.samples import NOON
from tests.search.conftest import memory, write

ASKED = "Which berth does the heron use?"
OLD = "The heron uses berth four of the old harbour."
NEW = "The heron has moved to berth nine, where it stays for the winter."


class ScriptedJudge:
    """Takes for exclusive what names different berths; keeps the pairs that it read."""

    def __init__(self) -> None:
        self.chance = 0.9
        self.pairs = list[tuple[str, str]]()

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.pairs += pairs
        berths = ("four", "nine", "twelve")
        named = [[next((b for b in berths if b in text), "") for text in pair] for pair in pairs]
        return [self.chance if one and other and one != other else 0.1 for one, other in named]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> ScriptedJudge:
    scripted = ScriptedJudge()
    monkeypatch.setattr(outdated, "clash_probabilities", scripted)
    monkeypatch.setattr(outdated, "known", PairCache())
    return scripted


def said(text: str, *, day: int, **fields: object) -> Memory:
    return memory(text, kind=Kind.FACT, occurred_at=NOON + timedelta(days=day), **fields)


def asked(space: Space) -> Answer:
    return search(space, Query(ASKED, read=True))


def test_the_older_is_marked_and_stands_directly_behind_the_newer(space: Space, judge: ScriptedJudge) -> None:
    old, new = said(OLD, day=0), said(NEW, day=9)
    write(space, old, new)
    hits = asked(space).hits
    assert [hit.memory.id for hit in search(space, Query(ASKED)).hits] == [old.id, new.id]
    assert [(hit.memory.id, hit.outdated_by) for hit in hits] == [(new.id, None), (old.id, new.id)]


def test_the_newest_of_several_is_named(space: Space, judge: ScriptedJudge) -> None:
    old, new, newest = said(OLD, day=0), said(NEW, day=9), said("The heron uses berth twelve.", day=20)
    write(space, old, new, newest)
    by_id = {hit.memory.id: hit.outdated_by for hit in asked(space).hits}
    assert by_id == {old.id: newest.id, new.id: newest.id, newest.id: None}


def test_what_was_said_in_one_moment_or_one_turn_outdates_nothing(space: Space, judge: ScriptedJudge) -> None:
    turn = memory_of(Turn("1" * 16, "quay", 1, f"We saw the heron at berth twelve. {OLD}", NOON, "Ann"))
    learned = said(OLD, day=2, origin=Origin(session="quay", turn=turn.id))
    write(space, turn, learned, said(NEW, day=2))
    assert all(hit.outdated_by is None for hit in asked(space).hits if hit.memory.id == learned.id)
    assert not any(OLD in earlier and OLD in later for earlier, later in judge.pairs)


@pytest.mark.parametrize(
    ("later", "chance", "marked"), [("monday", 0.7, False), ("monday", 0.95, True), ("friday", 0.7, True)]
)
def test_within_one_session_the_judge_must_be_surer(
    space: Space, judge: ScriptedJudge, later: str, chance: float, marked: bool
) -> None:
    judge.chance = chance
    old, new = said(OLD, day=0, origin=Origin(session="monday")), said(NEW, day=9, origin=Origin(session=later))
    write(space, old, new)
    assert [hit.outdated_by is not None for hit in asked(space).hits if hit.memory.id == old.id] == [marked]


def test_what_is_known_to_be_over_is_not_read(space: Space, judge: ScriptedJudge) -> None:
    write(space, said(OLD, day=0, valid_to=NOON + timedelta(days=5)), said(NEW, day=9))
    assert all(hit.outdated_by is None for hit in asked(space).hits) and judge.pairs == []


def test_only_the_first_are_read_and_nothing_unless_asked_for(space: Space, judge: ScriptedJudge) -> None:
    write(space, *(said(f"The heron uses berth {n} of the harbour.", day=n) for n in range(outdated.FIRST + 3)))
    search(space, Query(ASKED, top_k=20))
    assert judge.pairs == []
    search(space, Query(ASKED, top_k=20, read=True))
    assert len(judge.pairs) == outdated.FIRST * (outdated.FIRST - 1) // 2


def test_other_scripts_and_long_texts_are_left_as_they_are(space: Space, judge: ScriptedJudge) -> None:
    write(space, said("왜가리 heron berth four 를 쓴다.", day=0), said(NEW, day=9), said(f"{OLD} " * 30, day=1))
    asked(space)
    assert not any("왜" in text or len(text) > 400 for pair in judge.pairs for text in pair)


def test_the_packaged_judge_reads_a_change(space: Space) -> None:
    write(
        space,
        said("Mara lives in a two-room flat in Altona.", day=0),
        said("Mara has moved out of Altona and lives in Bremen now.", day=90),
        said("Mara plays the cello.", day=100),
    )
    hits = search(space, Query("Where does Mara live?", read=True)).hits
    marks = {hit.memory.text.split()[1]: hit.outdated_by is not None for hit in hits}
    assert marks == {"lives": True, "has": False, "plays": False}


@pytest.mark.parametrize("why", ["missing", "off"])
def test_without_the_judge_nothing_is_marked(space: Space, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    monkeypatch.setattr(outdated, "known", PairCache())
    write(space, said("Mara lives in Altona.", day=0), said("Mara has moved to Bremen and lives there now.", day=90))
    question = Query("Where does Mara live?", read=True)
    if why == "missing":
        monkeypatch.setattr("memoryapp.contradictions.pair_judge.reader", lambda: None)
    else:
        monkeypatch.setenv("MEMORY_JUDGE", "off")
    assert all(hit.outdated_by is None for hit in search(space, question).hits)


def test_a_replaced_memory_is_no_newer_one(space: Space, judge: ScriptedJudge) -> None:
    write(space, said(OLD, day=0), said(NEW, day=9, state=State.SUPERSEDED))
    assert all(hit.outdated_by is None for hit in asked(space).hits)

"""Facts meet what is held: confirmed, in conflict, or simply new. With the real model where meaning is at stake."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import Became, NewMemory, RememberedItem
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.domain.trust import trust
from memoryapp.remember import Judges, remember
from memoryapp.review import edit
from memoryapp.spaces import Space, open_space
from memoryapp.store import conflicts, embeddings, memories
from tests.samples import AGENT, NOON, PERSON, REVIEW, HandClock, open_spaces


def tell(space: Space, *texts: str | NewMemory, **more: Any) -> list[RememberedItem]:
    items = [NewMemory(one, kind=Kind.FACT, **more) if isinstance(one, str) else one for one in texts]
    return list(remember(space, items, actor=AGENT))


def outcomes(told: list[RememberedItem]) -> list[str]:
    return [one.outcome.value for one in told]


def waiting(space: Space) -> list[Conflict]:
    return list(conflicts.page(space.db, status=ConflictStatus.WAITING))


@pytest.fixture(scope="module")
def _models() -> Iterator[None]:
    with open_spaces(encoder="all-MiniLM-L6-v2", clock=HandClock()):
        yield


@pytest.fixture
def minilm(_models: None, request: pytest.FixtureRequest) -> Space:
    """An empty space with the real model."""
    space = open_space(f"s{abs(hash(request.node.name)) % 10**8}", tuning=Tuning(**REVIEW))
    space.encoder.get(60)
    return space


def test_saying_it_again_raises_trust_as_the_formula_says(space: Space, clock: HandClock) -> None:
    (first,) = tell(space, "Mara likes tea.", session="a")
    for days, session in ((10, "b"), (20, "b"), (30, "c")):
        clock.now = NOON + timedelta(days=days)
        assert outcomes(tell(space, "Mara likes tea.", session=session)) == ["reinforced"]
    memory = memories.get(space.db, first.id)
    now = memory.last_confirmed + timedelta(days=45)
    value = trust(
        memory.confidence, confirmed_at=memory.last_confirmed, reinforcements=memory.reinforcements, now=now
    ).value
    assert memory.sessions == ("a", "b", "c")
    assert value == pytest.approx(0.9 * 0.5 ** (45 / 90) * (1 + 0.1 * math.log2(4)))


def test_the_same_in_other_words_confirms_and_keeps_the_words(minilm: Space) -> None:
    (first,) = tell(minilm, "The user has two children in school at the harbour of Busan.")
    (again,) = tell(minilm, "The user has two kids in school at the harbour of Busan.")
    assert again == RememberedItem(first.id, None, Became.REINFORCED, near=first.id)
    assert memories.get(minilm.db, first.id).text == "The user has two children in school at the harbour of Busan."
    assert len(tuple(memories.scan(minilm.db))) == 1
    assert embeddings.missing(minilm.db, minilm.encoder.name) == []


def test_a_move_after_a_home_is_put_to_a_person_with_the_newer_proposed(minilm: Space, clock: HandClock) -> None:
    (seoul,) = tell(minilm, "I live in Seoul.")
    (busan,) = tell(minilm, "I moved to Busan.")
    assert busan.outcome is Became.CONFLICT and busan.near == seoul.id
    (conflict,) = waiting(minilm)
    assert (conflict.id, conflict.existing, conflict.incoming) == (busan.conflict, seoul.id, busan.id)
    assert conflict.outcome is Outcome.REPLACE and conflict.certain
    assert "Seoul" in conflict.reason and "Busan" in conflict.reason
    both = memories.get_many(minilm.db, [seoul.id, busan.id]).values()
    assert {one.state for one in both} == {State.HELD}


def test_a_clash_is_found_by_its_slot_however_different_the_words(space: Space) -> None:
    far = replace(space, tuning=Tuning(zone_near=1.0))  # nothing is near in meaning
    tell(far, "Mara lives in Seoul.")
    assert outcomes(tell(far, "Mara has moved to Busan, where the sea is.")) == ["conflict"]


def test_many_likings_are_no_conflict(minilm: Space) -> None:
    assert outcomes(tell(minilm, "Mara likes Python.", "Mara likes Rust.", "Mara likes Go.")) == ["written"] * 3
    assert waiting(minilm) == []


def test_the_same_of_two_people_is_two_facts(minilm: Space) -> None:
    told = tell(minilm, "Maria has a dog named Rex.") + tell(minilm, "Jon has a dog named Rex.")
    assert outcomes(told) == ["written", "written"]
    told = tell(minilm, "I have a small garden.", speaker="Maria") + tell(
        minilm, "I have a small garden.", speaker="Jon"
    )
    assert outcomes(told) == ["written", "written"]
    assert waiting(minilm) == []


def test_numbers_that_differ_are_never_one_fact(minilm: Space) -> None:
    tell(minilm, "The staging server runs on port 8080.")
    (other,) = tell(minilm, "The staging server runs on port 9090.")
    assert other.outcome is Became.CONFLICT
    assert len(tuple(memories.scan(minilm.db))) == 2


def test_times_that_do_not_meet_are_no_conflict(minilm: Space) -> None:
    year = timedelta(days=365)
    tell(minilm, "Mara lives in Seoul.", valid_from=NOON - 2 * year, valid_to=NOON - year)
    assert outcomes(tell(minilm, "Mara lives in Busan.", valid_from=NOON - year)) == ["written"]
    assert waiting(minilm) == []


def test_a_batch_is_compared_with_itself(minilm: Space) -> None:
    told = tell(
        minilm,
        "Mara lives in Seoul.",
        "Mara likes tea.",
        "Mara moved to Busan.",
        "Mara is living in Seoul.",
        "Mara lives in Seoul.",
    )
    assert outcomes(told)[:3] == ["written", "written", "conflict"]
    assert told[4].id == told[0].id and outcomes(told)[4] == "reinforced"
    assert (told[2].near, len(waiting(minilm))) == (told[0].id, 1 if told[3].id == told[0].id else 2)


def test_what_repeats_words_that_themselves_confirmed_another_confirms_that_one(minilm: Space) -> None:
    (first,) = tell(minilm, "The user has two children in school at the harbour of Busan.")
    again = "The user has two kids in school at the harbour of Busan."
    told = tell(minilm, *(NewMemory(again, kind=Kind.FACT, session=f"s{n}") for n in range(3)))
    assert {one.id for one in told} == {first.id} and outcomes(told) == ["reinforced"] * 3
    assert memories.get(minilm.db, first.id).reinforcements == 3


def test_a_low_confidence_mention_cannot_replace_a_well_trusted_belief(space: Space) -> None:
    for policy in ("review", "auto-certain", "auto"):
        own = replace(space, tuning=Tuning(conflict_policy=policy))
        name = f"Mara{policy.title().replace('-', '')}"
        (held,) = tell(own, f"{name} lives in Seoul.")
        for n in range(3):
            tell(own, f"{name} lives in Seoul.", session=f"s{n}")
        (mention,) = tell(own, f"{name} moved to Busan.", confidence=0.5)
        assert mention.conflict is not None
        conflict = conflicts.get(own.db, mention.conflict)
        assert conflict is not None and conflict.outcome is Outcome.KEEP
        assert "1.08" in conflict.reason and "0.50" in conflict.reason
        assert memories.get(own.db, held.id).state is State.HELD
        expected = State.HELD if policy == "review" else State.SUPERSEDED
        assert memories.get(own.db, mention.id).state is expected


def test_the_same_ref_again_is_unchanged_and_new_words_are_a_new_question(space: Space) -> None:
    (seoul,) = tell(space, "Mara lives in Seoul.")
    fact = NewMemory("Mara moved to Busan.", kind=Kind.FACT, ref="home")
    (moved,) = tell(space, fact)
    assert moved.outcome is Became.CONFLICT
    assert outcomes(tell(space, fact)) == ["unchanged"]
    (again,) = tell(space, replace(fact, text="Mara moved to Oslo."))
    assert (again.id, again.outcome) == (moved.id, Became.CONFLICT)
    (left,) = waiting(space)
    assert left.id == again.conflict and "Oslo" in left.reason
    assert outcomes(tell(space, replace(fact, text="Mara lives in Seoul."))) == ["written"]
    assert waiting(space) == []
    assert memories.get(space.db, moved.id).slots == memories.get(space.db, seoul.id).slots


def test_a_fact_with_its_own_ref_is_written_even_where_it_says_what_is_known(space: Space) -> None:
    tell(space, "Mara likes tea.")
    (own,) = tell(space, NewMemory("Mara likes tea.", kind=Kind.FACT, ref="tea"))
    assert own.outcome is Became.WRITTEN
    assert memories.by_refs(space.db, ["tea"])["tea"].id == own.id


def test_a_contradiction_of_a_persons_edit_is_found(space: Space) -> None:
    (fact,) = tell(space, "Mara lives in Ghent.")
    edit(space, fact.id, {"text": "Mara lives in Oslo."}, actor=PERSON)
    assert outcomes(tell(space, "Mara lives in Ghent.")) == ["conflict"]


def test_without_a_model_facts_are_written_and_clashes_found_by_slot(space: Space) -> None:
    class Gone:
        name = "hashing"

        def get(self, timeout: float | None = None) -> Any:
            from memoryapp.domain.errors import ModelMissing

            raise ModelMissing("no such model")

    blind = replace(space, encoder=Gone())  # type: ignore[arg-type]
    assert outcomes(tell(blind, "Mara lives in Seoul.", "Mara likes tea.")) == ["written", "written"]
    assert outcomes(tell(blind, "Mara likes tea.", "Mara lives in Busan.")) == ["reinforced", "conflict"]
    assert len(embeddings.missing(space.db, "hashing")) == 3


def test_a_chat_model_is_asked_of_the_nearest_alone_and_its_word_counts(space: Space) -> None:
    asked: list[tuple[str, str]] = []

    def chat(existing: Statement, incoming: Statement) -> Verdict:
        asked.append((existing.text, incoming.text))
        return Verdict(Relation.POSSIBLE, "llm", "Both cannot be.", 0.7, Outcome.REPLACE)

    tell(space, "Mara paints herons at dawn.", "Mara paints herons at the lake.", "Odo repairs old boats.")
    item = NewMemory("Mara paints herons in oil.", kind=Kind.FACT)
    (told,) = remember(space, [item], actor=AGENT, judges=Judges(model=chat))
    assert told.outcome is Became.CONFLICT and len(asked) == 1
    (conflict,) = waiting(space)
    assert (conflict.detector, conflict.certain) == ("llm", False)


def test_notes_take_no_part(space: Space) -> None:
    told = remember(space, [NewMemory("Mara lives in Seoul."), NewMemory("Mara lives in Busan.")], actor=AGENT)
    assert outcomes(list(told)) == ["written", "written"]
    assert outcomes(tell(space, "Mara lives in Oslo.")) == ["written"]
    assert memories.get(space.db, told[0].id).slots == ()


def test_what_was_replaced_is_not_compared_with(space: Space) -> None:
    auto = replace(space, tuning=Tuning(conflict_policy="auto"))
    tell(auto, "Mara lives in Seoul.")
    tell(auto, "Mara moved to Busan.")
    (back,) = tell(auto, "Mara lives in Seoul.")
    assert back.outcome is Became.CONFLICT
    held = [one.text for one in memories.scan(space.db) if one.state is State.HELD]
    assert held == ["Mara lives in Seoul."]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Space]:
    with open_spaces(f"surrealkv://{tmp_path}"):
        space = open_space("reeds", tuning=Tuning(**REVIEW))
        space.encoder.get(30)
        yield space


def test_eight_agents_that_contradict_at_once_raise_each_pair_once(kept: Space) -> None:
    tell(kept, "Mara lives in Seoul.")
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda n: tell(kept, "Mara moved to Busan.", session=f"s{n}")[0], range(8)))
    assert Counter(one.outcome for one in told) == {Became.CONFLICT: 1, Became.REINFORCED: 7}
    assert len(waiting(kept)) == 1
    assert sorted(one.reinforcements for one in memories.scan(kept.db)) == [0, 7]


def test_the_same_words_of_another_day_are_another_occasion(space: Space) -> None:
    march, may = NOON, NOON + timedelta(days=60)
    told = [
        NewMemory(
            "Mina went to the dentist yesterday.",
            kind=Kind.FACT,
            speaker="Mina",
            occurred_at=day - timedelta(days=1),
            said_at=day,
            when="yesterday",
        )
        for day in (march, may, may)
    ]
    became = [tell(space, one)[0] for one in told]
    assert outcomes(became) == ["written", "written", "reinforced"] and became[2].id == became[1].id
    assert not waiting(space)

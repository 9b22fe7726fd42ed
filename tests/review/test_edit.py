from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput, NotFound, Stale, TooLarge
from memoryapp.domain.memory import Category, Memory, Origin, State
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.review import archive, confirm, delete, edit, feedback, history, hold, pin, restore_revision, tag
from memoryapp.spaces import Space
from memoryapp.store import embeddings, entities, memories, revisions, usage
from tests.samples import AGENT, PERSON, a_memory, written
from tests.sampling import examples


def held(space: Space, text: str = "The heron stands.", **more: Any) -> str:
    (memory,) = written(space.db, a_memory(text, **more))
    return memory.id


def test_an_edit_changes_what_is_named_and_leaves_the_rest(space: Space) -> None:
    key = held(space, tags=("old",), category=Category.WORK)
    done = edit(
        space, key, {"text": "It left.", "tags": ["#new", "new"], "category": None}, actor=PERSON, reason="seen"
    )
    (after,) = done.memories
    assert (after.text, after.tags, after.category, after.version) == ("It left.", ("new",), None, 2)
    assert after == memories.get(space.db, key)
    last = revisions.of_record(space.db, key)[-1]
    assert (last.actor, last.reason, last.run, last.act) == (PERSON, "seen", done.run.id, "edit")


def test_an_edit_moves_the_vector_and_the_references_along(space: Space) -> None:
    key = held(space)
    edit(space, key, {"text": "Of [[Zettelkasten]] alone."}, actor=PERSON)
    vector = embeddings.get_many(space.db, "hashing", [key])[key]
    expected = HashingEncoder().encode_documents(["Of [[Zettelkasten]] alone."])[0]
    assert float(vector @ expected) == pytest.approx(1, abs=1e-4)
    named = [edge.entity for edge in entities.references_of(space.db, [key])[key]]
    assert "zettelkasten" in {entities.get(space.db, entity).normal for entity in named}
    edit(space, key, {"text": "of nothing at all."}, actor=PERSON)
    assert entities.references_of(space.db, [key]) == {}


FROM_A_FILE = "The pin is 4821x, see <private>below."  # of a file its secrets are kept, and an open tag means nothing


def test_words_sent_back_as_they_stand_are_left_and_new_ones_are_masked(space: Space) -> None:
    """A page sends the words along with whatever else is edited."""
    key = held(space, FROM_A_FILE, origin=Origin(document="d", path="a.md"))
    sent = f" {FROM_A_FILE}\r\n"
    (after,) = edit(space, key, {"text": sent, "tags": ["seen"]}, actor=PERSON).memories
    assert (after.text, after.source_text, after.tags) == (FROM_A_FILE, None, ("seen",))
    (after,) = edit(space, key, {"text": f"So: {FROM_A_FILE}"}, actor=PERSON).memories
    assert (after.text, after.source_text) == ("So: The pin is [secret: password] see [private]", FROM_A_FILE)
    (after,) = edit(space, key, {"text": FROM_A_FILE}, actor=PERSON).memories
    assert (after.text, after.source_text) == (FROM_A_FILE, None)


def test_an_edit_that_is_private_as_a_whole_is_refused_and_changes_nothing(space: Space) -> None:
    key = held(space)
    with pytest.raises(BadInput, match="All of the text is private") as refused:
        edit(space, key, {"text": "<Private>The heron left."}, actor=PERSON)
    assert refused.value.field == "/text"
    assert memories.get(space.db, key).version == 1


def test_the_words_of_the_source_stay_beneath_an_edit_until_it_says_the_same(space: Space) -> None:
    key = held(space, "From the file", origin=Origin(document="d", path="a.md"))
    was = memories.get(space.db, key).content_hash
    (once,) = edit(space, key, {"text": "A person's"}, actor=PERSON).memories
    (twice,) = edit(space, key, {"text": "A person's second"}, actor=PERSON).memories
    assert once.source_text == twice.source_text == "From the file"
    assert twice.content_hash == was, "re-ingest compares with the source, not with the edit"
    (back,) = edit(space, key, {"text": "From the file"}, actor=PERSON).memories
    assert not back.edited


def test_an_old_version_is_refused_with_the_present_one_and_none_means_whatever_it_is(space: Space) -> None:
    key = held(space)
    edit(space, key, {"title": "One"}, actor=PERSON, expected=1)
    for act in (
        lambda: edit(space, key, {"title": "Two"}, actor=PERSON, expected=1),
        lambda: archive(space, [key], actor=PERSON, expected=1),
        lambda: restore_revision(space, key, "0" * 16, actor=PERSON, expected=1),
    ):
        with pytest.raises(Stale) as stale:
            act()
        assert stale.value.current == 2
    assert edit(space, key, {"title": "Three"}, actor=PERSON).memories[0].version == 3


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"text": " "}, "/text"), ({"text": None}, "/text"), ({"id": "x"}, "/id"), ({"state": "held"}, "/state"),
     ({"confidence": 2}, "/confidence"), ({"confidence": True}, "/confidence"), ({"category": "x"}, "/category"),
     ({"salience": "high"}, "/salience"), ({"tags": ["x" * 200]}, "/tags"), ({"text": "x" * 200_001}, "/text"),
     ({"valid_from": datetime(2026, 1, 2), "valid_to": datetime(2026, 1, 1)}, "/valid_to")],
)  # fmt: skip
def test_a_change_that_cannot_be_is_refused_by_field(space: Space, wrong: dict[str, Any], field: str) -> None:
    key = held(space)
    with pytest.raises(BadInput) as refused:
        edit(space, key, wrong, actor=PERSON)
    assert refused.value.field == field
    assert memories.get(space.db, key).version == 1


def test_a_change_that_changes_nothing_leaves_no_revision(space: Space) -> None:
    key = held(space)
    done = edit(space, key, {"text": "The heron stands."}, actor=PERSON)
    assert done.memories[0].version == 1
    assert len(revisions.of_record(space.db, key)) == 1


def test_acts_without_a_version_meet_and_all_are_kept(space: Space) -> None:
    key = held(space)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: tag(space, [key], actor=PERSON, add=[f"t{n}"]), range(12)))
        list(pool.map(lambda _: confirm(space, [key], actor=AGENT), range(6)))
    memory = memories.get(space.db, key)
    assert set(memory.tags) == {f"t{n}" for n in range(12)}
    assert memory.reinforcements == 6


def test_states_of_many_change_in_one_run(space: Space) -> None:
    keys = [held(space, f"Memory {n}") for n in range(5)]
    done = archive(space, [*keys, keys[0]], actor=PERSON, reason="spring")
    assert [m.state for m in done.memories] == [State.ARCHIVED] * 5
    assert len(revisions.of_run(space.db, done.run.id)) == 5
    delete(space, keys[:2], actor=PERSON)
    hold(space, keys, actor=PERSON)
    pin(space, keys[:1], actor=PERSON)
    assert {m.state for m in memories.scan(space.db)} == {State.HELD}
    assert memories.get(space.db, keys[0]).pinned


def test_one_unknown_id_among_many_stops_them_all(space: Space) -> None:
    key = held(space)
    with pytest.raises(NotFound, match="⟨x⟩"):
        archive(space, [key, "⟨x⟩"], actor=PERSON)
    assert memories.get(space.db, key).state is State.HELD
    with pytest.raises(BadInput):
        archive(space, [], actor=PERSON)
    with pytest.raises(TooLarge):
        archive(space, [f"{n:016x}" for n in range(1_001)], actor=PERSON)
    with pytest.raises(BadInput):
        tag(space, [key], actor=PERSON)


def test_feedback_is_counted_once_a_call_and_not_on_both_sides(space: Space) -> None:
    one, two = held(space), held(space, "Two")
    feedback(space, used=[one, one], not_useful=[two])
    found = usage.get_many(space.db, [one, two])
    assert (found[one].used, found[two].not_useful) == (1, 1)
    with pytest.raises(BadInput):
        feedback(space, used=[one], not_useful=[one])
    with pytest.raises(BadInput):
        feedback(space)
    with pytest.raises(NotFound):
        feedback(space, used=["0" * 16])


texts = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1).map(str.strip).filter(bool)
edits = st.fixed_dictionaries(
    {},
    optional={
        "text": st.sampled_from(["One", "Two", "[[SurrealDB]] holds it"]) | texts,
        "title": st.sampled_from(["", "Heron", "갈대"]),
        "tags": st.lists(st.sampled_from(["a", "b", "c"])),
        "confidence": st.sampled_from([0.5, 0.7, 0.9]),
        "category": st.sampled_from([*Category, None]),
        "occurred_at": st.none() | st.datetimes(timezones=st.just(UTC)),
        "pinned": st.booleans(),
    },
).filter(bool)
FIELDS = ("text", "title", "tags", "confidence", "category", "occurred_at", "pinned", "source_text", "state")


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(edits | st.sampled_from([archive, delete, hold]), max_size=8), st.booleans(), st.data())
def test_history_brings_back_every_earlier_state(space: Space, acts: list[Any], sourced: bool, data: Any) -> None:
    key = held(space, "First words", origin=Origin(document="d") if sourced else Origin())
    states: list[Memory] = [memories.get(space.db, key)]
    for act in acts:
        (after,) = (
            edit(space, key, act, actor=PERSON).memories
            if isinstance(act, dict)
            else act(space, [key], actor=PERSON).memories
        )
        if after != states[-1]:
            states.append(after)
    layers = history(space, key)
    assert [layer.text for layer in reversed(layers)] == [state.text for state in states]
    assert [layer.title for layer in reversed(layers)] == [state.title for state in states]
    assert [layer.state for layer in reversed(layers)] == [state.state.value for state in states]
    assert [layer.was for layer in reversed(layers)] == [None, *(state.text for state in states[:-1])]
    assert [layer.revision.version for layer in reversed(layers)] == list(range(1, len(states) + 1))

    wanted = data.draw(st.integers(0, len(states) - 1))
    (back,) = restore_revision(space, key, layers[len(states) - 1 - wanted].revision.id, actor=PERSON).memories
    assert [getattr(back, name) for name in FIELDS] == [getattr(states[wanted], name) for name in FIELDS]


def test_a_revision_of_another_memory_is_not_restored(space: Space) -> None:
    one, two = held(space), held(space, "Two")
    (other,) = revisions.of_record(space.db, two)
    with pytest.raises(NotFound):
        restore_revision(space, one, other.id, actor=PERSON)

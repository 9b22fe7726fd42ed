"""Old daily logs become digests: what is written, what is left alone, what a second run and an undo do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memoryapp.consolidate import Choice, Ranker, consolidate, old_enough, originals_of, preview, runs, told_in
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.errors import BadInput, Cancelled
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory, State, index_text
from memoryapp.domain.results import Query
from memoryapp.review import archive, edit, hold, pin, undo_run
from memoryapp.search import search
from memoryapp.spaces import Space, open_space
from memoryapp.store import audit, entities, lineage, memories, revisions
from memoryapp.store.backup import TABLES
from memoryapp.store.write import Batch, commit, new_run
from tests.consolidate.logs import FREEZE, H100, a_section, an_entity, kept, two_topics
from tests.samples import NOON, PERSON, HandClock, written

HEARTBEAT = Actor(ActorKind.MACHINE, "heartbeat")


def state(space: Space, memory: Memory) -> State:
    return memories.get(space.db, memory.id).state


def rows(space: Space) -> dict[str, list[Any]]:
    """All that a backup holds, without what counts changes and tells of them."""
    found = space.db.query("; ".join(f"SELECT * FROM {table}" for table in TABLES))
    kept_rows = {table: sorted(map(_plain, rows), key=str) for table, rows in zip(TABLES, found, strict=True)}
    return {table: there for table, there in kept_rows.items() if table not in ("revision", "run")}


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("version", "updated_at")}


def test_a_digest_is_written_with_its_words_its_links_and_its_lineage(space: Space) -> None:
    one, two, *_ = two_topics(space)
    done = consolidate(space, actor=HEARTBEAT)

    digest = next(memory for memory in done.written if memory.title.startswith("H100"))
    assert digest.kind is Kind.DIGEST and digest.state is State.HELD
    assert digest.title == "H100, 19 to 21 February"
    assert digest.text == (
        "19 February\n- Talked about cost.\n- Decided: embedding moves to one rented H100.\n- Coffee machine is back."
        "\n\n21 February\n- Fixed the out-of-memory on the H100 by halving the batch.\n- Looked at prices again."
    )
    assert digest.tags == ("gpu", "cost")
    assert digest.occurred_at == two.occurred_at
    assert (digest.detail["from"], digest.detail["to"]) == ("2026-02-19T00:00:00+00:00", "2026-02-21T00:00:00+00:00")
    assert [told["section"] for told in digest.detail["sentences"]] == [one.id] * 3 + [two.id] * 2
    assert [source.id for source in originals_of(space, digest.id)] == [one.id, two.id]
    assert lineage.sources(space.db, [digest.id]) == {digest.id: {one.id, two.id}}
    linked = entities.references_of(space.db, [digest.id])[digest.id]
    assert [edge.entity for edge in linked] == [an_entity("H100").id]


def test_the_originals_are_archived_and_the_digest_is_found_instead(space: Space) -> None:
    one, two, three, four, other = two_topics(space)
    done = consolidate(space, actor=HEARTBEAT)
    assert done.archived == 4 and len(done.written) == 2
    assert {state(space, memory) for memory in (one, two, three, four)} == {State.ARCHIVED}
    assert state(space, other) is State.HELD
    assert told_in(memories.get(space.db, one.id)) == next(m.id for m in done.written if "H100" in m.title)
    hits = search(space, Query("out-of-memory halving the batch")).hits
    assert hits[0].memory.kind is Kind.DIGEST
    assert not {hit.memory.id for hit in hits} & {one.id, two.id, three.id, four.id}


def test_a_second_run_changes_nothing(space: Space) -> None:
    two_topics(space)
    consolidate(space, actor=HEARTBEAT)
    before = (rows(space), len(audit.acts(space.db)))
    again = consolidate(space, actor=HEARTBEAT)
    assert again.run is None and again.written == () and again.staying == 1
    assert (rows(space), len(audit.acts(space.db))) == before


@pytest.mark.parametrize("ranker", list(Ranker))
def test_the_same_logs_give_the_same_digests_in_another_space_byte_for_byte(
    space: Space, clock: HandClock, ranker: Ranker
) -> None:
    other = replace(open_space("sedge"), tuning=space.tuning)
    two_topics(space)
    made = consolidate(space, actor=HEARTBEAT, ranker=ranker).written
    clock.move(hours=5)
    two_topics(other)
    again = consolidate(other, actor=PERSON, ranker=ranker).written
    known = {memory.id: memory for memory in again}
    assert len(made) == 2 and {memory.id for memory in made} == set(known)
    for memory in made:
        same = known[memory.id]
        assert index_text(memory).encode() == index_text(same).encode()
        assert (memory.detail, memory.tags, memory.confidence) == (same.detail, same.tags, same.confidence)


def test_rolling_a_run_back_restores_every_byte(space: Space) -> None:
    two_topics(space)
    before = rows(space)
    done = consolidate(space, actor=HEARTBEAT)
    assert done.run is not None and rows(space) != before

    undo_run(space, done.run.id, actor=PERSON)

    after = rows(space)
    digests = {memory.id for memory in done.written}
    gone = [row for row in after["memory"] if row["id"].id in digests]
    assert {row["state"] for row in gone} == {"deleted"}
    of_digests = {
        "memory": lambda row: row["id"].id in digests,
        "embedding": lambda row: row["memory"] in digests,
        "references": lambda row: row["in"].id in digests,
        "derived_from": lambda row: row["in"].id in digests,
        "graph_due": lambda row: row["id"].id in digests,
    }
    for table, there in before.items():
        left = [row for row in after[table] if not of_digests.get(table, lambda row: False)(row)]
        assert left == there, table
    assert runs(space)[0].rolled_back_by is not None


def test_what_was_rolled_back_is_written_again_only_when_it_is_picked(space: Space) -> None:
    two_topics(space)
    first = consolidate(space, actor=HEARTBEAT)
    assert first.run is not None
    undo_run(space, first.run.id, actor=PERSON)

    assert consolidate(space, actor=HEARTBEAT).written == ()
    found = preview(space)
    assert [one.rolled_back for one in found.digests] == [True, True]
    assert found.archives == found.bytes_before == 0

    again = consolidate(space, actor=PERSON, choices=[Choice(found.digests[0].id, found.digests[0].print)])
    assert [memory.id for memory in again.written] == [found.digests[0].id]
    assert again.written[0].state is State.HELD and again.archived == 2
    assert again.run is not None
    undo_run(space, again.run.id, actor=PERSON)
    assert state(space, again.written[0]) is State.DELETED


def test_young_pinned_archived_and_disputed_sections_are_left_alone(space: Space) -> None:
    old = [a_section(f"Decided {n} on the H100.", days=20 - n) for n in range(5)]
    young = a_section("Decided late on the H100.", days=2)
    noted = a_section("Decided aside on the H100.", days=20, daily=False)
    kept(space, *old, young, noted, names={"H100": (*old, young, noted)})
    pin(space, [old[0].id], pinned=True, actor=PERSON)
    archive(space, [old[1].id], actor=PERSON)
    conflict = Conflict(new_id(), old[2].id, "d", "r", NOON, incoming_text="other words")
    written(space.db, conflicts=[conflict])

    found = preview(space)
    assert [[original.id for original in one.originals] for one in found.digests] == [[old[3].id, old[4].id]]
    assert [(stays.id, stays.why) for stays in found.staying] == [
        (old[2].id, "a conflict about it waits for a decision")
    ]
    assert old_enough(space) == 4  # by the index alone: it knows neither of conflicts nor of what is a daily log
    assert old_enough(space, older_than_days=1) == 5


def test_a_section_is_old_enough_after_the_days_that_the_space_says(space: Space, clock: HandClock) -> None:
    one, two = a_section("Decided on the H100.", days=6), a_section("Fixed the H100.", days=5)
    kept(space, one, two, names={"H100": (one, two)})
    patient = replace(space, tuning=Tuning(consolidate_after_days=30))
    assert preview(patient).digests == ()
    clock.move(days=30)
    assert len(preview(patient).digests) == 1
    with pytest.raises(BadInput, match="0 to 36,500 days"):
        preview(space, older_than_days=-1)


def test_a_persons_edit_of_a_section_counts(space: Space) -> None:
    one, *_ = two_topics(space)
    edit(space, one.id, {"text": "Decided: the H100 stays for a year."}, actor=PERSON)
    done = consolidate(space, actor=HEARTBEAT)
    digest = next(memory for memory in done.written if "H100" in memory.title)
    assert "- Decided: the H100 stays for a year." in digest.text
    assert "rented" not in digest.text


def test_only_what_was_picked_is_written_and_with_the_sentences_that_were_picked(space: Space) -> None:
    one, _two, three, *_ = two_topics(space)
    found = preview(space)
    digest = next(one for one in found.digests if "H100" in one.title)
    picked = tuple(said.id for said in digest.sentences if "prices" in said.text or "Decided" in said.text)

    shown = preview(space, choices=[Choice(digest.id, sentences=picked)])
    text = next(one for one in shown.digests if one.id == digest.id).text
    assert text.count("\n- ") == 2
    done = consolidate(space, actor=PERSON, choices=[Choice(digest.id, digest.print, picked)])
    assert [memory.text for memory in done.written] == [text]
    assert done.sentences_taken == 2 and done.archived == 2
    assert state(space, three) is State.HELD and state(space, one) is State.ARCHIVED


def test_what_was_changed_since_the_preview_is_left_out_and_the_rest_is_written(space: Space) -> None:
    one, _, three, *_ = two_topics(space)
    found = preview(space)
    edit(space, one.id, {"text": "Decided otherwise on the H100."}, actor=PERSON)
    done = consolidate(space, actor=PERSON, choices=[Choice(digest.id, digest.print) for digest in found.digests])
    assert [(left.title, left.why) for left in done.left] == [
        ("H100, 19 to 21 February", "its sections were changed since the preview; look at it again")
    ]
    assert len(done.written) == 1 and state(space, three) is State.ARCHIVED and state(space, one) is State.HELD


def test_choices_that_are_no_more_or_make_no_sense_are_told(space: Space) -> None:
    two_topics(space)
    digest = preview(space).digests[0]
    done = consolidate(
        space, actor=PERSON, choices=[Choice("0123456789abcdef"), Choice(digest.id, sentences=("fedcba9876543210",))]
    )
    assert done.run is None and {left.id for left in done.left} == {"0123456789abcdef", digest.id}
    empty = consolidate(space, actor=PERSON, choices=[Choice(digest.id, sentences=())])
    assert "no sentence of it was picked" in empty.left[0].why
    assert consolidate(space, actor=PERSON, choices=[]).left == ()
    with pytest.raises(BadInput, match="chosen twice"):
        consolidate(space, actor=PERSON, choices=[Choice(digest.id), Choice(digest.id)])


def test_a_section_changed_at_the_last_moment_leaves_its_digest_out(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, *_ = two_topics(space)
    from memoryapp.consolidate import write

    def late(*args: Any, **more: Any) -> Any:
        if memories.get(space.db, one.id).version == 1:
            edit(space, one.id, {"tags": ["late"]}, actor=PERSON)
        return real(*args, **more)

    real = write.write
    monkeypatch.setattr(write, "write", late)
    done = consolidate(space, actor=HEARTBEAT)
    assert [left.title for left in done.left] == ["H100, 19 to 21 February"]
    assert [memory.title for memory in done.written] == ["Hangang, 20 to 22 February"]
    assert state(space, one) is State.HELD


class Stopped:
    """Asks to stop once so many digests are written."""

    def __init__(self, after: int) -> None:
        self.after, self.done = after, 0

    def advance(self, done: int, total: int, counts: dict[str, int] | None = None) -> None:
        self.done = done

    def cancelled(self) -> bool:
        return self.done >= self.after


def test_stopped_half_way_there_are_whole_digests_only_and_the_next_run_goes_on(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoryapp.consolidate import write

    monkeypatch.setattr(write, "_AT_ONCE", 1)
    two_topics(space)
    with pytest.raises(Cancelled, match="that are written stay"):
        consolidate(space, actor=HEARTBEAT, progress=Stopped(1))
    assert [(past.digests, past.archived) for past in runs(space)] == [(1, 2)]
    assert len(consolidate(space, actor=HEARTBEAT).written) == 1
    assert preview(space).digests == ()


def test_killed_half_way_the_run_still_tells_what_it_wrote(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    from memoryapp.consolidate import write

    monkeypatch.setattr(write, "_AT_ONCE", 1)
    two_topics(space)
    real, calls = write.write, []

    def killed(*args: Any, **more: Any) -> Any:
        if calls:
            raise KeyboardInterrupt
        calls.append(1)
        return real(*args, **more)

    monkeypatch.setattr(write, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        consolidate(space, actor=HEARTBEAT)
    monkeypatch.setattr(write, "write", real)
    past = runs(space)[0]
    assert (past.digests, past.archived, past.run.ended_at) == (1, 2, None)
    assert len(consolidate(space, actor=HEARTBEAT).written) == 1
    undo_run(space, past.run.id, actor=PERSON)
    assert sum(memory.state is State.HELD and memory.daily for memory in memories.scan(space.db)) == 3


def test_a_digest_is_trusted_no_more_than_the_least_of_its_originals(space: Space, clock: HandClock) -> None:
    sure, unsure = a_section(H100, days=9), a_section("Fixed the H100.", days=8, confidence=0.3)
    kept(space, sure, unsure, names={"H100": (sure, unsure)})
    digest = consolidate(space, actor=HEARTBEAT).written[0]
    assert digest.confidence == 0.3
    space.index.refresh()
    roster = space.index.view().roster
    trust = roster.trust(space.clock())
    assert trust[roster.slot(digest.id)] <= trust[roster.slot(unsure.id)]


def test_a_section_that_somebody_brought_back_stays(space: Space) -> None:
    one, _two, *_ = two_topics(space)
    consolidate(space, actor=HEARTBEAT)
    hold(space, [one.id], actor=PERSON)
    found = preview(space)
    assert found.digests == ()
    assert "somebody brought it back out of the digest “H100, 19 to 21 February”" in [s.why for s in found.staying]


def test_a_section_with_new_words_is_told_anew_in_its_digest(space: Space) -> None:
    one, two, *_ = two_topics(space)
    first = {memory.title: memory for memory in consolidate(space, actor=HEARTBEAT).written}["H100, 19 to 21 February"]
    standing = memories.get(space.db, one.id)
    again = replace(standing, text="Decided: the H100 goes back.", state=State.HELD)
    commit(space.db, new_run("ingest", HEARTBEAT, now=NOON), Batch(updated=[(standing, again)]), now=NOON)

    found = preview(space).digests
    assert [(digest.id, digest.rewrites, digest.topic.by) for digest in found] == [(first.id, True, "digest")]
    done = consolidate(space, actor=HEARTBEAT)
    assert done.written[0].id == first.id and done.archived == 1
    assert "goes back" in done.written[0].text and "rented" not in done.written[0].text
    assert "Fixed the out-of-memory" in done.written[0].text  # of the section that was archived all along
    assert consolidate(space, actor=HEARTBEAT).written == ()
    assert done.run is not None
    undo_run(space, done.run.id, actor=PERSON)
    assert memories.get(space.db, first.id).text == first.text
    assert state(space, one) is State.HELD and state(space, two) is State.ARCHIVED


def test_a_digest_that_a_person_edited_is_not_written_over(space: Space) -> None:
    one, *_ = two_topics(space)
    digest = next(m for m in consolidate(space, actor=HEARTBEAT).written if "H100" in m.title)
    edit(space, digest.id, {"text": "We rent one H100."}, actor=PERSON)
    standing = memories.get(space.db, one.id)
    commit(
        space.db,
        new_run("ingest", HEARTBEAT, now=NOON),
        Batch(updated=[(standing, replace(standing, text="Decided: it goes back.", state=State.HELD))]),
        now=NOON,
    )
    found = preview(space)
    assert found.digests == () and "was edited by hand" in " ".join(stays.why for stays in found.staying)


def test_the_memories_of_a_parent_space_are_never_touched(space: Space) -> None:
    two_topics(space)
    child = replace(open_space("sedge"), parent=space, tuning=space.tuning)
    assert consolidate(child, actor=HEARTBEAT).written == ()
    assert old_enough(child) == 0 and old_enough(space) == 5


def test_what_was_done_is_told_run_by_run(space: Space, clock: HandClock) -> None:
    two_topics(space)
    digest = preview(space).digests[1]
    consolidate(space, actor=PERSON, choices=[Choice(digest.id)], reason="the freeze is over")
    clock.move(hours=1)
    done = consolidate(space, actor=HEARTBEAT)
    last, first = runs(space)
    assert (last.run.id, last.digests, last.archived, last.ranker) == (done.run and done.run.id, 1, 2, "marks")
    assert (first.run.reason, last.run.reason) == ("the freeze is over", "logs older than 3 days")
    assert (last.bytes_before, last.bytes_after) == (done.bytes_before, done.bytes_after)
    assert runs(space, limit=1) == (last,)
    assert runs(space, before=(last.run.started_at, last.run.id)) == (first,)
    assert revisions.get_run(space.db, first.run.id).ended_at is not None


def test_markers_and_ranker_are_the_spaces_own(space: Space) -> None:
    one, two = a_section(FREEZE, days=9), a_section("We signed with Hangang. Rain fell.", days=8)
    kept(space, one, two, names={"Hangang": (one, two)})
    own = replace(space, tuning=Tuning(marker_words="signed", digest_ranker="marks"))
    scores = {said.text: said.why for said in preview(own).digests[0].sentences}
    assert "marker “signed”" in scores["We signed with Hangang."]
    assert not any("marker" in why for why in scores[FREEZE])
    central = replace(space, tuning=Tuning(digest_ranker="central"))
    assert preview(central).ranker is Ranker.CENTRAL
    assert preview(central).digests[0].id != preview(own).digests[0].id


def test_a_korean_group_has_a_korean_title(space: Space) -> None:
    one = a_section("배포는 금요일 18시부터 멈춘다. 월요일 9시에 다시 시작한다.", days=9, title="배포")
    two = a_section("월요일 롤백은 4분 걸렸다.", days=8, title="배포")
    kept(space, one, two, names={"한강": (one, two)})
    digest = preview(space).digests[0]
    assert digest.title == "한강, 2월 20일부터 21일까지"
    assert digest.text.startswith("2월 20일\n- 배포는")


def test_a_span_over_months_and_years_is_told_in_full(space: Space) -> None:
    one, two = a_section(H100, days=30), a_section("Fixed the H100.", days=20)
    three, four = a_section("Fixed Hangang.", days=70), a_section("Decided on Hangang.", days=55)
    five, six = a_section("Atlas is up.", days=8, title="Atlas"), a_section("Atlas is down.", days=8)
    kept(
        space,
        one,
        two,
        three,
        four,
        five,
        six,
        names={"H100": (one, two), "Hangang": (three, four), "Atlas": (five, six)},
    )
    assert {digest.title for digest in preview(space).digests} == {
        "H100, 30 January to 9 February",
        "Hangang, 21 December 2025 to 5 January 2026",
        "Atlas, 21 February",
    }

"""The review page: a case with both sides, every verdict with its undo, putting off."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from memoryapp import review, spaces
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory, Origin, State
from memoryapp.domain.turn import ReadingStatus, Turn
from memoryapp.store import conflicts, memories, sessions, turns
from memoryapp.store.write import Batch, commit, new_run
from tests.markup import PageClient
from tests.pages.clashing import ATLAS, HTMX, clashing, fact, opened, queued, toast


def test_a_case_shows_both_sides_their_trust_and_the_proposal(reader: Client, space: spaces.Space) -> None:
    conflict = clashing(space, attribute="backup|runs at")
    page = reader.get("/conflicts/").content.decode()
    assert opened(page) == conflict.id
    assert "Backup runs at <del>03:00.</del>" in page
    assert re.search(r"Backup runs at\s+<ins>02:00.</ins>", page)
    assert page.count('<dl class="waterfall">') == 2
    assert "Proposed: replace it with the new one." in page
    assert "Two hours for one backup." in page
    assert "90 % confident" in page
    assert "Backup: runs at" in page


def test_a_side_shows_the_turn_it_was_said_in(reader: Client, space: spaces.Space) -> None:
    at = space.clock()
    sessions.open_session(space.db, sessions.Session("standup", at))
    said = Turn(new_id(), "standup", 0, "It is settled: backup runs at 02:00 from now on.", at, "Jiwon")
    (turn,) = turns.append(space.db, "standup", [(said, ReadingStatus.DONE)])
    old = fact(space, "Backup runs at 03:00.")
    new = fact(
        space, "Backup runs at 02:00.", origin=Origin(session="standup", turn=turn.id),
        detail={"quote": "backup runs at 02:00 from now on"},
    )  # fmt: skip
    conflict = Conflict(new_id(), old.id, "number", "Two hours.", at, incoming=new.id)
    commit(space.db, new_run("read", ATLAS, now=at), Batch(conflicts=[conflict]), now=at)
    page = reader.get(f"/conflicts/{conflict.id}/").content.decode()
    assert "It is settled: <mark>backup runs at 02:00 from now on</mark>." in page
    assert "standup, turn 1" in page


def test_words_of_both_sides_are_escaped(reader: Client, space: spaces.Space) -> None:
    clashing(space, "<script>alert(1)</script> is held.", "<img src=x> came in.", reason="<b>bold</b>")
    page = reader.get("/conflicts/").content.decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "<b>bold" not in page


@pytest.mark.parametrize(
    ("outcome", "existing", "incoming"),
    [
        ("keep", State.HELD, State.SUPERSEDED),
        ("replace", State.SUPERSEDED, State.HELD),
        ("both", State.HELD, State.HELD),
        ("neither", State.ARCHIVED, State.ARCHIVED),
    ],
)
def test_a_verdict_is_one_request_and_one_undo(
    curator: Client, space: spaces.Space, outcome: str, existing: State, incoming: State
) -> None:
    conflict = clashing(space)
    assert conflict.incoming
    answer = curator.post(f"/conflicts/{conflict.id}/{outcome}/", {"reason": "said today"}, headers=HTMX)
    assert answer.status_code == 200
    assert memories.get(space.db, conflict.existing).state == existing
    assert memories.get(space.db, conflict.incoming).state == incoming
    decided = conflicts.get(space.db, conflict.id)
    assert decided and decided.decision
    assert (decided.status, decided.decision["reason"]) == (ConflictStatus.DECIDED, "said today")
    back = curator.post(toast(answer)["undo"], headers=HTMX)
    assert json.loads(back["HX-Location"])["path"].startswith(f"/conflicts/{conflict.id}/")
    assert memories.get(space.db, conflict.existing).state == State.HELD
    assert memories.get(space.db, conflict.incoming).state == State.HELD
    again = conflicts.get(space.db, conflict.id)
    assert again and again.status is ConflictStatus.WAITING


def test_the_answer_to_a_verdict_holds_the_next_case_of_the_queue(curator: Client, space: spaces.Space) -> None:
    made = [clashing(space, f"Runs at {n}:00.", f"Runs at {n}:30.") for n in range(4)]
    page = curator.get("/conflicts/").content.decode()
    order = queued(page)
    assert order == [c.id for c in reversed(made)]
    second = curator.get(f"/conflicts/{order[1]}/").content.decode()
    following = re.search(r'name="next" value="([0-9a-f]{16})"', second)
    assert following and following[1] == order[2]
    answer = curator.post(f"/conflicts/{order[1]}/keep/?tab=waiting", {"next": following[1]}, headers=HTMX)
    shown = answer.content.decode()
    assert "<html" not in shown
    assert opened(shown) == order[2]
    assert queued(shown) == [order[0], order[2], order[3]]
    assert answer["HX-Replace-Url"] == f"/conflicts/{order[2]}/?tab=waiting"
    assert 'id="rail-conflicts" hx-swap-oob="true">3</b>' in shown


def test_after_the_last_case_there_is_nothing_left_to_decide(curator: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    answer = curator.post(f"/conflicts/{conflict.id}/keep/", headers=HTMX).content.decode()
    assert "No conflicts are waiting." in answer
    assert "1 was decided so far." in answer
    assert opened(answer) == ""


def test_a_merge_stands_in_the_words_that_were_typed(curator: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    page = curator.get(f"/conflicts/{conflict.id}/").content.decode()
    filled = re.search(r'<textarea id="merge-text"[^>]*>([^<]+)</textarea>', page)
    assert filled and "03:00" in filled[1] and "02:00" in filled[1]
    words = "Backup runs at 02:00; it was 03:00 before."
    curator.post(f"/conflicts/{conflict.id}/merge/", {"text": words}, headers=HTMX)
    held = memories.get(space.db, conflict.existing)
    assert (held.text, held.reinforcements) == (words, 1)


def test_private_words_of_a_merge_are_kept_neither_in_the_memory_nor_in_the_case(
    curator: Client, space: spaces.Space
) -> None:
    conflict = clashing(space)
    words = "Backup runs at 02:00 <private>for Bertha</private>."
    curator.post(f"/conflicts/{conflict.id}/merge/", {"text": words}, headers=HTMX)
    decided = conflicts.get(space.db, conflict.id)
    assert decided and decided.decision and decided.decision["text"] == "Backup runs at 02:00 [private]."
    assert memories.get(space.db, conflict.existing).text == "Backup runs at 02:00 [private]."
    assert "Bertha" not in curator.get(f"/conflicts/{conflict.id}/").content.decode()


def test_both_hold_in_the_scope_that_was_stated(curator: Client, space: spaces.Space) -> None:
    conflict = clashing(space, "Uses a Mac.", "Uses Linux.")
    assert conflict.incoming
    sent = {"scope_existing": "travel", "scope_incoming": "work"}
    curator.post(f"/conflicts/{conflict.id}/both/", sent, headers=HTMX)
    assert "travel" in memories.get(space.db, conflict.existing).tags
    assert "work" in memories.get(space.db, conflict.incoming).tags


def test_both_hold_one_after_the_other(curator: Client, space: spaces.Space) -> None:
    conflict = clashing(space, "Uses a Mac.", "Uses Linux.")
    assert conflict.incoming
    curator.post(f"/conflicts/{conflict.id}/both/", {"ended": "2026-10-05"}, headers=HTMX)
    ended = memories.get(space.db, conflict.existing).valid_to
    assert ended and ended.date().isoformat() == "2026-10-05"


def test_a_day_that_is_none_is_told_and_nothing_is_decided(curator: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    answer = curator.post(f"/conflicts/{conflict.id}/both/", {"ended": "soon"}, headers=HTMX)
    assert answer.status_code == 422
    held = conflicts.get(space.db, conflict.id)
    assert held and held.status is ConflictStatus.WAITING


def test_a_case_is_put_off_and_woken(curator: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    answer = curator.post(f"/conflicts/{conflict.id}/snooze/", {"for": "day"}, headers=HTMX)
    assert "Snoozed until" in toast(answer)["text"]
    assert "No conflicts are waiting." in answer.content.decode()
    assert queued(curator.get("/conflicts/?tab=snoozed").content.decode()) == [conflict.id]
    assert "Wake now" in curator.get(f"/conflicts/{conflict.id}/").content.decode()
    curator.post(toast(answer)["undo"], headers=HTMX)
    assert queued(curator.get("/conflicts/").content.decode()) == [conflict.id]
    assert curator.post(f"/conflicts/{conflict.id}/snooze/", {"for": "ever"}, headers=HTMX).status_code == 422


def test_a_decided_case_says_who_decided_and_can_be_taken_back(curator: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    review.decide(space, conflict.id, Outcome.REPLACE, actor=Actor(ActorKind.PERSON, "mina"), reason="newer")
    page = curator.get("/conflicts/?tab=decided").content.decode()
    assert queued(page) == [conflict.id]
    assert "Decided by mina" in page and "“newer”" in page
    assert f'data-undo="/conflicts/{conflict.id}/undo/' in page
    assert 'hx-post="/conflicts/' not in page


def test_somebody_else_was_quicker_and_the_page_goes_on(curator: Client, space: spaces.Space) -> None:
    first, second = clashing(space), clashing(space, "Runs at 5:00.", "Runs at 6:00.")
    review.decide(space, first.id, Outcome.KEEP, actor=ATLAS)
    answer = curator.post(f"/conflicts/{first.id}/replace/", {"next": second.id}, headers=HTMX)
    assert answer.status_code == 200
    assert opened(answer.content.decode()) == second.id
    assert "decided" in toast(answer)["text"]
    assert memories.get(space.db, first.existing).state == State.HELD


def test_a_file_that_changed_under_an_edit_is_decided_here_too(
    curator: Client, space: spaces.Space, section: Memory
) -> None:
    review.edit(space, section.id, {"text": "The backup starts at 02:00."}, actor=ATLAS)
    now = space.clock()
    clash = Conflict(new_id(), section.id, "edited source", "Changed.", now, incoming_text="It starts at 04:00.")
    commit(space.db, new_run("ingest", ATLAS, now=now), Batch(conflicts=[clash]), now=now)
    page = curator.get(f"/conflicts/{clash.id}/").content.decode()
    assert "What its source says now" in page
    assert f"/conflicts/{clash.id}/both/" not in page
    assert "its wording stays" in curator.get(f"/conflicts/{clash.id}/changes/").content.decode()
    curator.post(f"/conflicts/{clash.id}/replace/", headers=HTMX)
    assert memories.get(space.db, section.id).text == "It starts at 04:00."


def test_what_changes_is_told_for_every_outcome_the_proposed_one_first(reader: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    now = space.clock()
    summary = fact(space, "All of work.")
    other = Conflict(new_id(), conflict.existing, "number", "A third hour.", now, incoming=fact(space, "At 05:00.").id)
    batch = Batch(derived=[(summary.id, conflict.existing)], conflicts=[other])
    commit(space.db, new_run("read", ATLAS, now=now), batch, now=now)
    table = reader.get(f"/conflicts/{conflict.id}/changes/").content.decode()
    assert re.findall(r'<tr class="o-(\w+)', table) == ["replace", "keep", "both", "merge", "neither"]
    replace_row = table.split("<tr")[2]
    assert "superseded" in replace_row
    assert "1 memory made from it" in replace_row
    assert "1 other case closed" in replace_row


def test_a_case_of_the_longest_texts_stays_small(curator: PageClient, space: spaces.Space) -> None:
    for n in range(26):
        conflict = clashing(space, f"{n} " + "word " * 3_000, f"{n} " + "other " * 3_000)
    curator.get(f"/conflicts/{conflict.id}/")
    assert curator.weight < 25_000


def test_a_case_that_is_not_there_is_told(curator: Client, space: spaces.Space) -> None:
    clashing(space)
    answer = curator.get("/conflicts/0123456789abcdef/")
    assert answer.status_code == 404
    assert "There is no conflict" in answer.content.decode()


def test_a_memory_in_conflict_leads_to_its_case(reader: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    page = reader.get(f"/memories/{conflict.existing}/").content.decode()
    assert f'href="/conflicts/{conflict.id}/"' in page
    assert 'id="rail-conflicts">1</b>' in reader.get("/").content.decode()

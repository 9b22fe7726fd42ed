"""The review page: its tabs and queue, accepting several at once, what each role may do."""

from __future__ import annotations

import html
import json
import re

from django.test import Client

from memoryapp import review, spaces
from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.memory import State
from memoryapp.store import conflicts, memories
from tests.pages.clashing import ATLAS, HTMX, clashing, queued, toast


def test_certain_proposals_are_counted_listed_and_accepted_in_one_act(curator: Client, space: spaces.Space) -> None:
    sure = [clashing(space, f"Runs at {n}:00.", f"Runs at {n}:30.", certain=True) for n in range(3)]
    unsure = clashing(space, "Likes tea.", "Likes coffee.")
    assert "Accept 3 high-confidence proposals" in curator.get("/conflicts/").content.decode()
    listed = curator.get("/conflicts/accept/?which=sure").content.decode()
    assert "Accept 3 proposals?" in listed and "3 replace" in listed
    ids = re.findall(r'name="ids" value="([0-9a-f]{16})"', listed)
    assert set(ids) == {c.id for c in sure}
    answer = curator.post("/conflicts/accept/", {"ids": ids}, headers=HTMX)
    assert toast(answer)["text"] == "3 proposals accepted."
    assert queued(answer.content.decode()) == [unsure.id]
    assert {memories.get(space.db, c.existing).state for c in sure} == {State.SUPERSEDED}
    curator.post(toast(answer)["undo"], headers=HTMX)
    assert len(queued(curator.get("/conflicts/").content.decode())) == 4


def test_picked_cases_are_listed_before_they_are_accepted(curator: Client, space: spaces.Space) -> None:
    one, two = clashing(space), clashing(space, "Likes tea.", "Likes coffee.", outcome=Outcome.KEEP)
    listed = curator.get("/conflicts/accept/", {"ids": [one.id, two.id]}).content.decode()
    assert "Accept 2 proposals?" in listed
    assert "1 keep existing, 1 replace" in listed
    assert "None of these is waiting any more." in curator.get("/conflicts/accept/?ids=" + "0" * 16).content.decode()


def test_a_writer_proposes_and_a_reader_only_looks(writer: Client, reader: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    page = writer.get("/conflicts/").content.decode()
    assert "saved as a proposal" in page
    answer = writer.post(f"/conflicts/{conflict.id}/keep/", {"reason": "it moved back"}, headers=HTMX)
    assert toast(answer)["text"] == "Proposed: keep the existing one. A curator decides."
    held = conflicts.get(space.db, conflict.id)
    assert held and held.status is ConflictStatus.WAITING
    page = reader.get("/conflicts/").content.decode()
    assert "proposes: keep existing" in page and "it moved back" in page
    assert "Readers cannot decide conflicts." in page
    assert "hx-post" not in page


def test_an_agents_proposal_is_shown_beside_the_detectors(curator: Client, space: spaces.Space) -> None:
    conflict = clashing(space)
    review.propose(space, conflict.id, Outcome.BOTH, actor=ATLAS, reason="one is for weekends")
    page = curator.get("/conflicts/").content.decode()
    assert "<b>atlas</b> proposes: both hold, “one is for weekends”" in page


def test_the_address_holds_tab_kind_and_order(curator: Client, space: spaces.Space) -> None:
    number = clashing(space, confidence=0.6)
    date = clashing(space, "On Monday.", "On Friday.", detector="date", confidence=0.95)
    assert queued(curator.get("/conflicts/?detector=date").content.decode()) == [date.id]
    assert queued(curator.get("/conflicts/?sort=oldest").content.decode()) == [number.id, date.id]
    assert queued(curator.get("/conflicts/?sort=confidence").content.decode()) == [date.id, number.id]
    assert "Nothing of this kind waits." in curator.get("/conflicts/?detector=nli").content.decode()
    for wrong in ("tab=blue", "sort=blue", "after=blue"):
        assert curator.get(f"/conflicts/?{wrong}").status_code == 422


def test_the_queue_goes_on_where_a_page_ends(curator: Client, space: spaces.Space) -> None:
    made = {clashing(space, f"Runs at {n}.", f"Runs past {n}.").id for n in range(28)}
    page = curator.get("/conflicts/").content.decode()
    seen = queued(page)
    more = re.search(r'href="(/conflicts/\?[^"]*after=[^"]+)"', page)
    assert more
    seen += queued(curator.get(more[1].replace("&amp;", "&")).content.decode())
    assert len(seen) == 28
    assert set(seen) == made
    last = curator.get(f"/conflicts/{seen[24]}/").content.decode()
    assert f'href="{more[1]}" data-press="j"' in last  # "j" goes on where the page ends
    asked = more[1].removeprefix("/conflicts/").replace("&amp;", "&")
    for key in seen[25:]:
        left = curator.post(f"/conflicts/{key}/keep/{asked}", headers=HTMX)
    assert len(queued(left.content.decode())) == 25  # that page is empty now: the first one is shown, not “none waits”


def test_empty_tabs_say_what_would_be_there(reader: Client, space: spaces.Space) -> None:
    for tab, words in (
        ("waiting", "No conflicts are waiting."),
        ("automatic", "Nothing was decided automatically."),
        ("decided", "Nothing has been decided yet."),
        ("snoozed", "Nothing is snoozed."),
    ):
        assert words in reader.get(f"/conflicts/?tab={tab}").content.decode()


def test_where_each_side_holds_is_kept_with_a_writers_proposal(writer: Client, space: spaces.Space) -> None:
    key = clashing(space).id
    said = {"scope_existing": "home", "scope_incoming": "work", "ended": "2026-11-20", "reason": "both are used"}
    page = writer.post(f"/conflicts/{key}/both/", said, headers=HTMX)
    assert page.status_code == 200
    shown = writer.get(f"/conflicts/{key}/").content.decode()
    assert "<b>You</b> propose: both hold, “both are used; A for “home”, B for “work”, A until 20 Nov 2026" in shown


def test_walking_on_and_taking_back_tell_the_rail_how_many_wait(curator: Client, space: spaces.Space) -> None:
    key = clashing(space).id
    part = curator.get(f"/conflicts/{key}/", headers=HTMX).content.decode()
    assert 'id="rail-conflicts" hx-swap-oob="true">1<' in part


def test_an_agents_proposal_is_accepted_with_one_key_and_the_audit_says_whose_it_was(
    curator: Client, writer: Client, space: spaces.Space
) -> None:
    key = clashing(space).id
    review.propose(space, key, Outcome.KEEP, actor=ATLAS, reason="it was a trip")
    assert 'data-press="p"' not in writer.get(f"/conflicts/{key}/").content.decode()
    page = curator.get(f"/conflicts/{key}/").content.decode()
    ((action, sent),) = re.findall(r'hx-post="([^"]+)" hx-vals="([^"]+)"[^>]*data-press="p"', page)
    assert action.startswith(f"/conflicts/{key}/keep/")
    answer = curator.post(html.unescape(action), json.loads(html.unescape(sent)), headers=HTMX)
    decided = conflicts.get(space.db, key)
    assert decided and decided.status is ConflictStatus.DECIDED and decided.decision
    assert decided.decision["reason"] == "as atlas proposed: it was a trip"
    assert toast(answer)["undo"]
    told = curator.get(f"/audit/?record={key}").content.decode()
    assert "atlas: keep" in told and "{&#x27;" not in told
    assert 'data-press="p"' not in curator.get(f"/conflicts/{key}/").content.decode()


def test_words_that_an_agent_would_merge_into_go_along_with_its_acceptance(
    curator: Client, space: spaces.Space
) -> None:
    key = clashing(space).id
    review.propose(space, key, Outcome.MERGE, actor=ATLAS, text='Both "this" & that.')
    page = curator.get(f"/conflicts/{key}/").content.decode()
    (sent,) = re.findall(r'hx-vals="([^"]+)"[^>]*data-press="p"', page)
    assert json.loads(html.unescape(sent)) == {"reason": "as atlas proposed", "text": 'Both "this" & that.'}

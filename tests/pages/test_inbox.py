"""The inbox page: what waits by session, an act a key, in bulk, edited in place, never again; and Settings' list."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from memoryapp import review, spaces
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.turn import NewTurn
from memoryapp.remember import append_turns, read_turns
from memoryapp.store import memories, sessions
from tests.markup import PageClient
from tests.pages.conftest import ATLAS
from tests.remember.talk import LineReader

HTMX = {"HX-Request": "true"}
RAN = "Mara ran the test suite on the staging server today."


@pytest.fixture
def heard(space: spaces.Space) -> Callable[..., list[Memory]]:
    """Learns a fact from each line, in a session of the agent atlas."""

    def learned(*lines: str, session: str = "monday") -> list[Memory]:
        sessions.open_session(space.db, sessions.Session(session, space.clock(), agent="atlas"))
        append_turns(space, session, [NewTurn("\n".join(lines), speaker="Mara")], actor=ATLAS)
        read_turns(space, reader=LineReader(), actor=ATLAS)
        held = {memory.text: memory for memory in memories.scan(space.db) if memory.kind is Kind.FACT}
        return [held[line] for line in lines]

    return learned


def shown(client: Client, query: str = "") -> str:
    answer = client.get(f"/inbox/{query}")
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def post(client: Client, path: str, **sent: Any) -> Any:
    return client.post(path, sent, headers=HTMX)


def toast(answer: Any) -> dict[str, str]:
    assert answer.status_code == 200, answer.content
    told: dict[str, str] = json.loads(answer["HX-Trigger"])["toast"]
    return told


def rows(html: str) -> list[str]:
    return re.findall(r'<li id="f-([0-9a-f]{16})"', html)


def test_facts_stand_under_their_session_with_agent_turn_and_trust(
    curator: Client, heard: Callable[..., list[Memory]], write: Callable[..., Memory]
) -> None:
    (fact,) = heard("Mara lives in Ghent.")
    posted = write("Deploys stop on Friday.", kind=Kind.FACT)
    html = shown(curator)
    assert rows(html) == [posted.id, fact.id]
    assert "Written without a session" in html and ">monday</a>" in html and "<span>atlas</span>" in html
    assert "written by atlas" in html and ">turn 1</a>" in html and "2 facts learned" in html
    assert 'id="rail-inbox">2</b>' in html
    assert rows(shown(curator, "?session=monday")) == [fact.id]
    assert "Nothing waits here." in shown(curator, "?agent=nobody")


def test_a_reader_sees_and_changes_nothing(
    reader: Client, writer: Client, heard: Callable[..., list[Memory]], space: spaces.Space
) -> None:
    (fact,) = heard("Mara lives in Ghent.")
    html = shown(reader)
    assert rows(html) == [fact.id] and "Accept" not in html and "Mark all as seen" not in html
    for client in (reader, writer):
        assert post(client, "/inbox/act/", act="accept", ids=fact.id).status_code == 403
        assert post(client, f"/inbox/{fact.id}/never/").status_code == 403
    assert review.count_waiting(space) == 1


@pytest.mark.parametrize(("act", "told"), [("accept", "accepted"), ("drop", "dropped")])
def test_one_act_says_so_brings_the_rest_and_is_undone(
    curator: Client, heard: Callable[..., list[Memory]], act: str, told: str
) -> None:
    one, other = heard("Mara lives in Ghent.", "Odo likes rain.")
    answer = post(curator, "/inbox/act/", act=act, ids=one.id)
    assert toast(answer)["text"] == f"“Mara lives in Ghent.” {told}."
    html = answer.content.decode()
    assert rows(html) == [other.id] and 'id="rail-inbox" hx-swap-oob="true">1</b>' in html
    assert post(curator, toast(answer)["undo"]).status_code == 204
    assert set(rows(shown(curator))) == {one.id, other.id}


def test_a_selection_a_session_and_what_two_people_do_at_once(
    curator: Client, admin: Client, heard: Callable[..., list[Memory]], space: spaces.Space
) -> None:
    one, two = heard("Mara lives in Ghent.", "Odo likes rain.")
    until = space.clock().isoformat()
    heard("Vera keeps bees.", session="tuesday")
    assert toast(post(admin, "/inbox/act/", act="accept", ids=one.id))["undo"]
    late = toast(post(curator, "/inbox/act/", act="drop", ids=[one.id, two.id]))
    assert late["text"] == "“Odo likes rain.” dropped. 1 was dealt with before."
    assert memories.get(space.db, one.id).state is State.HELD
    again = toast(post(curator, "/inbox/act/", act="drop", ids=one.id))
    assert again == {"text": "0 facts dropped. 1 was dealt with before.", "undo": ""}
    (new,) = heard("Mara plays chess.")
    kept = toast(post(curator, "/inbox/act/", act="accept", which="all", session="monday", until=until))
    assert kept["text"] == "0 facts accepted."  # what came after the page was drawn waits
    done = toast(post(curator, "/inbox/act/", act="accept", which="all", session="monday"))
    assert done["text"] == "“Mara plays chess.” accepted."
    assert memories.get(space.db, new.id).reinforcements == 1
    assert post(curator, "/inbox/act/", act="accept").status_code == 422
    assert post(curator, "/inbox/act/", act="burn", ids=one.id).status_code == 422


def test_all_are_marked_as_seen_but_what_came_since(curator: Client, heard: Callable[..., list[Memory]]) -> None:
    heard("Mara lives in Ghent.")
    (until,) = re.findall(r'hx-vals=\'\{"until": "([^"]+)"\}\'', shown(curator))
    (late,) = heard("Odo likes rain.", session="tuesday")
    answer = post(curator, "/inbox/seen/", until=until)
    assert toast(answer)["text"] == "All marked as seen." and rows(answer.content.decode()) == [late.id]
    assert post(curator, toast(answer)["undo"]).status_code == 204
    assert len(rows(shown(curator))) == 2
    assert post(curator, "/inbox/seen/").status_code == 422


def test_an_edit_in_place_is_saved_or_says_what_is_wrong(
    curator: Client, heard: Callable[..., list[Memory]], space: spaces.Space
) -> None:
    (fact,) = heard("Mara lives in Ghent.")
    form = curator.get(f"/inbox/{fact.id}/edit/", headers=HTMX).content.decode()
    assert "Mara lives in Ghent.</textarea>" in form
    blank = post(curator, f"/inbox/{fact.id}/edit/", text=" ", version=fact.version)
    assert blank.status_code == 422 and blank["HX-Retarget"] == f"#f-{fact.id}" and 'role="alert"' in str(blank.content)
    stale = post(curator, f"/inbox/{fact.id}/edit/", text="Mara lives in Bruges.", version=fact.version + 7)
    assert stale.status_code in (409, 412) and "Mara lives in Bruges." in stale.content.decode()
    same = post(curator, f"/inbox/{fact.id}/edit/", text=fact.text, version=fact.version, category="other")
    done = post(curator, f"/inbox/{fact.id}/edit/", text="Mara lives in Bruges.", version=same_version(space, fact.id))
    assert same.status_code == 200 and toast(done)["text"] == "Saved."
    assert rows(done.content.decode()) == [] and "Nothing to look at." in done.content.decode()
    assert memories.get(space.db, fact.id).text == "Mara lives in Bruges."


def same_version(space: spaces.Space, key: str) -> int:
    return memories.get(space.db, key).version


def test_never_again_is_listed_in_settings_changed_removed_and_undone(
    curator: Client, reader: Client, heard: Callable[..., list[Memory]], space: spaces.Space
) -> None:
    (fact,) = heard(RAN)
    answer = post(curator, f"/inbox/{fact.id}/never/")
    assert "are no longer learned." in toast(answer)["text"] and rows(answer.content.decode()) == []
    append_turns(space, "monday", [NewTurn(RAN.replace("today", "tonight"), speaker="Mara")], actor=ATLAS)
    read_turns(space, reader=LineReader(), actor=ATLAS)
    page = curator.get("/settings/").content.decode()
    assert "Never learned" in page and RAN in page and "1 fact kept out" in page
    assert RAN not in reader.get("/settings/").content.decode()  # deleted words are for who may restore them
    changed = post(curator, f"/exclusions/{fact.id}/", likeness="0,9")
    assert toast(changed)["text"] == "Saved." and 'value="0.9"' in changed.content.decode()
    for wrong in ("much", "7"):
        assert post(curator, f"/exclusions/{fact.id}/", likeness=wrong).status_code == 422
    plain = curator.post(f"/exclusions/{fact.id}/remove/", {})
    assert plain.status_code == 302 and plain["Location"] == "/settings/#exclusions"
    assert "Nothing is excluded." in curator.get("/settings/").content.decode()


def test_home_and_rail_say_how_many_wait(curator: Client, heard: Callable[..., list[Memory]]) -> None:
    heard("Mara lives in Ghent.", "Odo likes rain.")
    html = curator.get("/").content.decode()
    assert "2 new facts in the inbox" in html and 'id="dock-inbox">2</b>' in html


def test_a_long_inbox_is_paged_and_light(curator: PageClient, heard: Callable[..., list[Memory]]) -> None:
    heard(*(f"Mara noted the number {n} on the board." for n in range(60)))
    first = shown(curator)
    assert len(rows(first)) == 25 and "25 of 60 facts" in first and curator.weight < 25_000
    (older,) = re.findall(r'<a rel="next" href="([^"]+)"', first)
    second = shown(curator, older.replace("&amp;", "&"))
    assert len(rows(second)) == 25 and not set(rows(first)) & set(rows(second)) and "Back to start" in second
    assert curator.get("/inbox/?after=nonsense").status_code == 422


def test_an_empty_inbox_says_what_comes_here(curator: Client) -> None:
    html = shown(curator)
    assert "Nothing to look at." in html and "wait here until somebody" in html and "Mark all as seen" not in html

"""The list of facts: what it holds, its own filters, its bulk acts, what an empty one says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from django.test import Client

from memoryapp import spaces
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Category, Kind, Memory, Origin
from memoryapp.domain.turn import ReadingStatus, Turn
from memoryapp.spaces import embed
from memoryapp.store import memories, sessions, turns
from memoryapp.store.write import Batch, commit, new_run
from tests.markup import PageClient

HTMX = {"HX-Request": "true"}
MINA = Actor(ActorKind.PERSON, "mina")
Write = Callable[..., Memory]


def shown(client: Client, address: str) -> list[str]:
    return re.findall(r'<tr id="m-([0-9a-f]{16})"', client.get(address).content.decode())


def toast(answer: Any) -> dict[str, str]:
    return dict(json.loads(answer["HX-Trigger"])["toast"])


def stored(space: spaces.Space, text: str, **more: Any) -> Memory:
    """A fact with fields that nobody can hand over yet, written as the rooms write."""
    now = space.clock()
    memory = Memory(new_id(), Kind.FACT, text, now, now, **more)
    commit(
        space.db, new_run("read", MINA, now=now), Batch(created=[memory], embeddings=embed(space, [memory])), now=now
    )
    return memory


def test_only_facts_are_listed_the_most_trusted_first(reader: Client, space: spaces.Space, write: Write) -> None:
    write("A note about the hallway.")
    low = stored(space, "Weekly review moves.", confidence=0.5, category=Category.WORK)
    high = stored(space, "Secrets come from the environment.", confidence=0.9)
    assert shown(reader, "/facts/") == [high.id, low.id]
    page = reader.get("/facts/").content.decode()
    assert "A note about the hallway." not in page
    assert '<td class="c-cat">work</td>' in page
    assert 'aria-label="Trust 0.90, show why"' in page


def test_facts_are_narrowed_by_category_words_trust_and_marks(reader: Client, space: spaces.Space) -> None:
    plain = stored(space, "Prefers pytest.", category=Category.PREFERENCES, confidence=0.5)
    decided = stored(space, "Embedding goes to the H100.", category=Category.WORK, decision_point=True)
    now = space.clock()
    clash = Conflict(new_id(), plain.id, "number", "Two numbers.", now, incoming=decided.id)
    assert shown(reader, "/facts/?only=disputed") == []
    commit(space.db, new_run("read", MINA, now=now), Batch(conflicts=[clash]), now=now)
    assert shown(reader, "/facts/?category=preferences") == [plain.id]
    assert shown(reader, "/facts/?q=embedding") == [decided.id]
    assert shown(reader, "/facts/?trust=0.8") == [decided.id]
    assert shown(reader, "/facts/?only=decision") == [decided.id]
    assert set(shown(reader, "/facts/?only=disputed")) == {plain.id, decided.id}
    assert shown(reader, "/facts/?only=disputed&only=decision") == [decided.id]
    assert "1 conflict waiting" in reader.get("/facts/").content.decode()


def test_a_mark_that_means_nothing_is_said_and_not_ignored(reader: Client, space: spaces.Space) -> None:
    answer = reader.get("/facts/?only=blue")
    assert answer.status_code == 422
    assert "“blue” is not a filter" in answer.content.decode()


def test_pages_of_facts_follow_each_other_without_a_gap_or_a_repeat(reader: Client, space: spaces.Space) -> None:
    written = {stored(space, f"Fact number {n}.", confidence=0.5 + n / 200).id for n in range(47)}
    first = reader.get("/facts/").content.decode()
    older = re.search(r'rel="next" href="([^"]+)"', first)
    assert older
    seen = re.findall(r'<tr id="m-([0-9a-f]{16})"', first)
    seen += shown(reader, "/facts/" + older[1].replace("&amp;", "&"))
    assert len(seen) == 47
    assert set(seen) == written


def test_picked_facts_are_put_under_a_category_in_one_run_with_one_undo(curator: Client, space: spaces.Space) -> None:
    one, two = stored(space, "One.", category=Category.OTHER), stored(space, "Two.")
    sent = {"act": "category", "category": "work", "ids": [one.id, two.id]}
    answer = curator.post("/facts/bulk/", sent, headers=HTMX)
    assert toast(answer)["text"] == "2 facts set to work."
    assert {memories.get(space.db, key).category for key in (one.id, two.id)} == {Category.WORK}
    curator.post(toast(answer)["undo"], headers=HTMX)
    assert memories.get(space.db, one.id).category == Category.OTHER
    assert memories.get(space.db, two.id).category is None


def test_picked_facts_are_confirmed_archived_and_brought_back(curator: Client, space: spaces.Space) -> None:
    fact = stored(space, "One.")
    curator.post("/facts/bulk/", {"act": "confirm", "ids": [fact.id]}, headers=HTMX)
    assert memories.get(space.db, fact.id).reinforcements == 1
    answer = curator.post("/facts/bulk/", {"act": "archive", "ids": [fact.id]}, headers=HTMX)
    assert toast(answer)["text"] == "1 fact archived."
    assert shown(curator, "/facts/") == []
    assert shown(curator, "/facts/?state=archived") == [fact.id]


def test_an_unknown_category_is_refused_by_name(curator: Client, space: spaces.Space) -> None:
    sent = {"act": "category", "category": "blue", "ids": [stored(space, "One.").id]}
    answer = curator.post("/facts/bulk/", sent, headers=HTMX)
    assert answer.status_code == 422
    assert "“blue” is not a category" in toast(answer)["text"]


def test_a_row_of_facts_is_edited_in_place_and_stays_a_row_of_facts(curator: Client, space: spaces.Space) -> None:
    fact = stored(space, "Deploys stop at 18:00.", category=Category.WORK)
    state = re.search(r'hx-get="(/memories/[0-9a-f]+/line/[^"]+)"', curator.get("/facts/").content.decode())
    assert state
    address = state[1].replace("&amp;", "&")
    assert "on=facts" in address
    sent = {"text": "Deploys stop at 16:00.", "category": "personal", "version": fact.version}
    row = curator.post(address, sent, headers=HTMX).content.decode()
    assert "Deploys stop at 16:00." in row
    assert '<td class="c-cat">personal</td>' in row


def test_an_empty_space_tells_how_facts_come(writer: Client, space: spaces.Space, write: Write) -> None:
    write("A note is no fact.")
    page = writer.get("/facts/").content.decode()
    assert "No facts in this space yet." in page
    assert "POST /api/v1/memories" in page
    stored(space, "One.")
    assert "Nothing matches these filters." in writer.get("/facts/?category=identity").content.decode()


def test_a_full_page_of_facts_stays_small(curator: PageClient, space: spaces.Space) -> None:
    for n in range(42):
        stored(space, f"{n} " + "a rather long fact about deploys and buckets " * 40, decision_point=True)
    curator.get("/facts/")
    assert curator.weight < 25_000


def test_a_fact_stands_beside_the_turn_it_was_said_in(reader: Client, space: spaces.Space) -> None:
    at = space.clock()
    sessions.open_session(space.db, sessions.Session("standup", at))
    words = "Talked through cost. From today\nembedding goes to the H100. <b>Mina</b> agrees."
    (turn,) = turns.append(
        space.db, "standup", [(Turn(new_id(), "standup", 0, words, at, "Jiwon"), ReadingStatus.DONE)]
    )
    fact = stored(
        space, "Embedding goes to the H100.", decision_point=True, emotional_signal=True,
        sessions=("standup", "retro"), origin=Origin(session="standup", turn=turn.id),
        detail={"quote": "from today embedding goes to the H100."},
    )  # fmt: skip
    page = reader.get(f"/memories/{fact.id}/").content.decode()
    assert "<mark>From today embedding goes to the H100.</mark> &lt;b&gt;Mina" in page
    assert "standup, turn 1" in page
    assert "also said in" in page and "retro" in page
    assert 'class="tag good">decision' in page and ">feeling<" in page


def test_a_fact_shows_what_it_stands_in_place_of_and_what_was_made_of_it(reader: Client, space: spaces.Space) -> None:
    old, new = stored(space, "Embedding goes to the A100s."), stored(space, "Embedding goes to the H100.")
    summary = stored(space, "All of work.")
    now = space.clock()
    edges = Batch(superseded=[(new.id, old.id)], derived=[(summary.id, new.id)])
    commit(space.db, new_run("resolve", MINA, now=now), edges, now=now)
    page = reader.get(f"/memories/{new.id}/").content.decode()
    assert "Supersedes" in page and f"/memories/{old.id}/" in page
    assert "Before it" in page
    assert "no higher than its lowest source" in page and f"/memories/{summary.id}/" in page
    assert "Superseded by" in reader.get(f"/memories/{old.id}/").content.decode()

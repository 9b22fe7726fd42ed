"""The page of one memory: what it tells, and every act on it with its way back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from memoryapp import review, spaces
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.document import Document
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.store import memories
from memoryapp.store.write import Batch, commit, new_run
from tests.markup import PageClient
from tests.pages import talking

HTMX = {"HX-Request": "true"}
MINA = Actor(ActorKind.PERSON, "mina")
Write = Callable[..., Memory]


def toast(answer: Any) -> dict[str, str]:
    return dict(json.loads(answer["HX-Trigger"])["toast"])


def test_a_section_shows_its_lines_in_the_file_and_its_neighbours(reader: Client, section: Memory) -> None:
    page = reader.get(f"/memories/{section.id}/").content.decode()
    assert "<mark>## Backup" in page
    assert "line 3 to 6" in page
    assert "infra/backup.md" in page
    assert "In the same document" in page
    assert "Deploy freeze" in page


def test_entities_are_shown_with_their_role_and_weight(reader: Client, space: spaces.Space, section: Memory) -> None:
    now = space.clock()
    h100 = Entity(new_id(), "H100", "h100", EntityType.TOOL, EntityState.KNOWN, now, aliases=("the H100",))
    refused = Entity(new_id(), "Nothing", "nothing", EntityType.CONCEPT, EntityState.REFUSED, now)
    edges = [
        Reference(section.id, h100.id, "object", 0.9),
        Reference(section.id, h100.id, "mention", 1.0),
        Reference(section.id, refused.id),
    ]
    batch = Batch(entities=[(None, h100), (None, refused)], references_added=edges)
    commit(space.db, new_run("link", MINA, now=now), batch, now=now)
    page = reader.get(f"/memories/{section.id}/").content.decode()
    assert 'aria-label="tool"' in page
    assert "object, 1 alias" in page
    assert "mention, 1 alias" not in page
    assert ">Nothing<" not in page


def test_layers_show_each_change_as_a_word_diff_and_can_be_restored(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    memory = write("Deploys stop at 18:00.")
    review.edit(space, memory.id, {"text": "Deploys stop at 16:00."}, actor=MINA, reason="moved in October")
    page = curator.get(f"/memories/{memory.id}/").content.decode()
    assert "<del>18:00.</del> <ins>16:00.</ins>" in page
    assert "“moved in October”" in page
    assert 'class="was under-text"' in page
    restore = re.search(r'hx-post="(/memories/[0-9a-f]+/restore/[0-9a-f]+/)"', page)
    assert restore
    answer = curator.post(restore[1], headers=HTMX)
    assert "Restored" in toast(answer)["text"]
    assert memories.get(space.db, memory.id).text == "Deploys stop at 18:00."


def test_an_edit_over_a_file_is_kept_as_an_overlay_and_can_be_given_up(
    curator: Client, space: spaces.Space, section: Memory
) -> None:
    sent = {"text": "The backup starts at 02:00.", "tags": "ops", "reason": "moved", "version": section.version}
    answer = curator.post(f"/memories/{section.id}/edit/", sent, headers=HTMX)
    page = answer.content.decode()
    assert "Your wording overrides infra/backup.md." in page
    assert toast(answer)["text"] == "Saved."
    held = memories.get(space.db, section.id)
    assert (held.text, held.source_text, held.tags) == ("The backup starts at 02:00.", section.text, ("ops",))
    curator.post(f"/memories/{section.id}/revert/", headers=HTMX)
    assert memories.get(space.db, section.id).source_text is None


def test_an_edit_that_came_too_late_keeps_the_words_and_says_so(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    memory = write("One.")
    review.edit(space, memory.id, {"text": "Two."}, actor=MINA)
    answer = curator.post(f"/memories/{memory.id}/edit/", {"text": "Mine.", "version": memory.version}, headers=HTMX)
    assert answer.status_code == 412
    assert answer["HX-Retarget"] == "#words"
    assert "Mine." in answer.content.decode()
    assert "changed while you were editing" in answer.content.decode()
    assert "It now says:" in answer.content.decode() and ">Two.<" in answer.content.decode()


def test_every_act_is_told_and_can_be_undone(curator: Client, space: spaces.Space, write: Write) -> None:
    memory = write("Something.")
    for verb, check in (
        ("pin", lambda m: m.pinned),
        ("confirm", lambda m: m.reinforcements == 1),
        ("archive", lambda m: m.state == State.ARCHIVED),
        ("delete", lambda m: m.state == State.DELETED),
    ):
        before = memories.get(space.db, memory.id)
        assert not check(before)
        answer = curator.post(f"/memories/{memory.id}/{verb}/", headers=HTMX)
        assert check(memories.get(space.db, memory.id)), verb
        curator.post(toast(answer)["undo"], headers=HTMX)
        after = memories.get(space.db, memory.id)
        assert not check(after), verb


def test_an_act_that_changes_nothing_offers_no_undo(curator: Client, write: Write) -> None:
    memory = write("The heron stands in the reeds.")
    assert toast(curator.post(f"/memories/{memory.id}/archive/", headers=HTMX))["undo"]
    assert toast(curator.post(f"/memories/{memory.id}/archive/", headers=HTMX))["undo"] == ""


def test_undoing_twice_is_refused_in_plain_words(curator: Client, write: Write) -> None:
    memory = write("Something.")
    undo = toast(curator.post(f"/memories/{memory.id}/archive/", headers=HTMX))["undo"]
    curator.post(undo, headers=HTMX)
    answer = curator.post(undo, headers=HTMX)
    assert answer.status_code == 409
    assert answer["HX-Reswap"] == "none"


def test_a_waiting_conflict_is_shown_on_both_sides(reader: Client, space: spaces.Space, write: Write) -> None:
    one, two = write("Uses a Mac."), write("Switched to Linux.")
    now = space.clock()
    clash = Conflict(
        new_id(), one.id, "attribute", "Both name the machine.", now, incoming=two.id, outcome=Outcome.BOTH
    )
    commit(space.db, new_run("ingest", MINA, now=now), Batch(conflicts=[clash]), now=now)
    for memory, other in ((one, two), (two, one)):
        page = reader.get(f"/memories/{memory.id}/").content.decode()
        assert "Both name the machine." in page
        assert f'<a href="/memories/{other.id}/">{other.text}' in page


def test_words_over_the_limit_come_back_whole_with_the_reason_where_the_page_draws_it(
    curator: Client, section: Memory
) -> None:
    """A field that is cut off by the browser would be saved, and the rest of what was pasted lost without a word."""
    page = curator.get(f"/memories/{section.id}/").content.decode()
    answer = curator.post(f"/memories/{section.id}/edit/", {"text": "y " * 100_001, "version": "1"}, headers=HTMX)
    drawn = answer.content.decode()
    assert "one memory may have 200,000" in drawn and "y " * 100_001 in drawn
    (config,) = re.findall(r"name=\"htmx-config\" content='([^']+)'", page)
    rule = next(
        one for one in json.loads(config)["responseHandling"] if re.fullmatch(one["code"], str(answer.status_code))
    )
    assert rule["swap"] and "maxlength" not in drawn[: drawn.index("</textarea>")]


def test_a_file_that_changed_under_an_edit_is_shown_beside_it(
    reader: Client, space: spaces.Space, section: Memory
) -> None:
    review.edit(space, section.id, {"text": "The backup starts at 02:00."}, actor=MINA)
    now = space.clock()
    said = "The backup starts at 04:00."
    clash = Conflict(new_id(), section.id, "edit", "The file changed under an edit.", now, incoming_text=said)
    commit(space.db, new_run("ingest", MINA, now=now), Batch(conflicts=[clash]), now=now)
    page = reader.get(f"/memories/{section.id}/").content.decode()
    assert "infra/backup.md now says:" in page
    assert "<del>02:00.</del> <ins>04:00.</ins>" in page


def test_purge_takes_the_typed_word_and_leaves_a_receipt(admin: Client, space: spaces.Space, write: Write) -> None:
    memory = write("A secret that should never have been said.")
    page = admin.get(f"/memories/{memory.id}/").content.decode()
    assert "Purge permanently" in page
    assert admin.post(f"/memories/{memory.id}/purge/", {"word": "yes"}).status_code == 422
    assert memories.find(space.db, memory.id) is not None
    receipt = admin.post(f"/memories/{memory.id}/purge/", {"word": memory.id[:6]}).content.decode()
    assert f"Purge receipt of {memory.id}" in receipt
    assert "secret that should" not in receipt
    assert memories.find(space.db, memory.id) is None
    assert admin.get(f"/memories/{memory.id}/").status_code == 404
    for address in ("/", "/memories/", "/memories/?state=deleted", "/search/?q=secret"):
        assert "secret that should" not in admin.get(address).content.decode()


def test_purge_tells_beforehand_and_in_the_receipt_what_else_told_it(
    admin: Client, space: spaces.Space, write: Write
) -> None:
    episode = talking.told(space, "I work at Naver on the billing service.", "We decided to move it to Redis.")
    fact = next(m for m in memories.scan(space.db) if m.kind is Kind.FACT and "Naver" in m.text)
    note = write(f"Heard today: {fact.text}")
    address = f"/memories/{fact.id}/purge/"
    assert f'hx-get="{address}"' in admin.get(f"/memories/{fact.id}/").content.decode()
    before = admin.get(address, headers=HTMX).content.decode()
    assert f'episode that tells it, goes along</dt><dd><a href="/memories/{episode.id}/">' in before
    assert f'says the same, stays</dt><dd><a href="/memories/{note.id}/">' in before
    assert memories.find(space.db, fact.id) is not None, "looking purges nothing"
    receipt = admin.post(address, {"word": fact.id[:6]}).content.decode()
    assert f"episode that told it, gone along</dt><dd>{episode.id}</dd>" in receipt
    assert f'says the same, still there</dt><dd><a href="/memories/{note.id}/">' in receipt
    assert "Naver" not in receipt and memories.find(space.db, episode.id) is None


def test_before_a_purge_nothing_is_said_of_a_memory_that_stands_alone(admin: Client, write: Write) -> None:
    assert admin.get(f"/memories/{write('Alone.').id}/purge/", headers=HTMX).content == b""


def test_a_document_shows_its_lines_with_the_memories_beside_them(reader: Client, section: Memory) -> None:
    page = reader.get(f"/documents/{section.origin.document}/").content.decode()
    assert 'id="L3" class="in"' in page
    assert f'href="/memories/{section.id}/"' in page
    assert "2 memories from it" in page


def test_a_memory_that_is_not_there_is_told_apart_from_a_broken_page(reader: Client, space: spaces.Space) -> None:
    answer = reader.get("/memories/0123456789abcdef/")
    assert answer.status_code == 404
    assert "It may have been purged." in answer.content.decode()


def test_markup_in_a_note_stays_words(reader: Client, write: Write) -> None:
    memory = write("# Title\n\n<script>alert(1)</script>\n\n[x](javascript:alert(2))")
    page = reader.get(f"/memories/{memory.id}/").content.decode()
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


@pytest.mark.long
def test_a_memory_of_the_greatest_length_still_makes_a_small_page(
    curator: PageClient, space: spaces.Space, write: Write
) -> None:
    memory = write("word " * 39_000)
    for n in range(30):
        review.edit(space, memory.id, {"text": memory.text + f" {n}"}, actor=MINA)
    answer = curator.get(f"/memories/{memory.id}/")
    assert curator.weight < 25_000
    assert "Show older layers" in answer.content.decode()
    assert "The first 40,000 of" in answer.content.decode()
    curator.get("/memories/")
    assert curator.weight < 25_000


def test_a_long_document_is_shown_in_pieces(reader: PageClient, space: spaces.Space, section: Memory) -> None:
    now = space.clock()
    text = "\n".join(f"line {n} " + "words " * 30 for n in range(1, 2001))
    document = Document(new_id(), "0" * 16, "long.md", "Long", "0" * 64, len(text), 0, now, text)
    commit(space.db, new_run("ingest", MINA, now=now), Batch(documents=[document]), now=now)
    seen, address = [], f"/documents/{document.id}/"
    for _ in range(20):
        page = reader.get(address).content.decode()
        assert reader.weight < 25_000
        seen += re.findall(r'<li id="L(\d+)"', page)
        below = re.search(r'rel="next" href="(\?line=\d+)"', page)
        if below is None:
            break
        address = f"/documents/{document.id}/{below[1]}"
    assert [int(n) for n in seen] == list(range(1, 2001))


def test_an_end_and_a_review_are_set_by_day_and_asked_for_on_home(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    memory = write("The gate code is 4471.")
    form = curator.get(f"/memories/{memory.id}/edit/", headers=HTMX).content.decode()
    assert 'name="expires_at"' in form and 'name="review_at"' in form
    sent = {"text": memory.text, "version": memory.version, "expires_at": "2099-01-31", "review_at": "2020-05-01"}
    page = curator.post(f"/memories/{memory.id}/edit/", sent, headers=HTMX).content.decode()
    assert "expires 31 Jan 2099" in page and "review due 1 May 2020" in page
    held = memories.get(space.db, memory.id)
    assert held.expires_at is not None and held.expires_at.year == 2099
    home = curator.get("/").content.decode()
    assert "1 memory due for review" in home and "/memories/?only=due" in home
    assert "The gate code is 4471." in curator.get("/memories/?only=due").content.decode()
    # A day that is left as it stands is no change, and an empty one takes it away.
    again = {**sent, "version": held.version, "review_at": "2020-05-01"}
    assert toast(curator.post(f"/memories/{memory.id}/edit/", again, headers=HTMX))["text"] == "No change."
    curator.post(f"/memories/{memory.id}/edit/", {**again, "expires_at": "2020-01-31"}, headers=HTMX)
    assert "It is no longer recalled" in curator.get(f"/memories/{memory.id}/").content.decode()
    assert "due for review" not in curator.get("/").content.decode()
    refused = curator.post(f"/memories/{memory.id}/edit/", {**again, "expires_at": "soon"}, headers=HTMX)
    assert refused.status_code == 422 and 'role="alert"' in refused.content.decode()

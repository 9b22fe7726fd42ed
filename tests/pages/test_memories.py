"""The list of memories: filters, sort, pages, bulk acts, inline edit, writing one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from django.test import Client

from memoryapp import review, spaces
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.memory import Category, Kind, Memory, State
from memoryapp.store import memories
from tests.markup import PageClient

HTMX = {"HX-Request": "true"}
MINA = Actor(ActorKind.PERSON, "mina")
Write = Callable[..., Memory]


def shown(client: Client, address: str) -> list[str]:
    """Ids of the rows on a page, in their order."""
    return re.findall(r'<tr id="m-([0-9a-f]{16})"', client.get(address).content.decode())


def toast(answer: Any) -> dict[str, str]:
    return dict(json.loads(answer["HX-Trigger"])["toast"])


def test_the_list_shows_what_is_held_with_its_trust_and_source(reader: Client, section: Memory, write: Write) -> None:
    write("Deploys stop on Friday.", kind=Kind.FACT, category=Category.WORK)
    page = reader.get("/memories/").content.decode()
    assert "Deploys stop on Friday." in page
    assert "fact, work" in page
    assert "backup.md" in page
    assert 'aria-label="Trust 0.90, show why"' in page


def test_words_of_a_memory_are_escaped(reader: Client, write: Write) -> None:
    write("<img src=x onerror=alert(1)> is what they sent")
    page = reader.get("/memories/").content.decode()
    assert "<img" not in page
    assert "&lt;img src=x" in page


def test_filters_in_the_address_narrow_the_list(reader: Client, space: spaces.Space, write: Write) -> None:
    fact = write("Prefers pytest.", kind=Kind.FACT, category=Category.PREFERENCES, tags=("tests",))
    note = write("A note about the hallway.")
    review.archive(space, [write("Old standup.").id], actor=MINA)
    assert shown(reader, "/memories/?kind=fact") == [fact.id]
    assert shown(reader, "/memories/?category=preferences&tag=tests") == [fact.id]
    assert shown(reader, "/memories/?q=hallway") == [note.id]
    assert len(shown(reader, "/memories/?state=held&state=archived")) == 3
    assert shown(reader, "/memories/?trust=1.2") == []


def test_a_filter_that_means_nothing_is_said_and_not_ignored(reader: Client, space: spaces.Space) -> None:
    answer = reader.get("/memories/?kind=blue")
    assert answer.status_code == 422
    assert "“blue” is not a kind" in answer.content.decode()


def test_deleted_memories_can_be_listed_by_curators(
    reader: Client, curator: Client, space: spaces.Space, write: Write
) -> None:
    gone = write("To be deleted.")
    write("To be kept.")
    review.delete(space, [gone.id], actor=MINA)
    assert shown(curator, "/memories/?state=deleted") == [gone.id]
    assert reader.get("/memories/?state=deleted").status_code == 403


def test_pages_follow_each_other_without_a_gap_or_a_repeat(reader: Client, write: Write) -> None:
    written = {write(f"Memory number {n}.").id for n in range(95)}
    seen: list[str] = []
    address = "/memories/?sort=trust"
    for _ in range(5):
        page = reader.get(address).content.decode()
        seen += re.findall(r'<tr id="m-([0-9a-f]{16})"', page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        if older is None:
            break
        address = "/memories/" + older[1].replace("&amp;", "&")
    assert len(seen) == 95
    assert set(seen) == written
    newer = re.search(r'rel="prev" href="([^"]+)"', page)
    assert newer
    assert shown(reader, "/memories/" + newer[1].replace("&amp;", "&")) == seen[40:80]


def test_a_damaged_page_address_is_told_and_no_error(reader: Client, write: Write) -> None:
    write("Something.")
    answer = reader.get("/memories/?after=nonsense")
    assert answer.status_code == 422
    assert "damaged" in answer.content.decode()


def test_a_full_page_stays_small(reader: PageClient, write: Write) -> None:
    for n in range(45):
        write(f"{n} " + "a rather long memory about deploys and buckets " * 60, title="A title that is long " * 8)
    reader.get("/memories/")
    assert reader.weight < 25_000


def test_picked_memories_are_archived_in_one_run_with_one_undo(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    one, two, three = (write(f"Memory {n}.") for n in range(3))
    answer = curator.post("/memories/bulk/", {"act": "archive", "ids": [one.id, two.id]}, headers=HTMX)
    assert answer.status_code == 200
    assert re.findall(r'<tr id="m-([0-9a-f]{16})"', answer.content.decode()) == [three.id]
    told = toast(answer)
    assert told["text"] == "2 memories archived."
    undone = curator.post(told["undo"], headers=HTMX)
    assert undone["HX-Redirect"] == "/"
    assert {memories.get(space.db, key).state for key in (one.id, two.id)} == {State.HELD}


def test_picked_memories_can_be_tagged_deleted_and_held_again(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    one = write("Memory.")
    curator.post("/memories/bulk/", {"act": "tag", "tag": "gpu", "ids": [one.id]}, headers=HTMX)
    assert memories.get(space.db, one.id).tags == ("gpu",)
    curator.post("/memories/bulk/", {"act": "delete", "ids": [one.id]}, headers=HTMX)
    assert memories.get(space.db, one.id).state == State.DELETED
    curator.post("/memories/bulk/", {"act": "restore", "ids": [one.id]}, headers=HTMX)
    assert memories.get(space.db, one.id).state == State.HELD


def test_a_refused_bulk_act_says_why_and_swaps_nothing(curator: Client, write: Write) -> None:
    for sent, words in (
        ({"act": "archive"}, "No memory is selected"),
        ({"act": "burn", "ids": ["0" * 16]}, "cannot be done"),
        ({"act": "tag", "tag": " ", "ids": [write("Memory.").id]}, "Name a tag"),
        ({"act": "archive", "ids": ["0" * 16]}, "There is no memory"),
    ):
        answer = curator.post("/memories/bulk/", sent, headers=HTMX)
        assert answer.status_code in (404, 422)
        assert answer["HX-Reswap"] == "none"
        assert words in toast(answer)["text"]


def test_an_inline_edit_saves_and_draws_the_row_anew(curator: Client, space: spaces.Space, write: Write) -> None:
    fact = write("Deploys stop at 18:00.", kind=Kind.FACT, category=Category.WORK)
    form = curator.get(f"/memories/{fact.id}/line/", headers=HTMX).content.decode()
    assert 'class="editing"' in form
    assert "Deploys stop at 18:00." in form
    sent = {"text": "Deploys stop at 16:00.", "category": "personal", "version": fact.version}
    answer = curator.post(f"/memories/{fact.id}/line/", sent, headers=HTMX)
    assert f'<tr id="m-{fact.id}"' in answer.content.decode()
    assert toast(answer)["text"] == "Saved."
    held = memories.get(space.db, fact.id)
    assert (held.text, held.category) == ("Deploys stop at 16:00.", Category.PERSONAL)


def test_an_edit_of_what_changed_meanwhile_is_kept_and_refused(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    fact = write("Deploys stop at 18:00.", kind=Kind.FACT)
    review.edit(space, fact.id, {"text": "Deploys stop at 17:00."}, actor=MINA)
    answer = curator.post(f"/memories/{fact.id}/line/", {"text": "My words.", "version": fact.version}, headers=HTMX)
    assert answer.status_code == 412
    assert "My words." in answer.content.decode()
    assert memories.get(space.db, fact.id).text == "Deploys stop at 17:00."


def test_an_empty_edit_is_refused_beside_the_field(curator: Client, write: Write) -> None:
    fact = write("Deploys stop at 18:00.")
    answer = curator.post(f"/memories/{fact.id}/line/", {"text": "  ", "version": fact.version}, headers=HTMX)
    assert answer.status_code == 422
    assert "The text is empty." in answer.content.decode()


def test_a_written_memory_is_opened_and_can_be_found(writer: Client, space: spaces.Space) -> None:
    sent = {"text": "The bucket lives in Seoul.", "kind": "fact", "category": "work", "tags": "infra, buckets"}
    answer = writer.post("/memories/write/", sent, headers=HTMX)
    key = re.fullmatch(r"/memories/([0-9a-f]{16})/", answer["HX-Redirect"])
    assert key
    held = memories.get(space.db, key[1])
    assert (held.kind, held.category, held.tags) == (Kind.FACT, Category.WORK, ("infra", "buckets"))
    assert shown(writer, "/memories/?q=bucket") == [held.id]


def test_writing_nothing_is_refused_in_the_form(writer: Client, space: spaces.Space) -> None:
    answer = writer.post("/memories/write/", {"text": " \n", "tags": "kept"}, headers=HTMX)
    assert answer.status_code == 422
    assert "The text is empty." in answer.content.decode()
    assert 'value="kept"' in answer.content.decode()


def test_private_words_are_kept_neither_by_the_form_nor_by_an_edit(
    writer: Client, curator: Client, space: spaces.Space
) -> None:
    assert (
        "text between &lt;private&gt; and &lt;/private&gt;, are not saved" in writer.get("/memories/").content.decode()
    )
    sent = {"text": "The heron is <private>called Bertha</private>.", "tags": ""}
    key = writer.post("/memories/write/", sent, headers=HTMX)["HX-Redirect"].split("/")[2]
    assert memories.get(space.db, key).text == "The heron is [private]."
    line = {"text": "The owl is <private>called Bertha</private>.", "version": 1}
    assert "The owl is [private]." in curator.post(f"/memories/{key}/line/", line, headers=HTMX).content.decode()
    edit = {"text": "The tern is <private>Bertha", "tags": "", "version": 2}
    assert "The tern is [private]" in curator.post(f"/memories/{key}/edit/", edit, headers=HTMX).content.decode()
    assert "Bertha" not in curator.get(f"/memories/{key}/?layers=all").content.decode()


def test_words_that_are_private_as_a_whole_are_refused_where_they_were_typed(
    writer: Client, curator: Client, write: Write
) -> None:
    whole = "<private>The heron is called Bertha.</private>"
    answer = writer.post("/memories/write/", {"text": whole, "tags": "kept"}, headers=HTMX)
    assert answer.status_code == 422 and "All of the text is private" in answer.content.decode()
    assert "called Bertha" in answer.content.decode()  # in the form, to be put right
    held = write("The heron stands.")
    answer = curator.post(f"/memories/{held.id}/line/", {"text": whole, "version": held.version}, headers=HTMX)
    assert answer.status_code == 422 and "All of the text is private" in answer.content.decode()


def test_the_waterfall_behind_a_trust_bar_adds_up(reader: Client, write: Write) -> None:
    fact = write("Deploys stop at 18:00.", kind=Kind.FACT)
    shown = reader.get(f"/memories/{fact.id}/trust/", headers=HTMX).content.decode()
    assert "0.90 × 1.00 × 1.00 = 0.90" in shown
    assert "<html" not in shown


def test_an_empty_space_and_an_empty_filter_say_different_things(reader: Client, write: Write) -> None:
    assert "No memories in this space yet." in reader.get("/memories/").content.decode()
    write("Something.")
    assert "Nothing matches these filters." in reader.get("/memories/?kind=digest").content.decode()

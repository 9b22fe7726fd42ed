"""Private words of memories that are written by hand: at every door a mark stands in their place before anything is
stored, so that no history, search, export or backup has them."""

from __future__ import annotations

import gzip
import io
import zipfile
from typing import Any

import pytest

from tests.api.conftest import Agent
from tests.api.test_conflicts import clash

WORD = "zebulon"  # a word of no other text
SAID = f"The heron is <private>called {WORD}</private>, by the way."
KEPT = "The heron is [private], by the way."
FENCED = f"Run this:\n```\nlogin <private>{WORD}</private>\n```"


def nowhere(root: Agent) -> None:
    """Not in a list, the audit, an export or a backup of the space."""
    for path in ("/memories?limit=200", "/audit?limit=200", "/entities?limit=200", "/conflicts?status=decided"):
        answer = root.get(path)
        assert answer.status_code == 200 and answer.json()["items"] is not None, path
        assert WORD not in answer.content.decode().casefold(), path
    with zipfile.ZipFile(io.BytesIO(b"".join(root.post("/export")))) as archive:
        for name in archive.namelist():
            assert WORD.encode() not in archive.read(name).lower(), name
    assert WORD.encode() not in gzip.decompress(b"".join(root.post("/backups/export"))).lower()


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (SAID, KEPT),
        (f"Fine. <PRIVATE>{WORD}</Private> Good.", "Fine. [private] Good."),
        (f"Fine. <private>{WORD}\nand more", "Fine. [private]"),
        (f"Fine. <private>a <private>{WORD}</private> {WORD}</private> Good.", "Fine. [private] Good."),
        (FENCED, "Run this:\n```\nlogin [private]\n```"),
        (f"Fine. <pri\u0000vate>{WORD}</private> Good.", "Fine. [private] Good."),
        ("A tag </private> closes nothing.", "A tag </private> closes nothing."),
    ],
)
def test_a_memory_is_kept_as_a_turn_is(writer: Agent, said: str, kept: str) -> None:
    told = writer.write(said, title=f"Of <private>{WORD}</private>")
    assert (told["text"], told["title"]) == (kept, "Of [private]")
    session = writer.post("/sessions", {"name": "talk"}).json()["id"]
    (turn,) = writer.post(f"/sessions/{session}/turns", {"turns": [{"text": said}]}).json()["items"]
    assert turn["text"] == kept


def test_private_words_are_in_nothing_that_is_kept(root: Agent) -> None:
    note = root.write(SAID, ref="n-1", title=f"<private>{WORD}</private>")
    root.write(f"The owl is <private>{WORD}</private>.", ref="n-1")
    root.post(
        "/memories", {"kind": "fact", "text": f"Mina lives in <private>{WORD}</private>.", "category": "personal"}
    )
    items = [{"text": FENCED}, {"text": f"Mina knows <private>{WORD}</private>.", "kind": "fact"}]
    written = root.post("/memories/batch", {"items": items})
    assert written.status_code == 200, written.content
    edited = root.patch(f"/memories/{note['id']}", {"text": f"No: <private>{WORD}</private> left.", "title": SAID})
    assert edited.json()["memory"]["text"] == "No: [private] left."
    assert edited.json()["memory"]["title"] == KEPT
    assert WORD not in root.get(f"/memories/{note['id']}/history").content.decode()
    nowhere(root)
    receipt = root.post(f"/memories/{note['id']}/purge", {"reason": "gone"}).json()
    assert receipt["complete"] and WORD not in str(receipt)


def test_what_is_typed_for_a_merge_is_masked_with_the_decision_and_the_proposal(
    root: Agent, writer: Agent, curator: Agent
) -> None:
    key, held, _ = clash(writer)
    merged = {"outcome": "merge", "text": f"Minsu lives in Busan, with <private>{WORD}</private>."}
    assert writer.post(f"/conflicts/{key}/resolve", merged).status_code == 202
    assert WORD not in writer.get(f"/conflicts/{key}").content.decode()
    assert curator.post(f"/conflicts/{key}/resolve", merged).status_code == 200
    (decided,) = curator.get("/conflicts?status=decided").json()["items"]
    assert decided["decision"]["text"] == "Minsu lives in Busan, with [private]."
    assert writer.get(f"/memories/{held}").json()["text"] == "Minsu lives in Busan, with [private]."
    nowhere(root)


def test_secrets_in_an_edit_and_a_merge_are_masked_like_those_of_a_note(writer: Agent, curator: Agent) -> None:
    note = writer.write("The key hangs behind the clock.")
    card = "4111 1111 1111 1111"
    edited = curator.patch(f"/memories/{note['id']}", {"text": f"My card is {card}."}).json()
    assert edited["memory"]["text"] == "My card is [secret: card number]."
    key, held, _ = clash(writer)
    curator.post(f"/conflicts/{key}/resolve", {"outcome": "merge", "text": f"Minsu pays with {card}."})
    assert writer.get(f"/memories/{held}").json()["text"] == "Minsu pays with [secret: card number]."


def test_a_text_that_is_private_as_a_whole_is_refused_where_it_stands(writer: Agent, curator: Agent) -> None:
    note = writer.write("The heron stands.")
    whole = f"<private>{WORD}</private>."

    def refused(answer: Any) -> tuple[str, str]:
        assert answer.status_code == 422, answer.content
        told = answer.json()
        assert WORD not in str(told)
        return told["field"], told["detail"]

    field, detail = refused(writer.post("/memories", {"text": whole}))
    assert field == "/text" and detail.startswith("All of the text is private")
    assert refused(writer.post("/memories", {"kind": "fact", "text": whole}))[0] == "/text"
    items = {"items": [{"text": "The ladder is in the shed."}, {"text": whole}]}
    assert refused(writer.post("/memories/batch", items))[0] == "/items/1/text"
    assert refused(curator.patch(f"/memories/{note['id']}", {"text": whole}))[0] == "/text"
    key, _, _ = clash(writer)
    assert refused(curator.post(f"/conflicts/{key}/resolve", {"outcome": "merge", "text": whole}))[0] == "/text"
    assert refused(writer.post("/memories", {"text": "A heron.", "private": True}))[0] == "/private"
    field, detail = refused(writer.post("/memories", {"atoms": f'(likes :subject Mina :object "<private>{WORD}")'}))
    assert field == "/atoms" and detail.startswith("An atom holds no private words")
    assert {one["text"] for one in writer.get("/memories").json()["items"]} == {
        "The heron stands.",
        "Minsu lives in Seoul.",
        "Minsu lives in Busan.",
    }


def test_a_page_of_the_tree_is_masked_as_a_file_is(root: Agent) -> None:
    words = f"# Birds\n<private>{WORD}\n</private>\nHerons. <private>is a tag.\n"
    grown = root.post("/tree", {"path": "birds", "text": words, "title": f"Birds <private>{WORD}</private>"})
    assert grown.status_code == 201, grown.content
    shown = root.get("/tree/nodes/birds").json()
    assert shown["title"] == "Birds [private]"
    assert shown["text"] == "# Birds\n[private]\n\nHerons. <private>is a tag.\n"
    changed = root.patch("/tree/nodes/birds", {"text": f"Owls: <private>{WORD}</private>.\n"})
    assert changed.status_code == 200 and root.get("/tree/nodes/birds").json()["text"] == "Owls: [private].\n"
    nowhere(root)


def test_a_preview_reads_what_a_turn_would_leave(writer: Agent) -> None:
    told = writer.post("/facts/preview", {"text": f"I live in Busan. <private>My cat is called {WORD}.</private>"})
    assert "Busan" in told.content.decode() and WORD not in told.content.decode().casefold()

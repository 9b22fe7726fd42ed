"""A purged memory leaves the Context Tree too: its lines, what was said there before, conflicts about them."""

from __future__ import annotations

import json

import pytest

from memoryapp.domain.conflict import Outcome
from memoryapp.domain.memory import Kind
from memoryapp.review import decide, delete, edit, preview_purge, purge
from memoryapp.spaces import Space
from memoryapp.store import embeddings, nodes
from memoryapp.tree import bring, freshen, leave_out, left_out, retain, take
from tests.samples import PERSON
from tests.store.test_purge import dumped
from tests.tree.fed import page, put, raised, say

PAGE = "# Kitchen\r\n\r\n* Rye on Sundays.\r\n* Tea at four.\r\n"
SECRET = "The secret is quaggaberry and a little salt."


def gone(space: Space, key: str, word: str = "quaggaberry") -> dict[str, int]:
    """Purged, checked to be nowhere, and what was removed."""
    assert word in dumped(space.db)
    told = preview_purge(space, key, actor=PERSON).removed
    receipt = purge(space, key, actor=PERSON)
    assert receipt.complete, receipt.left
    assert {name: receipt.removed[name] for name in told} == told
    assert {"tree", "tree revisions", "tree conflicts"} <= receipt.left.keys()
    assert word not in dumped(space.db)
    assert key not in str(nodes.every(space.db))
    return receipt.removed


def test_a_line_goes_and_the_rest_of_the_page_stays_byte_for_byte(space: Space) -> None:
    put(space, "kitchen", PAGE)
    key = say(space, SECRET)
    retain(space, [key], path="kitchen", actor=PERSON)
    retain(space, [say(space, "Bread needs time.")], path="kitchen", actor=PERSON)
    assert gone(space, key)["tree lines"] == 1
    assert page(space, "kitchen") == PAGE + "* Bread needs time.\r\n"


def test_a_line_that_was_merged_edited_away_or_moved_on_leaves_the_history_too(space: Space) -> None:
    key = say(space, SECRET)
    retain(space, [key], path="kitchen", actor=PERSON)
    edit(space, key, {"text": "The secret is quaggaberry and honey."}, actor=PERSON)
    freshen(space, "kitchen", actor=PERSON)
    node = nodes.at(space.db, "kitchen")
    assert node
    edit(space, node.id, {"text": "# kitchen\n\n- Nothing is secret."}, actor=PERSON)
    assert gone(space, key)["tree lines"] == 0
    assert page(space, "kitchen") == "# kitchen\n\n- Nothing is secret."


@pytest.mark.parametrize("outcome", [None, Outcome.KEEP, Outcome.REPLACE])
@pytest.mark.parametrize("which", ["standing", "incoming"])
def test_conflicts_about_its_line_go_whether_they_wait_or_were_decided(
    space: Space, outcome: Outcome | None, which: str
) -> None:
    one, other = say(space, "The queue is stored in Quaggabase."), say(space, "The queue is stored in MySQL.")
    if which == "incoming":
        one, other = other, one
    retain(space, [one], path="queue", actor=PERSON)
    (kept,) = retain(space, [other], path="queue", actor=PERSON).items
    assert kept.conflict
    if outcome:
        decide(space, kept.conflict, outcome, actor=PERSON)
    key = one if which == "standing" else other
    gone(space, key, "Quaggabase")
    assert raised(space) == ()


def test_a_line_that_another_memory_says_in_the_same_words_stays_as_that_ones(space: Space) -> None:
    one, other = say(space, SECRET), say(space, SECRET, session="monday")
    assert one != other
    retain(space, [one, other], path="kitchen", actor=PERSON)
    receipt = purge(space, one, actor=PERSON)
    assert receipt.complete, receipt.left
    assert page(space, "kitchen") == f"# kitchen\n\n- {SECRET}\n"
    node = nodes.at(space.db, "kitchen")
    assert node and [line.memory for line in node.lines] == [other]
    gone(space, other)


def test_a_long_note_goes_with_its_heading(space: Space) -> None:
    key = say(space, "# Quaggaberry jam\n\nBoil:\n\n```\nquaggaberry 1 kg\n```\n\nThen wait.")
    put(space, "kitchen", PAGE)
    retain(space, [key], path="kitchen", actor=PERSON)
    assert "quaggaberry 1 kg" in page(space, "kitchen")
    purge(space, key, actor=PERSON)
    assert "uaggaberry" not in dumped(space.db)
    assert page(space, "kitchen").startswith(PAGE)


def test_what_quotes_it_beside_its_line_is_blanked_and_the_page_is_embedded_anew(space: Space) -> None:
    node = put(space, "kitchen", f"# Kitchen\n\nMara told us: {SECRET} We agreed.\n")
    before = embeddings.get_many(space.db, space.encoder.name, [node])[node]
    key = say(space, SECRET, kind=Kind.FACT)
    retain(space, [key], path="kitchen", actor=PERSON)
    gone(space, key)
    assert page(space, "kitchen") == "# Kitchen\n\nMara told us: [purged]. We agreed.\n\n"
    after = embeddings.get_many(space.db, space.encoder.name, [node])[node]
    assert (before != after).any()


def test_a_node_that_was_deleted_is_looked_at_as_well(space: Space) -> None:
    key = say(space, SECRET)
    retain(space, [key], path="kitchen", actor=PERSON)
    node = nodes.at(space.db, "kitchen")
    assert node
    delete(space, [node.id], actor=PERSON)
    gone(space, key)


def test_what_was_left_out_is_forgotten(space: Space) -> None:
    key = say(space, SECRET)
    leave_out(space, [key], actor=PERSON)
    assert left_out(space) == (key,)
    gone(space, key)
    assert left_out(space) == ()


def test_an_exported_tree_holds_none_of_its_words(space: Space) -> None:
    said = "비밀은 쿠아가베리와 소금 조금이다."
    files = {
        "tree-index.json": json.dumps(
            {"nodes": {"kitchen": {"title": "Kitchen", "keywords": ["jam"], "summary": f"Jam. {said}"}}}
        ).encode(),
        "bank/kitchen.md": f"# Kitchen\n\n- {said}\n- Tea at four.\n".encode(),
    }
    bring(space, files, actor=PERSON)
    assert take(space) == files
    key = say(space, said)
    retain(space, [key], path="kitchen", actor=PERSON)
    gone(space, key, "쿠아가베리")
    taken = {name: data.decode() for name, data in take(space).items()}
    assert taken["bank/kitchen.md"] == "# Kitchen\n\n- Tea at four.\n"
    index = json.loads(taken["tree-index.json"])
    assert index["nodes"]["kitchen"]["keywords"] == ["jam"] and "쿠아가베리" not in str(index)


def test_what_was_left_out_does_not_show_in_an_exported_tree(space: Space) -> None:
    put(space, "kitchen", PAGE)
    before = take(space)
    leave_out(space, [say(space, SECRET)], actor=PERSON)
    assert take(space) == before

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memoryapp import spaces
from memoryapp.domain.errors import BadInput, Clash, NotFound, Stale, TooLarge
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, State
from memoryapp.lab import add_golden, change_golden, delete_golden, golden_named, golden_of, put_back_golden
from memoryapp.review import archive, delete, purge
from memoryapp.spaces import Space
from memoryapp.store import golden as kept
from tests.lab.birds import birds
from tests.samples import AGENT, PERSON, a_memory, written

NOTES = Filters(kinds=(Kind.NOTE,))


def test_a_golden_query_says_what_should_be_found_by_id_or_by_ref(space: Space) -> None:
    heron, bittern, *_ = birds(space)
    added = add_golden(space, " where\tis  it ", ["bird-bittern", heron.id, bittern.id], NOTES, " why ", actor=PERSON)
    golden = added.golden
    assert not added.joined
    assert (golden.query, golden.relevant, golden.filters) == ("where is it", (bittern.id, heron.id), NOTES)
    assert (golden.note, golden.by, golden.version) == ("why", "mara", 1)
    assert golden_named(space, golden.id).golden == golden
    assert [one.golden for one in golden_of(space)] == [golden]


def test_the_same_question_with_the_same_filters_is_one_golden_query(space: Space) -> None:
    heron, bittern, egret, *_ = birds(space)
    seoul = timezone(timedelta(hours=9))
    noon = Filters(kinds=(Kind.NOTE, Kind.FACT), since=datetime(2026, 3, 1, 21, tzinfo=seoul))
    same = Filters(kinds=(Kind.FACT, Kind.NOTE), since=datetime(2026, 3, 1, 12))  # UTC where no zone is named
    first = add_golden(space, "who wades", [heron.id], noon, "mine", actor=PERSON).golden
    again = add_golden(space, "who  wades", [bittern.id, heron.id], same, "yours", actor=AGENT)
    assert again.joined and again.before == first
    assert again.golden.relevant == (heron.id, bittern.id) and again.golden.note == "mine"
    assert (again.golden.id, again.golden.version, again.golden.by) == (first.id, 2, "heron")
    other = add_golden(space, "who wades", [egret.id], actor=PERSON)
    assert not other.joined and len(golden_of(space)) == 2


def test_two_who_add_the_same_at_once_are_joined(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    """One looks, the other writes, the first writes."""
    heron, bittern, *_ = birds(space)
    looked, looks = [()], kept.asking
    first = add_golden(space, "who wades", [heron.id], actor=PERSON).golden
    monkeypatch.setattr(kept, "asking", lambda db, query: looked.pop() if looked else looks(db, query))
    second = add_golden(space, "who wades", [bittern.id], actor=AGENT)
    assert second.joined and not looked
    assert [one.golden.relevant for one in golden_of(space)] == [(heron.id, bittern.id)]
    assert second.golden.id == first.id


@pytest.mark.parametrize(
    ("query", "relevant", "field"),
    [
        ("", ["bird-heron"], "/query"),
        ("\x00 \n", ["bird-heron"], "/query"),
        ("who", [], "/relevant"),
        ("who", ["bird-heron", "bird-dodo"], "/relevant/1"),
        ("who", ["bird-heron", ""], "/relevant/1"),
        ("who", ["bird-heron"] * 101, "/relevant"),
    ],
)
def test_what_cannot_be_asked_or_found_is_refused_by_name(
    space: Space, query: str, relevant: list[str], field: str
) -> None:
    birds(space)
    with pytest.raises(BadInput) as refused:
        add_golden(space, query, relevant, actor=PERSON)
    assert refused.value.field == field and golden_of(space) == ()
    if field == "/relevant/1" and relevant[1]:
        assert "bird-dodo" in refused.value.detail


def test_long_words_and_backward_times_are_refused(space: Space) -> None:
    birds(space)
    with pytest.raises(TooLarge):
        add_golden(space, "q" * 8_001, ["bird-heron"], actor=PERSON)
    with pytest.raises(BadInput) as noted:
        add_golden(space, "who", ["bird-heron"], note="n" * 1_001, actor=PERSON)
    backward = Filters(since=datetime(2026, 3, 2), until=datetime(2026, 3, 1))
    with pytest.raises(BadInput) as timed:
        add_golden(space, "who", ["bird-heron"], backward, actor=PERSON)
    assert (noted.value.field, timed.value.field) == ("/note", "/filters/until")


def test_joining_keeps_within_what_one_golden_query_takes(space: Space) -> None:
    many = written(space.db, *(a_memory(f"Feather {n}") for n in range(101)))
    add_golden(space, "feathers", [one.id for one in many[:100]], actor=PERSON)
    with pytest.raises(BadInput) as refused:
        add_golden(space, "feathers", [many[100].id], actor=PERSON)
    assert refused.value.field == "/relevant" and "101" in refused.value.detail


def test_a_golden_query_can_be_changed_field_by_field(space: Space) -> None:
    heron, bittern, *_ = birds(space)
    golden = add_golden(space, "who wades", [heron.id], NOTES, "why", actor=PERSON).golden
    changed = change_golden(space, golden.id, version=1, relevant=["bird-bittern"], actor=AGENT)
    assert (changed.query, changed.filters, changed.note) == ("who wades", NOTES, "why")
    assert (changed.relevant, changed.version, changed.by) == ((bittern.id,), 2, "heron")
    changed = change_golden(space, golden.id, version=2, query="who booms", filters=Filters(), note="", actor=AGENT)
    assert (changed.query, changed.filters, changed.note) == ("who booms", Filters(), "")
    assert golden_named(space, golden.id).golden == changed
    with pytest.raises(Stale) as stale:
        change_golden(space, golden.id, version=2, note="late", actor=PERSON)
    assert stale.value.current == 3
    with pytest.raises(NotFound):
        change_golden(space, "nobody", version=1, note="", actor=PERSON)


def test_two_golden_queries_never_ask_the_same(space: Space) -> None:
    heron, bittern, *_ = birds(space)
    first = add_golden(space, "who wades", [heron.id], actor=PERSON).golden
    second = add_golden(space, "who booms", [bittern.id], actor=PERSON).golden
    with pytest.raises(Clash):
        change_golden(space, second.id, version=1, query="who wades", actor=PERSON)
    assert change_golden(space, first.id, version=1, query="who wades ", note="same", actor=PERSON).version == 2
    # The first asks for something else now; who asks as it did before makes one of their own.
    change_golden(space, first.id, version=2, query="who fishes", actor=PERSON)
    third = add_golden(space, "who wades", [heron.id], actor=PERSON)
    assert not third.joined and len({first.id, second.id, third.golden.id}) == 3


def test_a_deleted_golden_query_comes_back_under_its_id(space: Space) -> None:
    heron, *_ = birds(space)
    golden = add_golden(space, "who wades", [heron.id], NOTES, "why", actor=PERSON).golden
    with pytest.raises(Stale):
        delete_golden(space, golden.id, version=7)
    gone = delete_golden(space, golden.id, version=1)
    assert gone == golden and golden_of(space) == ()
    with pytest.raises(NotFound):
        delete_golden(space, golden.id)
    assert put_back_golden(space, gone) == golden == golden_named(space, golden.id).golden
    with pytest.raises(Clash):
        put_back_golden(space, gone)


def test_what_was_asked_anew_meanwhile_is_not_put_back(space: Space) -> None:
    heron, *_ = birds(space)
    gone = delete_golden(space, add_golden(space, "who wades", [heron.id], actor=PERSON).golden.id)
    add_golden(space, "who wades", [heron.id], actor=PERSON)
    with pytest.raises(Clash):
        put_back_golden(space, gone)


def test_it_is_told_which_relevant_memories_are_gone_or_put_aside(space: Space) -> None:
    heron, bittern, egret, *_ = birds(space)
    golden = add_golden(space, "who wades", [heron.id, bittern.id, egret.id], actor=PERSON).golden
    archive(space, [heron.id], actor=PERSON)
    delete(space, [bittern.id], actor=PERSON)
    (one,) = golden_of(space)
    assert one.states == {heron.id: State.ARCHIVED, bittern.id: State.DELETED, egret.id: State.HELD}
    assert (one.archived, one.gone, one.left) == ((heron.id,), (bittern.id,), (heron.id, egret.id))
    assert golden_named(space, golden.id) == one


def test_a_purge_takes_the_memory_out_of_what_is_relevant(space: Space) -> None:
    heron, bittern, *_ = birds(space)
    golden = add_golden(space, "who wades", [heron.id, bittern.id], actor=PERSON).golden
    delete(space, [heron.id], actor=PERSON)
    purge(space, heron.id, actor=PERSON)
    (one,) = golden_of(space)
    assert one.golden.relevant == (bittern.id,) and one.golden.version == 2
    assert heron.id not in str(space.db.query("SELECT * FROM golden")[0])
    with pytest.raises(Stale):  # who read it before the purge would put it back
        change_golden(space, golden.id, version=1, relevant=[heron.id, bittern.id], actor=PERSON)


def test_memories_of_a_parent_are_relevant_too(space: Space) -> None:
    above = birds(space)[0]
    below = spaces.open_space("below", parent=space)
    own = a_memory("The heron of the delta.", ref="delta")
    written(below.db, own)
    golden = add_golden(below, "heron", ["delta", "bird-heron"], actor=PERSON).golden
    assert golden.relevant == (own.id, above.id)
    delete(space, [above.id], actor=PERSON)
    purge(space, above.id, actor=PERSON)
    (one,) = golden_of(below)
    assert one.states == {own.id: State.HELD, above.id: None} and one.gone == (above.id,)
    # What nobody can find any more does not keep the rest from being changed.
    changed = change_golden(below, golden.id, version=1, relevant=[above.id, own.id], actor=PERSON)
    assert changed.relevant == (above.id, own.id)


def test_a_space_takes_so_many_golden_queries_and_no_more(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    birds(space, golden=2)
    monkeypatch.setattr(kept, "MOST", 2)
    with pytest.raises(Clash):
        add_golden(space, "one more", ["bird-heron"], actor=PERSON)
    assert add_golden(space, "where is the heron", ["bird-coot"], actor=PERSON).joined

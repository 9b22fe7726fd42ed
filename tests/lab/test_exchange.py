from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp import spaces
from memoryapp.domain.errors import Clash, PalimpsestError, TooLarge
from memoryapp.domain.filters import Filters, filters_told
from memoryapp.domain.memory import Kind, State
from memoryapp.lab import add_golden, delete_golden, export_golden, golden_of, import_golden
from memoryapp.review import delete
from memoryapp.spaces import Space
from memoryapp.store import golden as kept
from memoryapp.store import memories
from tests.lab.birds import NAMES, birds
from tests.samples import PERSON
from tests.sampling import examples


def line(**told: Any) -> str:
    return json.dumps({"query": "who wades", "relevant": ["bird-heron"]} | told, ensure_ascii=False)


def taken(space: Space, *lines: str, **how: Any) -> list[tuple[int, str]]:
    done = import_golden(space, "\n".join(lines), actor=PERSON, **how)
    return [(one.number, one.outcome) for one in done.lines]


MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))
FILTERS = st.builds(
    Filters,
    kinds=st.lists(st.sampled_from(Kind), unique=True, max_size=3).map(tuple),
    states=st.just((State.HELD,)) | st.just((State.HELD, State.ARCHIVED)),
    tags=st.lists(st.text('ab\u2028 🙂\\"', max_size=5), max_size=2).map(tuple),
    min_trust=st.none() | st.floats(0, 1),
    since=st.none() | MOMENTS,
)
QUESTIONS = st.tuples(
    st.text(min_size=1, max_size=20),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
    FILTERS,
    st.text(max_size=20),
)


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(QUESTIONS, max_size=4))
def test_what_is_taken_out_can_be_taken_in_again_exactly(
    space: Space, questions: list[tuple[str, list[str], Filters, str]]
) -> None:
    if not memories.by_refs(space.db, ["bird-heron"]):
        birds(space)
    for one in golden_of(space):
        delete_golden(space, one.golden.id)
    for query, names, filters, note in questions:
        try:
            add_golden(space, query, [f"bird-{name}" for name in names], filters, note, actor=PERSON)
        except PalimpsestError:
            assert not query.split() or any(not c.isprintable() for c in query)
    before, lines = [one.golden for one in golden_of(space)], export_golden(space)
    for one in before:
        delete_golden(space, one.id)
    done = import_golden(space, "\n".join(lines), actor=PERSON)
    assert done.written and done.count("add") == len(lines) == len(before)
    assert export_golden(space) == lines
    told = [(one.query, one.relevant, one.filters, one.note) for one in before]
    assert [(g.query, g.relevant, g.filters, g.note) for g in (one.golden for one in golden_of(space))] == told


def test_a_line_tells_everything_by_ids_and_by_refs(space: Space) -> None:
    heron, *_ = birds(space)
    filters = Filters(kinds=(Kind.NOTE,), tags=("물",))
    add_golden(space, "누가 서 있나\u2028?", [heron.id], filters, "note", actor=PERSON)
    (told,) = export_golden(space)
    assert json.loads(told) == {
        "query": "누가 서 있나 ?",
        "relevant": [heron.id],
        "refs": ["bird-heron"],
        "filters": filters_told(filters),
        "note": "note",
    }
    assert "누가" in told


def test_in_another_space_refs_stand_for_the_same_memories(space: Space) -> None:
    birds(space, golden=3)
    other = spaces.open_space("other")
    theirs = birds(other)
    done = import_golden(other, "\n".join(export_golden(space)), actor=PERSON)
    assert done.count("add") == 3
    assert [one.golden.relevant for one in golden_of(other)] == [(memory.id,) for memory in theirs[:3]]


def test_each_line_is_told_by_its_number_and_the_good_ones_are_written(space: Space) -> None:
    heron, *_ = birds(space)
    add_golden(space, "who was here", [heron.id], actor=PERSON)
    lines = [
        "\ufeff" + line(),
        "",
        line(relevant=["bird-dodo"]),
        line(query="who was here"),
        line(query="who was here", relevant=["bird-coot"]),
        line(relevant=["bird-teal"], note="later"),
        "{'query': 'python'}",
        line(query="who wades", filters={"kinds": ["note"]}, relevant=[], refs=["bird-ibis"]) + "\r",
    ]
    done = import_golden(space, "\n".join(lines), actor=PERSON)
    assert [(one.number, one.outcome) for one in done.lines] == [
        (1, "add"), (3, "bad"), (4, "same"), (5, "join"), (6, "join"), (7, "bad"), (8, "add"),
    ]  # fmt: skip
    assert "bird-dodo" in done.lines[1].told and "as line 1" in done.lines[4].told
    assert "at character 2" in done.lines[5].told and done.written
    found = {(one.golden.query, one.golden.filters.kinds): one.golden for one in golden_of(space)}
    assert [len(one.relevant) for one in found.values()] == [2, 2, 1]
    assert found["who wades", ()].note == "later"
    assert found["who was here", ()].version == 2 and found["who wades", ()].version == 1
    assert all(found[key].id in {one.golden for one in done.lines} for key in found)


@pytest.mark.parametrize(
    "bad",
    [
        "[]",
        "null",
        line(querry="who"),
        line(query=7),
        line(query=" "),
        line(query="q" * 8_001),
        line(relevant="bird-heron"),
        line(relevant=[7]),
        line(relevant=[None]),
        line(relevant=[]),
        line(relevant=["bird-heron"] * 101),
        line(refs=["bird-heron", "bird-coot"]),
        line(refs=["bird-coot"]),
        line(filters=[]),
        line(filters={"colour": ["grey"]}),
        line(filters={"kinds": ["rumour"]}),
        line(filters={"since": "2026-03-02", "until": "2026-03-01"}),
        line(note=None),
        line(note="n" * 1_001),
        '{"query": "who", "relevant": ["bird-heron"], "filters": {"min_trust": NaN}}',
        '{"query": "who", "relevant": ["bird-heron"], "filters": {"min_trust": 1e999}}',
        '{"query": "who", "relevant": ["bird-heron"]',
        "[" * 100_000,
    ],
    ids=range(23),
)
def test_a_line_that_cannot_be_used_is_told_and_nothing_else_suffers(space: Space, bad: str) -> None:
    birds(space)
    assert taken(space, bad, line(query="good")) == [(1, "bad"), (2, "add")]
    assert [one.golden.query for one in golden_of(space)] == ["good"]


def test_half_a_surrogate_pair_does_no_harm(space: Space) -> None:
    birds(space)
    half = "\ud800"
    lines = [
        line(filters={"tags": [half + "tag"]}, note=half),
        line(query="other", relevant=[half]),
        line(**{half: 1}),
        line(filters={half: 1}),
    ]
    done = import_golden(space, "\n".join(json.dumps(json.loads(one)) for one in lines), actor=PERSON)
    assert [one.outcome for one in done.lines] == ["add", "bad", "bad", "bad"]
    assert all(one.told.encode() for one in done.lines)
    assert golden_of(space)[0].golden.filters.tags == ("tag",)


def test_more_filters_than_are_kept_are_refused(space: Space) -> None:
    birds(space)
    assert taken(space, line(filters={"tags": [f"tag {n}" for n in range(2_000)]})) == [(1, "bad")]


def test_a_strict_import_with_a_bad_line_writes_nothing(space: Space) -> None:
    birds(space)
    assert taken(space, line(), "x", strict=True) == [(1, "add"), (2, "bad")]
    assert golden_of(space) == ()
    assert taken(space, line(), strict=True) == [(1, "add")]
    assert len(golden_of(space)) == 1


def test_a_dry_run_tells_the_same_and_writes_nothing(space: Space) -> None:
    birds(space)
    lines = (line(), line(relevant=["bird-coot"]), "x")
    dry = import_golden(space, "\n".join(lines), actor=PERSON, dry_run=True)
    assert not dry.written and golden_of(space) == ()
    assert import_golden(space, "\n".join(lines), actor=PERSON).lines == dry.lines


def test_a_deleted_memory_may_come_back_and_is_taken(space: Space) -> None:
    heron, *_ = birds(space)
    delete(space, [heron.id], actor=PERSON)
    assert taken(space, line(), line(query="by id", relevant=[heron.id])) == [(1, "add"), (2, "add")]
    assert [one.gone for one in golden_of(space)] == [(heron.id,)] * 2


def test_many_lines_are_one_batch_and_over_the_limit_none_is_written(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    birds(space)
    lines = [line(query=f"question {n}") for n in range(300)]
    assert len(taken(space, *lines)) == 300 == len(golden_of(space))
    assert [one.golden.query for one in golden_of(space)] == [f"question {n}" for n in range(300)]
    monkeypatch.setattr(kept, "MOST", 301)
    for dry_run in (True, False):
        with pytest.raises(Clash):
            taken(space, line(query="more"), line(query="and more"), dry_run=dry_run)
    assert len(golden_of(space)) == 300
    with pytest.raises(TooLarge):
        import_golden(space, "x" * (5 * 1024 * 1024 + 1), actor=PERSON)

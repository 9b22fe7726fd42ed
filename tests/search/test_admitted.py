from __future__ import annotations

from datetime import timedelta

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Category, Kind, State
from memoryapp.domain.results import Query
from memoryapp.search import explain
from memoryapp.spaces import Space
from tests.search.conftest import NOW, change, memory, write
from tests.search.explained import NOTES, lift, stages, step


def test_each_filter_is_told_by_itself_with_the_value_it_met(space: Space) -> None:
    about_work = memory("The queue holds messages.", category=Category.WORK, kind=Kind.FACT, confidence=0.5)
    write(space, *NOTES, about_work)
    filters = Filters(
        kinds=(Kind.FACT,),
        categories=(Category.PREFERENCES,),
        tags=("even",),
        min_trust=0.9,
        since=NOW - timedelta(days=20),
        sources=("notes/",),
    )
    told = explain(space, Query("queue", filters=filters), about_work.id)
    assert told.detail == {"filters": ["tags", "categories", "sources", "min_trust"]}
    assert step(told, "kinds").told == "Its kind is fact."
    assert step(told, "categories").told == "Its category is work, not preferences."
    assert step(told, "tags").told == "It carries no tag, and not even."
    assert step(told, "min_trust").told.endswith("less than 0.9.")
    assert step(told, "since").told == "It was learned 11 Nov 2026, not before 1 Nov 2026, 12:00 UTC."
    assert step(told, "sources").told == "It was added directly, not from notes/."
    assert {name: passed for name, passed in stages(told) if name in ("kinds", "since")} == {
        "kinds": True,
        "since": True,
    }
    assert step(told, "fusion").passed is None


def test_one_that_is_archived_is_told_since_when_and_where_it_would_stand(space: Space) -> None:
    write(space, *NOTES)
    change(space, NOTES[7], state=State.ARCHIVED)
    told = explain(space, Query("queue of worker 7"), NOTES[7].id)
    assert step(told, "state").told == "It is archived since 21 Nov 2026, and only what is held is looked for."
    assert told.lifts[0].told == "Where what is archived is looked for, too, it would be 1st."
    deleted = change(space, NOTES[8], state=State.DELETED)
    gone = explain(space, Query("queue of worker 7"), deleted.id)
    assert stages(gone)[:2] == [("state", False), ("index", None)]
    assert {passed for _, passed in stages(gone)[2:]} == {None}


def test_an_instant_before_it_was_learned_or_after_it_ended_is_told(space: Space) -> None:
    write(space, *NOTES)
    early = Query("queue of worker 7", filters=Filters(as_of=NOW - timedelta(days=30)))
    told = explain(space, early, NOTES[7].id)
    assert step(told, "as_of").told == "It was learned 11 Nov 2026, after the instant, 22 Oct 2026, 12:00 UTC."
    assert lift(told, "filter").told == "Asked as of now, it would be 1st."
    ended = memory("Worker 7 had a queue.", valid_to=NOW - timedelta(days=5))
    write(space, ended)
    later = Query("queue of worker 7", filters=Filters(as_of=NOW - timedelta(days=2)))
    assert step(explain(space, later, ended.id), "as_of").told.startswith("It held until 16 Nov 2026, before")
    change(space, NOTES[7], state=State.ARCHIVED)
    held = Query("queue of worker 7", filters=Filters(as_of=NOW - timedelta(days=2)))
    then = explain(space, held, NOTES[7].id)
    assert (step(then, "state").passed, step(then, "as_of").passed, then.found) == (None, True, True)


def test_a_kind_that_is_not_searched_unless_it_is_named_says_so(space: Space) -> None:
    summary = memory("Queues and workers.", kind=Kind.SUMMARY)
    write(space, *NOTES, summary)
    told = explain(space, Query("queue of worker 7"), summary.id)
    assert step(told, "kinds").told == "It is a summary, which is found only where that kind is asked for."
    assert (told.stage, lift(told, "filter").rank > 0) == ("filter", True)

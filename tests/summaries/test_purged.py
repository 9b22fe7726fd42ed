"""What was purged does not come back in any story, and the story is told anew without it."""

from __future__ import annotations

from memoryapp.domain.memory import Category
from memoryapp.review import purge
from memoryapp.spaces import Space
from memoryapp.store import revisions, sessions
from memoryapp.summaries import episode_of, narrate_session, refresh_summaries, summaries_of
from tests.samples import AGENT, PERSON
from tests.summaries.talk import LOCKS, appended, learned

SECRET = "I measured 1,200 writes per second without it and 610 with it."


def test_a_purged_fact_is_in_no_episode_told_afterwards(space: Space) -> None:
    said = appended(space, "locks", LOCKS)
    fact = learned(space, said[4], "Minsu measured 1,200 writes per second.", quote=SECRET)
    first = narrate_session(space, "locks", model=None, actor=AGENT)
    assert first is not None
    assert "1,200" in first.text

    purge(space, fact.id, actor=PERSON)
    assert episode_of(space, "locks") is None
    assert [one.name for one in sessions.untold(space.db)] == ["locks"]

    again = narrate_session(space, "locks", model=None, actor=AGENT)
    assert again is not None
    assert "explicit locking" in again.text
    assert "1,200" not in again.text
    assert not any("1,200" in str((one.before, one.after)) for one in revisions.of_record(space.db, again.id))


def test_a_purged_fact_is_in_no_summary_told_afterwards(space: Space) -> None:
    said = appended(space, "locks", LOCKS)
    fact = learned(space, said[4], "Minsu measured 1,200 writes per second.", quote=SECRET)
    for n, turn in enumerate(said[1:6]):
        learned(space, turn, f"Alice owns rack number {n} in the lab.", quote="")
    refresh_summaries(space, model=None, actor=AGENT)
    assert "1,200" in summaries_of(space)[Category.WORK].text

    purge(space, fact.id, actor=PERSON)
    refresh_summaries(space, model=None, actor=AGENT)
    assert "1,200" not in summaries_of(space)[Category.WORK].text

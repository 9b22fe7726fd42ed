"""Episodes in time: pages of them, and how many each day has."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Kind, Memory
from memoryapp.review import archive
from memoryapp.spaces import Space
from memoryapp.summaries import day_density, episode_page
from tests.samples import PERSON, a_memory, written

FIRST = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)


def episodes(space: Space, count: int, *, hours: int = 24) -> tuple[Memory, ...]:
    """One every so many hours, the newest last."""
    made = (
        a_memory(f"Session {n}.", kind=Kind.EPISODE, occurred_at=FIRST + timedelta(hours=hours * n))
        for n in range(count)
    )
    return written(space.db, *made, a_memory("A note is no episode."))


def test_pages_go_from_the_newest_to_the_oldest_and_back(space: Space) -> None:
    ids = [memory.id for memory in reversed(episodes(space, 25)[:-1])]
    seen, page = [], episode_page(space, limit=10)
    assert (page.total, page.newer) == (25, None)
    while True:
        seen += [memory.id for memory in page.episodes]
        if page.older is None:
            break
        page = episode_page(space, before=page.older, limit=10)
    assert seen == ids
    back = episode_page(space, after=page.newer, limit=10)
    assert [memory.id for memory in back.episodes] == ids[10:20]


def test_episodes_of_one_instant_are_neither_lost_nor_doubled(space: Space) -> None:
    made = episodes(space, 7, hours=0)[:-1]
    first = episode_page(space, limit=3)
    second = episode_page(space, before=first.older, limit=3)
    third = episode_page(space, before=second.older, limit=3)
    seen = [memory.id for page in (first, second, third) for memory in page.episodes]
    assert sorted(seen) == sorted(memory.id for memory in made)
    assert third.older is None


def test_a_span_of_time_narrows_pages_and_days(space: Space) -> None:
    episodes(space, 10)
    since, until = FIRST + timedelta(days=2), FIRST + timedelta(days=5)
    assert episode_page(space, since=since, until=until).total == 3
    assert [day for day, _ in day_density(space, since=since, until=until)] == [date(2026, 1, n) for n in (3, 4, 5)]


def test_days_are_counted_and_empty_ones_left_out(space: Space) -> None:
    episodes(space, 5, hours=40)
    assert day_density(space) == (
        (date(2026, 1, 1), 1),
        (date(2026, 1, 3), 1),
        (date(2026, 1, 4), 1),
        (date(2026, 1, 6), 1),
        (date(2026, 1, 8), 1),
    )


def test_an_archived_episode_is_not_on_the_timeline(space: Space) -> None:
    made = episodes(space, 2)
    archive(space, [made[0].id], actor=PERSON)
    assert [memory.id for memory in episode_page(space).episodes] == [made[1].id]


def test_an_empty_space_has_an_empty_page(space: Space) -> None:
    page = episode_page(space)
    assert (page.episodes, page.total, page.older, page.newer) == ((), 0, None, None)
    assert day_density(space) == ()


def test_a_damaged_cursor_is_refused(space: Space) -> None:
    with pytest.raises(BadInput, match="address is damaged"):
        episode_page(space, before="yesterday~")

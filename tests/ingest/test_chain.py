"""Dated files follow each other, whatever comes between them or goes."""

from __future__ import annotations

from memoryapp.ingest.chain import series
from memoryapp.store import lineage
from tests.ingest.conftest import Notes


def edges(notes: Notes) -> set[tuple[str, str]]:
    """(later, earlier) by title."""
    titles = {memory.id: memory.title for memory in notes.all()}
    return {(titles[a], titles[b]) for a, b in lineage.follows_among(notes.space.db, list(titles))}


def day(*titles: str) -> str:
    return "\n\n".join(f"## {title}\n\nx" for title in titles)


def test_each_section_follows_the_one_before_and_a_day_the_day_before(notes: Notes) -> None:
    notes.put("log/2026-02-13.md", day("a", "b"))
    notes.put("log/2026-02-15-standup.md", day("c", "d"))
    notes.put("log/undated.md", day("z"))
    notes.ingest()
    assert edges(notes) == {("b", "a"), ("c", "b"), ("d", "c")}


def test_a_day_put_in_between_parts_the_chain_and_joins_it_again(notes: Notes) -> None:
    notes.put("2026-02-13.md", day("a"))
    notes.put("2026-02-15.md", day("c"))
    notes.ingest()
    notes.put("2026-02-14.md", day("b"))
    notes.ingest()
    assert edges(notes) == {("b", "a"), ("c", "b")}


def test_a_day_that_goes_is_bridged(notes: Notes) -> None:
    for name, title in (("13", "a"), ("14", "b"), ("15", "c")):
        notes.put(f"2026-02-{name}.md", day(title))
    notes.ingest()
    (notes.root / "2026-02-14.md").unlink()
    notes.ingest()
    assert edges(notes) == {("c", "a")}


def test_a_day_that_moves_in_time_is_chained_where_it_now_stands(notes: Notes) -> None:
    for name, title in (("13", "a"), ("14", "b"), ("15", "c")):
        notes.put(f"2026-02-{name}.md", day(title))
    notes.ingest()
    (notes.root / "2026-02-14.md").rename(notes.root / "2026-02-20.md")
    notes.ingest()
    assert edges(notes) == {("c", "a"), ("b", "c")}


def test_folders_are_series_of_their_own_unless_they_only_say_when(notes: Notes) -> None:
    assert series("log/2026/02/2026-02-13.md") == series("log/2026-03-01.md") == "log"
    assert series("team/2026-02-13.md") != series("log/2026-02-13.md")
    notes.put("log/2026/02/2026-02-28.md", day("a"))
    notes.put("log/2026/03/2026-03-01.md", day("b"))
    notes.put("team/2026-02-28.md", day("x"))
    notes.ingest()
    assert edges(notes) == {("b", "a")}


def test_a_long_series_is_one_chain(notes: Notes) -> None:
    for n in range(1, 29):
        for month in range(1, 10):
            notes.put(f"2026-{month:02}-{n:02}.md", day(f"{month}-{n}"))
    notes.ingest()
    assert len(edges(notes)) == 28 * 9 - 1

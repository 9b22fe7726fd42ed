"""Growth: the same number gives the same memory, what was grown is whole, and a slope says how cost grows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmarks import scale, scale_data, scale_grow, scale_look
from benchmarks.scale import scale_table, slopes
from memoryapp import integrity, spaces
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.spaces import default_space
from memoryapp.domain.memory import Kind
from memoryapp.jobs.models import Job
from memoryapp.spaces import Space
from memoryapp.store import stats
from tests.samples import NOON

SIZE = 100  # of a part here: one of each kind at least


@pytest.fixture
def space(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Space]:
    monkeypatch.setattr(scale_grow, "PART", SIZE)
    spaces.close_space(default_space().name)
    opened = open_row(default_space())
    opened.encoder.get(30)
    yield opened
    spaces.close_space(opened.name)


def test_a_number_gives_the_same_memory_every_time() -> None:
    assert [scale_data.memory(n, newest=NOON).text for n in range(100)] == [
        scale_data.sentence(n) for n in range(98)
    ] + [
        scale_data.memory(98, newest=NOON).text,
        scale_data.sentence(99),
    ]
    assert scale_data.memory(7, newest=NOON) == scale_data.memory(7, newest=NOON)


def test_a_hundred_memories_are_of_every_kind_in_proportion() -> None:
    kinds = Counter(scale_data.kind_of(n) for n in range(1_000))
    assert kinds[Kind.NOTE] == 450 and kinds[Kind.FACT] == 350 and kinds[Kind.NODE] == 10
    assert sum(kinds.values()) == 1_000


def test_what_is_referred_to_is_there_by_then() -> None:
    for number in (0, 3, 250, 4_999):
        assert all(place < scale_data.entities_by(number) for place in scale_data.entities_of(number))


@pytest.mark.slow
def test_a_space_that_was_grown_is_whole_and_goes_on_where_it_was_broken_off(space: Space) -> None:
    scale_grow.grow(space, 0, newest=NOON)
    before = stats.counts(space.db)
    assert before["memory"] == SIZE and before["conflict"] == 2 and before["session"] == 2
    scale_grow.grow(space, 0, newest=NOON)  # written already: only single changes come again
    assert stats.counts(space.db) == before | {"revision": stats.counts(space.db)["revision"], "run": before["run"] + 7}
    scale_grow.grow(space, SIZE, newest=NOON)
    assert stats.counts(space.db)["memory"] == 2 * SIZE
    assert Job.objects.filter(space=space.name).exists()
    assert integrity.check(space).broken == ()


@pytest.mark.slow
def test_every_address_that_is_measured_shows_something_of_the_space(space: Space) -> None:
    for start in range(0, 4 * SIZE, SIZE):
        scale_grow.grow(space, start, newest=space.clock())
    client = scale_look.browser()
    for name, address in {**scale_look.pages(), **scale_look.answers(client)}.items():
        assert client.get(address).status_code == 200, name


def look(cpu: float, *, fresh: float = 0.0) -> dict[str, Any]:
    page = {"p50": 2 * cpu, "p95": 3 * cpu, "cpu": cpu, "fresh": 2 * fresh, "fresh_cpu": fresh}
    return {"pages": {"Home": page}, "memory_mb": {"at end": 200.0}, "start_s": 1.0, "load": 1.0}


def test_a_slope_is_the_exponent_of_the_dearer_of_both_visits_and_a_bend_is_marked() -> None:
    told = {"1000": look(10), "10000": look(10, fresh=100), "100000": look(10, fresh=2_000)}
    assert slopes(told, "pages", "Home") == pytest.approx([1.0, 1.301], abs=0.001)
    printed = "\n".join(scale_table(told))
    assert "+1.00 " in printed and "+1.30*" in printed
    assert "100,000: start to the first answer 1.00 s" in printed


def test_what_takes_next_to_no_time_has_no_slope() -> None:
    assert slopes({"1000": look(0.01), "10000": look(1.0)}, "pages", "Home") == [None]


def test_the_command_grows_a_space_without_any_data_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MEMORY_BENCH_DIR", raising=False)
    asked: dict[str, Any] = {}

    def measure(folder: Path | None, **more: Any) -> dict[str, Any]:
        asked.update(more, folder=folder)
        return {"1000": look(10), "2000": look(20)}

    monkeypatch.setattr(scale, "measure", measure)
    out, file = StringIO(), tmp_path / "figures.json"
    words = ("--sets", "scale", "--sizes", "1000,2000", "--grown", str(tmp_path), "--out", str(file))
    call_command("bench", *words, stdout=out, stderr=StringIO())
    assert asked["sizes"] == [1_000, 2_000] and asked["folder"] == tmp_path
    assert "+1.00" in out.getvalue()
    assert set(json.loads(file.read_text(encoding="utf-8"))["scale"]) == {"1000", "2000"}


def test_sizes_that_are_none_are_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    err = StringIO()
    with pytest.raises(SystemExit):
        call_command("bench", "--sets", "scale", "--sizes", "many", stdout=StringIO(), stderr=err)


def test_a_step_that_fails_says_what_it_said_last(tmp_path: Path) -> None:
    with pytest.raises(scale.StoreError, match="Growth stopped at “grow nonsense”"):
        scale._step(tmp_path, "grow", "nonsense")

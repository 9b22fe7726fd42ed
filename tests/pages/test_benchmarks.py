"""Benchmarks: what ships, one's own run beside it, and losses as openly as wins."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from benchmarks.table import MILLISECONDS, REACH, WALK_MILLISECONDS
from memoryapp.interfaces.benchmarks.pages import (
    SECTIONS,
    figure_at,
    groups_of,
    read_run,
    strategies_of,
    tally,
    verdict_of,
)
from tests.markup import PageClient

URL = "/benchmarks/"
SHIPPED = settings.BASE_DIR / "docs" / "benchmarks.json"


@pytest.fixture
def own(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "bench.json"


def test_the_page_holds_to_what_the_bench_itself_holds_to() -> None:
    ours = {one.place: one for section in SECTIONS for one in section.measures}
    for name, wanted in REACH.items():
        for measure, (plain, reach) in wanted.items():
            one = ours["quality", name, "hybrid", measure]
            assert (one.plain, one.reach) == (plain, reach)
    for size, reach in MILLISECONDS.items():
        assert ours["speed", "searches", str(size), "hybrid_ms", "p50"].reach == reach
    assert ours["speed", "searches", "50000", "graph", "recall_ms", "p50"].reach == WALK_MILLISECONDS


def test_what_ships_says_where_it_falls_short(reader: PageClient) -> None:
    page = html.unescape(reader.get(URL).content.decode())
    figures = json.loads(SHIPPED.read_text())
    groups = groups_of(figures, {})
    counts = tally(groups)
    assert f"{counts['reached']} figures meet their target" in page and f"{counts['short']} fall short" in page
    assert counts["reached"] and counts["short"]
    for group in groups:
        for line in group.lines:
            if line.verdict:
                row = re.search(rf'<th scope="row">{re.escape(line.name)}</th>.*?</tr>', page, re.DOTALL)
                assert row and f"{line.verdict}</span>" in row[0] and f"<b>{line.ours}</b>" in row[0]
    assert "behind the baseline" in page and "not measured yet" in page
    assert "manage.py bench" in page and reader.weight < 25_000


def test_what_ships_names_no_machine_of_anybody() -> None:
    text = SHIPPED.read_text()
    assert "/home" not in text and "/work" not in text and "/tmp" not in text


@pytest.mark.parametrize(
    ("value", "reach", "least", "told"),
    [
        (0.81, 0.81, False, "reached"),
        (0.889, 0.89, False, "just short"),
        (0.85, 0.89, False, "short"),
        (12.0, 10.0, True, "short"),
        (9.9, 10.0, True, "reached"),
        (0.0, 0.0, True, "reached"),
        (None, 0.5, False, ""),
        (0.5, None, False, ""),
    ],
)
def test_a_figure_reaches_falls_just_short_or_short(
    value: float | None, reach: float | None, least: bool, told: str
) -> None:
    assert verdict_of(value, reach, least=least) == told


def test_ones_own_run_stands_beside_what_ships(reader: Client, own: Path) -> None:
    assert "Yours" not in reader.get(URL).content.decode()
    told = {"encoder": "mpnet", "split": "all", "at": "2026-11-20T10:00:00+00:00"}
    own.write_text(json.dumps({**told, "quality": {"locomo": {"hybrid": {"R@10": 0.7777}}}}))
    page = reader.get(URL).content.decode()
    row = re.search(r"LoCoMo turns, R@10</th>.*?</tr>", page, re.DOTALL)
    assert row and "0.778" in row[0] and "0.820" in row[0] and "short</span>" in row[0]
    assert "another encoder: mpnet" in page and "split all" in page


@pytest.mark.parametrize("text", ["{", "[1]", "\xff", '"x"', "x" * 2_000_001])
def test_a_run_that_cannot_be_read_is_told_and_the_rest_stands(reader: Client, own: Path, text: str) -> None:
    own.write_bytes(text.encode("latin-1"))
    answer = reader.get(URL)
    assert answer.status_code == 200
    assert "could not be read" in answer.content.decode() and "0.820" in answer.content.decode()


def test_what_is_no_figure_is_a_dash() -> None:
    figures = {"quality": {"locomo": {"hybrid": {"R@10": "high", "R@5": True}}}, "speed": [1]}
    assert figure_at(figures, ("quality", "locomo", "hybrid", "R@10")) is None
    assert figure_at(figures, ("quality", "locomo", "hybrid", "R@5")) is None
    assert figure_at(figures, ("speed", "searches")) is None
    assert strategies_of({"quality": 3}) == {} == strategies_of({})
    assert groups_of(figures, {})[0].lines[0].ours == "–"


def test_without_the_figures_that_ship_the_page_still_says_how_to_take_them(
    reader: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.BASE_DIR = tmp_path
    page = reader.get(URL).content.decode()
    assert "0 figures meet their target" in page and "manage.py bench" in page
    assert read_run(tmp_path / "none.json") is None

"""Twice the words take about twice the work, whatever they are: nothing that anybody sends keeps a reader of it busy.

In a process of its own that is ended where it does not come to an end: a pattern that tries every way through a text
takes not seconds but centuries. MEMORY_TEST_SECURITY=full reads thirteen times as much.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.security.probe import READERS, SHAPES

ROOT = Path(__file__).resolve().parents[2]
FULL = os.environ.get("MEMORY_TEST_SECURITY") == "full"
CHARACTERS = 64_000 if FULL else 5_000
PATIENCE = 1_800 if FULL else 240  # seconds, on a machine that is shared
MOST_GROWTH = 3.4  # of the work, for twice the words: 2 is linear, 4 is quadratic
LEAST = 0.06  # processor seconds: less says nothing of how it grows


@pytest.mark.long
def test_twice_the_words_are_twice_the_work() -> None:
    command = [sys.executable, "-m", "tests.security.probe", str(CHARACTERS)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    told: dict[str, dict[str, list[float]]] = {}
    for line in ended.stdout.splitlines():
        told |= json.loads(line)
    assert set(told) == set(READERS) and all(set(times) == set(SHAPES) for times in told.values())
    slow = {
        f"{reader}: {shape}": times
        for reader, shapes in told.items()
        for shape, times in shapes.items()
        if times[-1] > LEAST and times[-1] > MOST_GROWTH * times[-2]
    }
    assert slow == {}

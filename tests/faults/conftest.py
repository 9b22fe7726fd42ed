"""The long form says at its end what was done."""

from __future__ import annotations

from typing import Any

from tests.faults.told import FULL, MET, line


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if FULL and MET:
        terminalreporter.write_line(line())

"""The units of docs/INSTALL.md, by which systemd and launchd keep an installed Palimpsest running."""

from __future__ import annotations

import configparser
import plistlib
import re
import shlex

from django.core.management import load_command_class

from tests.package.conftest import ROOT

PAGE = (ROOT / "docs" / "INSTALL.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def can_be_typed(words: list[str]) -> bool:
    """Whether the words are the program and a command that takes them."""
    assert words[0].endswith("/palimpsest")
    load_command_class("memoryapp", words[1]).create_parser("palimpsest", words[1]).parse_args(words[2:])
    return words[1] == "up" and "--no-browser" in words


def test_systemd_starts_a_command_that_takes_its_words_and_waits_for_its_end() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(block("ini"))
    assert can_be_typed(shlex.split(unit["Service"]["ExecStart"]))
    assert unit["Install"]["WantedBy"] == "default.target" and int(unit["Service"]["TimeoutStopSec"]) > 20


def test_launchd_starts_a_command_that_takes_its_words() -> None:
    unit = plistlib.loads(block("xml").encode())
    assert can_be_typed(unit["ProgramArguments"]) and unit["RunAtLoad"] is True
    assert unit["KeepAlive"] == {"SuccessfulExit": False}

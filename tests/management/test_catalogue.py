"""Every command is in the overview, has examples that can be typed, and tells what is wrong in a line."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from memoryapp.management import reference
from memoryapp.management.catalogue import CATALOGUE, EXIT_CODES, MOST_USED, as_json, overview
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.reference import GRAMMAR, as_text, grammar, our_commands
from tests.live import ROOT, environment, manage

Commands = dict[str, PalimpsestCommand]
MADE_BY = "python -m memoryapp.management.reference"


@pytest.fixture(scope="module")
def commands() -> Commands:
    return our_commands()


def test_every_command_stands_in_the_overview_with_a_line_and_an_example(
    commands: Commands,
) -> None:
    assert set(commands) - set(CATALOGUE) == set(), "add it to memoryapp/management/catalogue_daily or _upkeep"
    assert set(CATALOGUE) - set(commands) - {"help"} == set()
    shown = overview()
    for name, entry in CATALOGUE.items():
        assert f"\n  {name} " in shown and entry.examples and all(len(one) == 2 for one in entry.examples), name
        assert all(words.startswith(name) for words, _ in entry.examples), name
    assert len(shown.splitlines()) < 70 and max(map(len, shown.splitlines())) <= 100
    assert [one["command"] for one in as_json()] == list(CATALOGUE)


def test_every_command_has_help_with_its_examples_and_takes_json_and_data(
    commands: Commands,
) -> None:
    for name, command in commands.items():
        assert isinstance(command, PalimpsestCommand) and command.help.rstrip().endswith("."), name
        told = command.create_parser("palimpsest", name).format_help()
        assert "--json" in told and "--data DIR" in told and "--pythonpath" not in told, name
        assert "\nexamples:\n" in told and all(
            f"  manage.py {words}\n" in told for words, _ in CATALOGUE[name].examples
        )


def test_every_example_can_be_typed(commands: Commands) -> None:
    for name, command in commands.items():
        for words, _ in CATALOGUE[name].examples:
            typed = shlex.split(words)
            typed = next((typed[:n] for n, word in enumerate(typed) if word in ("<", ">")), typed)
            try:
                command.create_parser("palimpsest", name).parse_args(typed[1:])
            except (CommandError, SystemExit) as error:
                pytest.fail(f"palimpsest {words}: {error}")


def test_the_page_of_commands_and_what_completion_reads_are_those_of_the_commands() -> None:
    found = grammar()
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(found), f"run {MADE_BY}"
    assert GRAMMAR.read_text(encoding="utf-8") == as_text(found), f"run {MADE_BY}"
    assert json.loads(as_text(found))["strategies"] == found["strategies"]


@pytest.mark.slow
def test_every_command_tells_of_a_bad_data_folder_in_a_line(commands: Commands, tmp_path: Path, in_full: bool) -> None:
    names = list(commands)[:: 1 if in_full else 6]
    file = tmp_path / "a file"
    file.write_text("")

    def typed(name: str) -> subprocess.CompletedProcess[str]:
        words = shlex.split(CATALOGUE[name].examples[0][0])
        return manage(*words, "--data", str(file), data=tmp_path, timeout=120)

    with ThreadPoolExecutor(2) as pool:
        for name, done in zip(names, pool.map(typed, names), strict=True):
            assert done.returncode == 1 and done.stdout == "", name
            assert done.stderr.count("\n") == 1 and str(file) in done.stderr, (name, done.stderr)


def test_help_is_the_overview_and_help_of_one_verb_is_its_own(tmp_path: Path) -> None:
    for words in (("help",), ("--help",)):
        assert manage(*words, data=tmp_path).stdout == overview() + "\n"
    assert json.loads(manage("help", "--json", data=tmp_path).stdout) == as_json()
    told = manage("help", "conflicts", "propose", data=tmp_path)
    assert told.returncode == 0 and "manage.py conflicts propose" in told.stdout and "keep,replace" in told.stdout
    assert "examples:" in manage("help", "recall", data=tmp_path).stdout


def test_alone_it_shows_ten_commands_where_the_rest_is_and_where_the_data_lies(tmp_path: Path) -> None:
    shown = manage(data=tmp_path / "none").stdout
    named = [line.split()[1] for line in shown.splitlines() if line.startswith("  manage.py ")]
    assert named == list(MOST_USED) and len(named) == 10 and set(named) <= set(CATALOGUE)
    assert "`manage.py help`" in shown and str(tmp_path / "none") in shown
    assert not (tmp_path / "none").exists()


def test_what_is_not_understood_is_exit_code_2_and_what_is_meant_is_offered(tmp_path: Path) -> None:
    unknown = manage("recal", "x", data=tmp_path)
    assert unknown.returncode == 2 and unknown.stdout == ""
    assert unknown.stderr == "There is no command “recal”. Did you mean “recall”? `manage.py help` lists them.\n"
    (tmp_path / "people.sqlite3").touch()  # as if a memory were here
    assert manage("recall", data=tmp_path).returncode == 2
    assert manage("conflicts", "decide", data=tmp_path).returncode == 2
    assert manage("stats", "--data", data=tmp_path).returncode == 2
    assert set(EXIT_CODES) == {0, 1, 2, 130}


def test_the_version_is_ours(tmp_path: Path) -> None:
    assert manage("version", data=tmp_path).stdout.startswith("Palimpsest")


def test_no_bar_is_drawn_where_nobody_looks(tmp_path: Path) -> None:
    """On a pipe the bar would be rubbish; on a terminal it is drawn on stderr, and stdout stays what it is."""
    script = (
        "from memoryapp.management.show import progress_bar\n"
        "with progress_bar('Reading') as tell:\n"
        "    for n in range(5): tell({'progress': {'done': n, 'total': 4}})\n"
        "print('done')"
    )
    words = [sys.executable, "-c", script]
    shown = subprocess.run(words, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert (shown.stdout, shown.stderr) == ("done\n", "")
    ours, theirs = os.openpty()
    on_terminal = subprocess.Popen(words, cwd=ROOT, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    assert on_terminal.communicate(timeout=60)[0] == b"done\n"
    assert b"Reading" in os.read(ours, 65_536)
    os.close(ours)

"""What may follow the words typed so far, and the scripts that ask for it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.strategies import STRATEGIES
from memoryapp.management.catalogue import CATALOGUE
from memoryapp.management.commands.completion import SHELLS, script_for
from memoryapp.management.complete import GRAMMAR, candidates, spaces_in
from tests.live import ROOT, environment, manage

GRAMMAR_READ = json.loads(GRAMMAR.read_text(encoding="utf-8"))


def after(*words: str) -> list[str]:
    return candidates(list(words), GRAMMAR_READ)


def test_commands_verbs_options_and_choices_are_completed_where_they_may_stand() -> None:
    assert set(after("")) >= {"recall", "ingest", "doctor", "help"}
    assert after("rem") == ["remember"]
    assert after("help", "conf") == ["conflicts"] and "resolve" in after("help", "conflicts", "")
    assert set(after("tree", "")) >= {"import", "export", "reach"}
    assert after("jobs", "list", "--st") == ["--status"]
    assert after("jobs", "list", "--status", "f") == ["failed"]
    assert after("jobs", "list", "--status=f") == ["--status=failed"]
    assert after("jobs", "list", "--status", "=", "f") == ["failed"]  # as bash parts it
    assert after("conflicts", "resolve", "9f2c1b7a40d3e685", "re") == ["replace"]
    assert after("key", "--role", "") == ["admin", "curator", "reader", "writer"]
    assert after("key", "--role", "admin", "--ag") == ["--agent"]
    assert after("nothing", "") == [] and after("--limit") == []


def test_strategies_and_spaces_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert after("recall", "why?", "--strategy", "") == sorted(STRATEGIES)
    assert manage("spaces", "create", "research", data=tmp_path).returncode == 0
    monkeypatch.setenv("MEMORY_DATA_DIR", str(tmp_path))
    assert after("recall", "why?", "--space", "") == ["default", "research"]
    assert after("spaces", "create", "x", "--parent", "re") == ["research"]


def test_spaces_of_a_folder_that_has_none_or_is_damaged_are_none(tmp_path: Path) -> None:
    assert spaces_in(tmp_path) == [] and spaces_in(tmp_path / "gone") == []
    (tmp_path / "people.sqlite3").write_bytes(b"no database")
    assert spaces_in(tmp_path) == []


@given(st.lists(st.text(max_size=12) | st.sampled_from(["--space", "=", "--", "tree", "conflicts", ""]), max_size=6))
def test_whatever_is_typed_completing_it_never_fails(words: list[str]) -> None:
    assert all(isinstance(one, str) for one in candidates(words, GRAMMAR_READ))


def test_completing_needs_neither_django_nor_a_data_folder(tmp_path: Path) -> None:
    done = manage("complete", "--", "rec", data=tmp_path / "none")
    assert (done.returncode, done.stdout) == (0, "recall\n") and not (tmp_path / "none").exists()
    script = "import sys; from memoryapp.management import complete; print('django' in sys.modules)"
    asked = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert asked.stdout == "False\n"


def test_bash_completes_by_the_script_and_knows_the_short_name(tmp_path: Path) -> None:
    script = manage("completion", "bash", data=tmp_path).stdout
    asked = (
        f"{script}\n"
        "COMP_WORDS=(palimpsest recall x --strategy du); COMP_CWORD=4; _palimpsest; echo ${COMPREPLY[@]}\n"
        'COMP_WORDS=(palimpsest tree ""); COMP_CWORD=2; _palimpsest; echo ${#COMPREPLY[@]}\n'
        "palimpsest version; complete -p palimpsest"
    )
    told = subprocess.run(
        ["bash", "-c", asked], env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=True
    ).stdout.splitlines()
    assert told[0] == "dual-arm" and int(told[1]) == len(GRAMMAR_READ["commands"]["tree"]["verbs"])
    assert told[2].startswith("Palimpsest") and "-F _palimpsest" in told[3]


@pytest.mark.parametrize("shell", list(SHELLS))
def test_each_shell_has_a_script_with_the_whole_way_to_the_program(shell: str, tmp_path: Path) -> None:
    script = script_for(shell, program=["/usr/bin/python3", str(tmp_path / "it's here" / "manage.py")])
    assert "complete" in script and "palimpsest" in script and "{" + "program}" not in script
    assert shell in script.splitlines()[0]
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, timeout=30)
        assert checked.returncode == 0, checked.stderr


def test_a_shell_that_has_no_script_is_refused(tmp_path: Path) -> None:
    assert manage("completion", "tcsh", data=tmp_path).returncode == 2


def test_help_lists_what_completion_knows() -> None:
    assert set(GRAMMAR_READ["commands"]) == set(CATALOGUE) - {"help"}

"""An installed Palimpsest, as a person has it after `pip install`: from an empty folder, with a home of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.live import LINK, PATIENCE, use_link

ASSET = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js|svg))"')
PLACE = Path("Library/Application Support/palimpsest" if sys.platform == "darwin" else ".local/share/palimpsest")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a home folder and a folder to work in, both empty at first."""

    program: Path
    home: Path

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_", "XDG_", "PYTHON"))}
        for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "CELERY_BROKER_URL"):
            kept.pop(name, None)
        return {**kept, "HOME": str(self.home), "MEMORY_ENCODER": "hashing"}

    def types(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The command, run to its end."""
        return subprocess.run(
            [self.program, *words], cwd=self.home / "empty", env=self.environment(), capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip


@pytest.fixture
def person(installed: Path, tmp_path: Path) -> Person:
    (tmp_path / "empty").mkdir()
    return Person(installed / "palimpsest", tmp_path)


@pytest.fixture
def link(person: Person) -> Iterator[str]:
    """The login link that `palimpsest up` prints; afterwards it is stopped, and must have ended well."""
    with (person.home / "output").open("w+b") as output:
        words = [person.program, "up", "--no-browser", "--port", "0"]
        up = subprocess.Popen(words, cwd=person.home / "empty", env=person.environment(), stdout=output, stderr=output)
        try:
            yield _printed_by(up, person.home / "output")
        finally:
            up.send_signal(signal.SIGTERM)
            ended = up.wait(60)
    said = (person.home / "output").read_text(encoding="utf-8")
    assert ended == 0 and "Traceback" not in said, said


def _printed_by(up: subprocess.Popen[bytes], output: Path) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and up.poll() is None:
        if found := LINK.search(output.read_text(encoding="utf-8")):
            return found[0]
        time.sleep(0.1)
    raise AssertionError("No login link was printed:\n" + output.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_it_starts_shows_its_pages_and_remembers(person: Person, link: str) -> None:
    with httpx.Client(follow_redirects=True, trust_env=False, timeout=60) as browser:
        home = use_link(browser, link)
        assets = set(ASSET.findall(home.text))
        assert home.status_code == 200 and any(one.endswith(".css") for one in assets)
        assert any(one.endswith(".js") for one in assets)
        for one in (*assets, "/graph/"):
            answer = browser.get(str(home.url.join(one)))
            assert answer.status_code == 200 and answer.content, one
        root = str(home.url.join("/api/v1"))
        made = person.types("key", "--role", "writer", "--json")
        assert made.returncode == 0, made.stderr
        headers = {"Authorization": f"Bearer {json.loads(made.stdout)['key']}"}
        fact = {"text": "Mina lives in Busan.", "kind": "fact"}
        browser.post(f"{root}/memories", json=fact, headers=headers).raise_for_status()
        hits = browser.post(f"{root}/search", json={"query": "Where does Mina live?"}, headers=headers).json()["items"]
        assert [hit["text"] for hit in hits] == ["Mina lives in Busan."]
    recalled = person.types("recall", "Where does Mina live?")
    assert recalled.returncode == 0 and "Mina lives in Busan." in recalled.stdout
    said = (person.home / "output").read_text(encoding="utf-8")
    assert "`palimpsest login`" in said and "manage.py" not in said and str(person.home / PLACE) in said
    # Its data is at the person's own place, and nothing is left where it was called.
    assert (person.home / PLACE / "people.sqlite3").is_file()
    assert (person.home / PLACE).stat().st_mode & 0o777 == 0o700
    assert not [*(person.home / "empty").iterdir()]


@pytest.mark.slow
def test_it_speaks_of_itself_by_the_name_that_it_has(person: Person) -> None:
    alone = person.types()
    assert "\n  palimpsest up " in alone.stdout and "`palimpsest help`" in alone.stdout
    assert str(person.home / PLACE) in alone.stdout and "manage.py" not in alone.stdout
    assert person.types("--version").stdout == "Palimpsest 0.1.0\n"
    without = person.types("recall", "x")
    assert without.returncode == 1 and without.stderr.rstrip().endswith("palimpsest up.")
    assert not (person.home / PLACE).exists(), "a command that only reads makes no memory"
    help_of_one = person.types("help", "recall").stdout
    assert help_of_one.startswith("usage: palimpsest recall") and "  palimpsest recall " in help_of_one
    unknown = person.types("recal")
    assert unknown.returncode == 2 and "`palimpsest help` lists them." in unknown.stderr


@pytest.mark.slow
def test_its_completion_calls_it_from_any_folder(person: Person) -> None:
    script = person.types("completion", "bash").stdout
    asked = f"{script}\nCOMP_WORDS=(palimpsest rec); COMP_CWORD=1; _palimpsest; echo ${{COMPREPLY[@]}}"
    told = subprocess.run(
        ["bash", "-c", asked], cwd=person.home / "empty", env=person.environment(), capture_output=True, text=True,
        timeout=60, check=True,
    )  # fmt: skip
    assert told.stdout == "recall\n"


def test_benchmarks_are_left_to_a_checkout(person: Person) -> None:
    said = person.types("bench", "--sets", "talks")
    assert said.returncode == 1 and "clone the project" in said.stderr

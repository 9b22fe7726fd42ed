"""`manage.py consolidate`: shows what it would do, does it when it is told to, and says how to take it back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memoryapp.domain.identity import new_id
from tests.live import Live

pytestmark = pytest.mark.slow  # an app is started
LOGS = {
    "2025-02-03.md": "# Monday\n\n## GPU\nDecided: one rented [[H100]] for a month.\n",
    "2025-02-04.md": "# Tuesday\n\n## Costs\nThe [[H100]] is paid by the quarter of an hour.\n",
}


def test_a_folder_of_logs_is_shown_folded_and_taken_back(live: Live, roots: Path) -> None:
    notes = roots / f"logs-{new_id()}"
    notes.mkdir()
    for name, text in LOGS.items():
        (notes / name).write_text(text, encoding="utf-8")
    app = live.in_new_space()

    def did(*words: str) -> str:
        done = app.command(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    did("ingest", str(notes))
    shown = did("consolidate")
    assert "H100, 3 to 4 February: 2 sections" in shown
    assert "marker “decided”, 7 words, 1 name" in shown and "Nothing was written" in shown
    key = json.loads(did("consolidate", "--json"))["digests"][0]["id"]
    central = json.loads(did("consolidate", "--ranker", "central", "--json"))
    assert central["ranker"] == "central" and central["digests"][0]["id"] != key

    done = did("consolidate", "--apply", "--only", key)
    assert "1 digest written, 2 sections archived" in done
    assert "No daily log is older than 3 days." in did("consolidate", "--apply")
    run = done.split("manage.py undo ")[1].split("`")[0]
    did("undo", run)
    assert "(rolled back once)" in did("consolidate")
    refused = app.command("consolidate", "--only", "x")
    assert refused.returncode == 1 and "Traceback" not in refused.stderr

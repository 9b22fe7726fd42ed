"""The app as it runs where torch was never installed: every process of it refuses torch and what is built on it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.live import PATIENCE, live_app
from tests.package.conftest import ROOT

REFUSED = ("torch", "transformers", "sentence_transformers")
SITE = f"""
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {REFUSED!r}:
            raise ImportError(f"No module named {{name!r}}")

sys.meta_path.insert(0, Refuse())
"""


@pytest.fixture
def python_path(tmp_path: Path) -> str:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SITE, encoding="utf-8")  # Python imports it before anything else
    return os.pathsep.join([str(folder), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.mark.slow
def test_the_app_embeds_reads_and_finds_by_meaning(python_path: str, tmp_path: Path) -> None:
    refused = [sys.executable, "-c", "import torch"]
    told = subprocess.run(refused, env=os.environ | {"PYTHONPATH": python_path}, capture_output=True, text=True)
    assert told.returncode == 1 and "No module named 'torch'" in told.stderr
    more = {"MEMORY_ENCODER": "all-MiniLM-L6-v2", "PYTHONPATH": python_path}
    texts = ["Mina adopted a kitten last spring.", "The invoice export rounds each line.", "Redis was left in March."]
    with live_app(tmp_path / "data", from_nothing=True, **more) as app, app.client() as api:
        for text in texts:
            api.post("/memories", json={"text": text, "kind": "fact"}).raise_for_status()
        question = {"query": "Which animals are pets at her home?"}
        until = time.monotonic() + PATIENCE
        found: list[str] = []
        while (
            found[:1] != texts[:1] and time.monotonic() < until
        ):  # no word of it stands there: the model must be ready
            found = [hit["text"] for hit in api.post("/search", json=question).raise_for_status().json()["items"]]
            time.sleep(0.2)
        assert found[:1] == texts[:1], found
        assert not [line for line in app.output if "Traceback" in line or "does not load" in line]
        ready = api.get("/stats").raise_for_status().json()
        assert "all-MiniLM-L6-v2" in str(ready)

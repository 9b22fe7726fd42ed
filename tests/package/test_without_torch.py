"""The app as it runs where torch was never installed: every process of it refuses torch and what is built on it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from memoryapp.inference.embedding.minilm import load_minilm
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
def test_the_app_embeds_and_finds(python_path: str, tmp_path: Path) -> None:
    refused = [sys.executable, "-c", "import torch"]
    told = subprocess.run(refused, env=os.environ | {"PYTHONPATH": python_path}, capture_output=True, text=True)
    assert told.returncode == 1 and "No module named 'torch'" in told.stderr
    more = {"MEMORY_ENCODER": "all-MiniLM-L6-v2", "PYTHONPATH": python_path}
    texts = ["Mina adopted a kitten last spring.", "The invoice export rounds each line."]
    with live_app(tmp_path / "data", from_nothing=True, **more) as app, app.client() as api:
        for text in texts:
            api.post("/memories", json={"text": text, "kind": "fact"}).raise_for_status()
        until = time.monotonic() + PATIENCE
        asked = {"model": "all-MiniLM-L6-v2", "input": texts}
        while (answer := api.post(f"{app.url}/v1/embeddings", json=asked)).status_code != 200:  # still loading
            assert time.monotonic() < until, answer.text
            time.sleep(0.2)
        hits = api.post("/search", json={"query": "Who adopted a kitten?"}).raise_for_status().json()["items"]
        assert not [line for line in app.output if "Traceback" in line or "does not load" in line]
    assert [hit["text"] for hit in hits][:1] == texts[:1]
    vectors = np.array([each["embedding"] for each in answer.json()["data"]])
    assert (vectors * load_minilm().encode_documents(texts)).sum(axis=1).min() >= 0.999

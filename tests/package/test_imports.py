"""What is large is imported with its first use: an app that serves pages does without it. A space's default model is
loaded beside the first page of that space, so pages are asked for with a model that needs no library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.package.conftest import ROOT

HEAVY = {
    *("torch", "transformers", "sentence_transformers", "tokenizers", "safetensors", "spacy", "thinc", "py3langid"),
    *("igraph", "scipy.linalg", "scipy.spatial", "scipy.special", "scipy.sparse.linalg", "scipy.sparse.csgraph"),
    *("openai", "mcp", "sklearn", "pandas"),
}
PAGES = (
    "/",
    "/memories/",
    "/facts/",
    "/conflicts/",
    "/sessions/",
    "/search/",
    "/entities/",
    "/tree/",
    "/ingest/",
    "/settings/",
)
# As `up` does it: every view is imported, the default space is looked at, then a person who is signed in opens pages.
SERVE = """
import json, sys
import django
django.setup()
from django.test import Client
from django.urls import get_resolver
from memoryapp.asgi import application
from memoryapp.management import start
person = start.prepare_people()
get_resolver().url_patterns
start._warm_up()
browser = Client(SERVER_NAME="localhost")
seen = [browser.get("/login/").status_code]
browser.force_login(person)
seen += [browser.get(page).status_code for page in sys.argv[1:]]
print(json.dumps({"seen": seen, "modules": sorted(sys.modules)}))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("encoder", "pages"), [("all-MiniLM-L6-v2", ()), ("hashing", PAGES)])
def test_an_empty_memory_is_served_without_models_drawing_or_language(
    encoder: str, pages: tuple[str, ...], tmp_path: Path
) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_", "CELERY_"))}
    env.pop("DATABASE_URL", None)
    env |= {"MEMORY_DATA_DIR": str(tmp_path), "MEMORY_ENCODER": encoder, "DJANGO_SETTINGS_MODULE": "memoryapp.settings"}
    words = [sys.executable, "-c", SERVE, *pages]
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    served = json.loads(done.stdout.splitlines()[-1])
    assert served["seen"] == [200] * (1 + len(pages))
    modules = set(served["modules"])
    assert modules >= {
        "memoryapp.graph.layout",
        "memoryapp.inference.embedding",
        "memoryapp.interfaces.benchmarks.pages",
    }
    assert sorted(HEAVY & modules) == []

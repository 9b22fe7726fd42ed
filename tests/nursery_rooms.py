"""What every start of manage.py imports, brought into memory once: see nursery.py. Importing this module does it."""

from __future__ import annotations

import gc
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

# pytest is what the children of a process have as their main module; they do nothing with it.
LIBRARIES = "aiohttp celery.app httpx igraph kombu markdown_it numpy pydantic pytest rich.progress scipy.sparse"
LIBRARIES += " surrealdb uvicorn.protocols.http.h11_impl django.core.handlers.asgi django.core.management django.forms"
LIBRARIES += " django.db.backends.sqlite3.base django.db.migrations.executor django.template"
# Those that an app imports once it judges two statements or reads a sentence, as most of them do here.
LIBRARIES += " torch spacy"
# The rooms that know no Django, and so no settings: this contract keeps them so, and knows how they are called today.
CONTRACT = "The rooms know no web framework and no queue"

for library in LIBRARIES.split():
    import_module(library)
project = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text("utf-8"))
contracts = {one["name"]: one for one in project["tool"]["importlinter"]["contracts"]}
rooms = contracts[CONTRACT]["source_modules"]
for room in (room for room in rooms if "*" not in room):
    package = import_module(room)
    for found in walk_packages(package.__path__, f"{room}."):
        import_module(found.name)
assert "memoryapp.settings" not in sys.modules, "each start reads its own settings"
# Nothing of this is garbage, and looking through it again and again takes a child a third of its start.
gc.collect()
gc.freeze()

"""What every start of manage.py imports, brought into memory once: see nursery.py. Importing this module does it."""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import walk_packages

# pytest is what the children of a process have as their main module; they do nothing with it.
LIBRARIES = "aiohttp celery.app httpx igraph kombu markdown_it numpy pydantic pytest rich.progress scipy.sparse"
LIBRARIES += " surrealdb uvicorn.protocols.http.h11_impl django.core.handlers.asgi django.core.management django.forms"
LIBRARIES += " django.db.backends.sqlite3.base django.db.migrations.executor django.template"
# The rooms that know no Django, and so no settings: a contract of pyproject.toml keeps them so.
ROOMS = "domain observe encoders store llm extract detect index spaces ingest remember retrieve review narrate"
ROOMS += " consolidate graph tree context lab transfer integrity mcp"

for library in LIBRARIES.split():
    import_module(library)
for room in ROOMS.split():
    package = import_module(f"memoryapp.{room}")
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)
assert "memoryapp.settings" not in sys.modules, "each start reads its own settings"

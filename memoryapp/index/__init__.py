"""The derived search indexes: words, vectors and entity incidence, fed by the changefeed of the database."""

from __future__ import annotations

from pathlib import Path

from memoryapp.domain.clock import Clock, utc_now
from memoryapp.domain.errors import BadInput
from memoryapp.index.engine import IndexStatus, SearchIndex, View
from memoryapp.index.local import LocalIndex
from memoryapp.index.surreal import SurrealIndex
from memoryapp.index.tokens import spans, stem, tokens
from memoryapp.store.database import Database
from memoryapp.store.migrate import uid

__all__ = ["IndexStatus", "SearchIndex", "View", "open_index", "spans", "stem", "tokens"]


def open_index(
    db: Database, *, model: str, folder: Path | None = None, engine: str = "local", clock: Clock = utc_now
) -> SearchIndex:
    """`model`: the name under which the space's embeddings are stored; others are not indexed. `folder`: where the
    local engine keeps its file, one folder an index; None keeps nothing.

    Opening reads next to nothing: the first `refresh` does. Raises BadInput for an unknown engine.
    """
    if engine == "local":
        return LocalIndex(db, model=model, database=uid(db), folder=folder, clock=clock)
    if engine == "surreal":
        return SurrealIndex(db, model=model, database=uid(db), clock=clock)
    raise BadInput(f"There is no search engine “{engine}”. Known: local, surreal.", field="/engine")

"""What the search is measured against: SQLite FTS5, an exact cosine scan, and reciprocal rank fusion of the two."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.ranking import rrf

_WORD = re.compile(r"\w+")
DEPTH = 20


class Plain:
    """Texts in an in-memory FTS5 table, vectors in one matrix; grown in step with the space it is compared to."""

    def __init__(self, dimension: int) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE memory USING fts5(text, tokenize = 'porter unicode61')")
        self._vectors = np.zeros((0, dimension), dtype=np.float32)

    def add(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        first = len(self._vectors)
        rows = [(first + n, text) for n, text in enumerate(texts)]
        self._db.executemany("INSERT INTO memory(rowid, text) VALUES (?, ?)", rows)
        self._vectors = np.concatenate([self._vectors, vectors])

    def search(self, query: str, vector: NDArray[np.float32], *, top_k: int = 10) -> list[tuple[int, str]]:
        """(row, text) of the best `top_k`, texts read back as an application would."""
        match = " OR ".join(f'"{word}"' for word in _WORD.findall(query)) or '""'
        found = self._db.execute(
            "SELECT rowid FROM memory WHERE memory MATCH ? ORDER BY bm25(memory) LIMIT ?", (match, DEPTH)
        )
        by_words = [str(row) for (row,) in found]
        cosines = self._vectors @ vector
        nearest = np.argpartition(-cosines, min(DEPTH, len(cosines) - 1))[:DEPTH]
        by_vector = [str(row) for row in nearest[np.argsort(-cosines[nearest])]]
        shares = rrf({"words": by_words, "vector": by_vector}, weights={})
        best = sorted(shares, key=lambda row: -sum(shares[row].values()))[:top_k]
        marks = ",".join("?" * len(best))
        rows = self._db.execute(f"SELECT rowid, text FROM memory WHERE rowid IN ({marks})", [int(row) for row in best])
        return list(rows)

    def close(self) -> None:
        self._db.close()

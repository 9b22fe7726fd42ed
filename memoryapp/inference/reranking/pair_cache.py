"""What a cross-encoder said of two texts, kept under a digest of them: no words of a purged memory stay here."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b
from threading import Lock

PAIRS = 20_000
Pairs = Sequence[tuple[str, str]]


class PairCache:
    """Of the `most` pairs asked for last. Threads may share it."""

    def __init__(self, most: int = PAIRS) -> None:
        self._most = most
        self._scores: OrderedDict[bytes, float] = OrderedDict()
        self._lock = Lock()

    def scores(self, pairs: Pairs, read: Callable[[Pairs], Sequence[float]]) -> list[float]:
        """Return a score a pair; `read` gives those of the pairs that are not known, each once."""
        keys = [_key(*pair) for pair in pairs]
        with self._lock:
            known = {key: self._scores[key] for key in keys if key in self._scores}
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if new:
            known.update(zip(new, read(list(new.values())), strict=True))
        with self._lock:
            for key in dict.fromkeys(keys):
                self._scores[key] = known[key]
                self._scores.move_to_end(key)
            while len(self._scores) > self._most:
                self._scores.popitem(last=False)
        return [known[key] for key in keys]


def _key(first: str, second: str) -> bytes:
    return blake2b(f"{len(first)}\x1f{first}{second}".encode("utf-8", "surrogatepass"), digest_size=16).digest()

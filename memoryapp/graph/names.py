"""Names of entities into vectors, as far as they have none of their name as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from memoryapp.domain.errors import Cancelled
from memoryapp.encoders import Encoder, encode_in_batches
from memoryapp.spaces import Space
from memoryapp.store import names
from memoryapp.store.names import NameEmbedding

_AT_ONCE = 512


class Progress(Protocol):
    """What a job is told, and asks, on the way."""

    def advance(self, done: int, total: int, counts: dict[str, int] | None = None) -> None: ...
    def cancelled(self) -> bool: ...


def embed_names(space: Space, encoder: Encoder, *, progress: Progress | None = None) -> int:
    """Embeds the names that have no vector by `encoder` and returns how many it made. Each batch is written as it is
    done, so it can be killed and begun again. A name that the model does not take is passed over. Raises Cancelled."""
    model = _model(space, encoder)
    made, passed = 0, set[str]()
    # Asked again at the end alone: for names that came or changed meanwhile.
    while wanted := [one for one in names.missing(space.db, model) if one[0] not in passed]:
        total = made + len(wanted)
        for batch in _batches(wanted):
            if progress is not None and progress.cancelled():
                raise Cancelled("Stopped. The names embedded so far stay; begin it again to go on.")
            encoded = encode_in_batches(encoder, [name for _, name in batch])
            failed = {row for row, _ in encoded.failed}
            good = [(*one, encoded.vectors[row]) for row, one in enumerate(batch) if row not in failed]
            names.write(space.db, [NameEmbedding(key, model, name, vector) for key, name, vector in good])
            made += len(good)
            passed.update(batch[row][0] for row in failed)
            if progress is not None:
                progress.advance(made, total, {"names": made})
    return made


def _batches(wanted: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    rest = iter(wanted)
    while batch := list(islice(rest, _AT_ONCE)):
        yield batch


def _model(space: Space, encoder: Encoder) -> str:
    """The name under which a space records what this encoder makes."""
    own = space.encoder.ready and space.encoder.get() is encoder
    return space.encoder.name if own else encoder.name

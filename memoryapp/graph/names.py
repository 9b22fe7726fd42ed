"""Names of entities into vectors, as far as they have none of their name as it is now."""

from __future__ import annotations

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
    made = 0
    passed: set[str] = set()
    while True:
        found = names.missing(space.db, model, limit=_AT_ONCE + len(passed))
        wanted = [entity for entity in found if entity.id not in passed]
        if not wanted:
            return made
        if progress is not None and progress.cancelled():
            raise Cancelled("Stopped. The names embedded so far stay; begin it again to go on.")
        encoded = encode_in_batches(encoder, [entity.name for entity in wanted])
        failed = {row for row, _ in encoded.failed}
        good = [(entity, encoded.vectors[row]) for row, entity in enumerate(wanted) if row not in failed]
        names.write(space.db, [NameEmbedding(entity.id, model, entity.name, vector) for entity, vector in good])
        made += len(good)
        passed.update(wanted[row].id for row in failed)
        if progress is not None:
            progress.advance(made, made + len(passed), {"names": made})


def _model(space: Space, encoder: Encoder) -> str:
    """The name under which a space records what this encoder makes."""
    own = space.encoder.ready and space.encoder.get() is encoder
    return space.encoder.name if own else encoder.name

"""How many tokens a text is: by the tokenizer of the space's model where that is here, else a stated estimate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memoryapp.domain.errors import EncoderError
from memoryapp.inference.embedding.estimate import estimate_tokens
from memoryapp.spaces import Space

_PROBE = "Unaccustomedly antidisestablishmentarian 1234567, 안녕하세요."


@dataclass(frozen=True, slots=True)
class Counter:
    """`name`: whose tokens they are. Without the tokens a model puts around every text: here it is a part of a
    prompt."""

    name: str
    estimate: bool
    _count: Callable[[str], int]
    _added: int

    def __call__(self, text: str) -> int:
        return max(self._count(text) - self._added, 0) if text else 0


def counter_of(space: Space) -> Counter:
    """Never waits for a model that is still loading."""
    if space.encoder.ready:
        try:
            count = space.encoder.get(0).count_tokens
            # Encoders without a tokenizer of their own reckon as `estimate_tokens` does, and so it can be told.
            if count(_PROBE) != estimate_tokens(_PROBE):
                return Counter(space.encoder.name, False, count, count(""))
        except EncoderError:
            pass
    return Counter("estimate", True, estimate_tokens, estimate_tokens(""))

"""The long forms of tests that draw: for how long they go on, and from which seed.

A variable of the environment asks for one: `minutes:10`, or `examples:500`. What is drawn hangs on a seed, which the
run says at its end: MEMORY_TEST_SEED, or one of chance where none is given.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

ALWAYS = 1  # the seed where nobody asks for more


@dataclass(frozen=True, slots=True)
class Asked:
    """`number` of `what`: minutes, examples, or nothing at all ("")."""

    what: str
    number: float
    seed: int

    def rounds(self, size: int) -> Iterator[tuple[int, int]]:
        """A seed and a number of examples for each round, of `size` at most: one where nothing was asked, the same each
        time; as many as the time holds; or as make up the number."""
        if not self.what:
            yield self.seed, size
            return
        print(f"\nseed {self.seed}", flush=True)  # also of a run that comes to no good end
        draw, until, left = random.Random(self.seed), time.monotonic() + 60 * self.number, int(self.number)
        while time.monotonic() < until if self.what == "minutes" else left > 0:
            yield draw.randrange(2**32), size if self.what == "minutes" else min(size, left)
            left -= size


def asked(variable: str) -> Asked:
    """What the variable asks for. Raises ValueError for anything but minutes and examples."""
    said = os.environ.get(variable, "")
    what, _, number = said.partition(":")
    if said and what not in ("minutes", "examples"):
        raise ValueError(f"{variable} is minutes:N or examples:N, and not {said}")
    if not said:
        return Asked("", 0, ALWAYS)
    given = os.environ.get("MEMORY_TEST_SEED")
    return Asked(what, float(number), int(given) if given else random.randrange(2**32))

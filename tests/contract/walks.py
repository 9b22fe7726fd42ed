"""What all walks of a run met: how many there were, what was answered to what, and what nobody came to."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class Walks:
    """`answers`: by operation and status; `jobs` that were worked off: by kind and how they ended."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.walks = 0
        self.answers: Counter[tuple[str, int]] = Counter()
        self.jobs: Counter[tuple[str, str]] = Counter()
        self.broken: list[BaseException] = []
        self._began = time.monotonic()

    @contextmanager
    def minding(self) -> Iterator[None]:
        """Keeps and says what goes wrong: it need not go wrong again where hypothesis does the same once more."""
        try:
            yield
        except BaseException as error:
            self.broken.append(error)
            print(f"\nseed {self.seed}, walk {self.walks}: {error!r}\n{error}", flush=True)
            raise

    @property
    def asked(self) -> set[str]:
        return {label for label, _ in self.answers}

    @property
    def fine(self) -> set[str]:
        """Operations that did what was asked at least once."""
        return {label for label, status in self.answers if status < 300}

    def told(self, operations: int) -> str:
        by_status: Counter[int] = Counter()
        for (_, status), times in self.answers.items():
            by_status[status] += times
        answered = ", ".join(f"{status} {times:,} times" for status, times in sorted(by_status.items()))
        return (
            f"\nWalks, seed {self.seed}: {self.walks:,} walks of {by_status.total():,} requests in "
            f"{(time.monotonic() - self._began) / 60:.1f} minutes to {len(self.asked)} of {operations} operations, "
            f"of which {len(self.fine)} did what was asked at least once; {self.jobs.total():,} jobs worked off. "
            f"Answered: {answered}."
        )

    def left(self, operations: Iterable[str]) -> str:
        """What was never asked, or never done, with what was answered instead."""
        lines = []
        for label in sorted(set(operations) - self.fine):
            refused = [f"{status} {times:,}" for (one, status), times in sorted(self.answers.items()) if one == label]
            lines.append(f"never done: {label}  {', '.join(refused) or 'never asked'}")
        ended = ", ".join(f"{kind} {status} {times:,}" for (kind, status), times in sorted(self.jobs.items()))
        return "\n".join([*lines, f"jobs: {ended}"])

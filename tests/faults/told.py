"""What the faults of a run come to, in one line: what was drawn, and how often what was done."""

from __future__ import annotations

import os
import time
from collections import Counter

from tests.faults.acts import ACTS

FULL = os.environ.get("MEMORY_TEST_FAULTS") == "full"
SEED = int(os.environ.get("MEMORY_TEST_SEED") or 20261122)
MET: Counter[str] = Counter()
BEGAN = time.monotonic()


def line() -> str:
    return (
        f"Faults, seed {SEED}: {MET['kills']:,} kills of {len(ACTS)} acts, {MET['killed again']:,} of them of a "
        f"process that went on after one; {MET['full disks']:,} acts on a full disk, {MET['refused']:,} refused; "
        f"{MET['spoilt']:,} spoilt index files; in {(time.monotonic() - BEGAN) / 60:.1f} minutes."
    )

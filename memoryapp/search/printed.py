"""A hit's sum as it is printed: shares rounded so that they still add up to the score beside them."""

from __future__ import annotations

import math

from memoryapp.domain.results import Hit


def rounded_shares(hit: Hit, *, decimals: int = 5) -> tuple[dict[str, float], float]:
    """(shares by name, their sum), rounded to `decimals`; the printed shares add up to the printed sum.

    Largest remainder: each share is rounded down, and what is missing goes to those that lost most.
    """
    unit = 10**decimals
    exact = {name: arm.share * unit for name, arm in hit.arms.items()}
    floors = {name: math.floor(value) for name, value in exact.items()}
    # Rounded as formatting rounds it, or the last digit of a half would differ from the score printed beside it.
    total = int(f"{sum(arm.share for arm in hit.arms.values()):.{decimals}f}".replace(".", ""))
    owed = total - sum(floors.values())
    for name in sorted(exact, key=lambda n: floors[n] - exact[n])[: max(owed, 0)]:
        floors[name] += 1
    return {name: count / unit for name, count in floors.items()}, total / unit

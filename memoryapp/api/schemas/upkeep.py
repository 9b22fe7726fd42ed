"""What keeps an installation well, and how well it does."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from memoryapp.api.schemas.base import Shown

FIGURES: dict[str, Any] = {"encoder": "all-MiniLM-L6-v2", "quality": {"locomo": {"hybrid": {"turn R@10": 0.81}}}}


class BenchmarksOut(Shown):
    """Figures as `manage.py bench --out` writes them: those that ship, and those of this installation's own run in
    `bench.json` of the data folder. Null where there are none."""

    shipped: dict[str, Any] | None = Field(examples=[FIGURES])
    own: dict[str, Any] | None = Field(examples=[None])

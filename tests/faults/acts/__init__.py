"""The long acts of the product, as a table: each is killed at each of its writes and done again."""

from __future__ import annotations

from tests.faults.acts.act import Act, Place
from tests.faults.acts.changing import CHANGING
from tests.faults.acts.storing import STORING
from tests.faults.acts.taking_in import TAKING_IN

ACTS: dict[str, Act] = {act.name: act for act in (*TAKING_IN, *CHANGING, *STORING)}

__all__ = ["ACTS", "Act", "Place"]

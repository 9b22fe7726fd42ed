"""Where each entity is drawn: computed from the graph, and written as a whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from memoryapp.store import rows
from memoryapp.store.database import Database

_CHUNK = 5_000


@dataclass(frozen=True, slots=True)
class Spot:
    """`x`, `y` in any unit, y upwards; `community`: its number in this layout, from 0 for the largest."""

    x: float
    y: float
    community: int


def read(db: Database, entities: Collection[str] | None = None) -> dict[str, Spot]:
    """By entity: of these, or of all that have one."""
    if entities is None:
        found = db.query("SELECT VALUE [record::id(id), x, y, community] FROM spot TIMEOUT 30s")[0]
    else:
        found = db.query(
            "SELECT VALUE [record::id(id), x, y, community] FROM $keys TIMEOUT 20s",
            keys=[rows.record("spot", key) for key in entities],
        )[0]
    return {key: Spot(float(x), float(y), int(community)) for key, x, y, community in found}


def write(db: Database, spots: Mapping[str, Spot]) -> None:
    """Replaces the layout. A reader in between sees some entities at their old place."""
    made = [
        {"id": rows.record("spot", key), "x": float(spot.x), "y": float(spot.y), "community": int(spot.community)}
        for key, spot in spots.items()
    ]
    for start in range(0, len(made), _CHUNK):
        db.query(
            """INSERT INTO spot $rows ON DUPLICATE KEY UPDATE
                x = $input.x, y = $input.y, community = $input.community RETURN NONE""",
            rows=made[start : start + _CHUNK],
        )
    gone = [key for key in read(db) if key not in spots]
    for start in range(0, len(gone), _CHUNK):
        db.query("DELETE $keys RETURN NONE", keys=[rows.record("spot", key) for key in gone[start : start + _CHUNK]])

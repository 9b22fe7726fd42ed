"""Where an embedding model's cosines mean “the same”, “look closer” and “something else”. Calibrated per model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Zones:
    """Cosine ≥ `same`: may say the same, if nothing tells them apart. From `near` on: compared by the detectors.
    Below `near`: another matter."""

    same: float
    near: float


DEFAULT = Zones(0.85, 0.40)
# As `manage.py calibrate` measured them (docs/CONFLICTS.md). MiniLM's own pair is the default's.
_KNOWN = {
    "all-MiniLM-L6-v2": DEFAULT,
    "universal-sentence-encoder-multilingual": Zones(0.75, 0.35),
}
_HASHING = Zones(0.85, 0.30)  # shared words say little of shared meaning: a repeated statement is what it can tell


def zones_of(model: str) -> Zones:
    """The zones of a model by the name a space records; those of the specification for a model not calibrated."""
    if model.startswith("hashing"):
        return _HASHING
    return _KNOWN.get(model.removeprefix("sentence-transformers/"), DEFAULT)

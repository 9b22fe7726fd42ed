"""Borders between “says the same”, “about the same” and “simply new”, as a space has them."""

from __future__ import annotations

from memoryapp.encoders.zones import Zones, zones_of
from memoryapp.spaces.space import Space


def zones_in(space: Space) -> Zones:
    """The space's own borders, where it sets them, else those its model is calibrated to."""
    calibrated, own = zones_of(space.encoder.name), space.tuning
    return Zones(same=own.zone_same or calibrated.same, near=own.zone_near or calibrated.near)

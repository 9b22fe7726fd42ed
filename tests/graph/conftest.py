from __future__ import annotations

import pytest

from memoryapp.spaces import Space
from tests.graph.world import World


@pytest.fixture
def world(space: Space) -> World:
    return World(space)

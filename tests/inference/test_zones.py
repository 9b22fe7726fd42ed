"""The zones of a model."""

from __future__ import annotations

import pytest

from memoryapp.inference.embedding.zones import DEFAULT, zones_of


@pytest.mark.parametrize(
    "model",
    ["all-MiniLM-L6-v2", "universal-sentence-encoder-multilingual", "hashing-384", "some/model", "http://host/v1#m"],
)
def test_every_model_has_zones_in_order(model: str) -> None:
    zones = zones_of(model)
    assert 0 < zones.near < zones.same < 1


def test_the_default_model_is_known_by_both_its_names_and_an_unknown_one_has_those_of_the_specification() -> None:
    assert zones_of("sentence-transformers/all-MiniLM-L6-v2") == zones_of("all-MiniLM-L6-v2")
    assert zones_of("some/model") == DEFAULT
    assert (DEFAULT.same, DEFAULT.near) == (0.85, 0.40)

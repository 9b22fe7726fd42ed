from __future__ import annotations

import numpy as np
import pytest

from memoryapp.index.namings import Namings
from memoryapp.index.register import Register
from tests.index.world import direction, entity


@pytest.fixture
def register() -> Register:
    return Register.of((key, entity(key, key)) for key in "abc")


def told(namings: Namings) -> dict[str, list[float]]:
    codes, vectors = namings.publish()
    assert vectors.dtype == np.float32 and len(codes) == len(vectors)
    return {namings.register.codes.names[code]: row.tolist() for code, row in zip(codes, vectors, strict=True)}


def of(*keys: str) -> dict[str, object]:
    return {key: pytest.approx(direction(key).tolist()) for key in keys}


def test_a_name_waits_for_its_entity(register: Register) -> None:
    namings = Namings(register)
    namings.put("later", direction("later"))
    namings.put("a", direction("a"))
    assert told(namings) == of("a")
    register.put("later", entity("later", "later"))
    assert told(namings) == of("a", "later")


def test_a_merged_entity_gets_its_vector_back_when_it_is_parted(register: Register) -> None:
    namings = Namings(register)
    for key in "abc":
        namings.put(key, direction(key))
    before, (codes, vectors) = told(namings), namings.publish()
    register.put("a", entity("a", "a", merged_into="b"))
    assert told(namings) == of("b", "c")
    assert [len(codes), len(vectors)] == [3, 3]
    namings.put("a", direction("other"))
    register.put("a", entity("a", "a"))
    assert told(namings) == before | {"a": pytest.approx(direction("other").tolist())}


def test_one_that_was_merged_into_what_is_not_there_has_its_vector(register: Register) -> None:
    register.put("a", entity("a", "a", merged_into="nobody"))
    namings = Namings(register)
    assert told(namings) == {}
    namings.put("a", direction("a"))
    assert told(namings) == of("a")


def test_what_readers_hold_does_not_change(register: Register) -> None:
    namings = Namings(register)
    namings.put("a", direction("a"))
    namings.put("b", direction("b"))
    codes, vectors = namings.publish()
    kept = vectors.copy()
    namings.put("a", direction("other"))
    namings.put("b", None)
    namings.put("c", direction("c"))
    after = told(namings)
    assert np.array_equal(vectors, kept) and codes.tolist() == [0, 1]
    assert after == of("c") | {"a": pytest.approx(direction("other").tolist())}
    with pytest.raises(ValueError, match="read-only"):
        namings.publish()[1][0] = 0


def test_the_same_again_is_the_same_object(register: Register) -> None:
    namings = Namings(register)
    namings.put("a", direction("a") * 3)
    before = namings.publish()
    namings.put("a", direction("a") * 3)
    namings.put("b", None)
    register.put("b", entity("b", "b", sightings=3))
    assert namings.publish() is before


def test_a_vector_taken_away_and_given_again_is_there_once(register: Register) -> None:
    namings = Namings(register)
    namings.put("a", direction("a"))
    namings.put("a", None)
    namings.put("a", direction("a"))
    assert told(namings) == of("a")
    namings.put("a", None)
    assert told(namings) == {}
    namings.put("a", direction("a"))
    assert told(namings) == of("a")


def test_a_vector_without_direction_or_of_another_length_is_left_out(register: Register) -> None:
    namings = Namings(register)
    namings.put("a", direction("a"))
    for key, vector in (("b", np.zeros(16)), ("c", np.ones(7)), ("b", np.full(16, np.nan))):
        namings.put(key, vector.astype(np.float32))
    assert told(namings) == of("a")


def test_all_names_are_kept_also_of_those_that_do_not_stand(register: Register) -> None:
    namings = Namings(register)
    assert [part.shape for part in namings.everything()] == [(0,), (0, 0)]
    register.put("a", entity("a", "a", merged_into="b"))
    for key in "ab":
        namings.put(key, direction(key))
    again = Namings(register, namings.everything())
    assert told(again) == told(namings) == of("b")
    register.put("a", entity("a", "a"))
    assert told(again) == told(namings) == of("a", "b")

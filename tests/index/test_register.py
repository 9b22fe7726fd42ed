from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from memoryapp.domain.entity import EntityState
from memoryapp.index.register import Register
from tests.index.world import entity

REFUSED = EntityState.REFUSED


def standing(**into: str | None) -> Register:
    """Entities by id, each with what it was merged into."""
    return Register.of((key, entity(key, key, merged_into=target)) for key, target in into.items())


def told(register: Register) -> dict[str, str | None]:
    canon = register.publish().canon
    names = register.codes.names
    return {key: names[canon.of[code]] if canon.of[code] >= 0 else None for key, code in canon.code_of.items()}


def test_a_chain_of_merges_ends_at_its_last() -> None:
    assert told(standing(a="b", b="c", c=None, d=None)) == {"a": "c", "b": "c", "c": "c", "d": "d"}


@pytest.mark.parametrize("order", ["abcd", "dcba", "cadb"])
def test_a_circle_of_merges_stands_as_the_first_of_it_by_id(order: str) -> None:
    into = {"a": "b", "b": "c", "c": "b", "d": "a"}
    assert told(standing(**{key: into[key] for key in order})) == dict.fromkeys("abcd", "b")


def test_one_merged_into_itself_stands_for_itself() -> None:
    assert told(standing(a="a", b="a")) == {"a": "a", "b": "a"}


def test_a_merge_may_come_before_what_it_is_merged_into() -> None:
    register = standing(a="b")
    assert told(register) == {"a": "a"}
    register.put("b", entity("b", "b"))
    assert told(register) == {"a": "b", "b": "b"}
    register.put("b", None)
    assert told(register) == {"a": "a"}


def test_what_is_merged_into_a_refused_one_is_refused_with_it() -> None:
    register = standing(a="b", b="c", c=None)
    register.put("c", entity("c", "c", state=REFUSED))
    assert told(register) == {"a": None, "b": None, "c": None}
    register.put("b", entity("b", "b", state=REFUSED, merged_into="c"))
    register.put("c", entity("c", "c"))
    assert told(register) == {"a": None, "b": None, "c": "c"}


def test_counting_sightings_does_not_move_who_stands_for_whom() -> None:
    register = standing(a="b", b=None)
    before = register.publish()
    register.put("b", entity("b", "b", sightings=2))
    after = register.publish()
    assert after.canon is before.canon
    assert [one.sightings for one in after.entities if one] == [0, 2]
    assert [one.sightings for one in before.entities if one] == [0, 0]


def test_a_published_state_stays_while_the_register_goes_on() -> None:
    register = standing(a=None, b=None)
    before = register.publish()
    register.put("a", entity("a", "a", merged_into="b"))
    register.put("c", entity("c", "c"))
    register.put("b", replace(entity("b", "b"), state=REFUSED))
    assert before.canon.of.tolist() == [0, 1] and before.canon.code_of == {"a": 0, "b": 1}
    assert len(before.entities) == 2 and not before.canon.merged.any()
    assert register.publish().canon.of.tolist() == [-1, -1, 2]


def test_ten_thousand_merges_in_one_chain_are_resolved() -> None:
    keys = [f"{n:05d}" for n in range(10_000)]
    into = zip(keys, [*keys[1:], None], strict=True)
    register = Register.of((key, entity(key, key, merged_into=target)) for key, target in into)
    assert np.all(register.publish().canon.of == 9_999)

"""What stands under what by hand, and that nothing stands above itself."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.domain.entity import EntityState
from memoryapp.domain.errors import BadInput, Clash, NotFound, PalimpsestError
from memoryapp.domain.relation import MadeBy, RelationState
from memoryapp.graph import add_relation, merge, put_under, take_from_under
from memoryapp.graph.canonical import canonical
from memoryapp.graph.hierarchy import way_up
from memoryapp.spaces import Space
from memoryapp.store import relations
from tests.graph.world import World
from tests.samples import PERSON
from tests.sampling import examples


def up(world: World, child: str, parent: str) -> None:
    put_under(world.space, world[child], world[parent], actor=PERSON)


def held(space: Space) -> int:
    return sum(one.state is RelationState.HELD for one in relations.scan(space.db, "is_a"))


def test_a_thing_is_put_under_another_and_taken_away_again(world: World, space: Space) -> None:
    world.has("SurrealDB", "database")
    made, run = put_under(space, world["SurrealDB"], world["database"], actor=PERSON)
    assert (made.made_by, made.type, run.act) == (MadeBy.PERSON, "is_a", "put under")
    with pytest.raises(Clash, match="is under “database” already"):
        up(world, "SurrealDB", "database")
    gone, _ = take_from_under(space, world["SurrealDB"], world["database"], actor=PERSON)
    assert [one.id for one in gone] == [made.id] and held(space) == 0
    with pytest.raises(Clash, match="is not under"):
        take_from_under(space, world["SurrealDB"], world["database"], actor=PERSON)
    up(world, "SurrealDB", "database")
    assert held(space) == 1


def test_taking_away_refuses_every_finding_of_it(world: World, space: Space) -> None:
    world.has("SurrealDB", "Surreal", "database")
    world.told("SurrealDB is a database.", "SurrealDB", "is_a", "database")
    world.told("Surreal is a database.", "Surreal", "is_a", "database")
    merge(space, world["SurrealDB"], [world["Surreal"]], actor=PERSON)
    gone, _ = take_from_under(space, world["SurrealDB"], world["database"], actor=PERSON)
    assert len(gone) == 2 and held(space) == 0


def test_nothing_is_put_under_itself_or_under_what_is_below_it(world: World, space: Space) -> None:
    world.has("SurrealDB", "database", "tool", "Surreal")
    up(world, "SurrealDB", "database")
    up(world, "database", "tool")
    with pytest.raises(BadInput, match="under itself"):
        up(world, "tool", "tool")
    with pytest.raises(Clash, match="“SurrealDB” → “database” → “tool”"):
        up(world, "tool", "SurrealDB")
    merge(space, world["SurrealDB"], [world["Surreal"]], actor=PERSON)
    with pytest.raises(Clash, match="circle"):
        add_relation(space, world["tool"], "is_a", world["Surreal"], actor=PERSON)
    with pytest.raises(BadInput, match="under itself"):
        up(world, "Surreal", "SurrealDB")


def test_refused_and_missing_ends_are_told(world: World, space: Space) -> None:
    world.has("database")
    world.has("spam", state=EntityState.REFUSED)
    with pytest.raises(Clash, match="Take it in first"):
        up(world, "spam", "database")
    with pytest.raises(NotFound):
        put_under(space, world["database"], "0" * 16, actor=PERSON)


STEPS = st.lists(st.tuples(st.sampled_from("pma"), st.sampled_from("abcde"), st.sampled_from("abcde")), max_size=12)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_whatever_is_done_in_whatever_order_nothing_stands_above_itself(
    world: World, space: Space, steps: list[tuple[str, str, str]]
) -> None:
    run = len(world.entities)
    names = {letter: f"{letter}{run}" for letter in "abcde"}
    world.has(*names.values())
    for act, one, other in steps:
        first, second = world[names[one]], world[names[other]]
        try:
            if act == "p":
                put_under(space, first, second, actor=PERSON)
            elif act == "m":
                merge(space, first, [second], actor=PERSON)
            else:
                take_from_under(space, first, second, actor=PERSON)
        except PalimpsestError:
            continue
    for name in names.values():
        root = canonical(space.db, world[name])
        assert not way_up(space.db, root, {root.id}, around=True)

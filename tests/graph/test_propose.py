"""Names that may be one: what is merged unasked, what waits for a person, and what nobody goes against."""

from __future__ import annotations

import numpy as np
import pytest

from memoryapp.domain.entity import Alike, AlikeStatus, EntityState, EntityType
from memoryapp.domain.errors import Cancelled
from memoryapp.graph import add_relation, decide_entity, edit_entity, embed_names, find_alike, merge, not_alike, part
from memoryapp.graph import duplicates as embedding_names
from memoryapp.graph.duplicates import near_pairs, worth_comparing
from memoryapp.graph.name_similarity import spelling_of
from memoryapp.inference.embedding import Encoder, load_encoder
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.store import embeddings, entities, entity_pairs, relations
from memoryapp.store.database import Database
from memoryapp.store.entities import get
from tests.graph.test_relate import Stops
from tests.graph.world import World
from tests.samples import PERSON, runs_of


def waiting(world: World) -> set[tuple[str, str]]:
    called = {entity.id: entity.name for entity in entities.scan(world.space.db)}
    return {(called[pair.one], called[pair.other]) for pair in entity_pairs.waiting(world.space.db)}


def into(world: World, name: str) -> str | None:
    """What it is merged into, by name."""
    key = get(world.space.db, world[name]).merged_into
    return get(world.space.db, key).name if key else None


def edges(world: World) -> tuple[object, ...]:
    db = world.space.db
    return tuple(entities.scan_references(db)), tuple(relations.scan(db, "relates")), tuple(relations.scan(db, "is_a"))


def test_two_spellings_become_one_and_are_parted_with_every_edge_as_before(world: World, space: Space) -> None:
    world.has("nvim", "Neovim", "Adam")
    world.told("Adam uses nvim.", "Adam", "uses", "nvim")
    world.told("Adam likes Neovim.", "Adam", "prefers", "Neovim")
    before = edges(world)
    assert find_alike(space) == 0, "what is certain is not asked"
    assert into(world, "nvim") == "Neovim" and edges(world) == before
    world.told("Adam left nvim.", "Adam", "related_to", "nvim")
    since = edges(world)
    part(space, world["nvim"], actor=PERSON)
    assert into(world, "nvim") is None and edges(world) == since
    assert find_alike(space) == 0 and into(world, "nvim") is None, "a person's word holds"


def test_what_was_merged_unasked_is_one_run_and_stays_undone(world: World, space: Space) -> None:
    world.has("nvim", "Neovim", "k8s", "Kubernetes", "Kube")
    find_alike(space)
    (run,) = [run for run in runs_of(space.db) if run.act == "merge"]
    assert [into(world, name) for name in ("nvim", "k8s", "Kube")] == ["Neovim", "Kubernetes", "Kubernetes"]
    assert undo_run(space, run.id, actor=PERSON).left == ()
    assert [into(world, name) for name in world.entities] == [None] * 5
    assert find_alike(space) == 0 and into(world, "nvim") is None
    assert waiting(world) == set()


def test_what_may_be_one_waits_with_a_reason_and_is_proposed_once(world: World, space: Space) -> None:
    world.has("Caroline", "Caro", "Mina Kim", "Kim Mina", type=EntityType.PERSON)
    assert find_alike(space) == 2
    assert {frozenset(pair) for pair in waiting(world)} == {
        frozenset(("Caroline", "Caro")),
        frozenset(("Mina Kim", "Kim Mina")),
    }
    assert ("Caroline", "Caro") in waiting(world), "the longer name would stay"
    assert {pair.reason for pair in entity_pairs.waiting(space.db)} == {
        "“Caroline” begins with “Caro”",
        "the same words in another order",
    }
    assert find_alike(space) == 0


def test_of_an_abbreviation_and_its_plural_the_plural_would_go(world: World, space: Space) -> None:
    world.has("APIs", "API", "Adam")
    world.told("Adam uses APIs.", "Adam", "uses", "APIs")
    find_alike(space)
    assert ("API", "APIs") in waiting(world)


def test_a_pair_that_was_refused_is_not_proposed_again_whatever_is_merged_into_it(world: World, space: Space) -> None:
    world.has("Caroline", "Caro", "Line", type=EntityType.PERSON)
    refused = not_alike(space, world["Caroline"], world["Caro"], actor=PERSON)
    assert refused.status is AlikeStatus.REFUSED
    merge(space, world["Line"], [world["Caroline"]], actor=PERSON)
    assert find_alike(space) == 0 and waiting(world) == set()


def test_two_names_seen_once_each_are_not_proposed(world: World, space: Space) -> None:
    world.has("Caroline", "Caro", type=EntityType.PERSON, state=EntityState.PROPOSED)
    assert find_alike(space) == 0
    decide_entity(space, world["Caro"], EntityState.KNOWN, actor=PERSON)
    assert find_alike(space) == 1
    assert waiting(world) == {("Caro", "Caroline")}, "the one that is known would stay"


def test_two_sightings_in_two_spellings_make_a_name_known(world: World, space: Space) -> None:
    world.has("nvim", "Neovim", state=EntityState.PROPOSED, sightings=1)
    find_alike(space)
    assert into(world, "nvim") == "Neovim"
    assert {get(space.db, world[name]).state for name in ("nvim", "Neovim")} == {EntityState.KNOWN}


def test_refused_names_are_left_alone(world: World, space: Space) -> None:
    world.has("Neovim")
    world.has("nvim", state=EntityState.REFUSED)
    assert find_alike(space) == 0 and into(world, "nvim") is None


def test_a_person_and_a_tool_of_one_name_are_asked_about(world: World, space: Space) -> None:
    world.has("Van Gogh", type=EntityType.PERSON)
    world.has("vangogh")
    assert find_alike(space) == 1 and into(world, "vangogh") is None


def test_what_stands_above_the_other_is_not_merged_unasked(world: World, space: Space) -> None:
    world.has("React", "reactjs")
    add_relation(space, world["reactjs"], "is_a", world["React"], actor=PERSON)
    assert find_alike(space) == 1 and into(world, "reactjs") is None


def test_an_alias_counts_as_a_name(world: World, space: Space) -> None:
    world.has("Vim Nouveau", "nvim")
    edit_entity(space, world["Vim Nouveau"], aliases=["Neovim"], actor=PERSON)
    find_alike(space)
    assert {into(world, "nvim"), into(world, "Vim Nouveau")} == {None, "Vim Nouveau"}


def test_what_was_parted_from_one_of_a_group_does_not_come_back_by_another(world: World, space: Space) -> None:
    world.has("Kubernetes", "k8s", "kube")
    not_alike(space, world["k8s"], world["kube"], actor=PERSON)
    find_alike(space)
    assert {into(world, "k8s"), into(world, "kube")} == {"Kubernetes", None}


def test_an_empty_space_has_nothing_alike(space: Space) -> None:
    assert find_alike(space) == 0 and runs_of(space.db) == ()


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return load_encoder("all-MiniLM-L6-v2")


def test_names_become_vectors_once_and_those_of_one_type_that_lie_near_are_proposed(
    world: World, space: Space, minilm: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.has("automobile insurance", "car insurance", "bookkeeping", type=EntityType.CONCEPT)
    world.has("auto insurance", type=EntityType.ORGANIZATION)
    assert embed_names(space, minilm) == 4
    assert embed_names(space, minilm) == 0
    edit_entity(space, world["bookkeeping"], name="accounting", actor=PERSON)
    assert embed_names(space, minilm) == 1
    monkeypatch.setattr(space.encoder, "name", minilm.name)
    (one, other) = (tuple(embeddings.scan_names(space.db, minilm.name))[n].vector for n in (0, 1))
    assert np.linalg.norm(one) == pytest.approx(1, abs=1e-3) and one.shape == other.shape
    find_alike(space)
    pairs = {frozenset(pair) for pair in waiting(world)}
    assert not any("auto insurance" in pair for pair in pairs), "another type"
    assert not any("accounting" in pair for pair in pairs)


def test_names_that_mean_nearly_the_same_are_proposed(
    world: World, space: Space, minilm: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.has("database backups", "backup of databases", type=EntityType.CONCEPT)
    embed_names(space, minilm)
    monkeypatch.setattr(space.encoder, "name", minilm.name)
    assert find_alike(space) == 1
    (pair,) = entity_pairs.waiting(space.db)
    assert pair.reason == "their names mean nearly the same" and 0.75 < pair.score < 0.9


def test_a_name_the_model_does_not_take_does_not_hold_up_the_rest(world: World, space: Space) -> None:
    class Picky(HashingEncoder):
        def encode_documents(self, texts):  # type: ignore[no-untyped-def]
            if "odd" in texts:
                raise ValueError("not this one")
            return super().encode_documents(texts)

    world.has("odd", "even", "prime")
    assert embed_names(space, Picky()) == 2
    with pytest.raises(Cancelled):
        embed_names(space, HashingEncoder(64), progress=Stops(after=0))


def test_the_pairs_worth_comparing_grow_with_the_names_and_not_with_their_square() -> None:
    made = [
        spelling_of(f"{first}{n} {last}") for n in range(500) for first, last in (("alder", "creek"), ("birch", "hill"))
    ]
    assert len(worth_comparing(made)) < 10 * len(made)


def test_of_each_vector_the_nearest_few_are_told() -> None:
    rows = np.eye(3, dtype=np.float32)[[0, 0, 1, 2]]
    assert list(near_pairs(rows, least=0.9)) == [(0, 1, 1.0)]
    crowd = np.ones((40, 1), dtype=np.float32)
    assert len(list(near_pairs(crowd, least=0.9))) <= 40 * 5


def test_a_decision_is_kept_as_it_was_found(world: World, space: Space) -> None:
    world.has("Caroline", "Caro", type=EntityType.PERSON)
    find_alike(space)
    (found,) = entity_pairs.waiting(space.db)
    refused = not_alike(space, found.one, found.other, actor=PERSON)
    assert isinstance(refused, Alike) and (refused.id, refused.reason) == (found.id, found.reason)


def test_names_without_a_vector_are_looked_for_once_for_many_batches(
    world: World, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finding them goes over every entity: asked for each batch, it would cost the square of their number."""
    monkeypatch.setattr(embedding_names, "_NAMES_AT_ONCE", 5)
    world.has(*(f"Tool {number}" for number in range(23)))
    asked: list[int] = []
    found = embeddings.missing_names

    def counted(db: Database, model: str) -> list[tuple[str, str]]:
        asked.append(1)
        return found(db, model)

    monkeypatch.setattr(embeddings, "missing_names", counted)
    assert embed_names(space, HashingEncoder()) == 23
    assert len(asked) == 2, "once for all batches, and once for what came meanwhile"

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.errors import EncodingFailed
from memoryapp.domain.limits import Tuning
from memoryapp.inference.embedding import load_encoder
from memoryapp.search.entities import Matcher, seeds_of, words_of
from tests.search.conftest import NOW

ENCODER = load_encoder("hashing")


class Graph:
    """As much of index.graph.Graph as names need."""

    def __init__(self, *entities: Entity | None, canonical: list[int] | None = None, vectors: bool = True) -> None:
        self.entities = entities
        self.code_of = {one.id: code for code, one in enumerate(entities) if one is not None}
        standing = canonical or [code if one is not None else -1 for code, one in enumerate(entities)]
        self.canonical = np.array(standing, dtype=np.int32)
        codes = [code for code, one in enumerate(entities) if one is not None and standing[code] == code]
        names = [entities[code].name for code in codes] if vectors else []  # type: ignore[union-attr]
        self.names = (np.array(codes[: len(names)], dtype=np.int32), ENCODER.encode_documents(names))


def entity(name: str, *aliases: str, state: EntityState = EntityState.KNOWN) -> Entity:
    return Entity(f"id-{name}", name, name.lower(), "concept", state, NOW, aliases)


def found(graph: Graph, text: str) -> list[str]:
    codes, _ = Matcher().find(graph, text)  # type: ignore[arg-type]
    return [graph.entities[code].name for code in codes]  # type: ignore[union-attr]


def test_names_and_aliases_are_found_in_the_order_of_the_text() -> None:
    graph = Graph(entity("Terraform"), entity("Neovim", "nvim"), entity("deployment pipeline"), entity("Go"), None)
    assert found(graph, "Does nvim open the deployment pipeline, or Terraform?") == [
        "Neovim",
        "deployment pipeline",
        "Terraform",
    ]
    assert found(graph, "where do I go with terraforming") == []
    assert found(graph, "Go or no go") == ["Go"]


def test_a_name_is_taken_out_of_what_is_left_to_compare() -> None:
    graph = Graph(entity("Journal of Psychotherapy"))
    _, rest = Matcher().find(graph, "Who published the Journal of Psychotherapy first?")  # type: ignore[arg-type]
    assert words_of(rest) == ["published", "first"]


def test_a_merged_name_means_the_one_it_stands_for_and_a_refused_one_nobody() -> None:
    graph = Graph(entity("Neovim"), entity("nvim"), entity("Emacs"), canonical=[0, 0, -1])
    assert found(graph, "nvim or Neovim or Emacs") == ["Neovim"]
    assert found(Graph(entity("Emacs", state=EntityState.REFUSED)), "Emacs") == []


def test_an_entity_called_like_a_stop_word_is_not_named_by_every_question() -> None:
    graph = Graph(entity("who"), entity("The"))
    assert found(graph, "who was the last") == []


def test_a_matcher_keeps_up_with_new_names_and_forgets_those_that_are_gone() -> None:
    matcher = Matcher()
    one, two = entity("Terraform"), entity("Ansible")
    text = "Terraform, Ansible, Pulumi"

    def names(graph: Graph) -> list[str]:
        return [graph.entities[code].name for code in matcher.find(graph, text)[0]]  # type: ignore[arg-type, union-attr]

    assert names(Graph(one)) == ["Terraform"]
    assert names(Graph(one, two)) == ["Terraform", "Ansible"]
    assert names(Graph(one, replace(two, name="Pulumi"))) == ["Terraform", "Pulumi"]
    assert names(Graph(one, replace(two, aliases=("Pulumi",)))) == ["Terraform", "Ansible"]
    assert names(Graph(None, two)) == ["Ansible"]
    assert names(Graph()) == []


def test_a_name_is_known_by_each_of_its_words_for_as_long_as_it_is_held() -> None:
    matcher = Matcher()
    bike, shop = entity("hybrid bike"), entity("bike shop")

    def weights(graph: Graph, text: str) -> dict[str, float]:
        found = matcher.find_parts(graph, text)  # type: ignore[arg-type]
        return {graph.entities[code].name: weight for code, weight in found.items()}  # type: ignore[union-attr]

    assert weights(Graph(bike), "Which bikes are hers?") == {"hybrid bike": 0.5}
    assert weights(Graph(bike, shop), "bikes") == {"hybrid bike": 0.25, "bike shop": 0.25}
    assert weights(Graph(bike, shop), "bikes of the shop") == {"hybrid bike": 0.25, "bike shop": 0.5}
    assert weights(Graph(bike, replace(shop, name="corner shop")), "bikes") == {"hybrid bike": 0.5}
    assert weights(Graph(bike, entity("Expo 2023")), "the 2023 of it") == {}


def test_a_name_is_meant_by_a_word_or_by_the_whole_query() -> None:
    graph = Graph(entity("bicycle"), entity("repair shop of the old harbour bridge"), entity("moon"))
    query = "bicycle repair in a shop of the old harbour"
    seeds = seeds_of(
        graph,  # type: ignore[arg-type]
        ENCODER.encode_query(query),
        named=[],
        parts={},
        rest=query,
        encoder=ENCODER,
        tuning=Tuning(),
    )
    by_name = {graph.entities[seed.code].name: seed for seed in seeds}  # type: ignore[union-attr]
    assert {name: seed.by for name, seed in by_name.items()} == {
        "bicycle": "word",
        "repair shop of the old harbour bridge": "query",
    }
    assert all(0.5 <= seed.weight <= 1 for seed in seeds)


def test_what_is_named_is_not_named_again_by_a_word() -> None:
    graph = Graph(entity("bicycle"))
    vector = ENCODER.encode_query("bicycle")
    seeds = seeds_of(graph, vector, named=[0], parts={}, rest="", encoder=ENCODER, tuning=Tuning())  # type: ignore[arg-type]
    assert [(seed.code, seed.weight, seed.by) for seed in seeds] == [(0, 1.0, "name")]


@pytest.mark.parametrize("vectors", [True, False])
def test_without_a_vector_of_the_query_or_of_any_name_names_alone_decide(vectors: bool) -> None:
    graph = Graph(entity("bicycle"), vectors=not vectors)
    vector = ENCODER.encode_query("bicycles") if vectors else None
    assert seeds_of(graph, vector, named=[], parts={}, rest="bicycles", encoder=ENCODER, tuning=Tuning()) == ()  # type: ignore[arg-type]


def test_a_model_that_takes_no_single_word_still_compares_the_query() -> None:
    class Failing:
        name = "failing"

        def encode_documents(self, texts: list[str]) -> np.ndarray:
            raise EncodingFailed("No.")

    graph = Graph(entity("bicycle shop"))
    vector = ENCODER.encode_query("bicycle shop")
    seeds = seeds_of(graph, vector, named=[], parts={}, rest="bicycle shop", encoder=Failing(), tuning=Tuning())  # type: ignore[arg-type]
    assert [seed.by for seed in seeds] == ["query"]

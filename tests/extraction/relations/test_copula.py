"""What “is” states. Classes only in their plain forms."""

from __future__ import annotations

import pytest

from tests.extraction.relations.told import told


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("Ruff is a linter for Python.", {"Ruff is_a linter"}),
        ("SurrealDB is a multi-model database.",
         {"SurrealDB is_a multi-model database", "multi-model database is_a database"}),
        ("Redis and Memcached are caches.", {"Redis is_a cache", "Memcached is_a cache"}),
        ("Postgres is a kind of database.", {"Postgres is_a database"}),
    ],
)  # fmt: skip
def test_a_name_with_an_indefinite_class_is_one_of_it(text: str, relations: set[str]) -> None:
    assert told(text) == relations


@pytest.mark.parametrize(
    "text",
    [
        "SurrealDB is a great choice.",
        "It is a database.",
        "Rust is a joy.",
        "The road is a long one.",
        "Adam has been a blast.",
        "Adam was a teacher.",
        "Adam is not a teacher.",
        "Adam wants to be a teacher.",
        "March is a cold month.",
        "Berlin is the capital.",
        "Redis is faster than Postgres.",
        "Adam is allergic to peanuts.",
        "Tomasz, a former teacher, left.",
        "Graph databases like Neo4j are overkill.",
    ],
)
def test_judgements_and_what_is_not_so_make_no_class(text: str) -> None:
    assert told(text) == set()


def test_appositions_and_examples_make_classes() -> None:
    assert "Neovim is_a text editor" in told("Neovim, a text editor, is fast.")
    assert told("Several tools, including Terraform and Ansible, were evaluated.") == {
        "Terraform is_a tool", "Ansible is_a tool",
    }  # fmt: skip
    assert "MySQL is_a database" in told("MySQL and other databases need tuning.")


def test_whose_editor_something_is_uses_it() -> None:
    assert told("Jiwon's main editor is Neovim.") == {"Jiwon uses Neovim"}
    assert told("My database is Postgres.", speaker="Mina") == {"Mina uses Postgres"}
    assert told("Jiwon's editor is slow.") == told("Jiwon's editor is not Neovim.") == set()


def test_a_role_names_two_people() -> None:
    assert told("My manager is Priya.", speaker="Mina") == {"Priya manages Mina"}
    assert told("Priya is my manager.", speaker="Mina") == {"Priya manages Mina"}
    assert told("Jiwon is Priya's colleague.") == {"Jiwon collaborates_with Priya"}
    assert told("My sister Jane works at Hangang Labs.", speaker="Mina") == {
        "Jane works_at Hangang Labs", "Jane knows Mina",
    }  # fmt: skip


def test_what_one_likes_is_good_at_and_belongs_to() -> None:
    assert told("My favorite editor is Neovim.", speaker="Mina") == {"Mina prefers Neovim"}
    assert told("I'm a huge fan of Studio Ghibli.", speaker="Mina") == {"Mina prefers Studio Ghibli"}
    assert told("Adam is proficient in Rust and Go.") == {"Adam skilled_in Rust", "Adam skilled_in Go"}
    assert told("Nora has been a member of the Oslo Choir since 2021.") == {"Nora member_of Oslo Choir"}
    assert told("Kafka Connect is part of Apache Kafka.") == {"Kafka Connect part_of Apache Kafka"}


def test_pets_are_owned_and_are_what_they_are() -> None:
    expected = {"Mina owns Miso", "Miso is_a cat"}
    assert told("I adopted a cat named Miso last spring.", speaker="Mina") == expected
    assert told("My dog Pixel hates noise.", speaker="Nora") == {"Nora owns Pixel", "Pixel is_a dog"}

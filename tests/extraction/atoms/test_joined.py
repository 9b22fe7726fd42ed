"""What atoms join, and how sure that is."""

from __future__ import annotations

import pytest
from hypothesis import given

from memoryapp.domain.atom import Atom
from memoryapp.domain.relation import RelationType as T
from memoryapp.extraction.atoms import AtomRelation, atom_relations, parse
from memoryapp.extraction.atoms.joined import MOST
from tests.extraction.atoms.made import atoms


def of(text: str) -> list[tuple[str, str, str]]:
    return [(edge.subject, edge.type.value, edge.object) for edge in edges_of(text)]


def edges_of(text: str) -> tuple[AtomRelation, ...]:
    (found,) = atom_relations(parse(text))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(prefers :subject Alice :object Python :memory_type semantic)", [("Alice", "prefers", "Python")]),
        ('(works :subject Alice :locus "Hangang Labs")', [("Alice", "works_at", "Hangang Labs")]),
        ("(lives_in :subject Minsu :locus Busan)", [("Minsu", "lives_in", "Busan")]),
        ("(runs :subject API :locus Kubernetes)", [("API", "runs_on", "Kubernetes")]),
        ("(meets :subject Alice :recipient Bob)", [("Alice", "knows", "Bob")]),
        ("(is_a :subject SurrealDB :object database)", [("SurrealDB", "is_a", "database")]),
        ("(is_a :subject SurrealDB :value database)", [("SurrealDB", "is_a", "database")]),
        ("(좋아하다 :subject 민수 :object 파이썬)", [("민수", "prefers", "파이썬")]),
        ("(employs :subject Naver :object Jihye)", [("Jihye", "works_at", "Naver")]),
        ("(frobs :subject Alice :object Widget)", [("Alice", "related_to", "Widget")]),
        ("(is :subject Alice :object happy)", [("Alice", "related_to", "happy")]),
        ("(has :subject car :attribute color :value red)", []),
        ("(rains :locus Busan)", []),
        ('(likes :subject Alice :object "...")', []),
    ],
)
def test_a_predicate_becomes_a_relation_of_the_taxonomy(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert of(text) == expected


def test_an_instrument_is_used_by_who_acts_with_it() -> None:
    assert of('(set_up :subject Adam :object "deployment pipeline" :instrument Terraform)') == [
        ("Adam", "created", "deployment pipeline"),
        ("Adam", "uses", "Terraform"),
    ]


def test_everybody_is_joined_to_everything() -> None:
    assert len(of("(uses :subject Alice :subject Bob :object Rust :object Go)")) == 4


def test_a_label_is_kept_where_it_says_more_than_the_type() -> None:
    assert [edge.label for edge in edges_of("(adores :subject A1 :object B1)")] == ["adores"]
    assert [edge.label for edge in edges_of("(works_at :subject A1 :object B1)")] == [""]


def test_what_is_wished_within_an_atom_is_planned_and_what_is_said_is_nothing() -> None:
    (wished,) = edges_of("(plans :subject Alice :object (visits :subject Alice :object Busan))")
    assert (wished.object, wished.type, wished.planned) == ("Busan", T.VISITED, True)
    assert of("(says :subject Mina :object (uses :subject Alice :object Rust))") == []


@pytest.mark.parametrize("mark", [":mood planned", ":mood normative", ":mood conditional", ":tense future"])
def test_what_is_not_so_yet_is_planned(mark: str) -> None:
    assert [edge.planned for edge in edges_of(f"(uses :subject A1 :object B1 {mark})")] == [True]


def test_a_state_of_the_past_is_over_and_a_deed_of_the_past_is_not() -> None:
    assert [edge.over for edge in edges_of("(worked_at :subject A1 :object B1 :tense past)")] == [True]
    assert [edge.over for edge in edges_of("(created :subject A1 :object B1 :tense past)")] == [False]
    assert [edge.unsure for edge in edges_of("(uses :subject A1 :object B1 :mood uncertain)")] == [True]


def test_a_crowd_is_not_joined_to_a_crowd() -> None:
    many = " ".join(f":subject a{n} :object b{n}" for n in range(30))
    assert len(of(f"(uses {many})")) == MOST


@given(atoms)
def test_whatever_the_atom_its_relations_have_names_at_both_ends(atom: Atom) -> None:
    for edge in atom_relations([atom])[0]:
        assert edge.subject.strip() and edge.object.strip() and edge.type in T

"""The canonical spelling of an atom, and that nothing is lost by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.atom import Atom, Role, Tense
from memoryapp.domain.memory import MemoryType, Mood
from memoryapp.extraction.atoms.parse import parse
from memoryapp.extraction.atoms.write import format_atom
from tests.extraction.atoms.made import atoms


@given(atoms)
def test_what_is_written_is_read_as_the_same_atom(atom: Atom) -> None:
    assert parse(format_atom(atom)) == (atom,)


@given(st.lists(atoms, min_size=1, max_size=5))
def test_several_atoms_are_read_in_their_order_with_or_without_lines_between(several: list[Atom]) -> None:
    assert parse("".join(map(format_atom, several))) == tuple(several)
    assert parse("\n# and\n".join(map(format_atom, several))) == tuple(several)


@given(atoms)
def test_an_atom_is_written_on_one_line(atom: Atom) -> None:
    assert "\n" not in format_atom(atom)


def test_attributes_follow_the_participants_in_one_order() -> None:
    (atom,) = parse("(x :tense past :mood uncertain :subject A :memory_type episodic)")
    assert format_atom(atom) == "(x :subject A :memory_type episodic :mood uncertain :tense past)"
    assert atom == Atom("x", ((Role.SUBJECT, "A"),), MemoryType.EPISODIC, Mood.UNCERTAIN, Tense.PAST)


def test_variables_are_written_as_what_they_stand_for() -> None:
    (atom,) = parse("(p / plans :subject (a / Alice) :object (v / visits :subject a))")
    assert format_atom(atom) == "(plans :subject Alice :object (visits :subject Alice))"


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("가치관", "가치관"),
        ("visit-01", "visit-01"),
        ("C++", "C++"),
        ("a/b", '"a/b"'),
        ("10:30", '"10:30"'),
        ("#x", '"#x"'),
        ("Alice Kim", '"Alice Kim"'),
        ('say "hi"\\\n', '"say \\"hi\\"\\\\\\n"'),
    ],
)
def test_only_words_that_every_reader_of_penman_takes_stand_bare(name: str, spelled: str) -> None:
    assert format_atom(Atom(name, ((Role.SUBJECT, name),))) == f"({spelled} :subject {spelled})"

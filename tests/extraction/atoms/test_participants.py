"""Who takes part in an atom, and in which role."""

from __future__ import annotations

from hypothesis import given

from memoryapp.domain.atom import ROLE_WEIGHTS, Atom, Role
from memoryapp.domain.entity import normal_form
from memoryapp.extraction.atoms.parse import parse
from memoryapp.extraction.atoms.participants import participants
from tests.extraction.atoms.made import atoms


def of(text: str) -> tuple[tuple[str, Role], ...]:
    (atom,) = parse(text)
    return participants(atom)


def test_participants_come_in_their_order_with_their_roles() -> None:
    assert of("(sends :subject Alice :object book :recipient 민수)") == (
        ("Alice", Role.SUBJECT),
        ("book", Role.OBJECT),
        ("민수", Role.RECIPIENT),
    )


def test_those_of_nested_atoms_have_the_role_they_have_there() -> None:
    assert of("(plans :subject Alice :object (visits :subject Bob :locus Busan))") == (
        ("Alice", Role.SUBJECT),
        ("Bob", Role.SUBJECT),
        ("Busan", Role.LOCUS),
    )


def test_a_name_counts_once_in_its_strongest_role_however_it_is_spelled() -> None:
    assert of('(x :locus "Hangang  Labs" :object (y :subject "hangang labs" :value Alice) :object ALICE)') == (
        ("Hangang Labs", Role.SUBJECT),
        ("Alice", Role.OBJECT),
    )


def test_what_names_nothing_is_left_out() -> None:
    assert of('(x :subject "..." :value - :object 42)') == (("42", Role.OBJECT),)


@given(atoms)
def test_every_name_is_there_once_on_one_line_and_no_role_of_it_is_stronger(atom: Atom) -> None:
    found = participants(atom)
    assert len({normal_form(name) for name, _ in found}) == len(found)
    strongest: dict[str, float] = {}
    below = [atom]
    while below:
        for role, value in below.pop().participants:
            if isinstance(value, Atom):
                below.append(value)
            else:
                normal = normal_form(" ".join(value.split()))
                strongest[normal] = max(strongest.get(normal, 0), ROLE_WEIGHTS[role])
    for name, role in found:
        assert name == " ".join(name.split())
        assert ROLE_WEIGHTS[role] == strongest[normal_form(name)]
    assert {normal for normal in strongest if any(c.isalnum() for c in normal)} == {normal_form(n) for n, _ in found}

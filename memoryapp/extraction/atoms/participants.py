"""Who and what takes part in an atom: the entities that its memory refers to."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.domain.atom import ROLE_WEIGHTS, Atom, Role
from memoryapp.domain.entity import normal_form

_SELF = frozenset({"i", "me", "myself", "user", "the user"})


def is_self(name: str) -> bool:
    """Whether it stands for whoever speaks: “I”, “user”."""
    return normal_form(name) in _SELF


def whom(name: str, speaker: str | None) -> str:
    """The name, or the speaker's where it stands for whoever speaks; where that is not known, “user”."""
    return (speaker or "user") if is_self(name) else name


def participants(atom: Atom) -> tuple[tuple[str, Role], ...]:
    """(name, role) of every participant, in order of first mention, those of nested atoms in the role they have there.
    Each name once however it is spelled (`normal_form`), as first spelled and in its strongest role (`ROLE_WEIGHTS`).
    What has neither letter nor digit ("...") names nothing and is left out."""
    found: dict[str, tuple[str, Role]] = {}
    for name, role in _named_in_role(atom):
        normal = normal_form(name)
        if not any(letter.isalnum() for letter in normal):
            continue
        first, strongest = found.get(normal, (name, role))
        found[normal] = (first, max(strongest, role, key=lambda each: ROLE_WEIGHTS[each]))
    return tuple(found.values())


def _named_in_role(atom: Atom) -> Iterator[tuple[str, Role]]:
    for role, value in atom.participants:
        if isinstance(value, Atom):
            yield from _named_in_role(value)
        else:
            yield " ".join(value.split()), role

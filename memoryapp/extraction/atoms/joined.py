"""The relations that atoms state: whom each joins to what, by a type of the taxonomy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.domain.atom import Atom, Role, Tense
from memoryapp.domain.memory import Mood
from memoryapp.domain.relation import RelationType
from memoryapp.extraction.atoms.predicate import words_of
from memoryapp.extraction.relations.taxonomy import FORMS, Encode, TypeMatch, types_of
from memoryapp.text.wording import word_set

MOST = 50  # relations of one atom
UNSURE = 0.5  # most confidence of what an atom itself calls uncertain
_NOT_YET = frozenset({Mood.PLANNED, Mood.NORMATIVE, Mood.CONDITIONAL})
_WISHES = word_set("aim consider decide hope intend mean need plan prepare promise propose suggest recommend want wish")
# What stands in for an object that is not there, and the words that then belong to the predicate.
_INSTEAD: dict[Role, tuple[str, ...]] = {
    Role.LOCUS: ("at", "in", "on"),
    Role.RECIPIENT: ("with", "to", "for"),
    Role.SOURCE: ("from", "of"),
    Role.ORIGIN: ("from", "in"),
    Role.INSTRUMENT: ("with",),
}
_IS = frozenset({"is", "are", "was", "were", "be"})
# A state that was is over; what was done stays done.
_STATES = frozenset(RelationType) - {
    RelationType.CREATED, RelationType.VISITED, RelationType.IMPLEMENTS, RelationType.KNOWS, RelationType.IS_A,
    RelationType.RELATED_TO, RelationType.PART_OF,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AtomRelation:
    """subject → object. `label`: the predicate, where its words are not its type's. `planned`: wished, intended or on
    a condition; `over`: it was so; `unsure`: the atom says so itself."""

    subject: str
    type: RelationType
    object: str
    label: str = ""
    planned: bool = False
    over: bool = False
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class _Pairing:
    """`phrases`: what joins them, the predicate's own words last. `type`: where it is known without them."""

    atom: Atom
    planned: bool
    phrases: tuple[str, ...]
    subjects: list[str]
    objects: list[str]
    role: Role
    type: RelationType | None = None


def atom_relations(atoms: Sequence[Atom], *, encode: Encode | None = None) -> list[tuple[AtomRelation, ...]]:
    """The relations of each atom, in order. Of atoms within others only those that somebody wishes count, as planned:
    what is said or believed is not thereby so. `encode`: see `types_of`."""
    pairings = [[one for part, planned in _clauses(atom) for one in _pairings(part, planned)] for atom in atoms]
    typed = _types([one for some in pairings for one in some], encode)
    return [
        tuple(dict.fromkeys(edge for one in some for edge in _pairing_relations(one, typed)))[:MOST]
        for some in pairings
    ]


def _clauses(atom: Atom, planned: bool = False) -> Iterator[tuple[Atom, bool]]:
    planned = planned or atom.mood in _NOT_YET or atom.tense is Tense.FUTURE
    yield atom, planned
    verb = words_of(atom.predicate).lower().split(" ")[0]
    if FORMS.get(verb, verb).rstrip("s") in _WISHES or verb in _WISHES:
        for _, value in atom.participants:
            if isinstance(value, Atom):
                yield from _clauses(value, True)


def _pairings(atom: Atom, planned: bool) -> Iterator[_Pairing]:
    subjects, predicate = _role_names(atom, Role.SUBJECT), words_of(atom.predicate)
    if not subjects:
        return
    if objects := _role_names(atom, Role.OBJECT):
        yield _Pairing(atom, planned, (predicate,), subjects, objects, Role.OBJECT)
        if tools := _role_names(atom, Role.INSTRUMENT):
            phrase = (f"{predicate} with",)
            yield _Pairing(atom, planned, phrase, subjects, tools, Role.INSTRUMENT, RelationType.USES)
        return
    for role, small in _INSTEAD.items():
        if names := _role_names(atom, role):
            phrases = (*(f"{predicate} {word}" for word in small), predicate)
            yield _Pairing(atom, planned, phrases, subjects, names, role)
            return
    for role in (Role.VALUE, Role.ATTRIBUTE):
        if names := _role_names(atom, role):
            yield _Pairing(atom, planned, (predicate,), subjects, names, role)
            return


def _role_names(atom: Atom, wanted: Role) -> list[str]:
    names = (" ".join(value.split()) for role, value in atom.participants if role is wanted and isinstance(value, str))
    return list(dict.fromkeys(name for name in names if any(letter.isalnum() for letter in name)))


def _types(pairings: Sequence[_Pairing], encode: Encode | None) -> dict[str, TypeMatch]:
    """By phrase. The encoder is asked for the predicates alone that no phrase of theirs finds in the table."""
    phrases = list(dict.fromkeys(phrase for one in pairings for phrase in one.phrases))
    typed = dict(zip(phrases, types_of(phrases), strict=True))
    open_ones = [one.phrases[-1] for one in pairings if not any(typed[phrase].sure for phrase in one.phrases)]
    asked = list(dict.fromkeys(open_ones))
    return typed | dict(zip(asked, types_of(asked, encode=encode), strict=True))


def _pairing_relations(one: _Pairing, typed: dict[str, TypeMatch]) -> Iterator[AtomRelation]:
    phrase, found = _best_phrase(one, typed)
    kind = one.type or found.type
    if kind is RelationType.IS_A and phrase.lower() in _IS:
        kind = RelationType.RELATED_TO  # “Alice is happy” is no place in a hierarchy
    if one.role in (Role.VALUE, Role.ATTRIBUTE) and kind is not RelationType.IS_A:
        return
    label = "" if _is_type_name(phrase, kind) else phrase
    over = one.atom.tense is Tense.PAST and kind in _STATES
    turned = found.turned and one.type is None
    for subject in one.subjects:
        for object in one.objects:
            ends = (object, subject) if turned else (subject, object)
            yield AtomRelation(ends[0], kind, ends[1], label, one.planned, over, one.atom.mood is Mood.UNCERTAIN)


def _best_phrase(one: _Pairing, typed: dict[str, TypeMatch]) -> tuple[str, TypeMatch]:
    """Of the phrases that the table knows one that says just its type, else the first; the predicate where it knows
    none."""
    known = [phrase for phrase in one.phrases if typed[phrase].sure]
    exact = [phrase for phrase in known if _is_type_name(phrase, typed[phrase].type)]
    phrase = next(iter([*exact, *known]), one.phrases[-1])
    return phrase, typed[phrase]


def _is_type_name(phrase: str, kind: RelationType) -> bool:
    return phrase.lower() == kind.replace("_", " ")

"""The type that fits both a verb and what stands at its ends, or none: who works with a person works together with
them, who works with a tool uses it."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.relation import NamedEntity
from memoryapp.domain.relation import RelationType as T
from memoryapp.extraction.relations.kinds import GIVEN_NAMES, ORGANIZATION, PERSON, PETS, PLACE, PROJECT, TOOL
from memoryapp.extraction.relations.sentences import End
from memoryapp.text.wording import word_set

# Between whom or at what these hold has a name; “works at big companies” names nobody.
_NAMED_OBJECT = frozenset({T.WORKS_AT, T.COLLABORATES_WITH, T.KNOWS, T.LIVES_IN, T.LOCATED_IN, T.VISITED})
_OBJECTS = {T.WORKS_AT: ORGANIZATION, T.LIVES_IN: PLACE, T.LOCATED_IN: PLACE, T.COLLABORATES_WITH: PERSON}
_OBJECTS |= {T.KNOWS: PERSON, T.VISITED: PLACE}
_SUBJECTS = dict.fromkeys((T.WORKS_AT, T.LIVES_IN, T.KNOWS, T.COLLABORATES_WITH, T.MANAGES, T.SKILLED_IN), PERSON)
_SET_UP = word_set("set configure start launch")
_GOES_ON = word_set("build develop write design create compose produce")
# Verbs of so many meanings that only a name makes theirs plain.
_VAGUE = word_set("make start run like love enjoy master head produce launch improve know own try")
_MOVES = ("move to", "relocate to", "settle in", "settle down in", "go to", "fly to", "travel to", "switch to")
_SET_DOWN = word_set("describe define specify")  # in Terraform, and in many a book
_NEVER = ("have", "be", "in", "with", "be in", "stand in", "lie in")  # for labels, too little for a rule


def fit_ends(kind: T, subject: End, object: End) -> tuple[End, End]:
    """The ends with the types that such a relation has at its ends, where they were guessed wrong or not at all: what
    one works at is an organization, though the model took it for a place."""
    return _fit_kind(subject, _SUBJECTS.get(kind, "")), _fit_kind(object, _OBJECTS.get(kind, ""))


def _fit_kind(end: End, kind: str) -> End:
    if not kind or end.sure or not end.is_name or end.kind == kind:
        return end
    listed = end.kind == TOOL or (end.kind == PERSON and end.named.name.split()[0].lower() in GIVEN_NAMES)
    return end if listed else replace(end, named=NamedEntity(end.named.name, kind))


def _created(phrase: str, subject: End, object: End, *, going_on: bool) -> T | None:
    """Made, set up (and so used), or still being made."""
    verb = phrase.split()[0]
    if verb in _SET_UP and object.kind == TOOL:
        return None if subject.kind == TOOL else T.USES
    if object.kind in (PERSON, PLACE) or (phrase == "make" and subject.kind == TOOL):
        return None
    return T.WORKS_ON if going_on and verb in _GOES_ON else T.CREATED


def settle_type(  # noqa: C901 - a case a type
    kind: T, phrase: str, subject: End, object: End, *, going_on: bool
) -> T | None:
    """`phrase`: the verb with its preposition. `going_on`: in the present, or “is building”."""
    if phrase in ("have", "adopt", "buy", "own") and object.noun in PETS:
        return T.OWNS
    if phrase in _NEVER or (kind in _NAMED_OBJECT and not object.is_name):
        return None
    verb = phrase.split()[0]
    if verb in _VAGUE and not _has_name(object) and kind is not T.SKILLED_IN:
        return None
    match kind:
        case T.USES:
            return _use(phrase, subject, object)
        case T.COLLABORATES_WITH:
            return (
                None if subject.kind == TOOL else T.USES if object.kind == TOOL else _type_unless(kind, object, PLACE)
            )
        case T.KNOWS:
            return _acquaintance(verb, subject, object)
        case T.MANAGES:
            return None if subject.kind in (TOOL, PLACE) or object.kind == PLACE else kind
        case T.LIVES_IN | T.VISITED:
            return _place(kind, phrase, subject, object)
        case T.LOCATED_IN:
            return T.LIVES_IN if subject.kind == PERSON else _type_unless(kind, object, PERSON)
        case T.CREATED:
            return _created(phrase, subject, object, going_on=going_on)
        case T.DEPENDS_ON:
            return (
                None if verb in ("need", "require") and subject.kind == PERSON else _type_unless(kind, object, PERSON)
            )
        case T.PREFERS:
            return None if subject.kind in (TOOL, PLACE) else _type_unless(kind, object, PERSON)
        case T.OWNS | T.IMPLEMENTS | T.SKILLED_IN | T.RUNS_ON | T.MEMBER_OF:
            return _type_unless(kind, object, PERSON)
        case T.WORKS_AT:
            return None if subject.kind == TOOL else _type_unless(kind, object, PERSON)
        case T.PART_OF:
            return kind if subject.is_name else None
    return kind


def _has_name(end: End) -> bool:
    """A name, or what is called by one: “Terraform modules”."""
    return end.is_name or any(word[0].isupper() for word in end.named.name.split())


def _type_unless(kind: T, end: End, wrong: str) -> T | None:
    return None if end.kind == wrong else kind


def _use(phrase: str, subject: End, object: End) -> T | None:
    if object.kind == PERSON:
        with_somebody = phrase.endswith(" with") and subject.kind != TOOL
        return T.COLLABORATES_WITH if with_somebody and object.is_name else None
    if phrase.split()[0] in _SET_DOWN and object.kind != TOOL:
        return None
    if phrase == "run" and object.kind in (ORGANIZATION, PROJECT):
        return T.MANAGES
    return None if object.kind == PLACE else T.USES


def _acquaintance(verb: str, subject: End, object: End) -> T | None:
    if object.kind == TOOL:
        return T.SKILLED_IN if verb == "know" else None
    if verb == "know" and object.kind != PERSON:
        return None
    return None if subject.kind == TOOL or object.kind in (PLACE, PROJECT) else T.KNOWS


def _place(kind: T, phrase: str, subject: End, object: End) -> T | None:
    if object.kind == PERSON:
        return None
    if phrase in _MOVES and object.kind != PLACE:
        moved = phrase == "move to"
        return (
            T.USES if moved and object.kind == TOOL else T.WORKS_AT if moved and object.kind == ORGANIZATION else None
        )
    if kind is T.VISITED:
        return _type_unless(kind, object, TOOL)
    return T.LOCATED_IN if subject.kind in (TOOL, PROJECT, ORGANIZATION) or not subject.is_name else kind

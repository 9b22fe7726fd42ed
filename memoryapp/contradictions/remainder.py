"""What still stands of a statement that says two things, of which what comes in changes one."""

from __future__ import annotations

import re

from memoryapp.contradictions import korean
from memoryapp.contradictions.clause import LONGEST, Clause, clauses, parts
from memoryapp.contradictions.rules import findings
from memoryapp.contradictions.slot_clashes import agrees
from memoryapp.contradictions.slots import slots
from memoryapp.contradictions.words import clean, content, meaning, sentences, spoken_by
from memoryapp.domain.statement import Statement

_LEANS = frozenset({"so", "although", "though"})  # what follows hangs on what was said before
_VAGUE = re.compile(r"(?:it|this|that|these|those|there|which)\b", re.IGNORECASE)
_REFERS = re.compile(r"(?P<whose>his|her|their)\b|(?P<who>he|she|they)\b", re.IGNORECASE)
_NAME = re.compile(r"(?:[A-Z][\w-]+)(?: [A-Z][\w-]+)?$")


def standing(existing: Statement, incoming: Statement) -> tuple[str, ...]:
    """Whole sentences of what `existing` says beside that which cannot hold together with `incoming`, and which
    `incoming` does not say itself. Nothing where it says one thing, or where all of it is touched."""
    pieces = _pieces(existing)
    if len(pieces) < 2:
        return ()
    touched = [bool(list(findings(Statement(piece, speaker=existing.speaker), incoming, None))) for piece in pieces]
    if not any(touched):
        return ()
    return tuple(
        _format_sentence(_resolve_pronoun(piece, pieces[0]))
        for piece, gone in zip(pieces, touched, strict=True)
        if not gone and not _is_restated(piece, existing, incoming)
    )


def _pieces(statement: Statement) -> list[str]:
    """The statements a text holds, in its own words; what leans on another one stays with it."""
    said_by, rest = spoken_by(statement.text[:LONGEST])
    if said_by or korean.is_korean(rest):
        return []
    pieces: list[str] = []
    for sentence in sentences(" ".join(rest.split())):
        raw, read = parts(sentence), parts(clean(sentence))
        for joint, piece in raw if len(raw) == len(read) else read:
            if pieces and (joint in _LEANS or not _stands_alone(piece)):
                pieces[-1] = f"{pieces[-1]}{joint if joint == ',' else f', {joint}' if joint else '.'} {piece}"
            else:
                pieces.append(piece)
    return pieces


def _stands_alone(piece: str) -> bool:
    """Whether it claims something by itself, and more than that something is done."""
    found = clauses(piece)
    return bool(found) and all(_claims(clause) for clause in found)


def _claims(clause: Clause) -> bool:
    more = clause.whole - clause.subject_words - {meaning(clause.verb)}
    return clause.asserts and bool(clause.subject) and not _VAGUE.match(clause.subject) and bool(more)


def _is_restated(piece: str, existing: Statement, incoming: Statement) -> bool:
    ones, others = slots(piece, speaker=existing.speaker), slots(incoming.text, speaker=incoming.speaker)
    return agrees(ones, others) or content(clean(piece)) <= content(clean(incoming.text))


def _resolve_pronoun(piece: str, first: str) -> str:
    """“his desk is in …” as “Emeka's desk is in …”, where the first piece names who."""
    found, named = _REFERS.match(piece), clauses(first)
    if not found or not named or not _NAME.match(named[0].subject):
        return piece
    return f"{named[0].subject}{chr(39) + 's' if found['whose'] else ''}{piece[found.end() :]}"


def _format_sentence(piece: str) -> str:
    whole = piece[:1].upper() + piece[1:]
    return whole if whole[-1:] in ".!?" else f"{whole}."

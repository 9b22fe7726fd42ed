"""Two statements in, one verdict out: rules, cheapest first, then what is learned, then a model where one is given."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence

from memoryapp.detect import diet, exchanges, korean, pair_judge, topic
from memoryapp.detect.clause import LONGEST, Clause, clauses, parts
from memoryapp.detect.pair_judge import Reads
from memoryapp.detect.same import same_words, says_same
from memoryapp.detect.slot_clashes import agrees, clashes
from memoryapp.detect.slots import slots
from memoryapp.detect.verdicts import Finding, apart, merged, verdict
from memoryapp.detect.vocabulary import wordset
from memoryapp.detect.words import clean, content, meaning, sentences, spoken_by
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.encoders.zones import Zones

# A number that names a thing is no value of it: what holds of service 176 says nothing of service 236.

_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|must|runs?|ran|starts?|ends?|begins?|takes?|took|costs?|uses?|listens?|"
    r"lives?|expires?|holds?|stops?|fails?|failed|needs?|owns?|belongs?|goes|went|moved?|moves|closed?|closes|opens?|passed|passes|broke|crashed|succeeded|shipped|landed|finished|arrived|came|was|became|contains?|fixes|fixed|"
    r"changes|changed|covers?|covered|brings|brought|adds|added)\b"
)
_NUMBERED = re.compile(r"\b([A-Za-z]{3,}) (?:no\. ?|#)?(\d+)\b(?![.:,]\d)")
_THINGS = wordset(
    "invoice ticket order room service server issue task gate flight line step chapter node host user customer project "
    "phase module sprint floor apartment unit team group channel batch case bug item account machine level lesson class"
)
# Before these a number is a value, or counts what follows.
_VALUES = wordset(
    "port version top last first next about over under than least most within until from the and for only"
)


def other_thing(one: str, other: str) -> bool:
    """Whether the openings of both name a thing of one kind by another number: “invoice 1001”, “invoice 1002”."""
    a, b = _named(one), _named(other)
    return any(a[kind] != b[kind] for kind in a.keys() & b.keys())


def _named(text: str) -> dict[str, str]:
    """Numbers by the kind of thing they name, in what stands before the first verb."""
    verb = _VERB.search(text)
    if verb is None:
        return {}
    found = {}
    for kind, number in _NUMBERED.findall(text[: verb.start()]):
        known = kind.casefold() in _THINGS
        # A capital may open a product's name, whose number is its version: “Postgres 16”.
        if known or (kind.islower() and kind not in _VALUES):
            found[kind.casefold()] = number
    return found


# Two statements in, what the rules find between them out, the cheapest rule first. Next: `pipeline`, `halves`.


def findings(existing: Statement, incoming: Statement, cosine: float | None) -> Iterator[Finding]:
    """What each detector finds, in order of their cost; the slots' findings before those of the wording."""
    held = slots(existing.text, speaker=existing.speaker), slots(incoming.text, speaker=incoming.speaker)
    yield from clashes(*held)
    if agrees(*held):
        return
    if korean.is_korean(existing.text) or korean.is_korean(incoming.text):
        yield from korean.compare(existing.text, incoming.text)
        return
    ones, others = clauses(existing.text, existing.speaker), clauses(incoming.text, incoming.speaker)
    if len(ones) == len(others) == 1 and exchanges.in_scenes(ones[0], others[0]):
        yield from topic.compare(ones[0], others[0], framed=True)
        yield from exchanges.compare(ones[0], others[0], cosine=cosine)
        return
    for one in ones:
        for other in others:
            yield from topic.compare(one, other)
            yield from diet.compare(one, other)


def turned(incoming: Statement) -> bool:
    """Whether what comes in says itself that it was otherwise before."""
    if korean.is_korean(incoming.text):
        return korean.changed(incoming.text)
    return any(clause.change for clause in clauses(incoming.text, incoming.speaker))


# A statement that says two things, of which what comes in changes one: what of it still stands. Next: `pipeline`.

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
        _ended(_referring(piece, pieces[0]))
        for piece, gone in zip(pieces, touched, strict=True)
        if not gone and not _said(piece, existing, incoming)
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


def _said(piece: str, existing: Statement, incoming: Statement) -> bool:
    ones, others = slots(piece, speaker=existing.speaker), slots(incoming.text, speaker=incoming.speaker)
    return agrees(ones, others) or content(clean(piece)) <= content(clean(incoming.text))


def _referring(piece: str, first: str) -> str:
    """“his desk is in …” as “Emeka's desk is in …”, where the first piece names who."""
    found, named = _REFERS.match(piece), clauses(first)
    if not found or not named or not _NAME.match(named[0].subject):
        return piece
    return f"{named[0].subject}{chr(39) + 's' if found['whose'] else ''}{piece[found.end() :]}"


def _ended(piece: str) -> str:
    whole = piece[:1].upper() + piece[1:]
    return whole if whole[-1:] in ".!?" else f"{whole}."


log = logging.getLogger(__name__)

Judge = Callable[[Statement, Statement], Verdict | None]
FAR = 0.25  # cosine from which on two are read together: a change told in own words shares little with what it changes
_LEFT_OPEN = frozenset({Relation.COMPATIBLE, Relation.UNRELATED})  # by the rules, which found nothing
_OPEN = frozenset({Relation.POSSIBLE, Relation.COMPATIBLE, Relation.UNRELATED})  # what a model may still decide

_OF_TWO = Verdict(Relation.COMPATIBLE, "subject", "They speak of different things of one kind.", 0.9)


def judge(
    existing: Statement,
    incoming: Statement,
    *,
    cosine: float | None,
    zones: Zones,
    reads: Reads | None = None,
    nli: Judge | None = None,
    model: Judge | None = None,
) -> Verdict:
    """How `incoming` stands to `existing`.

    Rules first; what they leave open and what they found is read together where `reads` is given. A model (`nli`, then
    `model`) is asked where no sure rule spoke and the two are near each other; its None leaves the verdict, and so does
    its failing, which is logged. Never raises, whatever the texts.
    """
    ruled = by_rules(existing, incoming, cosine, zones)
    near = cosine is not None and cosine >= min(zones.near, FAR)
    if reads is not None and (near or sure_by_wording(ruled)) and may_be_read(existing, incoming, ruled):
        ruled = _read(reads, existing, incoming, ruled)
    if cosine is not None and cosine < zones.near:
        return ruled
    for further in (nli, model):
        if further is not None and ruled.relation in _OPEN:
            ruled = _asked(further, existing, incoming) or ruled
    return ruled


def judge_many(
    pairs: Sequence[tuple[Statement, Statement, float | None]],
    *,
    zones: Zones,
    reads: Reads | None = None,
    nli: Judge | None = None,
    model: Judge | None = None,
) -> list[Verdict]:
    """One verdict a pair (existing, incoming, cosine), in their order."""
    return [
        judge(one, other, cosine=cosine, zones=zones, reads=reads, nli=nli, model=model) for one, other, cosine in pairs
    ]


def by_rules(existing: Statement, incoming: Statement, cosine: float | None, zones: Zones) -> Verdict:
    """The verdict of the rules alone, which need neither encoder nor weights."""
    if other_thing(existing.text, incoming.text):
        return _OF_TWO
    repeated = same_words(existing.text, incoming.text)  # what contradicts itself does not contradict its repetition
    found = [] if repeated else list(findings(existing, incoming, cosine))
    finding = next((one for one in found if one.sure), found[0] if found else None)
    if finding:
        judged = verdict(existing, incoming, finding, turned=turned(incoming))
        return merged(judged, standing(existing, incoming)) if finding.sure else judged
    if apart(existing, incoming):
        return Verdict(Relation.COMPATIBLE, "validity")
    if says_same(existing.text, incoming.text, cosine, zones):
        return Verdict(Relation.SAME, "wording", "Both say the same.", 1.0 if cosine is None else min(cosine, 1.0))
    return Verdict(Relation.UNRELATED if cosine is not None and cosine < zones.near else Relation.COMPATIBLE)


def may_be_read(existing: Statement, incoming: Statement, ruled: Verdict) -> bool:
    """What the rules found nothing in, and what they found by the wording."""
    if ruled.relation in _LEFT_OPEN and not ruled.detector:
        return not agrees(*(slots(one.text, speaker=one.speaker) for one in (existing, incoming)))
    return ruled.relation is Relation.POSSIBLE or sure_by_wording(ruled)


def sure_by_wording(ruled: Verdict) -> bool:
    """Whether a rule is sure by what the two say, and not by the times of validity that somebody stated."""
    return ruled.certain and ruled.detector != "validity"


def _read(reads: Reads, existing: Statement, incoming: Statement, ruled: Verdict) -> Verdict:
    try:
        return pair_judge.compare(existing, incoming, ruled, reads)
    except Exception as error:  # as of any model: what it raises is no reason to forget what the rules say
        _log_failure("The network that reads both statements", error)
        return ruled


def _asked(further: Judge, existing: Statement, incoming: Statement) -> Verdict | None:
    try:
        return further(existing, incoming)
    except Exception as error:  # a model of whatever kind: what it raises is no reason to forget what the rules say
        _log_failure("A model that was asked about two statements", error)
        return None


def _log_failure(model: str, error: Exception) -> None:
    """By the kind of the error alone: its message may hold a person's words, and the log holds none of these."""
    log.warning("%s failed with %s; the verdict of the rules stands.", model, type(error).__name__)
    log.debug("How it failed:", exc_info=error)

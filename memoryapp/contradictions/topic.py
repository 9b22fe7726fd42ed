"""Two clauses of one topic that differ in one typed value, in the pole of a scale, or in a “not”; and what they differ
in, as a person would call it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memoryapp.contradictions.clause import Clause
from memoryapp.contradictions.kinds import KIN, SEVERAL, with_general
from memoryapp.contradictions.values import Value, agree, scopes_differ
from memoryapp.contradictions.verdicts import Finding
from memoryapp.contradictions.vocabulary import (
    AUXILIARY,
    BASES,
    CONTRASTS,
    DOING,
    FIRST_OF_OPPOSITES,
    LIGHT,
    LONGEST_OPPOSITE,
    PAST,
    SCALES,
    THIRD,
)
from memoryapp.contradictions.words import content, meaning, words
from memoryapp.text.wording import word_set

_KINDS = {  # a kind of value as a person calls it
    "clock": "time", "weekday": "day", "money": "amount", "percent": "percentage", "ordinal": "place", "os":
    "operating system", "ip": "address", "programming": "language", "packages": "package manager", "count": "number",
    "opposites": "wording", "ci": "CI",
}  # fmt: skip
_ASKED = {  # of what somebody does
    "clock": "when", "date": "when", "weekday": "when", "year": "when", "duration": "how long", "interval": "how often",
}  # fmt: skip
PERSON = re.compile(r"(?:i|we|he|she|they|the user|user|the team|[A-Z][a-z]+)$", re.IGNORECASE)
_NAMED = re.compile(r"\b([A-Z][\w.+#-]*) $")
_LINK = re.compile(r"(?:\s*\b(?:at|on|in|by|for|from|until|every|about|around|the|of|to|a|an))+\s*$", re.IGNORECASE)


def of_value(clause: Clause, value: Value) -> str:
    """A name for what `value` is the value of, in its clause."""
    subject = clause.subject if clause.subject == "I" else _lower_subject(clause.subject)
    name = of_kind(value.type)
    if value.end <= len(clause.subject) and value.type.startswith("count "):
        return f"number of {value.text.split()[-1]}"
    if not subject or subject.casefold().endswith(name):
        return subject or name
    doing = _doing_phrase(clause, value) if PERSON.match(clause.subject) else ""
    sort = value.type.partition(" ")[0]
    if doing and sort == "count":
        return f"how many {value.text.split()[-1]} {subject} {doing}"
    if doing:
        return f"{_ASKED.get(sort, 'what')} {subject} {doing}"
    return subject if sort == "count" else f"{name} of {subject}"


def value_text(clause: Clause, value: Value) -> str:
    """The value as it is said; a bare number with the name before it: “Postgres 16”."""
    named = _NAMED.search(clause.text[: value.start]) if value.type in ("number", "version") else None
    return f"{named[1]} {value.text}" if named and named.start() else value.text


def of_kind(kind: str) -> str:
    """“time” of a clock; “port” of a “label port”."""
    sort, _, what = kind.partition(" ")
    return what if sort == "label" else _KINDS.get(sort, sort)


def _doing_phrase(clause: Clause, value: Value) -> str:
    """“wakes up” of “wakes up at 6:30”; nothing of what only is."""
    begin = len(clause.text) - len(clause.predicate)
    said = _LINK.sub("", clause.text[begin : value.start]).strip(" ,") if value.start > begin else ""
    said = re.sub(r"(?: [A-Z][\w.+#-]*)+$", "", said)  # “uses Postgres” 16
    return "" if len(said.split()) > 3 or said.casefold() in ("is", "are", "am", "was", "were", "be") else said


def _lower_subject(subject: str) -> str:
    """“The build” and “Log files” inside a sentence; a name stays as it is written."""
    first, _, second = subject.partition(" ")
    plain = first.casefold() in ("the", "our", "my", "a", "an", "we") or (second[:1].islower() and "'" not in first)
    return subject[:1].lower() + subject[1:] if plain else subject


_PART = re.compile(r"\b(?:so far|to date|spent|when|whenever|if|exceeds?|alerts?)\b", re.IGNORECASE)
BACK = re.compile(
    r"\b(?:fl(?:y|ies|ew|ight)|travels?|goes|comes?|drives?|gets?|sails?|train)\b.{0,20}\bback\b|"
    r"\breturn(?:s|ing)? (?:flight|trip|train|on|from)\b",
    re.IGNORECASE,
)
PARTY = re.compile(
    r"\b(?:birthday|wedding|anniversary|retirement|graduation) (?:party|dinner|brunch|celebration|present|gift|"
    r"card|cake)\b",
    re.IGNORECASE,
)
_TIMES = frozenset({"date", "year", "weekday", "clock"})
_ATTRIBUTE_WORDS = {  # nouns that only name what kind of value follows
    "duration": "length duration long last expire valid lifetime ttl timeout period window retention keep live",
    "clock": "time hour", "date": "date day deadline", "weekday": "day deadline", "database": "database db data",
    "money": "budget price cost spend", "version": "version", "licence": "licence license", "os": "system machine",
    "format": "format return reply", "editor": "editor", "ordinal": "", "count": "", "colour": "colour "
    "color bright dark light pale deep",
}  # fmt: skip
_NAMING = {kind: content(text) for kind, text in _ATTRIBUTE_WORDS.items()}
_PRONOUN = re.compile(r"(?:he|she|it|they|this|that|these|those|there|who)$", re.IGNORECASE)
_OFFERING = word_set("support run work accept allow test")
_REPLACING = word_set("upgrade downgrade bump move migrate switch update")
_QUITTING = word_set("quit stop give drop avoid cancel lose sell")
_BETWEEN = word_set("not never no longer always only also often usually")
_OF_WHAT = re.compile(r"\b(?:what|who|whom|where|when|why|how|whether|if)\b", re.IGNORECASE)  # denied of that alone
_IS_WHAT = re.compile(r"(?:is|are|was|were) (?:what|where|how|who)\b", re.IGNORECASE)
_PARTS_OF_DAY = frozenset(
    f"{before}{part}{after}"
    for part in ("morning", "afternoon", "evening", "night")
    for before, after in (("", ""), ("", "s"), ("in the ", ""), ("at ", ""))
)
_PASSIVE = re.compile(r"(?:is|are|was|were) (?P<verb>\w{3,}ed|fed|cut|shut|sung|sold)\b", re.IGNORECASE)
_SPEAKER = content("user")
_KIN = content(" ".join(KIN))
_SOMEBODY = re.compile(r"(?:i|we|he|she|they|the user|user)$", re.IGNORECASE)
_PERSONS = content("mentor manager coach")  # who somebody is, though one may mentor as well
_DOINGS = (
    frozenset(stem for verb in (*BASES, *PAST) if (stem := meaning(verb))) - _PERSONS
)  # they tell topics apart least
_OBJECT = re.compile(r"\b(?:the|an?|my|our|his|her|their|its) (?P<what>[a-z]+)\b")
_DENIALS = content("stop without quit give gave avoid drop cancel longer anymore refuse never nobody unable rid except")


def compare(one: Clause, other: Clause, *, framed: bool = False) -> Iterator[Finding]:
    """Findings of two clauses; none where either is asked, planned or over. `framed`: `differ` sees to the words."""
    if not (one.asserts and other.asserts) or not (_is_comparable(one, other) or _of_one(one, other)):
        return
    if left_out(one, other):
        return
    if not framed:
        if found := _typed_value_clash(one, other):
            yield found
        if found := _poles(one, other):
            yield found
    if found := _denial_clash(one, other):
        yield found


def left_out(one: Clause, other: Clause) -> bool:
    """Whether one tells what is done again and again, the other of a day on which it was otherwise."""
    return (one.habit and other.occasion and not other.habit) or (other.habit and one.occasion and not one.habit)


def _typed_value_clash(one: Clause, other: Clause) -> Finding | None:
    """One type of value in both, other values, and the rest of both about the same."""
    if not one.values or not other.values or one.negative or other.negative:
        return None
    differing = _differing_types(one, other)
    if (
        not differing
        or _back(one) != _back(other)
        or _in_part(one) != _in_part(other)
        or _of_a_party(one) != _of_a_party(other)
    ):
        return None
    if one.event and other.event and differing[0] in _TIMES:
        return None
    if one.subject_words != other.subject_words and (_of_kin(one, other) or _turned_round(one, other)):
        return None
    kind = differing[0]
    doings = {main_verb(one), main_verb(other)}
    if kind == "version" and doings & _OFFERING and not doings & _REPLACING:  # a tool supports several versions
        return None
    if kind in SEVERAL or _also_several(one, kind) or _also_several(other, kind) or one.once or other.once:
        return None
    if kind == "number" and one.verb != other.verb and _SOMEBODY.match(one.subject) and _SOMEBODY.match(other.subject):
        return None  # a bare number of somebody who does two things: “ends in 9020”, “turned 35”
    naming = _NAMING.get(kind.partition(" ")[0], frozenset())
    a, b = one.topic - naming, other.topic - naming
    match = _match(one, other, a, b)
    if (
        not match
        or (len(differing) > 1 and match != "equal")
        or _has_opposite_poles(one, other)
        or _has_contrasting_ends(one, other)
    ):
        return None
    if scopes_differ(one.text, other.text):
        return None
    was, now = (
        ", ".join(value_text(clause, v) for v in clause.values if v.type in differing) for clause in (one, other)
    )
    name = of_value(one, next(value for value in one.values if value.type == kind))
    detector = (
        "date"
        if kind in _TIMES or kind in ("duration", "interval")
        else "kind"
        if kind.isalpha() and kind not in ("number", "version")
        else "number"
    )
    return Finding(detector, name, was, now, sure=match == "equal", confidence=0.8 if match == "equal" else 0.6)


def _in_part(clause: Clause) -> bool:
    """Whether the value is of a part, or of a case: “12,000 spent so far”, “an alert when usage exceeds 85 percent”."""
    return bool(_PART.search(clause.text))


def _back(clause: Clause) -> bool:
    """The way back is at another time than the way there."""
    return bool(BACK.search(clause.text))


def _of_a_party(clause: Clause) -> bool:
    """“His birthday party” is on another day than his birthday may be."""
    return bool(PARTY.search(clause.text))


def _of_kin(one: Clause, other: Clause) -> bool:
    """Whether one is about somebody of the other's: “the user's partner”, “the user”."""
    return bool((one.subject_words ^ other.subject_words) & _KIN)


def _turned_round(one: Clause, other: Clause) -> bool:
    """“Navy is what I wear to the office”: the value opens it, and what it is the value of is another matter."""
    return any(_IS_WHAT.match(clause.predicate) for clause in (one, other))


def _differing_types(one: Clause, other: Clause) -> list[str]:
    """The type of which both have one value, another each; day and hour together where a time was moved."""
    kinds = _single_value_types(one.values) & _single_value_types(other.values)
    differing = sorted(kind for kind in kinds if not agree(one.values, other.values, kind))
    moved = one.change != other.change and _TIMES.issuperset(differing)
    return differing if len(differing) == 1 or moved else []


def _match(one: Clause, other: Clause, a: frozenset[str], b: frozenset[str]) -> str:
    """“equal”, “wider” where one side only says more, or "" for different topics."""
    if a == b and a:
        return "equal"
    doings = _DOINGS - one.subject_words - other.subject_words
    if "have" not in (main_verb(one), main_verb(other)):  # “has a meeting at 3”, “has lunch at noon”
        a, b = a - doings, b - doings
    alike = meaning(one.verb) == meaning(other.verb)
    if _two_doings(one, other):  # “is fed at seven”, “is walked at eight”
        return ""
    if a == b == _SPEAKER and not alike:  # “earns 5,400 a month”, “350 a month go into the user's savings”
        return ""
    if a == b and (
        alike or not (PERSON.match(one.subject) and PERSON.match(other.subject))
    ):  # a person does many things, a thing mostly one
        return "equal" if a or (one.subject_words == other.subject_words and one.subject and other.subject) else ""
    if one.subject_words != other.subject_words and not (one.subject_words <= b and other.subject_words <= a):
        return ""
    if not (a and b) or not (a < b or b < a):
        return ""
    return "wider" if alike and len(a ^ b) <= 2 else ""


def _two_doings(one: Clause, other: Clause) -> bool:
    """Whether each tells of a doing of its own, neither of which only says that something is so or has changed."""
    doings = [_main_action(clause) for clause in (one, other)]
    if one.change or other.change or doings[0] == doings[1]:
        return False
    forms = [meaning(doing) for doing in doings]
    told = all(form and doing not in AUXILIARY for form, doing in zip(forms, doings, strict=True))
    return told and forms[0] != forms[1]


def _main_action(clause: Clause) -> str:
    """The main verb, also of a passive whose verb is in no list: “is walked”, “is fed”."""
    verb = main_verb(clause)
    told = _PASSIVE.match(clause.predicate) if verb == "be" else None
    return told["verb"].casefold() if told else verb


def _same_act(denial: Clause, claim: Clause) -> bool:
    """“Passwords never expire”: nothing is said beside the subject and the verb, and the other says it happens."""
    verb = main_verb(denial)
    bare = not denial.whole - denial.subject_words - {meaning(verb)} and bool(denial.subject_words)
    return (
        bare
        and verb not in ("be", "have", "do")
        and verb == main_verb(claim)
        and denial.subject_words == claim.subject_words
    )


def _is_comparable(one: Clause, other: Clause) -> bool:
    """Whether both name a subject, or both are short instructions without one (“never use emoji”)."""
    if one.subject and other.subject:
        return not (_PRONOUN.match(one.subject) or _PRONOUN.match(other.subject)) or one.subject == other.subject
    return not one.subject and not other.subject and max(len(words(one.text)), len(words(other.text))) <= 8


def _of_one(one: Clause, other: Clause) -> bool:
    """Whether the rest tells that they are of one thing: “the demo is on …”, “they pushed the demo to …”."""
    shared = one.topic & other.topic
    return bool(shared) and (one.topic == other.topic or one.topic - _DOINGS == other.topic - _DOINGS)


def _same_doing(denial: Clause, claim: Clause) -> bool:
    verb, other = main_verb(denial), main_verb(claim)
    if verb == "have":  # the slots see to what one has: in free wording “has an idea for his dog” holds a dog too
        return False
    return verb in _QUITTING or verb == other or (meaning(verb) != "" and meaning(verb) == meaning(other))


def main_verb(clause: Clause) -> str:
    """“does not have any pets” → “have”; “is not fixed” → “fix”; “be” where no other verb follows."""
    verb = "be"
    for word in words(clause.predicate):
        base = PAST.get(word) or THIRD.get(word) or DOING.get(word) or (word if word in BASES else "")
        if word in AUXILIARY or word in _BETWEEN:
            verb = "have" if base == "have" else verb
            continue
        return base or verb
    return verb


def _is_partial_denial(denial: Clause, claim: Clause) -> bool:
    """Whether the denial is of a part (“no meetings on Fridays”), so that the whole may hold."""
    return bool({value.type for value in denial.values} - {value.type for value in claim.values})


def _also_several(clause: Clause, kind: str) -> bool:
    """“Korean” as a nationality is a language too."""
    at = next(value.start for value in clause.values if value.type == kind)
    return any(value.start == at and value.type in SEVERAL for value in clause.values)


def _single_value_types(held: tuple[Value, ...]) -> set[str]:
    """Types of which a clause has exactly one value."""
    kinds = [value.type for value in held]
    return {kind for kind in kinds if kinds.count(kind) == 1}


def _poles(one: Clause, other: Clause) -> Finding | None:
    """Opposite words of one scale, the rest about the same."""
    scales_a, scales_b = poles(one.text), poles(other.text)
    for scale in scales_a.keys() & scales_b.keys():
        (pole_a, phrase_a), (pole_b, phrase_b) = scales_a[scale], scales_b[scale]
        if pole_a == pole_b or one.negative != other.negative:
            continue
        a, b = one.topic - content(phrase_a), other.topic - content(phrase_b)
        match = _match(one, other, a, b) or ("wider" if one.subject_words == other.subject_words and a == b else "")
        if {phrase_a, phrase_b} & _PARTS_OF_DAY and match != "equal":
            continue
        if match and not _has_own_scope(one, other):
            return Finding(
                "antonym",
                one.subject.casefold(),
                phrase_a,
                phrase_b,
                sure=match == "equal",
                confidence=0.8 if match == "equal" else 0.6,
            )
    return None


def _has_contrasting_ends(one: Clause, other: Clause) -> bool:
    """Whether the values are of two ends of one thing: “starts at 9”, “ends at 10”."""
    a, b = set(words(one.text)), set(words(other.text))
    return any(_ends(a, left, right) and _ends(a, left, right) == _ends(b, right, left) for left, right in CONTRASTS)


def _ends(found: set[str], left: frozenset[str], right: frozenset[str]) -> int:
    """1 for words of the left end alone, -1 for the right end alone, 0 for neither or both."""
    return bool(found & left) - bool(found & right)


def _has_opposite_poles(one: Clause, other: Clause) -> bool:
    """Whether they differ in the pole of a scale: “closed on Mondays”, “open on Saturdays”."""
    a, b = poles(one.text), poles(other.text)
    return any(a[scale][0] != b[scale][0] for scale in a.keys() & b.keys())


@lru_cache(maxsize=8_192)
def poles(text: str) -> dict[int, tuple[int, str]]:
    """scale → (pole, phrase): the longest phrase first; a scale with both poles says nothing."""
    tokens = words(text)
    found: dict[int, tuple[int, str]] = {}
    mixed: set[int] = set()
    at = 0
    while at < len(tokens):
        longest = LONGEST_OPPOSITE if tokens[at] in FIRST_OF_OPPOSITES else 0
        for size in range(min(longest, len(tokens) - at), 0, -1):
            phrase = " ".join(tokens[at : at + size])
            if phrase == "old" and tokens[at - 1 : at] and tokens[at - 1] in ("year", "years", "months", "weeks"):
                break  # an age
            if held := SCALES.get(phrase):
                for scale, pole in held:
                    if found.setdefault(scale, (pole, phrase))[0] != pole:
                        mixed.add(scale)
                at += size - 1
                break
        at += 1
    return {scale: held for scale, held in found.items() if scale not in mixed}


def _has_own_scope(one: Clause, other: Clause) -> bool:
    """Whether each speaks of its own time or place."""
    kinds = {value.type for value in one.values} & {value.type for value in other.values}
    return any(not agree(one.values, other.values, kind) for kind in kinds)


def _denies_another_object(denial: Clause, claim: Clause) -> bool:
    """“Does not like her job”, “likes her colleagues”: an object told by a word that tells no topic, as `content` sees
    it, and that the other side does not say."""
    found = [match["what"] for match in _OBJECT.finditer(denial.predicate.casefold())]
    told = [word for word in found if word in LIGHT and word not in AUXILIARY]
    claimed = words(claim.text)
    own = any(match["what"] not in words(denial.text) for match in _OBJECT.finditer(claim.predicate.casefold()))
    return own and any(not any(meaning(word) == meaning(known) for known in claimed) for word in told)


def _denial_clash(one: Clause, other: Clause) -> Finding | None:
    """One denies what the other affirms: the words of the denial lie within those of the other."""
    if one.negative == other.negative or _has_own_scope(one, other):
        return None
    denial, claim = (one, other) if one.negative else (other, one)
    wide, narrow = denial.whole - _DENIALS, with_general(claim.whole - _DENIALS)
    if _denies_another_object(denial, claim):
        return None
    if not (wide == narrow and len(wide) > 2):  # “we review code”, “code is not reviewed”
        if _same_act(denial, claim):
            return Finding("negation", denial.verb, one.predicate, other.predicate, confidence=0.8)
        if (
            not _is_comparable(one, other)
            or (not one.subject and len(wide) < 2)
            or denial.subject_words != claim.subject_words
            or not wide - denial.subject_words
        ):
            return None
        if not wide <= narrow or _is_partial_denial(denial, claim) or _OF_WHAT.search(denial.predicate):
            return None
        if len(wide - denial.subject_words) == 1 and wide != claim.whole and not _same_doing(denial, claim):
            return None  # one word in common beside the subject: “has no pets”, “misses the walks with his dog”
    return Finding(
        "negation", denial.verb or "says", one.predicate or one.text, other.predicate or other.text, confidence=0.8
    )

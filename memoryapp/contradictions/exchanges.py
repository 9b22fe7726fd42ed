"""Two sentences of one frame, word by word: what was exchanged for what, and, of two captions of a scene, whether both
can be true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from memoryapp.contradictions.clause import Clause
from memoryapp.contradictions.topic import of_kind
from memoryapp.contradictions.values import agree, same_value, values
from memoryapp.contradictions.verdicts import Finding
from memoryapp.contradictions.vocabulary import AUXILIARY, GROUP_OF, SCALES, THIRD
from memoryapp.contradictions.words import meaning, stem
from memoryapp.text.wording import word_set

TOKEN = re.compile(r"[^\W_]+(?:[.':+#/-][^\W_]+)*[+#%]*|[$€£₩]\d[\d,.]*")
_ARTICLES = frozenset(("a", "an", "the"))
_FEWEST = 3  # words a frame must have left around what was exchanged
_SPAN = 4  # words an exchanged part may have
_CHANGES = 2
_LONGEST = 80
_ALIKE = 0.6  # difflib's ratio of two sentences that differ in two places


@dataclass(frozen=True, slots=True)
class Exchange:
    """`before`, `after`: the shared words on its left and right."""

    was: tuple[str, ...]
    now: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]


def exchanges(one: str, other: str) -> tuple[Exchange, ...]:
    """What was exchanged between two sentences of one frame; nothing where too much differs. The other way round it is
    the same exchange turned."""
    a, b = tokens(one), tokens(other)
    if not a or not b or max(len(a), len(b)) > _LONGEST or a == b:
        return ()
    if a > b:  # difflib's cut depends on the order
        return tuple(Exchange(x.now, x.was, x.before, x.after) for x in _exchanged_parts(b, a))
    return _exchanged_parts(a, b)


def _exchanged_parts(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[Exchange, ...]:
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    if start + end < min(_FEWEST, max(len(a), len(b)) - 1):
        return ()
    was, now = a[start : len(a) - end], b[start : len(b) - end]
    if len(was) <= 1 or len(now) <= 1:
        return (Exchange(was, now, a[:start], a[len(a) - end :]),) if max(len(was), len(now)) <= _SPAN else ()
    if set(was).isdisjoint(now) and len(was) <= _SPAN and len(now) <= _SPAN:
        return (Exchange(was, now, a[:start], a[len(a) - end :]),)
    return _diff_exchanges(a, b)


def _diff_exchanges(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[Exchange, ...]:
    """Up to two (or the same one repeated) by difflib, for pairs that are otherwise alike."""
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return ()
    found = [Exchange(a[i:j], b[x:y], a[:i], a[j:]) for tag, i, j, x, y in matcher.get_opcodes() if tag != "equal"]
    distinct = {(one.was, one.now) for one in found}
    fits = all(len(one.was) <= _SPAN and len(one.now) <= _SPAN for one in found)
    return tuple(found) if fits and len(distinct) <= _CHANGES else ()


def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words without articles."""
    found = (match.group().casefold() for match in TOKEN.finditer(text))
    return tuple(word for word in found if word not in _ARTICLES)


_GENERAL_WORDS = (
    "room vegetable drink beverage instrument fruit food animal place thing object building "
    "material color colour person "
    "people man woman country planet metal vehicle area spot liquid something someone"
)
_DENIALS = word_set("not no never none nobody without n't")
_GENERAL = frozenset(stem(word) for word in _GENERAL_WORDS.split())
_INCLUDED = re.compile(r"\b(?:includ\w+|such as|among)\b")  # one of several, of which there may be both
_SHARED = word_set("drink vegetable room")  # of people in a scene some may have the one, some the other
_TIMES = word_set("date weekday clock year duration interval")
_ANYONE = re.compile(r"(?:a|an|some|several|many|\d+)\s", re.IGNORECASE)
_THERE = re.compile(r"(?:is|are|am) (?:in|near|inside|outside|under|behind)\b", re.IGNORECASE)
_DOING = re.compile(r"(?:is|are|am) (?:\w+ly )?\w+ing\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"(?:I|we|my|our|the user|user)\b", re.IGNORECASE)
_KNOWN = re.compile(r"(?:i|we|he|she|they|my|our|the user|[a-z]+'s)\b", re.IGNORECASE)  # somebody in particular


def tells_apart(exchange: Exchange) -> bool:
    """Whether words that mean something else were exchanged."""
    if not exchange.was or not exchange.now:
        return bool(_DENIALS & {*exchange.was, *exchange.now})
    return not _synonyms(exchange)


def compare(one: Clause, other: Clause, *, cosine: float | None = None) -> Iterator[Finding]:
    """The finding of two captions in one frame, where every exchange tells against both holding or says the same."""
    if (
        (one.negative and other.negative)
        or one.question
        or other.question
        or one.planned != other.planned
        or one.past != other.past
        or one.mood
        or other.mood
    ):
        return
    if one.text > other.text:  # judged in one order, so that it does not matter which was said first
        yield from (replace(found, was=found.now, now=found.was) for found in compare(other, one, cosine=cosine))
        return
    found = exchanges(one.text, other.text)
    judged = [_judge(one, exchange, cosine) for exchange in found]
    findings = [finding for finding in judged if isinstance(finding, Finding)]
    if None in judged or not findings:
        return
    # The same exchange at several places may be of several things.
    yield findings[0] if len(found) == 1 else replace(findings[0], sure=False, confidence=0.55)


def in_scenes(one: Clause, other: Clause) -> bool:
    """Whether both tell what is going on at one moment, as captions do."""
    return _is_scene(one) and _is_scene(other)


def _judge(clause: Clause, exchange: Exchange, cosine: float | None) -> Finding | str | None:
    """A finding; “same” where the words mean the same; None where the exchange tells nothing, or of another thing."""
    was, now = " ".join(exchange.was), " ".join(exchange.now)
    if not was or not now:
        return _one_sided(exchange, was or now)
    if _synonyms(exchange):
        return "same"
    detector, kind = _kind(was.title(), now.title(), lead=" ".join(exchange.before[-1:]))
    if {stem(was), stem(now)} & _GENERAL or (_in_list(clause, exchange) and not _is_numeric(kind)):
        return None
    if not kind:
        return _wording_finding(clause, exchange, cosine)
    sure = kind not in _SHARED and (not _is_numeric(kind) or _whole_number(clause, exchange))
    was, now = (_typed_value(side, kind) for side in (was, now))
    return Finding(detector, of_kind(kind), was, now, sure=sure, confidence=0.8 if sure else 0.55)


def _typed_value(side: str, kind: str) -> str:
    """The value of a kind as it is written in an exchanged part: “3 october” of “delayed until 3 october”."""
    return next((value.text.casefold() for value in values(side.title()) if value.type == kind), side)


def _one_sided(exchange: Exchange, words: str) -> Finding | str | None:
    """Words on one side only: a “not” turns the sentence, an adverb or adjective says more."""
    parts = words.split()
    if _DENIALS & set(parts) and len(parts) <= 3 and exchange.before:
        return Finding("negation", "says", " ".join(exchange.was) or "affirmed", " ".join(exchange.now) or "affirmed")
    return "same" if all(not meaning(part) for part in parts) else None


def _synonyms(exchange: Exchange) -> bool:
    """Whether both parts mean the same: words of one group, or equal values (2 pm, 14:00)."""
    was, now = (
        [GROUP_OF.get(word) or GROUP_OF.get(stem(word)) or stem(word) for word in side]
        for side in (exchange.was, exchange.now)
    )
    if was == now:
        return True
    one, other = " ".join(exchange.was), " ".join(exchange.now)
    typed = {value.type for value in values(one)} & {value.type for value in values(other)}
    return same_value(one, other) and (len(was) == len(now) or bool(typed))


def _kind(was: str, now: str, *, lead: str = "") -> tuple[str, str]:
    """(detector, what they are two of) of two exchanged parts after the word `lead`; ("", "") where they are of no
    known kind."""
    poles_a, poles_b = dict(SCALES.get(was.casefold(), ())), dict(SCALES.get(now.casefold(), ()))
    if any(poles_a[scale] != poles_b[scale] for scale in poles_a.keys() & poles_b.keys()):
        return "antonym", "opposites"
    a, b = (tuple(v for v in values(f"{lead} {side}") if v.start > len(lead)) for side in (was, now))
    for kind in {value.type for value in a} & {value.type for value in b}:
        if not agree(a, b, kind):
            timed = kind in _TIMES
            return ("date" if timed else "number" if _is_numeric(kind) else "kind"), kind
    if a and b and all(_is_numeric(value.type) for value in (*a, *b)) and was.split()[1:] == now.split()[1:]:
        return "number", "number"
    return "", ""


def _is_numeric(kind: str) -> bool:
    return kind.partition(" ")[0] in (
        "number",
        "count",
        "money",
        "percent",
        "size",
        "version",
        "ordinal",
        "label",
        "ip",
    )


def _wording_finding(clause: Clause, exchange: Exchange, cosine: float | None) -> Finding | None:
    """Other words of no known kind: perhaps, where the rest of a scene is the same."""
    if len(exchange.was) > 2 or len(exchange.now) > 2 or not exchange.before or _KNOWN.match(clause.text):
        return None
    if cosine is not None and cosine > 0.93:
        return None
    return Finding("wording", "wording", " ".join(exchange.was), " ".join(exchange.now), sure=False, confidence=0.5)


def _is_scene(clause: Clause) -> bool:
    """What is going on at one moment (“a man is drinking tea”), where one thing is done in one place at a time."""
    if _OF_ONESELF.match(clause.text):
        return False
    words = [match.group().casefold() for match in TOKEN.finditer(clause.text)]
    if _ANYONE.match(clause.text) or (not clause.verb and any(word.endswith("ing") for word in words)):
        return True
    if clause.verb not in AUXILIARY:
        return False
    return bool(_DOING.match(clause.predicate) or _THERE.match(clause.predicate))


def _whole_number(clause: Clause, exchange: Exchange) -> bool:
    """Whether the number is of all there is: of the subject, or with “the”. “Near 2 men” may be near 3 as well."""
    before = " ".join(exchange.before)
    verbless = not any(w in AUXILIARY or w in THIRD or w.endswith("ing") for w in exchange.before)
    return verbless or f"the {exchange.was[0]}" in clause.text.casefold() or "on" in before.split()[-1:]


def _in_list(clause: Clause, exchange: Exchange) -> bool:
    """Whether the exchanged part is one of several named side by side, of which there may be both."""
    after, before = exchange.after[:1], exchange.before[-1:]
    beside = after in (("and",), ("or",)) or before in (("and",), ("or",))
    between = rf",\s*{re.escape(' '.join(exchange.was))}\s*,"
    return beside or bool(re.search(between, clause.text.casefold()) or _INCLUDED.search(" ".join(exchange.before)))

"""A text in, the places of it that may name something out, with what is exact about each. For `entity_judge`, which
says which of them do.

Runs of capitalised words and all their parts, code spans, words in small letters that are in no dictionary, and what
somebody has (“Alice's bike”, “her bike”). No list of words decides here; only what cannot be a name at all is left out:
dates, numbers, files, key chords, flags.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from memoryapp.domain.entity import normal_form
from memoryapp.extraction.entities.stoplists import DATE_WORDS, LINK_WORDS, OPENERS, TITLES, is_common
from memoryapp.extraction.facts.words import KIN, TRADES
from memoryapp.extraction.relations.kinds import (
    DOUBTFUL_TOOLS,
    FAMILY_NAMES,
    FIRM,
    GIVEN_NAMES,
    KOREAN_PLACES,
    SITE,
    TOOLS,
    is_given,
)

NAME_CHARS = 60
SIGNS = 46
_WORD = re.compile(r"@?[^\W_](?:[\w+#]|['’.\-&](?=[^\W_]))*[+#]{0,2}")
_INNER = frozenset({"of", "the", "and", "for", "de", "la", "van", "der", "von", "da", "del", "to", "in", "on", "at"})
_JOINT = re.compile(r" |\.? ?& ?")
_TITLE = re.compile(r"(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Jr|Sr|[A-Z])\Z")
_POSSESSED = re.compile(
    r"\b(?P<who>[A-Z][\w-]{1,40}['’]s?|[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir) "
    r"(?P<what>[a-z][a-z-]{2,40}(?: [a-z]{3,40})?)\b"
)
_CODE = re.compile(r"`([^`\n]{2,60})`")
_CODE_NAME = re.compile(r"@?[A-Za-z\uac00-\ud7a3][\w.+#-]{1,38}[\w+#]")
_FILE = re.compile(
    r"\.(?:md|txt|py|js|jsx|ts|tsx|rb|json|ya?ml|toml|lock|conf|cfg|ini|sh|zsh|css|s?html?|csv|sql|exs?|erl|rs|c|h|lua"
    r"|log|env|png|jpe?g|gif|svg|pdf|zip|gz|local|com|org|net|io|dev)$",
    re.IGNORECASE,
)
_KEYS = re.compile(r"(?:ctrl|control|shift|alt|cmd|command|meta|opt|option|fn|super|esc)[-+]", re.IGNORECASE)
_DATED = re.compile(r"\d{4}(?:[-./]\d{1,2}){0,2}|\d+")
_PARTICLE = re.compile(r"(?<=[A-Za-z0-9])[가-힣]+$")  # “Redis를”: the name ends where the script changes
_OPENS = re.compile(r"^\s*(?:[-*+>]|\d+[.)]|#+|\|)?\s*(?:\[.\]\s*)?[*_“\"(\[]*$")
_VERSION = re.compile(r"\d+(?:\.[\dx]+)+\+?")
_MOST_WORDS = 5
_LONGEST = 12  # words of a run: what is longer is a title
_NEAR = 120  # characters of its line that are looked at on either side


@dataclass(frozen=True, slots=True)
class Span:
    """text[start:end]. `group`: spans of one group overlap, and at most one of those that do is the name. `way`:
    "capitals", "code", "small" or "had"."""

    start: int
    end: int
    group: int
    way: str


def spans(text: str, *, is_rare: Callable[[str], bool]) -> list[Span]:
    """In the order of the text. `is_rare`: whether a word in small letters is in no dictionary."""
    found: list[Span] = []
    group = 0
    code = [match.span(1) for match in _CODE.finditer(text)]
    for start, end in code:
        if _CODE_NAME.fullmatch(text, start, end):
            found.append(Span(start, end, group, "code"))
            group += 1
    plain = _CODE.sub(lambda match: "`" * len(match.group()), text)
    for run, small in _runs(plain, is_rare):
        for start, end in _parts(plain, run):
            found.append(Span(start, end, group, "small" if small else "capitals"))
        group += 1
    for match in _POSSESSED.finditer(plain):
        first, _, second = match["what"].partition(" ")
        start = match.start("what")
        had = filter(None, (first, match["what"] if second else ""))
        found += [Span(match.start(), start + len(words), group, "had") for words in had]
        group += 1
    kept = [span for span in found if _may_be_name(text[span.start : span.end])]
    return sorted(kept, key=lambda span: (span.start, span.end))


def _runs(text: str, is_rare: Callable[[str], bool]) -> Iterator[tuple[list[tuple[int, int]], bool]]:
    """Words that stand side by side and may be one name, and whether it is a single word in small letters."""
    run: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        start, end = word.span()
        if run and (len(run) == _LONGEST or not _is_joined(text, run[-1], start)):
            yield run, False
            run = []
        first = text[start] if text[start] != "@" else text[start + 1]
        if first.isupper() or text[start] == "@" or (run and (first.isdigit() or word.group() in _INNER)):
            run.append((start, end))
            continue
        if run:
            yield run, False
            run = []
        if end - start > 3 and first.islower() and is_rare(word.group()):
            yield [(start, end)], True
    if run:
        yield run, False


def _is_joined(text: str, last: tuple[int, int], start: int) -> bool:
    between = text[last[1] : start]
    if between == ". ":
        return _TITLE.match(text, last[0], last[1]) is not None
    return _JOINT.fullmatch(between) is not None


def _parts(text: str, run: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Every stretch of a run that begins and ends with no small word, without what marks a case at its end."""
    for first in range(len(run)):
        opening = text[slice(*run[first])]
        if opening in ("A", "An") or (opening[0].islower() and len(run) > 1):
            continue
        for last in range(first, min(first + _MOST_WORDS, len(run))):
            start, end = run[last]
            word = text[start:end]
            if last > first and (word[0].islower() or _VERSION.fullmatch(word)):
                continue  # “Python 3.10” is Python
            if word.endswith(("'s", "’s")):
                end -= 2
            elif particle := _PARTICLE.search(word):
                end -= len(particle.group())
            yield run[first][0], end


def _may_be_name(name: str) -> bool:
    normal = normal_form(name)
    if not 2 <= len(normal) <= NAME_CHARS or not any(letter.isalpha() for letter in normal):
        return False
    return not (_DATED.match(normal) or _KEYS.match(name) or (" " not in normal and _FILE.search(normal)))


def signs(text: str, span: Span, *, small: Mapping[str, int], large: Mapping[str, int]) -> list[float]:
    """What is exact about a span, SIGNS numbers of about 0 to 1. `small`, `large`: how often the whole document writes
    a word in small letters, and with a capital inside a sentence."""
    name = text[span.start : span.end]
    words = name.split()
    near = max(span.start - _NEAR, 0)
    before = text[text.rfind("\n", near, span.start) + 1 or near : span.start]
    after = text[span.end : span.end + _NEAR].partition("\n")[0]
    head = words[0].lower()
    return [
        float(one)
        for one in (
            span.way == "code",
            span.way == "small",
            span.way == "had",
            not before.strip(),
            _OPENS.match(before) is not None,
            before.rstrip()[-1:] in tuple(".!?"),
            before.rstrip()[-1:] in tuple(":;("),
            before.rstrip()[-1:] == ",",
            before.lstrip().startswith("#"),
            before[-1:] in tuple("*_"),
            before[-1:] == "[",
            "|" in before,
            after[:1] == ":",
            after[:2] in ("'s", "’s"),
            not after.strip(" .:*_"),
            after[:1] == ",",
            name.isupper() and len(name) > 1,
            any(letter.isdigit() for letter in name),
            re.search(r"[a-z][A-Z]", name) is not None,
            "-" in name,
            "_" in name,
            name[:1] == "@",
            "." in name,
            len(words) > 1,
            len(words) > 2,
            min(small.get(head, 0), 3) / 3,
            min(max(large.get(head, 0) - (not _opens(before)), 0), 3) / 3,
            small.get(head, 0) > large.get(head, 0),
            len(name) < 4,
            min(len(name), 30) / 30,
            _is_title(before + name + after),
            words[0] == "The",
            *_list_features(name, [word.lower() for word in words]),
        )
    ]


def _is_title(line: str) -> bool:
    """Whether its words have capitals as those of a heading do, where a capital tells little."""
    words = [word for word in line.split() if word[0].isalpha()]
    return len(words) > 3 and sum(word[0].isupper() for word in words) > 0.6 * len(words)


def _list_features(name: str, words: list[str]) -> tuple[bool, ...]:
    """What lists know of it. They decide nothing: how much each tells is learned."""
    last = words[-1]
    return (
        words[0] in TOOLS and words[0] not in DOUBTFUL_TOOLS,
        words[0] in DOUBTFUL_TOOLS,
        is_given(name),
        words[0] in GIVEN_NAMES or words[0] in FAMILY_NAMES,
        last in KOREAN_PLACES,
        FIRM.search(name) is not None,
        SITE.search(name) is not None,
        words[0].strip(".") in TITLES,
        all(is_common(word) for word in words),
        is_common(words[0]),
        is_common(last),
        words[0] in OPENERS,
        any(word in DATE_WORDS or word in LINK_WORDS for word in words),
        last in KIN or last in TRADES,
    )


def _opens(before: str) -> bool:
    return _OPENS.match(before) is not None or before.rstrip()[-1:] in tuple(".!?:")


def case_counts(text: str) -> tuple[Counter[str], Counter[str]]:
    """How often each word is written in small letters, and with a capital that no beginning of a sentence asks for."""
    small: Counter[str] = Counter()
    large: Counter[str] = Counter()
    for word in _WORD.finditer(text):
        written = word.group()
        if written[0].islower():
            small[written.lower()] += 1
        elif written[0].isupper():
            before = text[max(text.rfind("\n", 0, word.start()) + 1, word.start() - 40) : word.start()]
            if not _opens(before):
                large[written.lower()] += 1
    return small, large

"""Two readings in, out whether a denial holds only then and there, and the other tells of another time, place or case:
no coffee after three and two cups in the morning, not in the house and on the balcony. Next: `conditions`.
"""

from __future__ import annotations

import re

from memoryapp.detect.meanings import STOP
from memoryapp.detect.reading import WHEN, Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.topic import main_verb
from memoryapp.detect.verbs import AUXILIARY
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import words

_BOUNDING = re.compile(  # of a denial: when, under which condition, and where
    r"\b(?P<how>after|before|during|when|whenever|while|unless|if|without|except|on an?|on|at|in|with|for(?! \d))"
    r" (?P<what>(?!general\b|now\b|good\b|any\b|every|particular\b|fact\b|total\b|all\b|order\b|least\b|first\b|"
    r"the day\b)[^,.;]+?)"
    r"(?=,|\.|;|$| (?:after|before|during|when|while|unless|if|without|except|on|at|in|with|because|since)\b)",
    re.IGNORECASE,
)
_ALWAYS_BOUNDS = wordset("after before during when whenever while unless if except")
_AT_ALL_TIMES = re.compile(
    r"\b(?:always|any ?time|whenever|every (?:single )?(?:day|time)|all (?:day|the time|year)|daily|anyone|anybody|"
    r"everyone|everybody)\b",
    re.IGNORECASE,
)
_DENYING = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|cannot|avoids?|refuses?|hates?|dislikes?|allergic|intolerant)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\bwithout [^,.;]+")  # by itself it denies nothing of the rest: “deploys without asking”
_EVER = re.compile(r"\b(?:ha(?:s|ve) (?:never|not)|(?:never|not) (?:been|had)|ever)\b", re.IGNORECASE)
_DAYS = WHEN[2]
_WHERE = re.compile(r"\b(?:inside|outside|indoors|outdoors|upstairs|downstairs|today|tonight|abroad)\b", re.IGNORECASE)
_HOUR = re.compile(r"\b(\d{1,2})(?::(\d\d))?(?: ?([ap])\.?m\b)?", re.IGNORECASE)
_TIMES = frozenset[str]().union(*WHEN) | wordset("night weekday bed work")


def bounded(denying: Reading, telling: Reading) -> bool:
    """Whether a denial holds only then and there, and the other tells of another time, place or case."""
    if denying.ends or telling.ends or telling.denies or _AT_ALL_TIMES.search(telling.text):
        return False
    denied = _DENYING.search(_WITHOUT.sub("", denying.text))
    if denied is None or _EVER.search(denying.text):
        return False
    if _at_other_times(denying, telling):
        return True
    known, said, placed = told_words(telling.text), told_words(denying.text), _placings(telling.text)
    same = _same_doing(denying, telling)
    elsewhere = any(
        (same or how in _ALWAYS_BOUNDS) and what and not any(one_word(a, b) for a in told_words(what) for b in said)
        for how, what, _ in placed
    )
    for how, what, start in _placings(denying.text):
        if 0 < start < denied.start():
            continue
        told = told_words(what) or words(what)
        if how in ("without", "unless") and told and re.search(rf"\bwith (?:\w+ )?{re.escape(told[-1])}", telling.text):
            return True
        hour = _beyond(how, what, telling.text)
        if hour:
            return True
        if hour is not None or not told or any(one_word(a, b) for a in told for b in known):
            continue
        if how in _ALWAYS_BOUNDS:
            if not (_DAYS & set(told) and _DAYS & telling.when):  # “before Thursday”, “on Monday”
                return True
        elif elsewhere or (_TIMES & set(told) and not telling.wholly):
            return True
    return False


def _at_other_times(denying: Reading, telling: Reading) -> bool:
    """“Free on Friday morning”, “not free on Friday afternoon”."""
    parts, days = (WHEN[1] & denying.when, WHEN[1] & telling.when), _DAYS & denying.when & telling.when
    return bool(days and all(parts) and not parts[0] & parts[1]) and not telling.wholly


def _placings(text: str) -> list[tuple[str, str, int]]:
    """How, where or when, and where that stands in the text: “in the house”, “inside”."""
    found = [(match["how"].casefold(), match["what"], match.start()) for match in _BOUNDING.finditer(text)]
    return found + [("at", match.group(), match.start()) for match in _WHERE.finditer(text)]


def _same_doing(one: Reading, other: Reading) -> bool:
    """Whether both have one verb that tells something: “smokes on the balcony”, “does not smoke in the house”."""
    doings = [{main_verb(clause) for clause in reading.clauses} - {"be", "have", "do"} for reading in (one, other)]
    return bool(doings[0] & doings[1])


def _beyond(how: str, what: str, text: str) -> bool | None:
    """Whether the hours of the other side lie outside “after 3 pm”, “before 10”; None where none are told."""
    edge = _HOUR.match(what)
    if edge is None or how not in ("after", "before"):
        return None
    told = [_hours(found) for found in re.finditer(r"\b(?:at|from|by|around) " + _HOUR.pattern, text, re.IGNORECASE)]
    if not told:
        return True if set(words(text)) & (_MORNING if how == "after" else _LATE) else None
    limit = _hours(edge)
    return all(hour < limit if how == "after" else hour >= limit for hour in told)


_MORNING = wordset("morning mornings breakfast")
_LATE = wordset("afternoon evening evenings night dinner lunch")


def _hours(found: re.Match[str]) -> float:
    """Of the day, 0 to 24; without “am” or “pm” one to five are in the afternoon."""
    hour = int(found[1]) + int(found[2] or 0) / 60
    if found[3]:
        return hour % 12 + (12 if found[3].casefold() == "p" else 0)
    return hour + 12 if hour < 6 else hour


def told_words(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOP and len(word) > 2 and word not in AUXILIARY]

"""Prose in, runs of capitalised words that look like names out. For `concepts`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from memoryapp.extract.relations.taxonomy import FORMS
from memoryapp.extract.stoplists import DATE_WORDS, OPENERS, TITLES, is_common

_MOSTLY_LOWER = 0.35
_INNER = frozenset({"of", "the", "and", "for"})
# One word, or what may stand between two words of a run. Anything else (a full stop above all) ends the run.
_WORD = re.compile(r"[^\W\d_](?:[^\W_]|[+#]|['’.-](?=[^\W_]))*")
_TOKEN = re.compile(_WORD.pattern + r"|\d+(?![\w.,])|\S")
_SENTENCE_END = re.compile(r"[.!?:;•*_>|\"“”()\[\]{}#—–-]")
_HEADING = re.compile(r" {0,3}#{1,6}\s")
_LINE_OPENER = re.compile(r"\s*(?:[-*+>#|]|\d+[.)])")
_LEAST_LETTERS = 3
_MOST_WORDS = 5
_PARTICLE = re.compile(r"(?<=[A-Za-z0-9])[가-힣]+$")  # “Redis를”: the name ends where the script changes
# “RTX 5070 Ti”: what stands between two capitalised words as a part of one name, and no year.
_MODEL = re.compile(r"(?!(?:19|20)\d\d\b)\d{3,5}")


def lower_counts(prose: str) -> dict[str, int]:
    """How often each word begins with a small letter: names hardly ever do."""
    return Counter(word for word in _WORD.findall(prose) if word[0].islower())


def capitalised(prose: str, *, lower: Mapping[str, int]) -> Iterator[str]:
    """Names by their capitals, one for each place. Rules, in order:

    a run may hold of/the/and/for inside, never crosses a full stop or a line's end mark; a word that opens a sentence
    stays only when another capitalised word follows it or it is capitalised elsewhere too and never small; "A and B"
    are two; greetings, days, months, connectives and words mostly written small are cut off both ends. Of a title, in
    which every word has its capital, only words with capitals inside tell something.
    """
    runs = list(_runs(prose))
    upper = Counter(word.lower() for words, _ in runs if not _is_title(words) for word in words if word[0].isupper())
    for words, opens in runs:
        if _is_title(words):
            yield from (name for word in words if _is_odd(word) and (name := _alone(word, lower=lower, upper=upper)))
            continue
        for part in _parted(words):
            name = _cleaned(part, lower=lower, upper=upper, opens=opens and part[0] == words[0])
            if name:
                yield name


def _runs(prose: str) -> Iterator[tuple[list[str], bool]]:
    """Runs of capitalised words with their inner small ones, and whether a run opens a sentence."""
    run: list[str] = []
    opens = fresh = True
    for line in prose.split("\n"):
        if not line.strip() or _LINE_OPENER.match(line):
            if run:
                yield run, opens
                run = []
            fresh = True
        tokens = _TOKEN.findall(line)
        heading = bool(_HEADING.match(line))
        if heading and _is_title_case(tokens):
            # Every word has its capital here, so only capitals inside a word still tell something.
            yield from ((_model(tokens, at), False) for at, token in enumerate(tokens) if _is_odd(token))
            continue
        for at, token in enumerate(tokens):
            if token[0].isupper() or (run and (token in _INNER or _is_model(tokens, at))):
                opens = fresh if not run else opens
                run.append(token)
                fresh = False
                continue
            if run:
                yield run, opens
                run = []
            fresh = bool(_SENTENCE_END.fullmatch(token)) or (fresh and not token[0].isalnum())
        if heading:  # which has no full stop, and ends all the same
            if run:
                yield run, opens
            run, fresh = [], True
    if run:
        yield run, opens


def _parted(words: list[str]) -> Iterator[list[str]]:
    """ "A and B" of two capitalised words are two names; small words at the end belong to none."""
    while words and words[-1] in _INNER:
        words = words[:-1]
    if len(words) == 3 and words[1] == "and":
        yield words[:1]
        yield words[2:]
    elif words:
        yield words


def _cleaned(words: list[str], *, lower: Mapping[str, int], upper: Mapping[str, int], opens: bool) -> str:
    words = [_PARTICLE.sub("", word.removesuffix("'s").removesuffix("’s")) for word in words]
    if opens and not _stands_alone(words, lower=lower, upper=upper):
        words = words[1:]
    while words and _is_no_name(words[0], lower=lower, upper=upper):
        words = words[1:]
    while words and _is_no_name(words[-1], lower=lower, upper=upper):
        words = words[:-1]
    if not words or len(words) > _MOST_WORDS:
        return ""
    if len(words) == 1 and (len(words[0]) < _LEAST_LETTERS or "'" in words[0] or "’" in words[0]):
        return ""
    if all(is_common(word) or word in _INNER for word in words):
        return ""
    return " ".join(words)


def _alone(word: str, *, lower: Mapping[str, int], upper: Mapping[str, int]) -> str:
    return _cleaned([word], lower=lower, upper=upper, opens=False)


def _stands_alone(words: list[str], *, lower: Mapping[str, int], upper: Mapping[str, int]) -> bool:
    first = words[0]
    small = first.lower()
    if FORMS.get(small, small) != small and not _is_odd(first):
        return False  # “Speaks Portuguese”, “Rented H100”
    if len(words) > 1 and words[1][0].isupper() and not _is_no_name(first, lower=lower, upper=upper):
        return True
    if _is_odd(first):
        return True
    # A verb or adverb that opens two sentences is no name yet.
    return upper[small] >= 2 and not lower.get(small) and not first.endswith(("ing", "ly", "ed"))


def _is_odd(word: str) -> bool:
    """Capitals inside a word ("PostgreSQL", "AWS"): a name wherever it stands. In "Built-In" they begin one."""
    return word[0].isupper() and any(
        letter.isupper() for before, letter in zip(word, word[1:], strict=False) if before != "-"
    )


def _is_title_case(tokens: list[str]) -> bool:
    words = [token for token in tokens if token[0].isalpha()]
    return len(words) > 2 and sum(word[0].isupper() for word in words) * 2 > len(words)


def _is_title(words: list[str]) -> bool:
    """“Argument Requirements For A Function”: what is small inside a name has its capital here."""
    return len(words) > 2 and any(word.lower() in OPENERS and word not in _INNER for word in words[1:-1])


def _model(tokens: list[str], at: int) -> list[str]:
    """The word at a place, with what tells which one it is."""
    return tokens[at : at + 3] if at + 1 < len(tokens) and _is_model(tokens, at + 1) else tokens[at : at + 1]


def _is_model(tokens: list[str], at: int) -> bool:
    return bool(_MODEL.fullmatch(tokens[at])) and at + 1 < len(tokens) and tokens[at + 1][0].isupper()


def _is_no_name(word: str, *, lower: Mapping[str, int], upper: Mapping[str, int]) -> bool:
    small = word.lower()
    if small in _INNER or small in OPENERS or small in DATE_WORDS or small in TITLES:
        return True
    return lower.get(small, 0) >= _MOSTLY_LOWER * max(upper[small], 1)

"""Which nodes of the Context Tree a question reaches, and by which of their keywords. Pure: whoever has the nodes and
knows the stems of a language hands both over.

A keyword that stands in the question counts EQUAL, one that contains a word of it or is contained in one WITHIN. Of
each word of the question a node counts its best keyword, a word that few nodes answer to counting more, times the
weight of the node. A node to which no keyword of its own leads has FADE of what the nearest node above it has, for
each step between them.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import log
from typing import Protocol

from memoryapp.domain.node import EQUAL, FADE, ROOT, WITHIN, parent_of

MOST_LOADED, LOADED_BYTES = 3, 10_000  # nodes that an agent is given for a question, and bytes of them
LONGEST = 4  # words of a keyword that is looked for as a phrase
LEAST_RUN = 2  # words that may be written as one: 코드 리뷰 is 코드리뷰
LEAST_LETTERS = 3  # of what is looked for inside a word; shorter ones stand in too many
LEAST_SYLLABLES = 2
_CHARS = 64  # of a word: longer runs are no words
_WORD = re.compile(r"[^\W_]+")
# Scripts in which a character is a syllable or a word: Thai to Burmese, Khmer, kana, Han, Hangul.
_DENSE = re.compile(
    r"[\u0e01-\u0eff\u1000-\u11ff\u1780-\u17ff\u3005-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    r"\U00020000-\U0003ffff]"
)
# What a Korean word may carry behind it. Only what is left of a word is compared, so that a particle taken off too
# much does no harm where no keyword is so short.
_PARTICLES = """
    은 는 이 가 을 를 의 에 에서 에게 에게서 한테 한테서 께 께서 으로 로 으로서 로서 으로써 로써 와 과 랑 이랑
    하고 도 만 까지 부터 마다 조차 마저 밖에 보다 처럼 같이 만큼 대로 이나 나 이든 든 이라도 라도 이란 란
    이라는 라는 이라고 라고 이며 며 이고 이야 야 이에요 예요 이지 지 인지 인가 인가요 일까 일까요 입니다
    입니까 들
"""
_PARTICLE = re.compile(rf"(?<=\w)(?:{'|'.join(sorted(_PARTICLES.split(), key=len, reverse=True))})$")
Stem = Callable[[str], str]


class Reachable(Protocol):
    """What is asked of a node; store.nodes.Outline has it."""

    @property
    def id(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def keywords(self) -> tuple[str, ...]: ...
    @property
    def weight(self) -> float: ...
    @property
    def has_file(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Match:
    """`word`: of the question, as it stands there; `grade`: EQUAL or WITHIN."""

    word: str
    keyword: str
    grade: float


@dataclass(frozen=True, slots=True)
class NodeReach:
    """`own`: by a keyword of its own; else `matches` are those of the node at `via`, the nearest above it that has
    some."""

    id: str
    path: str
    score: float
    own: bool
    matches: tuple[Match, ...]
    via: str


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the question: as it stands there, folded, and what it may be compared as, itself first. A word that
    says nothing alone (`idle`) only counts inside a phrase."""

    said: str
    folded: str
    forms: tuple[str, ...]
    idle: bool


class Signs:
    """The keywords of a tree, ready to be looked up; made once for a state of the tree. `stem`: what the forms of a
    word have in common, "" for a word that says nothing; asked for words of letters only, never for syllables."""

    def __init__(self, nodes: Iterable[Reachable], *, stem: Stem = str) -> None:
        self.nodes: tuple[Reachable, ...] = tuple(node for node in nodes if node.path != ROOT)
        self.stem = stem
        self.keywords: list[str] = []  # each once, however many nodes have it
        self.owners: list[list[int]] = []  # by keyword, positions in `nodes`
        self.equal: dict[str, list[int]] = {}  # what a keyword is compared as → its numbers
        self.whole: dict[str, list[int]] = {}  # keywords of one word, folded → their numbers
        self.parts: dict[str, list[int]] = {}  # a word of a keyword of several, as it is compared → its numbers
        self.longest = LEAST_RUN  # words of the question that are looked for together
        numbers: dict[str, int] = {}
        for at, node in enumerate(self.nodes):
            for keyword in node.keywords:
                folded = " ".join(folded_words(keyword))
                if not folded:
                    continue
                if folded not in numbers:
                    numbers[folded] = self._add(keyword, folded.split())
                owners = self.owners[numbers[folded]]
                if not owners or owners[-1] != at:
                    owners.append(at)

    def _add(self, keyword: str, words: Sequence[str]) -> int:
        number = len(self.keywords)
        self.keywords.append(keyword)
        self.longest = min(max(self.longest, len(words)), LONGEST)
        self.owners.append([])
        self.equal.setdefault(_join_words([self.form(word) or word for word in words]), []).append(number)
        for part in dict.fromkeys(map(self.form, words)) if len(words) > 1 else ():
            if part and _long_enough(part):
                self.parts.setdefault(part, []).append(number)
        if " " not in (whole := _join_words(words)):
            self.whole.setdefault(whole, []).append(number)
        return number

    def form(self, word: str) -> str:
        """What a folded word is compared as."""
        return word if _DENSE.search(word) else self.stem(word)

    @cached_property
    def signed(self) -> int:
        """Nodes that have keywords."""
        return len({at for owners in self.owners for at in owners})

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """By node the position of the nearest one above it that there is; −1 for none."""
        at = {node.path: n for n, node in enumerate(self.nodes)}
        found = []
        for node in self.nodes:
            path = parent_of(node.path)
            while path and path not in at:
                path = parent_of(path)
            found.append(at.get(path, -1))
        return tuple(found)

    @cached_property
    def _joined(self) -> tuple[str, list[int], list[str]]:
        """(all keywords of one word, one after the other; where each begins; each), to be searched at once."""
        texts = list(self.whole)
        starts, end = [], 0
        for text in texts:
            starts.append(end)
            end += len(text) + 1
        return "\n".join(texts), starts, texts

    def containing(self, part: str) -> Iterator[str]:
        """Keywords of one word, folded, in which `part` stands."""
        joined, starts, texts = self._joined
        at = joined.find(part)
        while at >= 0:
            place = bisect_right(starts, at) - 1
            yield texts[place]
            at = joined.find(part, starts[place] + len(texts[place]))


def reach(question: str, nodes: Iterable[Reachable] | Signs, *, stem: Stem = str) -> tuple[NodeReach, ...]:
    """The nodes with a file that the question reaches, the best first, equal ones in order of their paths.

    score = weight · Σ rarity(word) · grade over the words of the question that a keyword of the node answers to, with
    rarity = ln(1 + N/n) / ln(1 + N) where n of the N nodes that have keywords answer to the word: 1 for a word that is
    one node's alone. Without a keyword of its own a node has weight · FADE^steps · score of the nearest one above it
    that has. The root neither is reached nor hands anything down: it would reach all.
    """
    signs = nodes if isinstance(nodes, Signs) else Signs(nodes, stem=stem)
    words = _words(question, signs)
    found = _keyword_spans(words, signs)
    own = _own_scores(words, found, signs)
    reached = []
    for at, node in enumerate(signs.nodes):
        if not node.has_file:
            continue
        source, steps = at, 0
        while source >= 0 and source not in own:
            source, steps = signs.parents[source], steps + 1
        if source < 0:
            continue
        score, matches = own[source]
        if steps:
            score *= FADE**steps * node.weight
        if score > 0:
            via = signs.nodes[source].path
            reached.append(NodeReach(node.id, node.path, score, not steps, matches, via))
    return tuple(sorted(reached, key=lambda one: (-one.score, one.path)))


def loaded_count(sizes: Sequence[int]) -> int:
    """How many of the nodes reached, in their order, are given whole: the first, and of the next MOST_LOADED − 1 those
    before LOADED_BYTES are passed. `sizes` in bytes."""
    taken = 0
    for n, size in enumerate(sizes[:MOST_LOADED]):
        taken += size
        if n and taken > LOADED_BYTES:
            return n
    return min(len(sizes), MOST_LOADED)


def answers(word: str, keyword: str, *, stem: Stem = str) -> float:
    """EQUAL, WITHIN or 0: how a keyword answers to a word or a few."""
    signs = Signs([_Lone((keyword,))], stem=stem)
    grades = (grade for matched in _keyword_spans(_words(word, signs), signs).values() for grade in matched.values())
    return max(grades, default=0.0)


@dataclass(frozen=True, slots=True)
class _Lone:
    keywords: tuple[str, ...]
    id: str = ""
    path: str = "lone"
    weight: float = 1.0
    has_file: bool = True


def folded_words(text: str) -> list[str]:
    """The words of a text in lower case, whatever its writing of letters and syllables."""
    return [word[:_CHARS] for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold())]


def _words(question: str, signs: Signs) -> tuple[_Word, ...]:
    said = [word[:_CHARS] for word in _WORD.findall(unicodedata.normalize("NFKC", question))]
    return tuple(_word(one, signs) for one in said)


def _word(said: str, signs: Signs) -> _Word:
    folded = said.casefold()
    bare = (folded, *_without_particles(folded))
    forms = tuple(form for one in bare if (form := signs.form(one)))
    # “IT” in capitals is a thing; “it” is not.
    idle = not forms and not (said.isupper() and len(said) > 1)
    return _Word(said, folded, forms or (folded,), idle)


def _without_particles(word: str) -> Iterator[str]:
    """가치관에서는 → 가치관에서 → 가치관."""
    for _ in range(2):
        shorter = _PARTICLE.sub("", word, count=1)
        if shorter == word:
            return
        yield (word := shorter)


def _join_words(words: Iterable[str]) -> str:
    """Words as one string; syllables run together, as 코드 리뷰 is written 코드리뷰 as well."""
    text = ""
    for word in words:
        apart = text and not (_DENSE.search(text[-1]) and _DENSE.search(word[0]))
        text += f" {word}" if apart else word
    return text


Spans = Mapping[tuple[int, int], Mapping[int, float]]  # (first word, words) → keyword number → grade


def _keyword_spans(words: Sequence[_Word], signs: Signs) -> Spans:
    """Which keywords answer to which runs of words. The same word twice is looked for once."""
    found: dict[tuple[int, int], dict[int, float]] = {}
    seen: set[str] = set()
    for start, word in enumerate(words):
        for size in range(1, min(signs.longest, len(words) - start) + 1):
            run = words[start : start + size]
            if all(one.idle for one in run):
                continue
            for forms in product(*(one.forms for one in run)):
                for number in signs.equal.get(_join_words(forms), ()):
                    found.setdefault((start, size), {})[number] = EQUAL
        if not word.idle and word.folded not in seen:
            seen.add(word.folded)
            for number in _partial_matches(word, signs):
                found.setdefault((start, 1), {}).setdefault(number, WITHIN)
    return found


def _partial_matches(word: _Word, signs: Signs) -> Iterator[int]:
    """Keywords of one word that contain the word or are contained in it, and those of several of which it is one."""
    for form in word.forms:
        yield from signs.parts.get(form, ())
    for part in dict.fromkeys((word.folded, *_without_particles(word.folded))):
        if _long_enough(part):
            for text in signs.containing(part):
                yield from signs.whole[text]
    for begin in range(len(word.folded)):
        for end in range(begin + LEAST_SYLLABLES, len(word.folded) + 1):
            part = word.folded[begin:end]
            if part in signs.whole and _long_enough(part):
                yield from signs.whole[part]


def _long_enough(part: str) -> bool:
    return len(part) >= (LEAST_SYLLABLES if _DENSE.search(part) else LEAST_LETTERS)


def _own_scores(words: Sequence[_Word], found: Spans, signs: Signs) -> dict[int, tuple[float, tuple[Match, ...]]]:
    """By node to which a keyword of its own leads: (score, the best match of each word)."""
    best: dict[int, dict[str, tuple[float, int, int, int]]] = {}  # node → word → (grade, words of the run, …)
    for (start, size), matched in found.items():
        for number, grade in matched.items():
            for at in signs.owners[number]:
                mine = best.setdefault(at, {})
                for word in words[start : start + size]:
                    told = (grade, size, -start, -number)
                    if not word.idle and told > mine.get(word.folded, (0.0, 0, 0, 0)):
                        mine[word.folded] = told
    answering: dict[str, int] = {}
    for mine in best.values():
        for word_ in mine:
            answering[word_] = answering.get(word_, 0) + 1
    rarity = {word: log(1 + signs.signed / n) / log(1 + signs.signed) for word, n in answering.items()}
    scored = {}
    for at, mine in best.items():
        score = sum(rarity[word] * told[0] for word, told in mine.items()) * signs.nodes[at].weight
        used = sorted(dict.fromkeys(mine.values()), reverse=True)
        matches = (
            Match(" ".join(one.said for one in words[-start : -start + size]), signs.keywords[-number], grade)
            for grade, size, start, number in used
        )
        scored[at] = (score, tuple(matches))
    return scored

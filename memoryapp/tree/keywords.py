"""Suggested keywords of a node, by which a question may reach it: words often in it and seldom in other nodes.

A word's points are (1 + ln tf) · ln((N + 2)/(df + 1)), N other nodes, df of them with the word (Spärck Jones 1972, with
one added so that a tree of a single node ranks by tf), times what its form tells: a name, a name in code, a heading.
A Korean word is counted by its noun, without the particle, where form and text tell that it is one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from memoryapp.domain.node import KEYWORD_CHARS, ROOT, Node, parent_of
from memoryapp.extraction.entities.candidates import NameClue, candidates, mask_code
from memoryapp.extraction.entities.stoplists import DATE_WORDS, OPENERS, is_common
from memoryapp.index import spans, tokens
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.tree.markdown import blocks_of, lines_of_text
from memoryapp.tree.write import node_at

# Particles that are hardly ever the end of a noun, the longest first; with those that a final consonant decides.
_SURE = tuple(
    "에서는 에서도 으로는 으로도 에게서 까지는 이라는 에서 에게 으로 까지 부터 처럼 마다 에는 에도 에".split()  # noqa: SIM905
)
_AFTER_CONSONANT, _AFTER_VOWEL = ("은", "을", "과"), ("는", "를", "와", "가")
_UNSURE = ("이", "의", "도", "만", "로", "보다", "라고", "이나", "하고")
# Ends of verbs and adjectives: a word that has one names nothing.
_VERBAL = tuple(
    """
    니다 한다 된다 했다 하는 되는 있는 없는 하고 하며 하면 해서 하여 되어 하기 어요 아요 세요 지만 는데 인다 이다 있다
    없다 었다 았다 였다 는다 같은 때문
    """.split()  # noqa: SIM905
)
MOST = 8
_HEADING, _NAME, _CODE = 1.8, 1.6, 1.4
_COMMON, _TAKEN = 0.45, 0.35  # words of every day; keywords that a sibling has already
_ONCE = 0.4  # a plain word that stands there once: it came up, and is not what the node is about
_COMPARED = 400  # nodes that a node is compared with: reading them all would take seconds in a large tree
_LEAST = 0.25  # of the best word's points: less tells too little
_HANGUL = re.compile(r"[\uac00-\ud7a3]+")
_DIGEST = re.compile(r"(?=.*\d)[0-9a-f]{6,}")
_ADDRESS = re.compile(r"https?://\S+|\]\([^)\s]*\)|<[^>\s]*>")
_EVERYDAY = frozenset(
    """
    about after again also always another anything because before being best better both came case come could different
    does doing done each easy else enough even ever every everything example few first following found gave get gets
    give given goes going good got great had hand hard having help here how however into its itself just keep kept kind
    know known last later least less let like little long look looks lot made main make makes making many matter maybe
    mean means might more most much must need needs never new next nothing now often once one ones only other others our
    out over own part place please point possible probably put quite rather really right run said same say says second
    see seen several shall should since small some something sometimes soon still such sure take taken takes tell than
    that their them then there these they thing things think this those though three through time times today together
    told too took try turn two under until upon use used useful uses using usually very want wants was way ways well
    went were what when where whether which while who whole why will with within without work works would year years yes
    yet you your
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """In how many of `count` other texts each term stands."""

    count: int = 0
    having: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Elsewhere:
        having: Counter[str] = Counter()
        count = 0
        for text in texts:
            having.update(set(tokens(text)))
            count += 1
        return cls(count, having)

    def and_of(self, others: Elsewhere) -> Elsewhere:
        return Elsewhere(self.count + others.count, self.having + others.having)

    def rarity(self, terms: Collection[str]) -> float:
        """Of a name of several words: that of its rarest."""
        return math.log((self.count + 2) / (min(self.having[term] for term in terms) + 1))


def suggest_keywords(space: Space, path: str) -> tuple[str, ...]:
    """At most MOST, the most telling first, without those that it has already. Raises BadInput, NotFound."""
    node = node_at(space, path)
    others = [one for one in nodes.every(space.db) if one.id != node.id and one.path != ROOT]
    taken = taken_beside(others, node.path)
    own = {word.casefold() for word in node.keywords}
    found = best_keywords(node.text, title=node.title, elsewhere=elsewhere(others), taken=taken, most=MOST + len(own))
    return tuple(word for word in found if word.casefold() not in own)[:MOST]


def elsewhere(others: Sequence[Node]) -> Elsewhere:
    """What other nodes say; of more than _COMPARED, of as many evenly taken."""
    step = math.ceil(len(others) / _COMPARED) or 1
    return Elsewhere.of(f"{one.title}\n{one.text}" for one in others[::step])


def taken_beside(others: Iterable[Node], path: str) -> frozenset[str]:
    """Keywords of the nodes beside a path, in small letters."""
    beside = (one for one in others if parent_of(one.path) == parent_of(path) and one.path != path)
    return frozenset(word.casefold() for one in beside for word in one.keywords)


def best_keywords(
    text: str, *, title: str, elsewhere: Elsewhere, taken: Collection[str] = frozenset(), most: int = MOST
) -> tuple[str, ...]:
    """Keywords of a markdown. `taken`: in small letters, those that would have to be much better than any other."""
    words = _count_terms(text, title)
    points = {key: one.points(elsewhere, taken) for key, one in words.items()}
    best = max(points.values(), default=0.0)
    chosen: list[tuple[str, ...]] = []
    for key in sorted(points, key=lambda key: (-points[key], words[key].first, key)):
        if len(chosen) == most or points[key] < _LEAST * best:
            break
        if not any(_says_no_more(key, words, other) for other in chosen):
            chosen.append(key)
    return tuple(dict.fromkeys(words[key].spelled for key in chosen))


@dataclass(slots=True)
class _Word:
    """A word or name by its terms: how it is spelled, how often it stands there, and what its form tells."""

    terms: tuple[str, ...]
    first: int
    spellings: Counter[str] = field(default_factory=Counter)
    form: float = 1.0
    heading: bool = False

    @property
    def count(self) -> int:
        return self.spellings.total()

    @property
    def spelled(self) -> str:
        return min(self.spellings, key=lambda one: (-self.spellings[one], len(one), one))

    def points(self, others: Elsewhere, taken: Collection[str]) -> float:
        told = (1 + math.log(self.count)) * others.rarity(self.terms) * self.form * (_HEADING if self.heading else 1.0)
        once = self.count == 1 and self.form <= 1.0 and not self.heading and not _HANGUL.search(self.spelled)
        return told * (_ONCE if once else 1.0) * (_TAKEN if self.spelled.casefold() in taken else 1.0)


def _count_terms(text: str, title: str) -> dict[tuple[str, ...], _Word]:
    lines = lines_of_text(text)
    blocks = blocks_of(lines)
    headed = "\n".join(dict.fromkeys([title, *(block.title for block in blocks if block.level)]))
    below = "".join("".join(lines[block.first : block.last]) for block in blocks if not block.level)
    prose, code = mask_code(_ADDRESS.sub(" ", below))
    korean = frozenset(_HANGUL.findall(f"{headed}\n{prose}"))
    found: dict[tuple[str, ...], _Word] = {}
    _count_words(found, prose, korean)
    for span in code:
        _count_words(found, span, korean, form=_CODE)
    in_headings: dict[tuple[str, ...], _Word] = {}
    _count_words(in_headings, headed, korean)
    for key, word in in_headings.items():
        known = found.setdefault(key, _Word(word.terms, len(found)))
        known.heading = True
        # In a title every word may have a capital, which tells nothing of this one.
        known.spellings.update({_lower_capital(one): count for one, count in word.spellings.items()})
        if known.spelled.casefold() not in _EVERYDAY:
            known.form = max(known.form, 1.0)  # a word of computing is what a text is about where it heads one
    _count_names(found, text)
    return found


def _count_words(found: dict[tuple[str, ...], _Word], text: str, korean: Collection[str], *, form: float = 1.0) -> None:
    for term, first, last in spans(text):
        surface = text[first:last].strip("'’")
        if _HANGUL.fullmatch(surface):
            surface = noun_of(surface, korean)
            key: tuple[str, ...] = (surface, term)  # the index knows a Korean word by two syllables: too few for a name
        else:
            key = (term,)
        if not _may_be_one(surface):
            continue
        word = found.setdefault(key, _Word((term,), len(found)))
        word.spellings[surface] += 1
        small = surface.casefold()
        word.form = max(form, word.form) if not (is_common(surface) or small in _EVERYDAY) else _COMMON


def _count_names(found: dict[tuple[str, ...], _Word], text: str) -> None:
    for name in candidates(text):
        terms = tuple(tokens(name.surface))
        if not terms or len(name.surface) > KEYWORD_CHARS:
            continue
        count = max(len(re.findall(re.escape(name.surface), text)), 1)
        key = terms if not _HANGUL.fullmatch(name.surface) else (name.surface, *terms)
        word = found.setdefault(key, _Word(terms, len(found)))
        word.form = max(word.form, _CODE if name.how == (NameClue.CODE,) else _NAME)
        if word.spellings[name.surface] < count:
            word.spellings[name.surface] = count


def _may_be_one(surface: str) -> bool:
    """Long enough to tell something: two syllables of Korean, a short name in capitals, else three letters."""
    if not any(c.isalpha() for c in surface) or len(surface) > KEYWORD_CHARS:
        return False
    small = surface.casefold()
    if (small in OPENERS or small in DATE_WORDS or _DIGEST.fullmatch(small)) and not _HANGUL.search(surface):
        return False
    if surface.isascii():
        return len(surface) >= 3 or (len(surface) == 2 and surface.isupper())
    return len(surface) >= 2


def _lower_capital(word: str) -> str:
    """Without the capital it begins with, unless it has others."""
    return word.casefold() if word[1:] == word[1:].casefold() else word


def _says_no_more(key: tuple[str, ...], words: dict[tuple[str, ...], _Word], other: tuple[str, ...]) -> bool:
    """Whether a word is only ever a part of a name that was chosen, or a name is one with a chosen word in it."""
    mine, theirs = set(words[key].terms), set(words[other].terms)
    if _HANGUL.search(words[key].spelled) and _HANGUL.search(words[other].spelled):
        return words[key].spelled == words[other].spelled
    return mine == theirs or (mine < theirs and words[key].count <= words[other].count)


# ── Korean nouns


def noun_of(word: str, words: Collection[str]) -> str:
    """The noun of a run of Hangul; "" for what is none. `words`: all such runs of the text: a particle that could as
    well be the noun's last syllable is taken off where the noun stands in the text without it."""
    if len(word) < 2 or word.endswith(_VERBAL):
        return ""
    for particle in _SURE:
        if word.endswith(particle) and len(word) - len(particle) >= 2:
            return word[: -len(particle)]
    stem, last = word[:-1], word[-1]
    if len(stem) >= 2 and last in (_AFTER_CONSONANT if ends_in_consonant(stem) else _AFTER_VOWEL):
        return stem
    for particle in _UNSURE:
        stem = word.removesuffix(particle)
        if stem != word and len(stem) >= 2 and _stands_alone(stem, word, words):
            return stem
    return word


def ends_in_consonant(word: str) -> bool:
    """Whether its last syllable has a final consonant, which decides the form of what follows."""
    return (ord(word[-1]) - 0xAC00) % 28 != 0


def _stands_alone(stem: str, word: str, words: Collection[str]) -> bool:
    """Bare, or with a particle that only a noun has."""
    other = _AFTER_CONSONANT if ends_in_consonant(stem) else _AFTER_VOWEL
    return stem in words or any(stem + particle in words for particle in (*other, *_SURE) if stem + particle != word)

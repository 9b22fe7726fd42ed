"""A parsed sentence in, the classes it gives without a verb out: “X, a Y,”, “Ys such as X”, “X and other Ys”, “a Y
named X”."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memoryapp.domain.relation import Stated
from memoryapp.extract.facts.words import words
from memoryapp.extract.relations.classes import class_at, instances
from memoryapp.extract.relations.ends import end_at, examples_of
from memoryapp.extract.relations.proper import is_proper
from memoryapp.extract.relations.read import Sentence

_A = words("a an")
_NAMED = words("named called nicknamed")


def by_naming(sentence: Sentence) -> Iterator[Stated]:
    for place, word in enumerate(sentence.words):
        below = [sentence.words[one] for one in sentence.children[place]]
        if word.dep == "appos":
            yield from _apposed(sentence, place)
        if word.tag == "NNS" and not any(one.dep == "poss" for one in below):
            yield from _made_out(sentence, examples_of(sentence, place), place, "such as")
        if word.tag == "NNS" and word.dep == "conj" and any(one.lower == "other" for one in below):
            yield from _made_out(sentence, _before(sentence, place), place, "and other")
        if word.tag == "NN" and any(one.dep == "acl" and one.lower in _NAMED for one in below):
            end = end_at(sentence, place)
            yield from instances([end] if end else [], class_at(sentence, place), label="is a")


def _made_out(sentence: Sentence, given: Iterable[int], kind: int, label: str) -> Iterator[Stated]:
    ends = [end for one in given if (end := end_at(sentence, one))]
    yield from instances(ends, class_at(sentence, kind), label=label)


def _before(sentence: Sentence, place: int) -> list[int]:
    """What the last of a list is joined to."""
    chain: list[int] = []
    while sentence.words[place].dep == "conj" and sentence.words[place].head not in chain:
        place = sentence.words[place].head
        chain.insert(0, place)
    return chain


def _apposed(sentence: Sentence, place: int) -> Iterator[Stated]:
    """“Neovim, a text editor,”."""
    head = sentence.words[place].head
    comma = any(word.text in (",", "(", "—", "–") for word in sentence.words[head + 1 : place])
    if head < place and comma and is_proper(sentence, head) and is_indefinite(sentence, place, head):
        yield from instances([end for end in [end_at(sentence, head)] if end], class_at(sentence, place), label="a")


def is_indefinite(sentence: Sentence, noun: int, subject: int) -> bool:
    """“a database”; without an article where several are named: “Postgres and MySQL are databases”."""
    articles = [sentence.words[one].lower for one in sentence.children[noun] if sentence.words[one].dep == "det"]
    if sentence.words[noun].tag == "NN":
        return bool(articles) and articles[0] in _A
    several = any(sentence.words[one].dep == "conj" for one in sentence.children[subject])
    return sentence.words[noun].tag == "NNS" and not articles and several

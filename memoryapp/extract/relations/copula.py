"""A parsed sentence in, what “is” states in it out: classes (“X is a Y”), roles (“Priya is my manager”), and what
somebody is good at or a fan of. Of classes only the plain forms: nothing is wrong so often."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.domain.relation import Named, Stated
from memoryapp.domain.relation import RelationType as T
from memoryapp.extract.facts.words import TRADES, words
from memoryapp.extract.relations.classes import MADE_OUT, class_at, instances, is_tool, singular
from memoryapp.extract.relations.ends import end_at, ends_at, speaker_of
from memoryapp.extract.relations.examples import is_indefinite
from memoryapp.extract.relations.kinds import PERSON, PLACE
from memoryapp.extract.relations.lists import PETS
from memoryapp.extract.relations.proper import is_proper
from memoryapp.extract.relations.read import Sentence
from memoryapp.extract.relations.settle import fitted, settled
from memoryapp.extract.relations.taxonomy import Typed, looked_up
from memoryapp.extract.relations.text import End
from memoryapp.extract.relations.wishes import Status, status_of

SURE = 0.7
_IS = words("is are am 's 're 'm")
_FAVORITE = words("favorite favourite")
_KIND = words("kind type sort form")


def by_being(sentence: Sentence) -> Iterator[Stated]:
    for place, word in enumerate(sentence.words):
        now = word.lower in _IS and word.tag in ("VBZ", "VBP") and word.dep not in ("aux", "auxpass")
        if (now or _has_been(sentence, place)) and status_of(sentence, place) is Status.SO:
            yield from _is(sentence, place, classes=now)
        if word.dep == "appos":
            yield from _named_kin(sentence, word.head, place)
        elif word.dep == "compound" and word.tag == "NN" and place + 1 == word.head:
            yield from _named_kin(sentence, place, word.head)


def _has_been(sentence: Sentence, verb: int) -> bool:
    """“has been a member of”; of classes it tells too often what something was like (“has been a long road”)."""
    below = (sentence.words[one] for one in sentence.children[verb])
    return sentence.words[verb].lower == "been" and any(
        word.dep == "aux" and word.tag in ("VBZ", "VBP") for word in below
    )


def _is(sentence: Sentence, verb: int, *, classes: bool) -> Iterator[Stated]:
    subject = sentence.subject_of(verb)
    if subject is None or subject > verb:
        return
    ends = ends_at(sentence, subject)
    for child in sentence.children[verb]:
        word = sentence.words[child]
        if word.dep == "attr":
            yield from _favorite(sentence, subject, child) or _role(sentence, subject, ends, child, classes)
        elif word.dep == "acomp":
            yield from _after(sentence, ends, child)
        elif word.dep == "prep" and word.lower == "in":
            places = [end for one in _under(sentence, child) for end in ends_at(sentence, one) if end.kind == PLACE]
            things = [end for end in ends if end.kind != PERSON]
            yield from (_made(a, T.LOCATED_IN, b, "is in") for a in things for b in places)
        elif word.dep == "prep" and word.lower == "into":
            likes = [end for one in _under(sentence, child) for end in ends_at(sentence, one)]
            yield from (_made(a, T.PREFERS, b, "is into") for a in ends if a.kind == PERSON for b in likes)


def _favorite(sentence: Sentence, subject: int, attribute: int) -> list[Stated]:
    """“My favorite editor is Neovim”, “Neovim is my favorite”."""
    for noun, other in ((subject, attribute), (attribute, subject)):
        below = sentence.children[noun]
        if sentence.words[noun].lower in _FAVORITE or any(sentence.words[one].lower in _FAVORITE for one in below):
            liked = [end for end in ends_at(sentence, other) if end.is_name]
            return [_made(owner, T.PREFERS, end, "favorite") for owner in _owners(sentence, noun) for end in liked]
    return []


def _role(sentence: Sentence, subject: int, ends: list[End], attribute: int, classes: bool) -> Iterator[Stated]:
    noun = sentence.words[attribute].lower
    if is_proper(sentence, attribute):  # “My manager is Priya”
        held = _typed_role(sentence.words[subject].lower)
        names = [end for end in ends_at(sentence, attribute) if end.is_name]
        if held:
            for owner in _owners(sentence, subject):
                yield from _held(names, held, owner, sentence.words[subject].lower)
        elif is_tool(sentence.words[subject].lower):  # “My editor is Neovim”, “Jiwon's main database is Postgres”
            tools = [end for end in names if end.kind not in (PERSON, PLACE)]
            yield from (_made(a, T.USES, b, "") for a in _owners(sentence, subject) for b in tools)
        return
    held = _typed_role(noun)
    for owner in _owners(sentence, attribute) if held else []:
        yield from _held(ends, held, owner, noun)
    yield from _after(sentence, ends, attribute)
    if classes and noun in _KIND:
        for kind in _of(sentence, attribute):
            yield from instances(ends, class_at(sentence, kind), label="is a kind of")
    elif classes and is_indefinite(sentence, attribute, subject):
        yield from instances(ends, class_at(sentence, attribute), label="is a")


def _typed_role(noun: str) -> Typed | None:
    return looked_up(f"{noun} of")


def _held(ends: list[End], held: Typed | None, owner: End, label: str) -> Iterator[Stated]:
    for end in ends:
        if held and end.is_name and end.named != owner.named:
            pair = (owner, end) if held.turned else (end, owner)
            yield _made(pair[0], held.type, pair[1], label)


def _owners(sentence: Sentence, noun: int) -> list[End]:
    """Whose it is: “my”, “Mina's”."""
    for child in sentence.children[noun]:
        if sentence.words[child].dep == "poss":
            end = speaker_of(sentence, child) if sentence.words[child].lower in ("my", "our") else None
            end = end or (end_at(sentence, child) if is_proper(sentence, child) else None)
            return [end] if end else []
    return []


def _after(sentence: Sentence, ends: list[End], word: int) -> Iterator[Stated]:
    """“proficient in Rust”, “a fan of Ghibli”, “an engineer at Hangang Labs”: by the word and its preposition."""
    small = sentence.words[word].lower
    for child in sentence.children[word]:
        if sentence.words[child].dep != "prep":
            continue
        phrase = f"{small} {sentence.words[child].lower}"
        typed = looked_up(phrase)
        if typed is None and small in TRADES and phrase.endswith(" at"):
            typed = Typed(T.WORKS_AT)
        for other in _under(sentence, child) if typed else []:
            for object in ends_at(sentence, other):
                for subject in ends:
                    pair = (object, subject) if typed and typed.turned else (subject, object)
                    kind = settled(typed.type, phrase, *pair, going_on=False) if typed else None
                    if kind and kind is not T.IS_A and pair[0].named != pair[1].named:
                        yield _made(pair[0], kind, pair[1], phrase)


def _named_kin(sentence: Sentence, noun: int, name: int) -> Iterator[Stated]:
    """“my sister Jane”, “my dog Pixel”: to the parser an apposition of the noun, or a name that the noun is part of."""
    small = sentence.words[noun].lower
    held = Typed(T.OWNS, turned=True) if small in PETS else _typed_role(small)
    end = end_at(sentence, name) if held and is_proper(sentence, name) else None
    if end is None:
        return
    if small in PETS:
        end = End(Named(end.named.name), end.place, noun=small)
    for owner in _owners(sentence, noun) or _owners(sentence, name):
        yield from _held([end], held, owner, small)
        if small in PETS:
            yield from instances([end], singular(small), label="")


def _under(sentence: Sentence, preposition: int) -> list[int]:
    return [one for one in sentence.children[preposition] if sentence.words[one].dep == "pobj"]


def _of(sentence: Sentence, noun: int) -> list[int]:
    below = (one for one in sentence.children[noun] if sentence.words[one].lower == "of")
    return [place for one in below for place in _under(sentence, one)]


def _made(subject: End, kind: T, object: End, label: str) -> Stated:
    names = subject.is_name and object.is_name
    subject, object = fitted(kind, subject, object)
    return Stated(subject.named, kind, object.named, SURE if names else MADE_OUT, label)

"""A noun in a sentence in, the entity it names out: names as a whole, chunks of two words and more, “I” as the
speaker. No pronouns, no single common nouns."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.domain.relation import Named
from memoryapp.extract.concepts import NAME_CHARS
from memoryapp.extract.facts.words import KIN, TRADES, words
from memoryapp.extract.relations.kinds import ORGANIZATION, PERSON, PROJECT, TOOL
from memoryapp.extract.relations.lists import LIGHT_HEADS, NOT_PART, PETS
from memoryapp.extract.relations.proper import is_proper, known_type, name_at
from memoryapp.extract.relations.read import Sentence
from memoryapp.extract.relations.text import End
from memoryapp.extract.stoplists import DATE_WORDS, OPENERS

_FIRST = words("i me we us myself")
_USERS = words("user")
_INSIDE = ("compound", "nmod", "amod")
_MOST_WORDS = 4
_NAMING = words("named called nicknamed")
# “the Atlas project” is Atlas, which is a project.
_GENERIC = {"project": PROJECT, "initiative": PROJECT, "company": ORGANIZATION, "startup": ORGANIZATION}
_GENERIC |= dict.fromkeys(words("app editor framework language library database tool repo repository server"), TOOL)


def ends_at(sentence: Sentence, place: int) -> list[End]:
    """What the noun at a place names, and what is joined to it by “and” or “or”."""
    joined = [one for each in (place, *_joined(sentence, place)) for one in (each, *examples_of(sentence, each))]
    return [end for one in joined if (end := end_at(sentence, one)) is not None]


def _joined(sentence: Sentence, place: int) -> Iterator[int]:
    for child in sentence.children[place]:
        verb = sentence.words[child].is_verb and not is_proper(sentence, child)  # “Rust and Go”
        if sentence.words[child].dep == "conj" and not verb and not opens_clause(sentence, child):
            yield child
            yield from _joined(sentence, child)


def opens_clause(sentence: Sentence, place: int) -> bool:
    """Whether a name is who does what comes next, though the parser joins it to the one before: “lives in Seoul and
    Mina works at …”."""
    verb = place + 1
    if verb >= len(sentence.words) or sentence.words[place].dep != "conj" or not is_proper(sentence, place):
        return False
    return sentence.words[verb].tag in ("VBZ", "VBD") and sentence.subject_of(verb) is None


def examples_of(sentence: Sentence, place: int) -> Iterator[int]:
    """Places of the nouns that are named as examples: “databases such as Postgres”, “tools, including Terraform”."""
    if sentence.words[place].tag != "NNS":
        return
    for child in sentence.children[place]:
        word = sentence.words[child]
        such = word.lower == "as" and any(
            sentence.words[one].lower == "such" for one in (child - 1, *sentence.children[child])
        )
        if word.dep == "prep" and (such or word.lower == "including"):
            for one in sentence.children[child]:
                if sentence.words[one].dep == "pobj":
                    yield one
                    yield from _joined(sentence, one)


def end_at(sentence: Sentence, place: int) -> End | None:
    word = sentence.words[place]
    if word.lower in _FIRST:
        return speaker_of(sentence, place)
    if word.lower in _USERS and _has(sentence, place, "det", "the"):
        return speaker_of(sentence, place) or End(Named("user", PERSON), place)
    if place in sentence.known or is_proper(sentence, place):
        return name_at(sentence, place)
    if (word.tag not in ("NN", "NNS") and not word.tag.startswith("NNP")) or word.lower in OPENERS:
        return None
    return _told_name(sentence, place) or _chunk(sentence, place)


def speaker_of(sentence: Sentence, place: int) -> End | None:
    name = (sentence.speaker or "").strip()
    return End(Named(name, PERSON), place) if name else None


def _told_name(sentence: Sentence, place: int) -> End | None:
    """A name that a common noun is given: “my sister Jane”, “our database, Postgres”, “a cat named Miso”, “the Atlas
    project”."""
    for child in sentence.children[place]:
        word = sentence.words[child]
        if word.dep == "appos" and is_proper(sentence, child) and sentence.words[place].tag != "NNS":
            end = name_at(sentence, child)
            return _as_kin(end, sentence.words[place].lower) if end else None
        if word.dep == "acl" and word.lower in _NAMING:
            given = next((one for one in sentence.children[child] if sentence.words[one].dep in ("oprd", "dobj")), None)
            end = name_at(sentence, given) if given is not None and is_proper(sentence, given) else None
            return _as_kin(end, sentence.words[place].lower) if end else None
    kind = _GENERIC.get(sentence.words[place].lower)
    first = place - 1
    if kind and first > 0 and sentence.words[first].dep == "compound" and is_proper(sentence, first):
        end = name_at(sentence, first)
        if end and _has(sentence, place, "det", "the"):
            return End(Named(end.named.name, known_type(sentence, end.named.name) or kind), place)
    return None


def _as_kin(end: End, noun: str) -> End:
    kind = "" if noun in PETS else PERSON if noun in KIN or noun in TRADES else end.kind
    return End(Named(end.named.name, kind), end.place, noun=noun)


def _chunk(sentence: Sentence, place: int) -> End | None:
    """Two common words and more that say what something is: “deployment pipeline”. Not “a big thing”, “two tests”."""
    head = sentence.words[place]
    below = [sentence.words[one] for one in sentence.children[place]]
    named = any(word.dep == "compound" and word.text[:1].isupper() for word in below)  # “the ETL job”
    if (head.lower in LIGHT_HEADS and not named) or head.lower in DATE_WORDS or head.lower in KIN:
        return None
    run = modifiers(sentence, place)
    spoken = [sentence.words[one] for one in (*run, place) if sentence.words[one].text != "-"]
    if not 2 <= len(spoken) <= _MOST_WORDS or any(word.dep == "nummod" for word in below):
        return None
    told = "".join(sentence.spelled(one) + " " * sentence.words[one].space for one in (*run, place)).strip()
    return End(Named(told, known_type(sentence, told)), place, is_name=False) if len(told) <= NAME_CHARS else None


def modifiers(sentence: Sentence, place: int) -> list[int]:
    """Places of the words before a noun that are part of what it names: “trunk-based” of “trunk-based development”."""
    run: list[int] = []
    at = place - 1
    while at >= 0:
        word = sentence.words[at]
        joined = bool(run) and (word.text == "-" or sentence.words[run[0]].text == "-")  # “trunk”, “-”
        inside = word.head in (*run, place) and word.dep in _INSIDE and word.tag not in ("CD", "JJR", "JJS")
        if not joined and (not inside or word.lower in NOT_PART or word.lower in DATE_WORDS):
            break
        run.insert(0, at)
        at -= 1
    return run[1:] if run and sentence.words[run[0]].text == "-" else run


def _has(sentence: Sentence, place: int, dep: str, lower: str) -> bool:
    return any(
        sentence.words[one].dep == dep and sentence.words[one].lower == lower for one in sentence.children[place]
    )

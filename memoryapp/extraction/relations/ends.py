"""The entity that a noun names: a name as a whole, a chunk of two words and more, “I” as the speaker. No pronouns, no
single common nouns."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.domain.relation import NamedEntity
from memoryapp.extraction.entities.candidates import NAME_CHARS
from memoryapp.extraction.entities.stoplists import DATE_WORDS, OPENERS, TITLES, is_common
from memoryapp.extraction.facts.words import KIN, TRADES
from memoryapp.extraction.relations.kinds import (
    DOUBTFUL_TOOLS,
    EVERYDAY,
    LIGHT_HEADS,
    NOT_PART,
    ORGANIZATION,
    PERSON,
    PETS,
    PROJECT,
    TOOL,
    TOOLS,
    kind_of,
)
from memoryapp.extraction.relations.sentences import End, Sentence
from memoryapp.text.wording import word_set

_WHERE = word_set("in at from to near around across through outside inside within toward towards")
_OF_SOMETHING = word_set("bank university institute ministry museum college school city bay republic game lord house")


def is_proper(sentence: Sentence, place: int) -> bool:
    """A known name or one by its capital. What opens a sentence has one anyway: there the tagger must think so too."""
    if place in sentence.known:
        return True
    word = sentence.words[place]
    text, small = word.text, word.lower
    if small in TOOLS and place > 0 and text[:1].isupper() and word.dep != "ROOT":
        return True  # “in Go”, which the tagger takes for a verb
    if small in TOOLS and (word.is_noun or word.tag in ("FW", "CD", "JJ")):
        return small not in DOUBTFUL_TOOLS or not text.islower()
    if any(letter.isupper() for letter in text[1:]) and any(letter.islower() for letter in text):
        return "'" not in text and "’" not in text  # “SurrealDB”, “iPhone”, whatever its tag
    if not text[:1].isupper() or len(text) < 2 or small in DATE_WORDS or small in OPENERS:
        return False
    if text.isupper() and any(sentence.words[child].dep in ("det", "poss") for child in sentence.children[place]):
        return False  # “the CLI”
    if word.tag.startswith("NNP"):
        return place > 0 or not is_common(small)
    if word.tag not in ("NN", "NNS", "CD", "FW", "JJ", "XX"):
        return False
    if place > 0:
        return not is_common(small) and word.tag != "JJ"
    bare = not any(
        sentence.words[child].dep in ("det", "poss", "amod", "compound") for child in sentence.children[place]
    )
    return bare and word.tag == "NN" and not (is_common(small) or small in EVERYDAY)


def name_at(sentence: Sentence, place: int) -> End | None:
    """The whole run of capitals around the head: “Hangang Labs”, “Python 3”; “Bank of Korea” where an “of” joins."""
    known = sentence.known.get(place, "")
    run = [place]
    while (before := run[0] - 1) >= 0 and _is_part_of_name(sentence, before, run):
        run.insert(0, before)
    while (after := run[-1] + 1) < len(sentence.words) and _is_part_of_name(sentence, after, run):
        run.append(after)
    while len(run) > 1 and sentence.words[run[0]].lower.rstrip(".") in TITLES:
        run = run[1:]
    if run == [place] and known:
        name = known
    else:
        name = " ".join(map(sentence.spelled, run)) + _of_phrase(sentence, place)
        name = name.rstrip(".")
        if not 1 < len(name) <= NAME_CHARS or not any(letter.isalpha() for letter in name):
            return None
    given = known_type(sentence, name)
    kind = kind_of(name, label=_label(sentence, place, words=len(run)), known=given)
    return End(NamedEntity(name, kind), place, sure=bool(given))


def _is_part_of_name(sentence: Sentence, place: int, run: list[int]) -> bool:
    word = sentence.words[place]
    if word.head not in run and sentence.words[run[-1]].head != place:
        return False
    if word.dep == "nummod" or (word.tag == "CD" and place > run[-1]):
        if run[-1] in sentence.known:
            return False  # “Postgres 15” is the Postgres that is known
        return place > run[-1] and word.text.replace(".", "").isdigit() and word.head in run
    right = word.dep == "appos" and word.head == run[-1] == place - 1
    if word.dep not in ("compound", "nmod", "amod") and not right:
        return False
    capital = place in sentence.known or (word.text[:1].isupper() and word.lower not in DATE_WORDS)
    return capital and (word.tag.startswith("NNP") or (place > 0 and word.lower not in OPENERS))


def _of_phrase(sentence: Sentence, place: int) -> str:
    if place + 2 >= len(sentence.words) or sentence.words[place + 1].lower != "of":
        return ""
    if sentence.words[place].lower not in _OF_SOMETHING or not sentence.words[place + 2].text[:1].isupper():
        return ""
    return f" of {sentence.spelled(place + 2)}"


def _label(sentence: Sentence, place: int, *, words: int) -> str:
    """What the model calls it, where that can be believed: of a single word only a place, and where a place stands."""
    label = sentence.labels[place] if place < len(sentence.labels) else ""
    if words > 1 or not label:
        return label
    return label if label in ("GPE", "LOC", "FAC") and _is_where(sentence, place) else ""


def _is_where(sentence: Sentence, place: int) -> bool:
    """After “in”, “to”, “from” and the like, first or later in a list."""
    word, seen = sentence.words[place], 0
    while word.dep == "conj" and seen < len(sentence.words):
        word, seen = sentence.words[word.head], seen + 1
    return word.dep == "pobj" and sentence.words[word.head].lower in _WHERE


def known_type(sentence: Sentence, name: str) -> str:
    """The type of a known entity of this name; "" for others."""
    return sentence.types.get(name.lower(), "")


_FIRST = word_set("i me we us myself")
_USERS = word_set("user")
_INSIDE = ("compound", "nmod", "amod")
_MOST_WORDS = 4
_NAMING = word_set("named called nicknamed")
# “the Atlas project” is Atlas, which is a project.
_GENERIC = {"project": PROJECT, "initiative": PROJECT, "company": ORGANIZATION, "startup": ORGANIZATION}
_GENERIC |= dict.fromkeys(word_set("app editor framework language library database tool repo repository server"), TOOL)


def ends_at(sentence: Sentence, place: int) -> list[End]:
    """What the noun at a place names, and what is joined to it by “and” or “or”."""
    joined = [one for each in (place, *_conjuncts(sentence, place)) for one in (each, *examples_of(sentence, each))]
    return [end for one in joined if (end := end_at(sentence, one)) is not None]


def _conjuncts(sentence: Sentence, place: int) -> Iterator[int]:
    for child in sentence.children[place]:
        verb = sentence.words[child].is_verb and not is_proper(sentence, child)  # “Rust and Go”
        if sentence.words[child].dep == "conj" and not verb and not opens_clause(sentence, child):
            yield child
            yield from _conjuncts(sentence, child)


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
                    yield from _conjuncts(sentence, one)


def end_at(sentence: Sentence, place: int) -> End | None:
    """What the word there stands for in a relation: the speaker, a name or a noun; None for anything else."""
    word = sentence.words[place]
    if word.lower in _FIRST:
        return speaker_of(sentence, place)
    if word.lower in _USERS and _has_child(sentence, place, "det", "the"):
        return speaker_of(sentence, place) or End(NamedEntity("user", PERSON), place)
    if place in sentence.known or is_proper(sentence, place):
        return name_at(sentence, place)
    if (word.tag not in ("NN", "NNS") and not word.tag.startswith("NNP")) or word.lower in OPENERS:
        return None
    return _told_name(sentence, place) or _chunk(sentence, place)


def speaker_of(sentence: Sentence, place: int) -> End | None:
    """The speaker as an end; None where nobody is known to speak."""
    name = (sentence.speaker or "").strip()
    return End(NamedEntity(name, PERSON), place) if name else None


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
        if end and _has_child(sentence, place, "det", "the"):
            return End(NamedEntity(end.named.name, known_type(sentence, end.named.name) or kind), place)
    return None


def _as_kin(end: End, noun: str) -> End:
    kind = "" if noun in PETS else PERSON if noun in KIN or noun in TRADES else end.kind
    return End(NamedEntity(end.named.name, kind), end.place, noun=noun)


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
    return End(NamedEntity(told, known_type(sentence, told)), place, is_name=False) if len(told) <= NAME_CHARS else None


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


def _has_child(sentence: Sentence, place: int, dep: str, lower: str) -> bool:
    return any(
        sentence.words[one].dep == dep and sentence.words[one].lower == lower for one in sentence.children[place]
    )

"""A word in a sentence in; out whether it is a name, and the whole of the name around it. For `ends`."""

from __future__ import annotations

from memoryapp.domain.relation import Named
from memoryapp.extract.concepts import NAME_CHARS
from memoryapp.extract.facts.words import words
from memoryapp.extract.relations.kinds import kind_of
from memoryapp.extract.relations.lists import DOUBTFUL_TOOLS, EVERYDAY, TOOLS
from memoryapp.extract.relations.read import Sentence
from memoryapp.extract.relations.text import End
from memoryapp.extract.stoplists import DATE_WORDS, OPENERS, TITLES, is_common

_WHERE = words("in at from to near around across through outside inside within toward towards")
_OF_SOMETHING = words("bank university institute ministry museum college school city bay republic game lord house")


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
    while (before := run[0] - 1) >= 0 and _belongs(sentence, before, run):
        run.insert(0, before)
    while (after := run[-1] + 1) < len(sentence.words) and _belongs(sentence, after, run):
        run.append(after)
    while len(run) > 1 and sentence.words[run[0]].lower.rstrip(".") in TITLES:
        run = run[1:]
    if run == [place] and known:
        name = known
    else:
        name = " ".join(map(sentence.spelled, run)) + _of(sentence, place)
        name = name.rstrip(".")
        if not 1 < len(name) <= NAME_CHARS or not any(letter.isalpha() for letter in name):
            return None
    given = known_type(sentence, name)
    kind = kind_of(name, label=_label(sentence, place, words=len(run)), known=given)
    return End(Named(name, kind), place, sure=bool(given))


def _belongs(sentence: Sentence, place: int, run: list[int]) -> bool:
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


def _of(sentence: Sentence, place: int) -> str:
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
    return sentence.types.get(name.lower(), "")

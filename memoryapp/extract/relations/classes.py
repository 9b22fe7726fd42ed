"""A common noun in a sentence in, the class of things it stands for out: “relational database”. For `copula`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memoryapp.domain.relation import Named, RelationType, Stated
from memoryapp.extract.facts.words import KIN, TRADES, words
from memoryapp.extract.relations.ends import modifiers
from memoryapp.extract.relations.kinds import ORGANIZATION, PERSON, PLACE, PROJECT, TOOL
from memoryapp.extract.relations.lists import LIGHT_HEADS
from memoryapp.extract.relations.read import Sentence
from memoryapp.extract.relations.text import End

MADE_OUT = 0.6
_MOST_WORDS = 3
_NO_LONGER = words("former ex aspiring future retired would-be fake so-called potential")
# What somebody or something is to another, or as somebody finds it: no class of things.
_NO_CLASS = LIGHT_HEADS | words(
    """
    addition alternative answer asset background beast beauty beginner blast blessing boss breeze burden candidate
    champ champion choice colleague companion concern consideration contender crap dealbreaker deal delight disaster
    disappointment dream drag effort exception expert failure fan favorite favourite fit fool fork friend game-changer
    gem genius gift go-to goal hassle headache help hero hit honor hope inspiration issue jerk joke journey joy key
    kick lifesaver love luxury mate member mess milestone miracle mistake motivator must mystery need nightmare
    obstacle option outlier pain part person pick piece place pleasure pro problem process question reality reason
    relief reminder replacement requirement risk road saint shame shock sign skill source standard star step success
    sucker surprise survivor teammate thrill thing threat time top treasure treat trouble type user value victim way
    weakness win winner wonder work wreck buddy guy girl boy man woman kid people folks members users colleagues
    friends things aspects factors features reasons items options names topics areas cases
    """
)
_TYPES = dict.fromkeys(
    words(
        """
        tool database editor framework language library linter compiler app application service server plugin package
        extension browser terminal shell distribution provider cache queue broker
        """
    ),
    TOOL,
)
_TYPES |= dict.fromkeys(
    words("company startup agency firm university bank school nonprofit organization"), ORGANIZATION
)
_TYPES |= dict.fromkeys(words("city town village country island district neighbourhood neighborhood capital"), PLACE)
_TYPES["project"] = PROJECT
_ODD_PLURALS = {
    "people": "",
    "caches": "cache",
    "aches": "ache",
    "children": "child",
    "men": "man",
    "women": "woman",
    "libraries": "library",
}


def class_at(sentence: Sentence, place: int) -> str:
    """What the noun calls a class, in the singular and small letters but for names in it; "" where it is none."""
    head = sentence.words[place]
    if head.tag not in ("NN", "NNS") or head.lower in _NO_CLASS or not head.text.isalpha() or len(head.text) < 3:
        return ""
    if any(sentence.words[one].dep in ("poss", "nummod", "neg") for one in sentence.children[place]):
        return ""
    below = {sentence.words[one].lower for one in sentence.children[place]}
    if below & _NO_LONGER:
        return ""
    noun = singular(head.lower) if head.tag == "NNS" else head.lower
    run = modifiers(sentence, place)
    if len([one for one in run if sentence.words[one].text != "-"]) > _MOST_WORDS - 1:
        return noun
    return "".join(sentence.spelled(one) + " " * sentence.words[one].space for one in run) + noun


def _of_kind(end: End, noun: str) -> End:
    """What a class tells of the type of what is in it: a database is a tool, an engineer a person."""
    kind = PERSON if noun in TRADES and noun not in KIN else _TYPES.get(noun, "")
    return replace(end, named=Named(end.named.name, kind)) if kind and not end.sure else end


def is_tool(noun: str) -> bool:
    """Whether what is called so is a tool: an editor, a database."""
    return _TYPES.get(noun) == TOOL


def singular(noun: str) -> str:
    if noun in _ODD_PLURALS:
        return _ODD_PLURALS[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("sses", "shes", "ches", "xes", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def instances(ends: list[End], kind: str, *, label: str, confidence: float = MADE_OUT) -> Iterator[Stated]:
    """Each end is one of that class, and “relational database” is a database."""
    named = [end for end in ends if end.is_name and end.named.name.lower() != kind.lower()]
    if not kind or not named:
        return
    for end in (_of_kind(one, kind.split()[-1]) for one in named):
        yield Stated(end.named, RelationType.IS_A, Named(kind), confidence, label)
    wider = kind.split()[-1]
    if wider != kind and wider not in _NO_CLASS and wider not in KIN:  # a package manager manages nobody
        yield Stated(Named(kind), RelationType.IS_A, Named(wider), confidence, "")

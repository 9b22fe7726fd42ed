"""What “is” states: classes (“X is a Y”), roles (“Priya is my manager”), what somebody is good at or a fan of; and
classes without a verb: “X, a Y,”, “Ys such as X”, “X and other Ys”, “a Y named X”. Of classes only the plain forms:
nothing is wrong so often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from memoryapp.domain.relation import NamedEntity, RelationType, StatedRelation
from memoryapp.domain.relation import RelationType as T
from memoryapp.extraction.facts.words import KIN, TRADES
from memoryapp.extraction.relations.ends import end_at, ends_at, examples_of, is_proper, modifiers, speaker_of
from memoryapp.extraction.relations.kinds import LIGHT_HEADS, ORGANIZATION, PERSON, PETS, PLACE, PROJECT, TOOL
from memoryapp.extraction.relations.sentences import End, Sentence
from memoryapp.extraction.relations.settle import fit_ends, settle_type
from memoryapp.extraction.relations.taxonomy import TypeMatch, looked_up
from memoryapp.extraction.relations.wishes import Status, status_of
from memoryapp.text.wording import word_set

MADE_OUT = 0.6
_MOST_WORDS = 3
_NO_LONGER = word_set("former ex aspiring future retired would-be fake so-called potential")
# What somebody or something is to another, or as somebody finds it: no class of things.
_NO_CLASS = LIGHT_HEADS | word_set(
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
    word_set(
        """
        tool database editor framework language library linter compiler app application service server plugin package
        extension browser terminal shell distribution provider cache queue broker
        """
    ),
    TOOL,
)
_TYPES |= dict.fromkeys(
    word_set("company startup agency firm university bank school nonprofit organization"), ORGANIZATION
)
_TYPES |= dict.fromkeys(word_set("city town village country island district neighbourhood neighborhood capital"), PLACE)
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
    return replace(end, named=NamedEntity(end.named.name, kind)) if kind and not end.sure else end


def is_tool(noun: str) -> bool:
    """Whether what is called so is a tool: an editor, a database."""
    return _TYPES.get(noun) == TOOL


def singular(noun: str) -> str:
    """An English noun in the singular, by its ending."""
    if noun in _ODD_PLURALS:
        return _ODD_PLURALS[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("sses", "shes", "ches", "xes", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def instances(ends: list[End], kind: str, *, label: str, confidence: float = MADE_OUT) -> Iterator[StatedRelation]:
    """Each end is one of that class, and “relational database” is a database."""
    named = [end for end in ends if end.is_name and end.named.name.lower() != kind.lower()]
    if not kind or not named:
        return
    for end in (_of_kind(one, kind.split()[-1]) for one in named):
        yield StatedRelation(end.named, RelationType.IS_A, NamedEntity(kind), confidence, label)
    wider = kind.split()[-1]
    if wider != kind and wider not in _NO_CLASS and wider not in KIN:  # a package manager manages nobody
        yield StatedRelation(NamedEntity(kind), RelationType.IS_A, NamedEntity(wider), confidence, "")


_A = word_set("a an")
_NAMED = word_set("named called nicknamed")


def by_naming(sentence: Sentence) -> Iterator[StatedRelation]:
    """What a sentence says by naming: appositions, “such as” and “and other”."""
    for place, word in enumerate(sentence.words):
        below = [sentence.words[one] for one in sentence.children[place]]
        if word.dep == "appos":
            yield from _apposition_relations(sentence, place)
        if word.tag == "NNS" and not any(one.dep == "poss" for one in below):
            yield from _made_out(sentence, examples_of(sentence, place), place, "such as")
        if word.tag == "NNS" and word.dep == "conj" and any(one.lower == "other" for one in below):
            yield from _made_out(sentence, _preceding_conjuncts(sentence, place), place, "and other")
        if word.tag == "NN" and any(one.dep == "acl" and one.lower in _NAMED for one in below):
            end = end_at(sentence, place)
            yield from instances([end] if end else [], class_at(sentence, place), label="is a")


def _made_out(sentence: Sentence, given: Iterable[int], kind: int, label: str) -> Iterator[StatedRelation]:
    ends = [end for one in given if (end := end_at(sentence, one))]
    yield from instances(ends, class_at(sentence, kind), label=label)


def _preceding_conjuncts(sentence: Sentence, place: int) -> list[int]:
    """What the last of a list is joined to."""
    chain: list[int] = []
    while sentence.words[place].dep == "conj" and sentence.words[place].head not in chain:
        place = sentence.words[place].head
        chain.insert(0, place)
    return chain


def _apposition_relations(sentence: Sentence, place: int) -> Iterator[StatedRelation]:
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


SURE = 0.7
_IS = word_set("is are am 's 're 'm")
_FAVORITE = word_set("favorite favourite")
_KIND = word_set("kind type sort form")


def by_being(sentence: Sentence) -> Iterator[StatedRelation]:
    """What a sentence says by “is”: classes, and kin by their names."""
    for place, word in enumerate(sentence.words):
        now = word.lower in _IS and word.tag in ("VBZ", "VBP") and word.dep not in ("aux", "auxpass")
        if (now or _has_been(sentence, place)) and status_of(sentence, place) is Status.SO:
            yield from _copula_relations(sentence, place, classes=now)
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


def _copula_relations(sentence: Sentence, verb: int, *, classes: bool) -> Iterator[StatedRelation]:
    subject = sentence.subject_of(verb)
    if subject is None or subject > verb:
        return
    ends = ends_at(sentence, subject)
    for child in sentence.children[verb]:
        word = sentence.words[child]
        if word.dep == "attr":
            yield from _favorite_relations(sentence, subject, child) or _role(sentence, subject, ends, child, classes)
        elif word.dep == "acomp":
            yield from _prepositional_relations(sentence, ends, child)
        elif word.dep == "prep" and word.lower == "in":
            places = [
                end
                for one in _prepositional_objects(sentence, child)
                for end in ends_at(sentence, one)
                if end.kind == PLACE
            ]
            things = [end for end in ends if end.kind != PERSON]
            yield from (_copula_relation(a, T.LOCATED_IN, b, "is in") for a in things for b in places)
        elif word.dep == "prep" and word.lower == "into":
            likes = [end for one in _prepositional_objects(sentence, child) for end in ends_at(sentence, one)]
            yield from (_copula_relation(a, T.PREFERS, b, "is into") for a in ends if a.kind == PERSON for b in likes)


def _favorite_relations(sentence: Sentence, subject: int, attribute: int) -> list[StatedRelation]:
    """“My favorite editor is Neovim”, “Neovim is my favorite”."""
    for noun, other in ((subject, attribute), (attribute, subject)):
        below = sentence.children[noun]
        if sentence.words[noun].lower in _FAVORITE or any(sentence.words[one].lower in _FAVORITE for one in below):
            liked = [end for end in ends_at(sentence, other) if end.is_name]
            return [
                _copula_relation(owner, T.PREFERS, end, "favorite")
                for owner in _owners(sentence, noun)
                for end in liked
            ]
    return []


def _role(sentence: Sentence, subject: int, ends: list[End], attribute: int, classes: bool) -> Iterator[StatedRelation]:
    noun = sentence.words[attribute].lower
    if is_proper(sentence, attribute):  # “My manager is Priya”
        held = _typed_role(sentence.words[subject].lower)
        names = [end for end in ends_at(sentence, attribute) if end.is_name]
        if held:
            for owner in _owners(sentence, subject):
                yield from _typed_relations(names, held, owner, sentence.words[subject].lower)
        elif is_tool(sentence.words[subject].lower):  # “My editor is Neovim”, “Jiwon's main database is Postgres”
            tools = [end for end in names if end.kind not in (PERSON, PLACE)]
            yield from (_copula_relation(a, T.USES, b, "") for a in _owners(sentence, subject) for b in tools)
        return
    held = _typed_role(noun)
    for owner in _owners(sentence, attribute) if held else []:
        yield from _typed_relations(ends, held, owner, noun)
    yield from _prepositional_relations(sentence, ends, attribute)
    if classes and noun in _KIND:
        for kind in _of_objects(sentence, attribute):
            yield from instances(ends, class_at(sentence, kind), label="is a kind of")
    elif classes and is_indefinite(sentence, attribute, subject):
        yield from instances(ends, class_at(sentence, attribute), label="is a")


def _typed_role(noun: str) -> TypeMatch | None:
    return looked_up(f"{noun} of")


def _typed_relations(ends: list[End], held: TypeMatch | None, owner: End, label: str) -> Iterator[StatedRelation]:
    for end in ends:
        if held and end.is_name and end.named != owner.named:
            pair = (owner, end) if held.turned else (end, owner)
            yield _copula_relation(pair[0], held.type, pair[1], label)


def _owners(sentence: Sentence, noun: int) -> list[End]:
    """Whose it is: “my”, “Mina's”."""
    for child in sentence.children[noun]:
        if sentence.words[child].dep == "poss":
            end = speaker_of(sentence, child) if sentence.words[child].lower in ("my", "our") else None
            end = end or (end_at(sentence, child) if is_proper(sentence, child) else None)
            return [end] if end else []
    return []


def _prepositional_relations(sentence: Sentence, ends: list[End], word: int) -> Iterator[StatedRelation]:
    """“proficient in Rust”, “a fan of Ghibli”, “an engineer at Hangang Labs”: by the word and its preposition."""
    small = sentence.words[word].lower
    for child in sentence.children[word]:
        if sentence.words[child].dep != "prep":
            continue
        phrase = f"{small} {sentence.words[child].lower}"
        typed = looked_up(phrase)
        if typed is None and small in TRADES and phrase.endswith(" at"):
            typed = TypeMatch(T.WORKS_AT)
        for other in _prepositional_objects(sentence, child) if typed else []:
            for object in ends_at(sentence, other):
                for subject in ends:
                    pair = (object, subject) if typed and typed.turned else (subject, object)
                    kind = settle_type(typed.type, phrase, *pair, going_on=False) if typed else None
                    if kind and kind is not T.IS_A and pair[0].named != pair[1].named:
                        yield _copula_relation(pair[0], kind, pair[1], phrase)


def _named_kin(sentence: Sentence, noun: int, name: int) -> Iterator[StatedRelation]:
    """“my sister Jane”, “my dog Pixel”: to the parser an apposition of the noun, or a name that the noun is part of."""
    small = sentence.words[noun].lower
    held = TypeMatch(T.OWNS, turned=True) if small in PETS else _typed_role(small)
    end = end_at(sentence, name) if held and is_proper(sentence, name) else None
    if end is None:
        return
    if small in PETS:
        end = End(NamedEntity(end.named.name), end.place, noun=small)
    for owner in _owners(sentence, noun) or _owners(sentence, name):
        yield from _typed_relations([end], held, owner, small)
        if small in PETS:
            yield from instances([end], singular(small), label="")


def _prepositional_objects(sentence: Sentence, preposition: int) -> list[int]:
    return [one for one in sentence.children[preposition] if sentence.words[one].dep == "pobj"]


def _of_objects(sentence: Sentence, noun: int) -> list[int]:
    below = (one for one in sentence.children[noun] if sentence.words[one].lower == "of")
    return [place for one in below for place in _prepositional_objects(sentence, one)]


def _copula_relation(subject: End, kind: T, object: End, label: str) -> StatedRelation:
    names = subject.is_name and object.is_name
    subject, object = fit_ends(kind, subject, object)
    return StatedRelation(subject.named, kind, object.named, SURE if names else MADE_OUT, label)

"""The type of the taxonomy for the words between two names: by a table of synonyms, else the nearest type as an
encoder sees it, else `related_to`. Verbs are put into their plain form here, since the parser runs without a
lemmatizer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.relation import RelationType as T
from memoryapp.text.wording import word_set

_IRREGULAR = {
    "be": "am is are was were been being 's 'm 're",
    "become": "became",
    "begin": "began begun beginning",
    "build": "built",
    "buy": "bought",
    "choose": "chose chosen choosing",
    "fly": "flew flown",
    "get": "got gotten getting",
    "go": "goes went gone",
    "grow": "grew grown",
    "have": "has had having 've",
    "hold": "held",
    "keep": "kept",
    "know": "knew known",
    "lead": "led",
    "make": "made",
    "mean": "meant",
    "meet": "met meeting",
    "oversee": "oversaw overseen",
    "quit": "quitting",
    "rewrite": "rewrote rewritten rewriting",
    "run": "ran running",
    "say": "said",
    "set": "setting",
    "speak": "spoke spoken",
    "teach": "taught",
    "tell": "told",
    "think": "thought",
    "understand": "understood",
    "write": "wrote written writing",
}
_DOUBLED = frozenset({"commit", "plan", "prefer", "program", "refer", "ship", "stop", "transfer", "travel"})


def forms(verbs: Iterable[str]) -> dict[str, str]:
    """The plain form by each form of these verbs, itself among them. What is a form of another is none."""
    listed = dict.fromkeys(verbs)
    plain = {form: verb for verb in listed for form in _verb_forms(verb)}
    return {verb: verb for verb in listed} | plain


def _verb_forms(verb: str) -> Iterator[str]:
    yield from _IRREGULAR.get(verb, "").split()
    if verb in ("be", "have", "go"):
        return
    stem = verb + verb[-1] if verb in _DOUBLED else verb
    if verb.endswith("e"):
        yield verb + "s"
        yield verb + "d"
        yield (verb if verb.endswith("ee") else verb[:-1]) + "ing"
    elif verb.endswith("y") and verb[-2] not in "aeiou":
        yield verb[:-1] + "ies"
        yield verb[:-1] + "ied"
        yield verb + "ing"
    else:
        yield verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")
        yield stem + "ed"
        yield stem + "ing"


# Parted by commas. “<”: said of the object, as “X employs Y” of who works there.
SYNONYMS = {
    T.USES: """
        사용, 사용하다, 사용한다, 쓰다, 쓴다,
        use, try, try out, utilize, utilise, employ as, leverage, make use of, adopt, switch to, migrate to,
        upgrade to, standardize on, rely upon, write in, rewrite in, port to, code in, program in, develop in,
        develop with, develop using, build with, build using, make with, write with, set up with, configure
        with, create with, deploy with, manage with, automate with, test with, work using, power by, user of,
        run, rent, lease, subscribe to, describe in, define in, specify in, provision with, provision by
        """,
    T.PREFERS: """
        선호, 선호하다, 좋아하다, 좋아한다,
        prefer, like, love, enjoy, favor, favour, adore, fan of, be fond of, big fan of, be into, swear by
        """,
    T.OWNS: """
        own, buy, purchase, possess, have, owner of, < belong to, < owned by
        """,
    T.WORKS_AT: """
        일하다, 일한다, 근무하다, 근무한다,
        work at, work for, intern at, be employed at, be employed by, employed by, employ by, hire by, employed
        at, teach at, employee of, engineer at, engineer for, < employ, < hire, < employer of
        """,
    T.WORKS_ON: """
        work on, contribute to, maintain, contributor to, maintainer of, improve, refactor, rewrite, redesign,
        test, responsible for, take care of, be in charge of, in charge of
        """,
    T.COLLABORATES_WITH: """
        collaborate with, work with, work together with, work alongside, pair with, partner with, team up with,
        cooperate with, collaborator of, colleague of, coworker of, teammate of, co-worker of, with
        """,
    T.KNOWS: """
        know, meet, meet with, marry, marry to, date, befriend, friend of, married to, friends with, be friends
        with, be married to, get to know, sister of, brother of, wife of, husband of, partner of, mother of,
        father of, son of, daughter of, parent of, child of, cousin of, neighbour of, neighbor of, roommate of,
        mentor of, mentor, engaged to
        """,
    T.MANAGES: """
        manage, lead, supervise, head, oversee, coordinate, manager of, boss of, lead of, leader of, head of,
        ceo of, cto of, director of, < report to, < answer to, < managed by
        """,
    T.MEMBER_OF: """
        belong in, join, member of, part of the team, be a member of, sign up for, enrol in, enroll in, study
        at, student at
        """,
    T.CREATED: """
        만들다, 만든다, 만들었다, 개발하다,
        create, build, write, design, develop, found, co-found, cofound, invent, author, make, establish,
        launch, start, set up, publish, release, produce, compose, creator of, author of, founder of, co-founder
        of, cofounder of, inventor of, designer of, developer of, configure
        """,
    T.IMPLEMENTS: """
        implement, conform to, comply with, implementation of
        """,
    T.SKILLED_IN: """
        specialize in, specialise in, excel at, excel in, master, proficient in, skilled in, skilled at, fluent
        in, experienced in, experienced with, expert in, expert on, expert at, good at, be good at, speak,
        knowledgeable about, adept at, adept in, well versed in
        """,
    T.LIVES_IN: """
        살다, 산다, 거주하다, 거주한다,
        live in, live at, reside in, move to, relocate to, settle in, settle down in, dwell in, home is,
        inhabit, resident of
        """,
    T.LOCATED_IN: """
        locate in, locate at, located in, base in, base at, based in, situate in, headquarter in, lie in, in,
        stand in, be in
        """,
    T.VISITED: """
        visit, travel to, fly to, go to, tour, trip to
        """,
    T.PART_OF: """
        part of, component of, module of, subset of, piece of, be part of, < contain, < include, < consist of, <
        comprise, < compose of
        """,
    T.RUNS_ON: """
        run on, run in, host on, host at, deploy on, deploy to, deploy in, run under, run on top of
        """,
    T.DEPENDS_ON: """
        depend on, depend upon, rely on, require, need, build on, build upon, build on top of, base on, based
        on, rest on, dependency, back by
        """,
    T.RELATED_TO: """
        관련, 관련되다,
        related to, relate to, associated with, connected to, grow up in, be born in, born in, bear in, sell,
        sell to
        """,
    T.IS_A: """
        be a, be an, is a, be, kind of, type of, instance of, subclass of, sort of, isa
        """,
}


# Texts in, unit vectors out, one row a text; an Encoder's `encode_documents` is one.
Encode = Callable[[Sequence[str]], NDArray[np.float32]]

NEAR = 0.5  # least cosine of a label to a type
LABEL_CHARS = 60
# What an encoder is shown of each type.
_SHOWN = {kind: kind.value.replace("_", " ") for kind in T if kind not in (T.RELATED_TO, T.IS_A)}
_TURNED = "<"
# Verbs beside those of the table whose forms the rules must know.
_OTHERS = "be have do go get become keep begin think say tell mean choose pick hold grow ship commit travel leave"
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DENIED = re.compile(
    r"\b(?:not|never|no|without|ex|former|formerly|stop\w*|quit\w*|left|leaves?|dis(?:like|agree|trust|miss)\w*|un\w+ed|hat(?:e|es|ed))\b|n't\b"
)
_BEFORE = word_set("be have do will would can could should may might must to")
_LEFT_OUT = word_set(
    """
    a an the also always usually often mostly mainly currently now still just really very already actively daily
    recently previously
    """
)


class TypeMatch(NamedTuple):
    """`turned`: the object is the type's subject, “employs” for works_at. `sure`: by the table."""

    type: T
    turned: bool = False
    sure: bool = True


def _table() -> dict[str, TypeMatch]:
    table: dict[str, TypeMatch] = {}
    for kind, listed in SYNONYMS.items():
        for phrase in (" ".join(part.split()) for part in listed.split(",")):
            bare = phrase.removeprefix(_TURNED).strip()
            table.setdefault(bare, TypeMatch(kind, phrase.startswith(_TURNED)))
        table[kind.value.replace("_", " ")] = TypeMatch(kind)
    return table


_TABLE = _table()
FORMS = forms([*(phrase.split()[0] for phrase in _TABLE), *_OTHERS.split()])


def looked_up(phrase: str) -> TypeMatch | None:
    """The type of a phrase whose verb is in its plain form: “work on”, “create by”."""
    if phrase in _TABLE:
        return _TABLE[phrase]
    if phrase.endswith(" by"):  # the passive says the same of its object
        active = _TABLE.get(phrase.removesuffix(" by"))
        return TypeMatch(active.type, not active.turned) if active else None
    return None


def type_of(label: str, *, encode: Encode | None = None) -> TypeMatch:
    """The type for a label as somebody wrote it: “is built on”, “created_by”, “worksAt”. `related_to` where nothing is
    near."""
    return types_of([label], encode=encode)[0]


def types_of(labels: Sequence[str], *, encode: Encode | None = None) -> list[TypeMatch]:
    """As `type_of` for each, in order; the encoder is asked once, for all that the table does not hold."""
    found = [next(filter(None, map(looked_up, _spellings(label))), None) for label in labels]
    unknown = sorted({label for label, one in zip(labels, found, strict=True) if one is None and _may_be_near(label)})
    near = _nearest_types(unknown, encode) if unknown and encode else {}
    return [
        one or near.get(label, TypeMatch(T.RELATED_TO, sure=False)) for label, one in zip(labels, found, strict=True)
    ]


def _may_be_near(label: str) -> bool:
    """An encoder sees “never uses” and “dislikes” right beside what they deny, and English ones see no Hangul."""
    return bool(re.search("[a-z]", label.lower())) and not _DENIED.search(" ".join(_words(label)))


def _nearest_types(labels: Sequence[str], encode: Encode) -> dict[str, TypeMatch]:
    kinds = list(_SHOWN)
    vectors = encode([*_SHOWN.values(), *(" ".join(_words(label)) for label in labels)])
    cosines = vectors[len(kinds) :] @ vectors[: len(kinds)].T
    best = cosines.argmax(axis=1)
    return {
        label: TypeMatch(kinds[int(at)], sure=False)
        for label, at, row in zip(labels, best, cosines, strict=True)
        if row[at] >= NEAR
    }


def _words(label: str) -> list[str]:
    return _WORD.findall(_CAMEL.sub(" ", label[:LABEL_CHARS]).replace("_", " ").lower())


def _spellings(label: str) -> Iterator[str]:
    """The label as it is, without small words, and with its verb in the plain form and no helper before it."""
    words = _words(label)
    yield " ".join(words)
    words = [part for word in words for part in ([word] if word in FORMS else word.split("-"))]  # “depends-on”
    words = [word for word in words if word not in _LEFT_OUT]
    if not words:
        return
    yield " ".join(words)
    plain = [FORMS.get(words[0], words[0]), *words[1:]]
    yield " ".join(plain)
    while len(plain) > 1 and plain[0] in _BEFORE:
        plain = plain[1:]
        yield " ".join(plain)
        plain[0] = FORMS.get(plain[0], plain[0])
        yield " ".join(plain)

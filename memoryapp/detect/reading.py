"""A statement in, what its weighing looks at out: its words, amounts, names, and the cues of change. Next: `signs`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memoryapp.detect.amounts import Amounts, amounts, written
from memoryapp.detect.clause import LONGEST, Clause, clauses
from memoryapp.detect.denial import Denial, denials
from memoryapp.detect.meanings import STOP
from memoryapp.detect.related import EXCLUDING, RELATED
from memoryapp.detect.roles import BRANDS, ROLES
from memoryapp.detect.stances import Stance, stances
from memoryapp.detect.topic import main_verb, poles
from memoryapp.detect.verbs import BASES, DOING, PAST, THIRD
from memoryapp.detect.whose import NOBODY, SPEAKER, Whose, whose
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import meaning, spoken_by, stem, words

_MOST_WORDS = 60  # of a statement: what is longer is weighed by its beginning
_WORD = re.compile(r"[^\W_]+(?:[.'+#-][^\W_]+)*[+#]*")
_NAMES_ON = re.compile(r"'s\b| [A-Z]")
_TURNS = re.compile(
    r"\b(?:swapped|replac(?:ed|es)|exchanged|traded|ditched|dumped|ripped|dropped|abandon(?:ed)?|retired|"
    r"moved (?:(?:the|our|my|his|her|their) (?:\w+ ){1,3}?)?"
    r"(?:off|away from|out of|to)|switch(?:ed)? (?:away |over )?(?:from|to)|migrated|g[ai]v(?:e|en|ing) up|"
    r"stopped|quit|cancell?ed|no longer|instead of|rather than|removed|decommissioned|shut down|wiped|over from|"
    r"taken over|took over|fell through|passed to|pushed back|postponed|rescheduled|rebooked|new home|called off|"
    r"left(?! hand)(?!-)(?! (?:\d|at|on time|early|late))|broke up|"
    r"gone(?! out| for| on| to)|sold|any ?more|rewritten|rewrote|bumped|turned|raised?|lowered|cut|increased|reduced|"
    r"upgraded|downgraded|extended|shrunk|shrank|went (?:up|down)|slipped to|these days|now)\b",
    re.IGNORECASE,
)
_WHOLLY = re.compile(
    r"\b(?:only|sole|solely|all|every|entire|entirely|always|never|nobody|no one|none|whole|strictly|exclusively|any|"
    r"anyone|everyone|each|just|fully|completely|at all|nothing|alone|everything|main|favou?rite|biggest|best|"
    r"whatsoever|throughout)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|without|cannot|neither|nor|hardly|rarely|refuses?|avoids?|hates?|"
    r"dislikes?|unable|any ?more|free of|rid of|lacks?|rules? out|"
    r"(?:almost|nearly|running|runs?|ran|all) (?:out of|low on)|short of)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"\b(?:limit(?:s|ed)?|cap(?:s|ped)?|maximum|minimum|most|least|more than|less than|goal|target|budget|"
    r"aim(?:s|ing)?|"
    r"must|required|accepts?|allows?|allowed|only have|set aside|enough|needs?|notice|time ?out|expires?|"
    r"older than|kept)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:prefers?|preferred|wants?|likes?|asked|asks|told|said|please|reply|answers?|explanations?|responses?|keep|give|"
    r"always|never|from now on|rather|should|writes?|uses?|show)\b",
    re.IGNORECASE,
)
_FOR_SOME = re.compile(
    r"\b(?:when|for (?!the user|me\b|all|every)|in my|in (?:his|her|their)|colleague|oven)\b", re.IGNORECASE
)
_IN_PART = re.compile(
    r"\b(?:so far|to date|already|last (?:night|week|month|time|year|spring|summer|autumn|winter)|yesterday|today|once|"
    r"average|on average|up to now|currently|of (?:it|them|those|these|which|that)|another|extra|additional|deposit|"
    r"discount|first|second|2nd|1st|per person|each|until (?:last|yesterday)|this (?:week|morning)|when|if|alert|"
    r"spent|missed|late)\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"\b(?:since|because|due to|thanks to|now that|so that|after the|owing to)\b", re.IGNORECASE)
_REASON_ENDS = re.compile(r",| (?=(?:I|we|he|she|they|it|the user|my|our)\b)")
_ADJOINING = re.compile(r"(?<![\w-])(?=([a-z]+) ([a-z]+)(?![\w-]))")
_OWNED = re.compile(r"\b(?P<whose>[A-Za-z][\w-]+)'s (?:\w+ )?(?P<what>[a-z][\w-]+)(?= ?(?:[.,;]|$))")
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St)\. $")  # a full stop that ends no sentence
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "st", "gp", "gps"))
_SUBSTITUTE = re.compile(  # what is eaten in the place of something is not that: “lactose-free cheese”
    r"\b(?:(?:lactose|dairy|gluten|alcohol|sugar|caffeine|meat|egg|nut)-free|non-alcoholic|decaf(?:feinated)?|vegan|"
    r"veggie|plant-based) (?!and\b|or\b|since\b|for\b|diet|food|kitchen|household|now\b|"
    r"but\b|because\b|who\b|so\b|at\b|in\b)[a-z]+",
    re.IGNORECASE,
)
_NEVER = re.compile(r"\b(?:never|ha(?:s|ve) not)\b", re.IGNORECASE)
_ENDS = re.compile(
    r"\b(?:called off|cancell?ed|stopped|quit|closed|withdrawn|removed|left(?! hand)(?!-)(?! (?:\d|at|on "
    r"time|early|late))|ended|"
    r"g[ai]ve(?:n)? up|dropped)\b",
    re.IGNORECASE,
)
_PLACES = wordset(  # and times: where or when something holds
    "staging production prod dev development weekdays weekday weekends weekend morning mornings evening evenings night "
    "nights summer winter spring autumn reads writes read write backend frontend mobile web ios android internal "
    "external public first second third elder younger older left right front back upper lower free paid paying unit "
    "integration end-to-end beta enterprise pro home office kitchen bathroom bedroom sunday saturday monday tuesday "
    "wednesday thursday friday january february march april may june july august september october november december "
    "christmas yesterday"
)
WHEN = (  # two of one sort are two times
    wordset("lunch breakfast dinner supper noon midday"),
    wordset("morning mornings evening evenings afternoon afternoons night nights"),
    wordset(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays "
        "saturdays sundays weekday weekdays weekend weekends"
    ),
    wordset("january february march april may june july august september october november december"),
    wordset("spring summer autumn winter"),
    wordset("christmas easter"),
)
_WHEN = frozenset[str]().union(*WHEN)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that is no filler. `matters`: what it may be about (`related`); `verb`: it looks like one."""

    text: str
    form: str  # of its synonyms, or its stem
    amount: bool
    name: bool  # capitalised inside a sentence
    inner: bool  # opens no sentence, or is followed by a name
    subject: bool
    light: bool  # it tells no two topics apart
    verb: bool
    matters: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reading:
    text: str
    words: tuple[Word, ...]
    clauses: tuple[Clause, ...]
    amounts: Amounts
    names: frozenset[str]
    known: frozenset[str]  # every word, as written and by its form
    all_words: frozenset[str]
    excluding: dict[int, frozenset[tuple[int, bool]]]  # scale → (side, whether in the subject)
    poles: dict[int, tuple[int, str]]
    subject: str
    first_person: str  # “I”, “we”, or "" where it speaks of others
    places: frozenset[str]
    wholly: int
    denied: bool
    denies: bool  # or says that something is over
    ends: bool  # says that something has come to an end
    turns: bool
    only_is: bool  # a clause of it has no other verb than “be”
    stances: dict[int, Stance]
    denials: tuple[Denial, ...]
    when: frozenset[str]  # days, seasons and meals it speaks of
    never: bool  # denies that something ever happened
    whose: Whose  # of the first clause
    roles: frozenset[int]
    brands: dict[str, frozenset[str]]  # kind → what is named of it
    limits: bool  # tells of a limit, a goal or what is set aside
    asks: bool  # says how somebody wants to be answered
    of_others: dict[str, str]  # what is somebody else's → whose: “van” of “my neighbour's van”
    modifiers: frozenset[str]  # words that only tell what kind of thing the next one is: “olive” of “olive oil”
    aside: frozenset[str]  # words that only tell why or since when
    in_part: bool  # tells of a part, of one time, or of an average
    proper: frozenset[str]  # names, and no word that only opens a sentence


@lru_cache(maxsize=8_192)
def read(text: str) -> Reading:
    """Speaker labels are left out; a very long text is read by its beginning."""
    line = written(spoken_by(text[:LONGEST])[1])
    held, spans = amounts(line)
    parsed = clauses(line)
    subject = next((clause.subject.casefold() for clause in parsed if clause.subject), "")
    found = tuple(_words(line, spans, len(subject)))
    every = words(line)
    return Reading(
        text=line,
        words=found,
        clauses=parsed,
        amounts=held,
        names=frozenset(word.text for word in found if word.name and not word.text[0].isdigit()),
        known=frozenset(form for word in found for form in (word.text, word.form)),
        all_words=frozenset(every),
        excluding=_excluding(found, every),
        poles=poles(line),
        subject=subject,
        first_person=_first_person(line),
        places=_PLACES & frozenset(every),
        wholly=len(_WHOLLY.findall(line)),
        denied=bool(_DENIED.search(line)),
        denies=bool(_DENIED.search(line) or _ENDS.search(line)),
        ends=bool(_ENDS.search(line)),
        turns=bool(_TURNS.search(line)),
        only_is="be" in {main_verb(clause) for clause in parsed},
        stances=stances(_SUBSTITUTE.sub(" ", line)),
        denials=denials(line),
        when=_WHEN & frozenset(every),
        never=bool(_NEVER.search(line)),
        whose=whose(parsed[0]) if parsed else NOBODY,
        roles=frozenset(role for word in every for role in ROLES.get(stem(word), ())),
        brands=_brands(every),
        proper=(
            frozenset(word.text for word in found if word.name and word.inner and word.text[0].isalpha())
            | (whose(parsed[0]).owners - {SPEAKER} if parsed else frozenset())
        )
        - _TITLES,
        limits=bool(_LIMITS.search(line)),
        asks=bool(_ASKS.search(line)) and not _FOR_SOME.search(line),
        of_others={match["what"].casefold(): match["whose"].casefold() for match in _OWNED.finditer(line)},
        modifiers=_modifiers(line, found),
        aside=_aside(line),
        in_part=bool(_IN_PART.search(line)),
    )


def _aside(line: str) -> frozenset[str]:
    found = _WHY.search(line)
    if found is None:
        return frozenset()
    ends = _REASON_ENDS.search(line, found.end()) if found.start() == 0 else None
    at, until = found.start(), ends.start() if ends else len(line)
    return frozenset(words(line[at:until])) - frozenset(words(f"{line[:at]} {line[until:]}"))


def _modifiers(line: str, found: tuple[Word, ...]) -> frozenset[str]:
    """Of those that stand nowhere alone: the word before a noun, by what is no verb, name, amount or adverb."""
    plain = {
        word.text for word in found if not (word.text[0].isdigit() or word.verb or word.name or word.light)
    } - _WHEN
    low = line.casefold()
    return frozenset(
        first for first, second in _ADJOINING.findall(low) if {first, second} <= plain and low.count(first) == 1
    )


def _brands(every: list[str]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for word in every:
        for kind in BRANDS.get(word, ()):
            found[kind] = found.get(kind, frozenset()) | {word}
    return found


def _words(line: str, spans: list[tuple[int, int]], subject_ends: int) -> list[Word]:
    found: list[Word] = []
    for match in _WORD.finditer(line):
        word = match.group().casefold().removesuffix("'s")
        if word in STOP or word == "user":
            continue
        form = meaning(word)
        start = match.start()
        inner = start > 0 and (line[start - 2 : start] not in (". ", "! ", "; ") or bool(_TITLE.search(line, 0, start)))
        found.append(
            Word(
                text=word,
                form=form or stem(word),
                amount=word[0].isdigit() or any(begin <= start < end for begin, end in spans),
                name=match.group()[0].isupper() and (inner or word not in BASES),
                inner=inner or bool(_NAMES_ON.match(line, match.end())),
                subject=start < subject_ends,
                light=not form,
                verb=_like_verb(word),
                matters=RELATED.get(stem(word), frozenset()),
            )
        )
    return found[:_MOST_WORDS]


def _like_verb(word: str) -> bool:
    listed = word in BASES or word in PAST or word in THIRD or word in DOING
    return listed or (len(word) > 4 and word.endswith(("ed", "ing"))) or word.endswith("ly")


def _excluding(found: tuple[Word, ...], every: list[str]) -> dict[int, frozenset[tuple[int, bool]]]:
    sides: dict[int, frozenset[tuple[int, bool]]] = {}
    fillers = [(word, False) for word in every if word in STOP]
    for word, subject in [*((word.text, word.subject) for word in found), *fillers]:
        for scale, side in EXCLUDING.get(stem(word), ()):
            sides[scale] = sides.get(scale, frozenset()) | {(side, subject)}
    return sides


def _first_person(line: str) -> str:
    if re.search(r"\b(?:I|my|me|mine|[Uu]ser)\b", line):
        return "I"
    return "we" if re.search(r"\b(?:we|our|us)\b", line, re.IGNORECASE) else ""

"""Third step: which sentences are told: the decision, what came of it, and what most of the session was about."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.entity import Entity, Reference
from memoryapp.extraction.facts.hangul import ends_in_consonant
from memoryapp.spaces import Space
from memoryapp.store import entities
from memoryapp.summaries.sentences import Sentence, came_of_it, dice, has_number, repeats
from memoryapp.summaries.transcript import Transcript
from memoryapp.text.hangul import HANGUL

MOST_SENTENCES = 6
_SHORTEST = 6  # words; what is shorter is not favoured for being short
_DECISION, _OUTCOME, _NEW, _KNOWN, _NUMBER, _FEELING = 1.0, 0.6, 0.5, 0.1, 0.15, 0.1
_WORTH, _FULL_WORTH = 0.6, 8.0  # share of the rules' points, and where they count in full
_AGAIN = 0.6  # Dice of two decisions on one thing
_MACHINE = 0.7  # of the points of a sentence by an assistant: it explains at length


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A sentence with its points and why it is told, in words for a person."""

    sentence: Sentence
    points: float
    why: tuple[str, ...]


def choose(heard: Transcript, pool: Sequence[Sentence]) -> tuple[RankedSentence, ...]:
    """At most `MOST` sentences in the order in which they were said, none that repeats another.

    Points = centrality + decision 1.0 + outcome 0.6 + worth / 8 up to 0.6 + new fact 0.5 + number 0.15 + feeling 0.1.
    Centrality, 0–1: the number of lines that hold each of its terms, summed and divided by √words: what a session
    comes back to. Worth: how much it says by itself, in the points of the rules that look for facts.
    """
    central = _centrality(heard, pool)
    judged = [_rank_sentence(heard, sentence, central[n]) for n, sentence in enumerate(pool)]
    ranked = sorted(range(len(pool)), key=lambda n: (-judged[n].points, n))
    best = decision_of(judged)
    if best is not None:
        ranked.remove(best)
        ranked.insert(0, best)
    taken: list[int] = []
    said: list[frozenset[str]] = []
    for n in ranked:
        if len(taken) == _sentence_limit(heard):
            break
        if not repeats(pool[n].terms, said):
            taken.append(n)
            said.append(pool[n].terms)
    return tuple(judged[n] for n in sorted(taken))


def decision_of(judged: Sequence[RankedSentence]) -> int | None:
    """The place of the most important decision: the one that most of the session was about; where it was decided again
    later, the last word on it, for that stands. None where nothing was decided."""
    decided = [n for n, one in enumerate(judged) if one.sentence.decision]
    best = max(decided, key=lambda n: (round(judged[n].points, 2), n), default=None)
    for n in decided:
        if best is not None and n > best and dice(judged[n].sentence.terms, judged[best].sentence.terms) >= _AGAIN:
            best = n
    return best


def _sentence_limit(heard: Transcript) -> int:
    return min(MOST_SENTENCES, max(3, len(heard.lines) // 2))


def _rank_sentence(heard: Transcript, sentence: Sentence, central: float) -> RankedSentence:
    stated = _WORTH * min(sentence.worth, _FULL_WORTH) / _FULL_WORTH
    points, why = central + stated, ["much of the session was about it"] if central >= 0.6 else []
    known = sentence.fact in heard.confirmed
    for holds, worth, reason in (
        (sentence.decision, _DECISION, "a decision"),
        (came_of_it(sentence.quote or sentence.text), _OUTCOME, "what came of it"),
        (sentence.fact is not None, _KNOWN if known else _NEW, "known before" if known else "a fact learned here"),
        (has_number(sentence.text), _NUMBER, "a number"),
        (sentence.emotional, _FEELING, "a feeling"),
    ):
        if holds:
            points += worth
            why.append(reason)
    if sentence.speaker == "assistant" and sentence.fact is None:
        points *= _MACHINE
    return RankedSentence(sentence, points, tuple(why) or ("says something of its own",))


def _centrality(heard: Transcript, pool: Sequence[Sentence]) -> list[float]:
    """Σ over distinct terms of the sentences' lines that hold the term, / √max(6, words); the best is 1."""
    by_line: dict[int, set[str]] = {}
    for sentence in pool:
        by_line.setdefault(sentence.line, set()).update(sentence.terms)
    held = Counter(term for said in by_line.values() for term in said)
    raw = [
        sum(held[term] for term in sentence.terms) / math.sqrt(max(_SHORTEST, len(sentence.quote.split())))
        for sentence in pool
    ]
    best = max(raw, default=0.0)
    return [value / best if best else 0.0 for value in raw]


# What a session was about: the names that most of its sentences speak of, those who speak left out.

MOST_TOPICS = 3


def named_in(space: Space, heard: Transcript) -> dict[str, tuple[Entity, ...]]:
    """Known names by the memory (a fact of the session, or a note of it) that speaks of them."""
    keys = [fact.id for fact in heard.facts] + ([line.key for line in heard.lines] if heard.noted else [])
    edges = entities.references_of(space.db, keys)
    known = entities.get_many(space.db, sorted({edge.entity for group in edges.values() for edge in group}))
    return {
        key: tuple(known[edge.entity] for edge in group if edge.entity in known) for key, group in sorted(edges.items())
    }


def topics(heard: Transcript, pool: Sequence[Sentence], named: Mapping[str, Sequence[Entity]]) -> tuple[str, ...]:
    """At most `MOST` names: those in most sentences first, then in the order in which they came up."""
    speakers = {word for speaker in heard.speakers for word in (speaker.casefold(), *speaker.casefold().split()[:1])}
    spelled: dict[str, str] = {}
    counted: defaultdict[str, set[int]] = defaultdict(set)
    for n, sentence in enumerate(pool):
        known = [entity.name for key in (sentence.fact, sentence.source) if key for entity in named.get(key, ())]
        for name in dict.fromkeys([*known, *sentence.entities]):
            if name.casefold() not in speakers and name.casefold() in sentence.text.casefold():
                spelled.setdefault(name.casefold(), name)
                counted[name.casefold()].add(n)
    ranked = sorted(counted, key=lambda name: (-len(counted[name]), min(counted[name]), name))
    chosen: list[str] = []
    for name in ranked:
        if len(chosen) < MOST_TOPICS and not any(
            name in other.casefold() or other.casefold() in name for other in chosen
        ):
            chosen.append(spelled[name])
    return tuple(chosen)


def edges(key: str, named: Mapping[str, Sequence[Entity]]) -> tuple[Reference, ...]:
    """References from an episode to every name that what it was made from refers to."""
    found = sorted({entity.id for group in named.values() for entity in group})
    return tuple(Reference(key, entity, "mention", 1.0) for entity in found)


# Fourth step: the chosen sentences become a text that can be read: when, who, of what, and then what was said.

TITLE = 80  # characters
_ENDED = re.compile(r"[.!?…。！？]['\"”’)\]]*$")
# “Mina decided to rent one H100.”: whoever reads a list of titles wants to know what, not that.
_DECIDED = re.compile(
    r"^[^:“”]{1,60}? (?:have |has )?(?:decided|agreed|settled|chose|plan(?:s|ned)?) (?:to|that|on) (?P<what>.+)$"
)
_LETTER = re.compile(r"[^\W\d_]")
_ROLES = {
    "user": ("the user", "사용자"),
    "human": ("the user", "사용자"),
    "assistant": ("the assistant", "비서"),
    "ai": ("the assistant", "비서"),
}


def is_korean(heard: Transcript) -> bool:
    """Whether more than half of what was said is Hangul."""
    said = " ".join([*(line.text for line in heard.lines), *(fact.text for fact in heard.facts)])
    return 2 * len(HANGUL.findall(said)) > len(_LETTER.findall(said))


def compose(heard: Transcript, chosen: Sequence[RankedSentence], topics: Sequence[str]) -> str:
    """The opening line, then the sentences."""
    korean = is_korean(heard)
    opening = _opening_ko(heard, topics) if korean else _opening_en(heard, topics)
    return " ".join([opening, *(readable(one.sentence, korean=korean) for one in chosen)])


def title(heard: Transcript, topics: Sequence[str], decision: str | None) -> str:
    """What it came to, in a few words: what was decided, else what was spoken of, else the day."""
    if decision and (said := _DECIDED.match(decision)):
        gist = said["what"].rstrip(".!… ")
        return _shorten_title(gist[:1].upper() + gist[1:])
    if topics:
        named = ", ".join(topics) if is_korean(heard) else _join_names(topics)
        return named[:1].upper() + named[1:]
    if decision:
        return _shorten_title(decision)
    return f"{day(heard.ended)} {heard.ended.year}"


def _shorten_title(text: str) -> str:
    return text if len(text) <= TITLE else text[: TITLE - 1].rsplit(" ", 1)[0] + "…"


def people(heard: Transcript) -> tuple[str, ...]:
    """Those who spoke, or of whose facts it is told, as a sentence names them."""
    korean = is_korean(heard)
    spoke = heard.speakers or tuple(dict.fromkeys(fact.speaker for fact in heard.facts if fact.speaker))
    return tuple(_ROLES.get(name.casefold(), (name, name))[korean] for name in spoke)


def day(at: datetime) -> str:
    """“3 May”."""
    return f"{at.day} {at:%B}"


def _opening_en(heard: Transcript, topics: Sequence[str]) -> str:
    began, ended = heard.began, heard.ended
    on = f"On {day(ended)} {ended.year}"
    if began.date() != ended.date():
        year = f" {began.year}" if began.year != ended.year else ""
        on = f"Between {day(began)}{year} and {day(ended)} {ended.year}"
    who = _join_names(people(heard)) or "somebody"
    return f"{on}, {who} spoke of {_join_names(topics)}." if topics else f"{on}, {who} spoke."


def _opening_ko(heard: Transcript, topics: Sequence[str]) -> str:
    began, ended = heard.began, heard.ended
    on = f"{ended.year}년 {ended.month}월 {ended.day}일"
    if began.date() != ended.date():
        on = f"{began.year}년 {began.month}월 {began.day}일부터 {on}까지"
    who = people(heard) or ("누군가",)
    named = who[-1]
    for one in reversed(who[:-1]):
        named = f"{one}{_particle_after(one, '과', '와')} {named}"
    named += _particle_after(named, "이", "가")
    return f"{on}, {named} {', '.join(topics)}에 대해 이야기했다." if topics else f"{on}, {named} 이야기했다."


def _particle_after(word: str, closed: str, open_: str) -> str:
    """The particle that follows a word: one after a final consonant, another after a vowel."""
    return closed if ends_in_consonant(word) else open_


def _join_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def readable(sentence: Sentence, *, korean: bool) -> str:
    """The sentence with its full stop. One that names nobody is told as what it is: something its speaker said."""
    text = sentence.text if _ENDED.search(sentence.text) else f"{sentence.text}."
    speaker, colon, said = text.partition(": ")
    if not colon or not sentence.speaker or speaker.casefold() not in _names_of(sentence.speaker):
        return text
    name = _ROLES.get(speaker.casefold(), (speaker, speaker))[korean]
    named = name[:1].upper() + name[1:]
    return f"{named}: “{said}”" if korean else f"{named} said: “{said}”"


def _names_of(speaker: str) -> set[str]:
    return {speaker.casefold(), *(name.casefold() for name in _ROLES.get(speaker.casefold(), ()))}

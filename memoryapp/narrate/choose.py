"""Third step: which sentences are told: the decision, what came of it, and what most of the session was about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.narrate.heard import Heard
from memoryapp.narrate.likeness import dice, repeats
from memoryapp.narrate.marks import came_of_it, has_number
from memoryapp.narrate.sentences import Sentence

MOST_SENTENCES = 6
_SHORTEST = 6  # words; what is shorter is not favoured for being short
_DECISION, _OUTCOME, _NEW, _KNOWN, _NUMBER, _FEELING = 1.0, 0.6, 0.5, 0.1, 0.15, 0.1
_WORTH, _FULL_WORTH = 0.6, 8.0  # share of the rules' points, and where they count in full
_AGAIN = 0.6  # Dice of two decisions on one thing
_MACHINE = 0.7  # of the points of a sentence by an assistant: it explains at length


@dataclass(frozen=True, slots=True)
class Chosen:
    """A sentence with its points and why it is told, in words for a person."""

    sentence: Sentence
    points: float
    why: tuple[str, ...]


def choose(heard: Heard, pool: Sequence[Sentence]) -> tuple[Chosen, ...]:
    """At most `MOST` sentences in the order in which they were said, none that repeats another.

    Points = centrality + decision 1.0 + outcome 0.6 + worth / 8 up to 0.6 + new fact 0.5 + number 0.15 + feeling 0.1.
    Centrality, 0–1: the number of lines that hold each of its terms, summed and divided by √words: what a session
    comes back to. Worth: how much it says by itself, in the points of the rules that look for facts.
    """
    central = _centrality(heard, pool)
    judged = [_judged(heard, sentence, central[n]) for n, sentence in enumerate(pool)]
    ranked = sorted(range(len(pool)), key=lambda n: (-judged[n].points, n))
    best = decision_of(judged)
    if best is not None:
        ranked.remove(best)
        ranked.insert(0, best)
    taken: list[int] = []
    said: list[frozenset[str]] = []
    for n in ranked:
        if len(taken) == _many(heard):
            break
        if not repeats(pool[n].terms, said):
            taken.append(n)
            said.append(pool[n].terms)
    return tuple(judged[n] for n in sorted(taken))


def decision_of(judged: Sequence[Chosen]) -> int | None:
    """The place of the most important decision: the one that most of the session was about; where it was decided again
    later, the last word on it, for that stands. None where nothing was decided."""
    decided = [n for n, one in enumerate(judged) if one.sentence.decision]
    best = max(decided, key=lambda n: (round(judged[n].points, 2), n), default=None)
    for n in decided:
        if best is not None and n > best and dice(judged[n].sentence.terms, judged[best].sentence.terms) >= _AGAIN:
            best = n
    return best


def _many(heard: Heard) -> int:
    return min(MOST_SENTENCES, max(3, len(heard.lines) // 2))


def _judged(heard: Heard, sentence: Sentence, central: float) -> Chosen:
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
    return Chosen(sentence, points, tuple(why) or ("says something of its own",))


def _centrality(heard: Heard, pool: Sequence[Sentence]) -> list[float]:
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

"""What came back for the questions against what answers them. An answer counts as found where its words stand there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memoryapp.management.bench.talk_ask import BEST, Got, Pair
from memoryapp.management.bench.talk_read import UNANSWERED, UPDATE

FEW = 5
TEN = "answer in the ten best"
CONTEXT = "answer in the context"
_MARKED = re.compile(
    r"\b(?:disputed:|probably outdated:|no longer so:|until \d{4}-)"
)  # how a context says that something may no longer hold

Scored = Mapping[str, float]


def has(text: str, answer: Sequence[Sequence[str]]) -> bool:
    """Whether every part of the answer stands in the text in one of its wordings; case and line breaks do not count."""
    plain = _plain(text)
    return bool(answer) and all(any(_plain(one) in plain for one in wordings) for wordings in answer)


def scored(got: Got) -> Scored:
    """What one question scored, 0 to 1 by measure; nothing where nothing answers it."""
    asked = got.question
    if asked.kind == UNANSWERED:
        return {}
    found = {
        f"turn R@{FEW}": recall(got.refs[:FEW], asked.gold),
        f"turn R@{BEST}": recall(got.refs[:BEST], asked.gold),
        TEN: float(has(" ".join(got.texts), asked.answer)),
        CONTEXT: float(has(got.context, asked.answer)),
        f"plain turn R@{BEST}": recall(got.plain_refs[:BEST], asked.gold),
        f"plain {TEN}": float(has(" ".join(got.plain_texts), asked.answer)),
    }
    if asked.kind == UPDATE:
        found["newest in the context"] = found[CONTEXT]
        if asked.stale:
            old = [line for line in got.context.splitlines() if _any(line, asked.stale)]
            found["stale absent"] = float(not old)
            found["stale absent or marked"] = float(all(_MARKED.search(line) for line in old))
    return found


def known_apart(known: Sequence[float], unknown: Sequence[float]) -> float | None:
    """AUC: in how many pairs of a question that is answered and one that is not the first has the greater relevance;
    a tie is half of one. None where there are none of either."""
    pairs = len(known) * len(unknown)
    return sum((one > other) + 0.5 * (one == other) for one in known for other in unknown) / pairs if pairs else None


def means(all_scored: Iterable[Scored]) -> dict[str, float]:
    """Each measure's mean over the questions that it counts for."""
    values: dict[str, list[float]] = defaultdict(list)
    for one in all_scored:
        for measure, value in one.items():
            values[measure].append(value)
    return {measure: sum(those) / len(those) for measure, those in values.items()}


def by_kind(kinds: Sequence[str], all_scored: Sequence[Scored]) -> Iterator[tuple[str, int, dict[str, float]]]:
    """(kind, questions, means) of the kinds that have an answer, in order of name."""
    for kind in sorted(set(kinds) - {UNANSWERED}):
        those = [one for name, one in zip(kinds, all_scored, strict=True) if name == kind]
        yield kind, len(those), means(those)


def conflicts_scored(updates: Sequence[tuple[str, str]], found: Sequence[Pair]) -> dict[str, int]:
    """`found` of the `updates` as a conflict between what its two turns gave; `right` of the conflicts `shown`."""
    return {
        "updates": len(updates),
        "found": sum(any(_same(pair, update) for pair in found) for update in updates),
        "shown": len(found),
        "right": sum(any(_same(pair, update) for update in updates) for pair in found),
    }


def _same(pair: Pair, update: tuple[str, str]) -> bool:
    (one, other), (before, after) = pair, update
    return (before in one and after in other) or (after in one and before in other)


def recall(refs: Sequence[frozenset[str]], gold: Sequence[str]) -> float:
    """The share of `gold` that one of the results comes from."""
    return sum(any(ref in those for those in refs) for ref in gold) / len(gold)


def _any(line: str, wordings: Sequence[str]) -> bool:
    return any(one.casefold() in line.casefold() for one in wordings)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())

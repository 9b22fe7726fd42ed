"""Two statements in, what the rules find between them out, the cheapest rule first. Next: `pipeline`, `halves`."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.detect import diet, differ, korean, topic
from memoryapp.detect.clash import agrees, clashes
from memoryapp.detect.clause import clauses
from memoryapp.detect.finding import Finding
from memoryapp.detect.slots import slots
from memoryapp.domain.statement import Statement


def findings(existing: Statement, incoming: Statement, cosine: float | None) -> Iterator[Finding]:
    """What each detector finds, in order of their cost; the slots' findings before those of the wording."""
    held = slots(existing.text, speaker=existing.speaker), slots(incoming.text, speaker=incoming.speaker)
    yield from clashes(*held)
    if agrees(*held):
        return
    if korean.is_korean(existing.text) or korean.is_korean(incoming.text):
        yield from korean.compare(existing.text, incoming.text)
        return
    ones, others = clauses(existing.text, existing.speaker), clauses(incoming.text, incoming.speaker)
    if len(ones) == len(others) == 1 and differ.in_scenes(ones[0], others[0]):
        yield from topic.compare(ones[0], others[0], framed=True)
        yield from differ.compare(ones[0], others[0], cosine=cosine)
        return
    for one in ones:
        for other in others:
            yield from topic.compare(one, other)
            yield from diet.compare(one, other)


def turned(incoming: Statement) -> bool:
    """Whether what comes in says itself that it was otherwise before."""
    if korean.is_korean(incoming.text):
        return korean.changed(incoming.text)
    return any(clause.change for clause in clauses(incoming.text, incoming.speaker))

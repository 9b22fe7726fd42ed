"""A text to begin with where two memories are to become one; a person has the last word on it."""

from __future__ import annotations

import re

from memoryapp.detect import standing
from memoryapp.domain.memory import Memory
from memoryapp.domain.sentences import sentences
from memoryapp.domain.statement import Statement


def suggest_merge(existing: Memory, incoming: Memory) -> str:
    """The longer one where it says all the other does; where the incoming one changes a part of the existing one, what
    it says and the part that stands; else what the existing one says, then what is new in the incoming one."""
    held, new = existing.text.strip(), incoming.text.strip()
    if _bare(new) in _bare(held):
        return held
    if _bare(held) in _bare(new):
        return new
    stands = standing(_statement(existing), _statement(incoming))
    if stands:
        return f"{_ended(new)} {' '.join(stands)}"
    known = {_bare(sentence) for sentence in sentences(held)}
    added = [sentence for sentence in sentences(new) if _bare(sentence) not in known]
    return f"{_ended(held)} {' '.join(added)}"


def _statement(memory: Memory) -> Statement:
    return Statement(memory.text.strip(), speaker=memory.speaker)


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def _ended(text: str) -> str:
    return text if text[-1:] in ".!?。" else f"{text}."

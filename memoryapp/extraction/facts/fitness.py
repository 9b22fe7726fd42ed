"""What a chat model is fit for: a dozen known turns, put into plain words and searched for facts; how many came out
right, and how fast.

The turns stand in fitness.jsonl: `own` is the wording of the rules for `quote`; `needs` are words that a right answer
holds, any of those parted by a bar; `never` are words that a wrong one holds. A turn without `own` holds no fact.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from memoryapp.domain.errors import LlmError
from memoryapp.domain.fact import Candidate, Cost, Extraction, SpokenTurn
from memoryapp.extraction.facts.llm import extract_with_model
from memoryapp.extraction.facts.reword import reword_fact
from memoryapp.inference.llm import ChatModel

_FILE = Path(__file__).with_name("fitness.jsonl")
REWORDS_FROM, EXTRACTS_FROM = 0.3, 0.8  # shares that must come out right for a model to be used for it


@dataclass(frozen=True, slots=True)
class Fitness:
    """`model`: its name and address. `rewords` of `sentences` and `extracts` of `turns` came out right. `seconds`: for
    one sentence; `speed`: tokens written a second, 0 where the endpoint does not count them. `problem`: why the test
    did not come to its end. `at`: when, in ISO 8601."""

    model: str
    rewords: int = 0
    sentences: int = 0
    extracts: int = 0
    turns: int = 0
    seconds: float = 0.0
    speed: float = 0.0
    problem: str = ""
    at: str = ""

    @property
    def may_reword(self) -> bool:
        """A model that was never tested may: its words are checked."""
        return not self.sentences or self.rewords >= REWORDS_FROM * self.sentences

    @property
    def may_extract(self) -> bool:
        return self.turns > 0 and self.extracts >= EXTRACTS_FROM * self.turns

    @property
    def told(self) -> str:
        """In words for a person."""
        if self.problem:
            return f"The test did not come to its end: {self.problem}"
        unused = ", so it is not used for that"
        speed = f", {self.speed:.0f} tokens a second" if self.speed else ""
        return (
            f"rewrites facts: {self.rewords} of {self.sentences} right{'' if self.may_reword else unused}; "
            f"extraction: {self.extracts} of {self.turns}{'' if self.may_extract else unused}; "
            f"{self.seconds:.1f} s a sentence{speed}"
        )


@dataclass(frozen=True, slots=True)
class FitnessCase:
    """A turn whose facts are known."""

    said: SpokenTurn
    before: SpokenTurn | None
    candidate: Candidate | None
    needs: tuple[tuple[str, ...], ...]
    never: tuple[str, ...]

    def is_right(self, text: str) -> bool:
        small = text.casefold()
        return all(any(word in small for word in one) for one in self.needs) and not self.is_wrong(text)

    def is_wrong(self, text: str) -> bool:
        return any(word in text.casefold() for word in self.never)


def fitness_of(model: ChatModel, *, advance: Callable[[int, int], None] = lambda done, total: None) -> Fitness:
    """Asks the model about each known turn; ends at the first failure, with what it was. `advance` is told how far it
    is. Takes as long as a dozen sentences and two longer answers do."""
    known = known_turns()
    stated = [one for one in known if one.candidate is not None]
    fit = Fitness(model=model.endpoint.label)
    cost = Cost()
    try:
        for done, one in enumerate(stated):
            advance(done, len(stated) + 1)
            assert one.candidate is not None
            new = reword_fact(model, one.candidate, one.said, before=one.before)
            cost += new.cost
            right = not new.fault and one.is_right(new.candidate.text)
            fit = replace(fit, rewords=fit.rewords + right, sentences=done + 1)
        fit = replace(fit, seconds=cost.seconds / len(stated), speed=cost.tokens_out / max(cost.seconds, 1e-6))
        advance(len(stated), len(stated) + 1)
        return replace(fit, extracts=_count_right_extractions(model, known), turns=len(known))
    except LlmError as error:
        return replace(fit, problem=error.detail)


def _count_right_extractions(model: ChatModel, known: Sequence[FitnessCase]) -> int:
    read = extract_with_model(model, [one.said for one in known])
    return sum(_is_right(one, found) for one, found in zip(known, read, strict=True))


def _is_right(one: FitnessCase, found: Extraction) -> bool:
    texts = [fact.text for fact in found.candidates]
    if one.candidate is None:
        return not texts
    return any(one.is_right(text) for text in texts) and not any(one.is_wrong(text) for text in texts)


@cache
def known_turns() -> tuple[FitnessCase, ...]:
    """The turns whose facts are known, that a chat model is tried on."""
    return tuple(
        _read_case(json.loads(line)) for line in _FILE.read_text(encoding="utf-8").splitlines() if line.strip()
    )


def _read_case(row: dict[str, str]) -> FitnessCase:
    speakers = ("Ines", "Marek")
    other = next(name for name in speakers if name != row["speaker"])
    return FitnessCase(
        said=SpokenTurn(row["text"], row["speaker"], None, (other,)),
        before=SpokenTurn(row["before"], other, None, (row["speaker"],)) if row.get("before") else None,
        candidate=Candidate(row["own"], row["quote"]) if row.get("own") else None,
        needs=tuple(tuple(one.split("|")) for one in row.get("needs", "").split()),
        never=tuple(row.get("never", "").split()),
    )

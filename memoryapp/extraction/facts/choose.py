"""Which reader reads the turns, by the space's setting and the chat model. Whatever the model does, the facts are no
fewer than those of the rules, and each reading says whose words they are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memoryapp.domain.errors import BadInput, LlmError
from memoryapp.domain.fact import Candidate, Cost, Extraction, SpokenTurn
from memoryapp.domain.limits import CHOICES
from memoryapp.extraction.facts.llm import extract_with_model, in_calls
from memoryapp.extraction.facts.pipeline import extract_facts
from memoryapp.extraction.facts.reword import Encode, reword_all
from memoryapp.extraction.facts.select import select_candidates
from memoryapp.extraction.grounding import carries
from memoryapp.inference.llm import ChatModel

NO_MODEL = "No chat model is set up. Set MEMORY_LLM_URL and MEMORY_LLM_MODEL, or let this space read by rules."


class Reader(Protocol):
    """Turns into facts: one Extracted for each turn, in order. `before` are the turns before these."""

    @property
    def name(self) -> str: ...

    def read(self, said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = ()) -> list[Extraction]: ...


def reader_of(
    setting: str,
    *,
    model: ChatModel | None,
    worth: float,
    rewords: bool = True,
    extracts: bool = False,
    encode: Encode | None = None,
) -> Reader:
    """The reader for a space's setting: auto (with the model where there is one, else rules), rules, llm or off.
    `worth` is what a sentence must be worth to the rules. `rewords`, `extracts`: what the model is fit for, to word the
    facts and to find some. `encode` compares its words with ours. Raises BadInput for another setting."""
    if setting_of(setting) == "off":
        return NobodyReads()
    if setting == "rules" or model is None:
        return RulesRead(worth, problem=NO_MODEL if setting == "llm" else "")
    return ModelReads(model, RulesRead(worth), rewords=rewords, extracts=extracts, encode=encode)


def setting_of(setting: str) -> str:
    """A space's setting “extractor” as it is. Raises BadInput where it is none."""
    if setting not in CHOICES["extractor"]:
        raise BadInput(f"“extractor” is one of {', '.join(CHOICES['extractor'])}.", field="/extractor")
    return setting


@dataclass(frozen=True, slots=True)
class NobodyReads:
    """Extraction is off: turns are kept, nothing is learned."""

    name: str = "off"

    def read(self, said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = ()) -> list[Extraction]:
        return [Extraction((), extractor=self.name) for _ in said]


@dataclass(frozen=True, slots=True)
class RulesRead:
    """The local rules, and of what they find what is worth keeping. `problem` says why it is they, where something
    else was wanted."""

    worth: float
    problem: str = ""
    name: str = "rules"

    def read(self, said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = ()) -> list[Extraction]:
        read = select_candidates(extract_facts(said, before=before, worth=self.worth))
        return [replace(one, problem=self.problem or one.problem) for one in read]


@dataclass(frozen=True, slots=True)
class ModelReads:
    """The rules find facts and a chat model puts them into plain words. One that `extracts` finds facts of its own
    beside them. What it does badly or not at all stays as the rules have it."""

    model: ChatModel
    rules: RulesRead
    rewords: bool = True
    extracts: bool = False
    encode: Encode | None = None

    @property
    def name(self) -> str:
        return f"llm {self.model.name}"

    def read(self, said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = ()) -> list[Extraction]:
        read = self.rules.read(said, before=before)
        if self.extracts:
            read = self._with_its_own(read, said, before=before)
        if not self.rewords:
            return read
        return reword_all(self.model, said, read, before=before, encode=self.encode)

    def _with_its_own(
        self, read: Sequence[Extraction], said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn]
    ) -> list[Extraction]:
        """The model's facts, and those of the rules that none of them carries."""
        both: list[Extraction] = []
        for turns in in_calls(said):
            mine, earlier = read[len(both) : len(both) + len(turns)], [*before, *said[: len(both)]]
            try:
                found = extract_with_model(self.model, turns, before=earlier)
            except LlmError as error:
                first = replace(mine[0], cost=mine[0].cost + (error.cost or Cost()))
                both += [replace(one, problem=error.detail) for one in (first, *mine[1:])]
            else:
                both += [_join_extractions(ours, theirs) for ours, theirs in zip(mine, found, strict=True)]
        return both


def _join_extractions(ours: Extraction, theirs: Extraction) -> Extraction:
    kept = [one for one in ours.candidates if not any(_says_it(found, one) for found in theirs.candidates)]
    new = [found for found in theirs.candidates if not any(_says_it(one, found) for one in kept)]
    return replace(
        theirs,
        candidates=(*new, *kept),
        passed_over=(*ours.passed_over, *theirs.passed_over),
        extractor=theirs.extractor if new else ours.extractor,
    )


def _says_it(one: Candidate, other: Candidate) -> bool:
    """Whether one fact makes the other needless: they are of the same words of the turn, and it says all of it."""
    return (other.quote in one.quote or one.quote in other.quote) and carries(one.text, other.text)

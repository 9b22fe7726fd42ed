"""Who reads the turns. In: a space's setting and the chat model, if there is one. Out: a reader; whatever happens to
the model, turns are read, and each reading says by whom and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memoryapp.domain.errors import BadInput, LlmError
from memoryapp.domain.fact import Cost, Extracted, Said
from memoryapp.domain.limits import CHOICES
from memoryapp.extract.facts.llm import extract_with_model, in_calls
from memoryapp.extract.facts.pipeline import extract_facts
from memoryapp.llm import ChatModel

NO_MODEL = "No chat model is set up. Set MEMORY_LLM_URL and MEMORY_LLM_MODEL, or let this space read by rules."


class Reader(Protocol):
    """Turns into facts: one Extracted for each turn, in order. `before` are the turns before these."""

    @property
    def name(self) -> str: ...

    def read(self, said: Sequence[Said], *, before: Sequence[Said] = ()) -> list[Extracted]: ...


def reader_of(setting: str, *, model: ChatModel | None, worth: float) -> Reader:
    """The reader for a space's setting: auto (the model where there is one, else rules), rules, llm or off. `worth` is
    what a sentence must be worth to the rules. Raises BadInput for another setting."""
    if setting_of(setting) == "off":
        return NobodyReads()
    if setting == "rules" or model is None:
        return RulesRead(worth, problem=NO_MODEL if setting == "llm" else "")
    return ModelReads(model, RulesRead(worth))


def setting_of(setting: str) -> str:
    """A space's setting “extractor” as it is. Raises BadInput where it is none."""
    if setting not in CHOICES["extractor"]:
        raise BadInput(f"“extractor” is one of {', '.join(CHOICES['extractor'])}.", field="/extractor")
    return setting


@dataclass(frozen=True, slots=True)
class NobodyReads:
    """Extraction is off: turns are kept, nothing is learned."""

    name: str = "off"

    def read(self, said: Sequence[Said], *, before: Sequence[Said] = ()) -> list[Extracted]:
        return [Extracted((), extractor=self.name) for _ in said]


@dataclass(frozen=True, slots=True)
class RulesRead:
    """The local rules. `problem` says why it is they, where something else was wanted."""

    worth: float
    problem: str = ""
    name: str = "rules"

    def read(self, said: Sequence[Said], *, before: Sequence[Said] = ()) -> list[Extracted]:
        return self.instead(said, before=before, problem=self.problem, cost=Cost())

    def instead(self, said: Sequence[Said], *, before: Sequence[Said], problem: str, cost: Cost) -> list[Extracted]:
        """As `read`; each reading tells the problem, and the first bears what was spent before it came to this."""
        read = [
            replace(one, problem=problem or one.problem) for one in extract_facts(said, before=before, worth=self.worth)
        ]
        return [replace(read[0], cost=read[0].cost + cost), *read[1:]] if read else []


@dataclass(frozen=True, slots=True)
class ModelReads:
    """A chat model; where it fails, the rules read those turns, and the rest are still tried with the model."""

    model: ChatModel
    rules: RulesRead

    @property
    def name(self) -> str:
        return f"llm {self.model.name}"

    def read(self, said: Sequence[Said], *, before: Sequence[Said] = ()) -> list[Extracted]:
        read: list[Extracted] = []
        for turns in in_calls(said):
            earlier = [*before, *said[: len(read)]]
            try:
                read += extract_with_model(self.model, turns, before=earlier)
            except LlmError as error:
                spent = error.cost or Cost()
                read += self.rules.instead(turns, before=earlier, problem=error.detail, cost=spent)
        return read

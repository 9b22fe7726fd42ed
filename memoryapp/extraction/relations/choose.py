"""Which reader reads texts for relations, by the space's setting and the chat model. Whatever happens to the model,
texts are read, and each reading says by whom and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memoryapp.domain.errors import LlmError
from memoryapp.domain.fact import Cost
from memoryapp.domain.relation import MadeBy
from memoryapp.extraction.facts.choose import NO_MODEL, setting_of
from memoryapp.extraction.relations.llm import in_parts, relations_with_model
from memoryapp.extraction.relations.pipeline import ParsedTexts, relations_in
from memoryapp.extraction.relations.sentences import Reading, Text
from memoryapp.extraction.relations.taxonomy import Encode
from memoryapp.inference.llm import ChatModel


class RelationReader(Protocol):
    """Texts into relations: one Reading for each text, in order. `said`: `spoken(texts)` of who has it already."""

    @property
    def name(self) -> str: ...

    def read(self, texts: Sequence[Text], *, said: ParsedTexts | None = None) -> list[Reading]: ...


def relation_reader_of(setting: str, *, model: ChatModel | None, encode: Encode | None = None) -> RelationReader:
    """The reader for a space's setting “extractor”: auto (the model where there is one, else rules), rules, llm or off.
    `encode` brings labels that no synonym covers to their nearest type. Raises BadInput for another setting."""
    if setting_of(setting) == "off":
        return NobodyReads()
    if setting == "rules" or model is None:
        return RulesRead(encode, problem=NO_MODEL if setting == "llm" else "")
    return ModelReads(model, RulesRead(encode))


def made_by(reading: Reading) -> MadeBy:
    """Who found the relations of a reading, as its edges tell it."""
    return MadeBy.LLM if reading.reader.startswith("llm ") else MadeBy.RULES


@dataclass(frozen=True, slots=True)
class NobodyReads:
    """Extraction is off."""

    name: str = "off"

    def read(self, texts: Sequence[Text], *, said: ParsedTexts | None = None) -> list[Reading]:
        return [Reading((), reader=self.name) for _ in texts]


@dataclass(frozen=True, slots=True)
class RulesRead:
    """The local rules. `problem` says why it is they, where something else was wanted."""

    encode: Encode | None = None
    problem: str = ""
    name: str = "rules"

    def read(self, texts: Sequence[Text], *, said: ParsedTexts | None = None) -> list[Reading]:
        return self.instead(texts, problem=self.problem, cost=Cost(), said=said)

    def instead(
        self, texts: Sequence[Text], *, problem: str, cost: Cost, said: ParsedTexts | None = None
    ) -> list[Reading]:
        """As `read`; each reading tells the problem, and the first bears what was spent before it came to this."""
        found = relations_in(texts, encode=self.encode, said=said)
        read = [Reading(stated, reader=self.name, problem=problem) for stated in found]
        return [replace(read[0], cost=cost), *read[1:]] if read else []


@dataclass(frozen=True, slots=True)
class ModelReads:
    """A chat model; where it fails, the rules read those texts, and the rest are still tried with the model."""

    model: ChatModel
    rules: RulesRead

    @property
    def name(self) -> str:
        return f"llm {self.model.name}"

    def read(self, texts: Sequence[Text], *, said: ParsedTexts | None = None) -> list[Reading]:
        read: list[Reading] = []
        for part in in_parts(texts):
            try:
                read += relations_with_model(self.model, part, encode=self.rules.encode)
            except LlmError as error:
                read += self.rules.instead(part, problem=error.detail, cost=error.cost or Cost())
        return read

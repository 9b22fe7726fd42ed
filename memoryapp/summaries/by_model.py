"""A session told by a chat model. In: what was said. Out: a narrative, its title and decision, no more than the session
bears out, and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import BaseModel, Field

from memoryapp.domain.errors import LlmNonsense
from memoryapp.domain.fact import Cost
from memoryapp.domain.limits import Tuning
from memoryapp.extraction.grounding import fault_of_story, is_english
from memoryapp.inference.llm import DATA_RULE, ChatModel, as_material, ask, system, user
from memoryapp.summaries.by_rules import day, people
from memoryapp.summaries.transcript import Transcript

_SHOWN = 24_000  # characters of a session; of a longer one every line is shown by its beginning
_SHORTEST = 60  # characters of a line that are always shown
_TOKENS = 900  # of the answer
_INSTRUCTIONS = (
    "You are given one session: who said what, and the facts learned from it. Write an episode: what happened "
    "in the session, in three to six plain sentences, in the third person, past tense, in the language that is mostly "
    "spoken. Begin with the date and who spoke of what. Tell decisions, outcomes and what is new; leave out greetings "
    "and small talk. Say nothing that is not in the session. `decision` is the single most important decision that was "
    "taken, as one sentence, or null where nothing was decided. `title` names the subject in at most eight words."
)


class _Episode(BaseModel):
    title: str = Field(max_length=200)
    narrative: str = Field(min_length=1, max_length=4_000)
    decision: str | None = Field(max_length=500)


@dataclass(frozen=True, slots=True)
class ModelText:
    """What the model made of it."""

    title: str
    text: str
    decision: str | None
    cost: Cost


def written_by(model: ChatModel, heard: Transcript) -> ModelText:
    """A title that the session does not bear out is empty, such a decision None. Raises LlmError, also for a narrative
    that it does not bear out; what was spent is in its `cost`."""
    material = _material(heard)
    messages = [system(f"{_INSTRUCTIONS}\n\n{DATA_RULE}"), user(as_material(material))]
    asked = ask(model, messages, _Episode, max_tokens=_TOKENS)
    told = asked.parsed
    title, text, decision = (" ".join((part or "").split()) for part in (told.title, told.narrative, told.decision))
    if is_english(material) and (fault := fault_of_story(text, material)):
        error = LlmNonsense(f"The story of {model.endpoint.label} is not what was said: {fault}.")
        error.cost = asked.cost
        raise error
    if is_english(material) and fault_of_story(title.lower(), material):
        title = ""
    if is_english(material) and fault_of_story(decision, material):
        decision = ""
    return ModelText(title, text, decision or None, asked.cost)


def _material(heard: Transcript) -> str:
    ended = heard.ended
    head = f"Date: {day(ended)} {ended.year}\nSpeakers: {', '.join(people(heard))}"
    facts = "\n".join(f"- {fact.text}" for fact in heard.facts)
    said = _cut([f"{line.speaker}: {' '.join(line.text.split())}" for line in heard.lines])
    return "\n\n".join(part for part in (head, facts and f"Facts learned:\n{facts}", said and f"Said:\n{said}") if part)


def _cut(lines: Sequence[str]) -> str:
    if sum(map(len, lines)) <= _SHOWN:
        return "\n".join(lines)
    each = max(_SHOWN // len(lines), _SHORTEST)
    kept = [line if len(line) <= each else f"{line[:each]}…" for line in lines]
    most = _SHOWN // each
    if len(kept) > most:  # too many even so: the beginning and the end, where sessions say what they are about
        kept = [*kept[: most // 2], "…", *kept[-(most // 2) :]]
    return "\n".join(kept)


# Who tells: the chat model where the space wants one and there is one, else the rules; and what it took.

BY_RULES = "rules"


def model_of(tuning: Tuning, model: ChatModel | None) -> tuple[ChatModel | None, str]:
    """The model to ask, or None, with what is wrong where one is wanted and none is set up."""
    if tuning.extractor in ("rules", "off"):
        return None, ""
    if model is None and tuning.extractor == "llm":
        return None, "The space asks for a chat model, and none is set up."
    return model, ""


def ledger(by: Sequence[str], problems: Sequence[str], cost: Cost) -> dict[str, Any]:
    """What a run keeps of it."""
    kept: dict[str, Any] = {"by": ", ".join(by)}
    if problems:
        kept["problem"] = " ".join(problems)
    return kept | ({"cost": asdict(cost)} if cost.calls else {})

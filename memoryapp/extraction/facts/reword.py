"""Facts of the rules put into plain words by a chat model, a sentence a call. Its words are taken where what was said
bears them out; else the rules' own stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memoryapp.domain.errors import LlmError
from memoryapp.domain.fact import Candidate, Cost, Extraction, SpokenTurn
from memoryapp.extraction.facts.filter import asks_not_to_keep
from memoryapp.extraction.facts.rewrite import is_generic
from memoryapp.extraction.grounding import Ground, fault_of_rewording, is_english
from memoryapp.inference.llm import ChatModel, write

REFUSED_IN_A_ROW = 8  # wordings, after which the model is not asked about the rest of these turns
_TURN_CHARS = 500  # of the turn, around the sentence
_BEFORE_CHARS = 200  # of the end of the turn before
_ENDED = (".", "!", "…", "”", '"')

INSTRUCTIONS = (
    "You put one sentence of a chat into plain words, as a fact that is understood by itself. Third person: the "
    "person's name in place of I, you, he or she. Keep each name, number, not, if, plan and wish. Leave out chatter. "
    "Add nothing. Answer with the fact alone."
)
EXAMPLES = (
    (
        "Before: Jun: how was the move?\n"
        "Turn: Ann: haha ok so we finally moved, 900 euros for the van, and my sister Kim is helping me paint\n"
        "Sentence: haha ok so we finally moved, 900 euros for the van, and my sister Kim is helping me paint",
        "Ann moved, the van was 900 euros, and Ann's sister Kim is helping Ann paint.",
    ),
    (
        "Before: Ann: did you ask Leo?\n"
        "Turn: Jun: he's fine, he doesn't drink milk. If the rash comes back he'd have to see a doctor\n"
        "Sentence: If the rash comes back he'd have to see a doctor",
        "If the rash comes back, Leo would have to see a doctor.",
    ),
)

LEAST_COSINE = 0.6  # of the two wordings, where there is an encoder

Encode = Callable[[list[str]], Any]  # texts into unit vectors, a row each


@dataclass(frozen=True, slots=True)
class RewordResult:
    """`fault`: why the model's words were not taken; empty where they were."""

    candidate: Candidate
    fault: str
    cost: Cost


def reword_all(
    model: ChatModel,
    said: Sequence[SpokenTurn],
    read: Sequence[Extraction],
    *,
    before: Sequence[SpokenTurn],
    encode: Encode | None = None,
) -> list[Extraction]:
    """The readings with their facts in the model's words where these may stand; each tells how many it was asked about
    and how many were taken, and bears what that cost. Raises nothing: where the model fails, the turn says why."""
    refused = 0
    done: list[Extraction] = []
    turns = [*before[-1:], *said]
    for place, (turn, one) in enumerate(zip(said, read, strict=True), len(turns) - len(said)):
        previous = turns[place - 1] if place else None
        kept: list[Candidate] = []
        asked, taken, cost, trouble = 0, 0, one.cost, one.problem
        for candidate in one.candidates:
            if refused >= REFUSED_IN_A_ROW or not _worth_asking(candidate):
                kept.append(candidate)
                continue
            try:
                new = reword_fact(model, candidate, turn, before=previous, encode=encode)
            except LlmError as error:
                trouble, cost = trouble or error.detail, cost + (error.cost or Cost())
                kept.append(candidate)
                continue
            asked, taken, cost = asked + 1, taken + (not new.fault), cost + new.cost
            refused = refused + 1 if new.fault else 0
            kept.append(new.candidate)
        by = f"llm {model.name}" if taken else one.extractor
        done.append(
            replace(one, candidates=tuple(kept), extractor=by, problem=trouble, cost=cost, asked=asked, reworded=taken)
        )
    return done


def reword_fact(
    model: ChatModel, candidate: Candidate, turn: SpokenTurn, *, before: SpokenTurn | None, encode: Encode | None = None
) -> RewordResult:
    """One fact, asked about once. Raises LlmError."""
    if before is not None and asks_not_to_keep(before.text):
        before = None
    text, cost = write(
        model, INSTRUCTIONS, material_of(candidate, turn, before=before), max_tokens=_room(candidate), examples=EXAMPLES
    )
    text = _tidy_answer(text)
    ground = ground_of(candidate, turn, before=before)
    fault = fault_of_rewording(text, ground)
    if not fault and encode is not None and not _is_same_meaning(encode([candidate.text, text])):
        fault = "it means something else"
    if fault:
        return RewordResult(
            replace(candidate, wording=f"{model.name}: “{text[:200]}” was not taken: {fault}"), fault, cost
        )
    return RewordResult(replace(candidate, text=text, wording=f"in the words of {model.name}"), "", cost)


def material_of(candidate: Candidate, turn: SpokenTurn, *, before: SpokenTurn | None) -> str:
    """What the model is shown: the sentence, its turn where that is longer, and the end of the turn before."""
    parts = [f"Before: {_speaker_label(before)}: {_line(before.text)[-_BEFORE_CHARS:]}"] if before is not None else []
    quote = _line(candidate.quote) or candidate.text
    whole = _line(turn.text)
    at = max(whole.find(quote) + len(quote) // 2 - _TURN_CHARS // 2, 0)
    return "\n".join([*parts, f"Turn: {_speaker_label(turn)}: {whole[at : at + _TURN_CHARS]}", f"Sentence: {quote}"])


def ground_of(candidate: Candidate, turn: SpokenTurn, *, before: SpokenTurn | None) -> Ground:
    """What a wording of this fact may take its words from."""
    return Ground(
        own=candidate.text,
        quote=candidate.quote or turn.text,
        around=f"{before.speaker}: {before.text}\n{turn.text}" if before is not None else turn.text,
        speaker=turn.speaker,
        others=turn.others,
        names=candidate.entities,
    )


def _is_same_meaning(vectors: Any) -> bool:
    return float(vectors[0] @ vectors[1]) >= LEAST_COSINE


def _worth_asking(candidate: Candidate) -> bool:
    """Not what a model found itself, nor what the checks cannot read."""
    return not candidate.wording and is_english(candidate.text)


def _speaker_label(turn: SpokenTurn) -> str:
    return f"the {turn.speaker.lower()}" if is_generic(turn.speaker) else turn.speaker


def _line(text: str) -> str:
    return " ".join(text.split())


def _room(candidate: Candidate) -> int:
    return 60 + len(candidate.text) // 3


def _tidy_answer(text: str) -> str:
    """Without the label or the quotation marks that a small model puts around its answer, with a full stop."""
    line = text.strip()
    for label in ("Fact:", "Sentence:", "Answer:"):
        line = line.removeprefix(label).strip()
    if len(line) > 1 and line[0] in '"“' and line[-1] in '"”':
        line = line[1:-1].strip()
    return line if not line or line.endswith(_ENDED) else f"{line}."

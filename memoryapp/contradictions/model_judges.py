"""Models of others as judges, where they are set up: one of natural language inference, and a chat model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, BeforeValidator

from memoryapp.contradictions.clause import clauses
from memoryapp.contradictions.same import numbers_differ
from memoryapp.contradictions.slots import slots
from memoryapp.domain.cleaning import clean
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.errors import LlmError
from memoryapp.domain.fact import Cost
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.inference.llm import DATA_RULE, ChatModel, Message, as_material, ask, system, user

Probabilities = Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]
_CONTRADICTION, _ENTAILMENT = 0, 1
LINE = 0.9  # mean probability of both directions from which a contradiction is shown to a person


def nli_judge(probabilities: Probabilities, *, line: float = LINE) -> Callable[[Statement, Statement], Verdict | None]:
    """A judge for `judge(nli=…)`: POSSIBLE where both directions contradict, SAME where both entail, else None.

    Such models are trained on captions, where another dish or another town contradicts; so it is not asked about what
    one may have several of, nor about what is over, planned or asked.
    """

    def ask(existing: Statement, incoming: Statement) -> Verdict | None:
        if _has_multivalued_slot(existing, incoming) or not (_is_assertion(existing) and _is_assertion(incoming)):
            return None
        made = probabilities([(existing.text, incoming.text), (incoming.text, existing.text)])
        against, alike = float(made[:, _CONTRADICTION].mean()), float(made[:, _ENTAILMENT].min())
        if against >= line and made[:, _CONTRADICTION].min() >= 0.5:
            older = existing.at and incoming.at and incoming.at < existing.at
            reason = f"The inference model reads the two as contradicting each other ({against:.2f})."
            return Verdict(Relation.POSSIBLE, "nli", reason, against, Outcome.KEEP if older else Outcome.REPLACE)
        if alike >= line and not numbers_differ(existing.text, incoming.text):
            return Verdict(Relation.SAME, "nli", f"Each follows from the other ({alike:.2f}).", alike)
        return None

    return ask


def _has_multivalued_slot(existing: Statement, incoming: Statement) -> bool:
    """Whether both fill a slot that holds several values with different ones: “likes tea”, “likes coffee”."""
    ones = slots(existing.text, speaker=existing.speaker)
    others = slots(incoming.text, speaker=incoming.speaker)
    return any(
        one.key == other.key and not one.functional and one.positive == other.positive
        for one in ones
        for other in others
    )


def _is_assertion(statement: Statement) -> bool:
    return all(clause.asserts for clause in clauses(statement.text, statement.speaker))


_MAX_TOKENS = 300
_LEAST_SURE = 0.5
_REASON_CHARS = 300
_ATTRIBUTE_CHARS = 60
_INSTRUCTIONS = f"""You compare two statements from a memory: the existing one, and one that came in later. Say how \
the incoming one stands to the existing one:
- unrelated: about different subjects, or different things about one subject.
- compatible: about the same thing, and both can hold at once. Liking one thing and liking another is compatible; so \
are a general and a more special statement.
- same: says the same in other words, with the same numbers, names and dates.
- succession: the existing one held before, the incoming one holds now, and the words say or show that it changed.
- conflict: both speak of the same thing at the same time and cannot both hold.
When in doubt it is compatible.

outcome is what you propose: keep (the existing one stands), replace (the incoming one takes its place), both (both \
hold), merge (one statement of both) or neither. reason: one short sentence that names what differs. confidence: from \
0 to 1. attribute: two or three words for what they differ in, such as “lives in”; null if they do not. {DATA_RULE}"""

_RELATIONS = {
    "unrelated": Relation.UNRELATED,
    "compatible": Relation.COMPATIBLE,
    "same": Relation.SAME,
    "succession": Relation.SUCCESSION,
    "conflict": Relation.POSSIBLE,  # a model is no sure rule: a person should look
}
_BOTH_HOLD = (Relation.UNRELATED, Relation.COMPATIBLE, Relation.SAME)


class _Judgement(BaseModel):
    relation: Literal["unrelated", "compatible", "same", "succession", "conflict"]
    outcome: Literal["keep", "replace", "both", "merge", "neither"]
    reason: str
    confidence: Annotated[float, BeforeValidator(lambda value: value if isinstance(value, int | float) else 0.0)]
    attribute: str | None = None


def model_judge(
    model: ChatModel, *, spend: Callable[[Cost], None] = lambda cost: None
) -> Callable[[Statement, Statement], Verdict | None]:
    """Return a judge of (existing, incoming). It raises nothing: without the model the rules' verdict stands. `spend`
    is told the cost of each judgement, also of one that failed."""

    def judge(existing: Statement, incoming: Statement) -> Verdict | None:
        try:
            asked = ask(model, _messages(existing, incoming), _Judgement, max_tokens=_MAX_TOKENS)
        except LlmError as error:
            if error.cost is not None:
                spend(error.cost)
            return None
        spend(asked.cost)
        return _verdict(asked.parsed, existing, incoming)

    return judge


def _verdict(judged: _Judgement, existing: Statement, incoming: Statement) -> Verdict | None:
    relation = _RELATIONS[judged.relation]
    sure = min(max(judged.confidence, 0.0), 1.0)
    if not sure >= _LEAST_SURE:  # so that NaN, which JSON readers take, is not sure either
        return None
    if relation is Relation.SAME and _numbers(existing.text) != _numbers(incoming.text):
        return None  # models overlook a digit, and two facts made one cannot be told apart again
    if relation in _BOTH_HOLD and judged.outcome in ("replace", "neither"):
        return None  # it contradicts itself
    reason = " ".join(clean(judged.reason).split())[:_REASON_CHARS]
    attribute = " ".join(clean(judged.attribute or "").split())[:_ATTRIBUTE_CHARS]
    return Verdict(relation, "llm", reason, sure, Outcome(judged.outcome), attribute or None)


def _numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


def _messages(existing: Statement, incoming: Statement) -> list[Message]:
    pair = {"existing": _statement_fields(existing), "incoming": _statement_fields(incoming)}
    return [system(_INSTRUCTIONS), user(as_material(json.dumps(pair, ensure_ascii=False)))]


def _statement_fields(statement: Statement) -> dict[str, str]:
    times = {"said": statement.at, "holds from": statement.valid_from, "holds until": statement.valid_to}
    shown = {name: f"{time:%Y-%m-%d}" for name, time in times.items() if time is not None}
    return ({"speaker": statement.speaker} if statement.speaker else {}) | {"text": statement.text} | shown

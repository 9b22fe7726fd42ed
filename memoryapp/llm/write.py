"""Prose by a chat model. In: instructions of ours and material of others. Out: the text and its cost."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import LlmNonsense
from memoryapp.domain.fact import Cost
from memoryapp.llm.ask import MORE_ROOM
from memoryapp.llm.message import DATA_RULE, Message, as_material, assistant, system, user
from memoryapp.llm.model import ChatModel
from memoryapp.llm.shape import without_thoughts
from memoryapp.llm.talk import talk_to


def write(
    model: ChatModel, instructions: str, material: str, *, max_tokens: int, examples: Sequence[tuple[str, str]] = ()
) -> tuple[str, Cost]:
    """Return what the model makes of the material, as plain text. `examples`: materials, each with its answer. An
    answer that is empty or cut off is asked for once more with more room. Raises LlmDown, LlmSlow, LlmRefused,
    LlmNonsense; what was spent is in the error's `cost`."""
    messages = _messages(instructions, material, examples)
    with talk_to(model) as talk:
        reply = talk.say(messages, max_tokens=max_tokens)
        if reply.cut or not without_thoughts(reply.text):
            reply = talk.say(messages, max_tokens=max_tokens * MORE_ROOM)
        text = clean(without_thoughts(reply.text)).strip()
        if reply.cut or not text:
            said = "its answer was cut off at the token limit" if reply.cut else "its answer was empty"
            raise LlmNonsense(
                f"The chat model {model.endpoint.label} wrote nothing usable: {said}. Name another model."
            )
    return text, talk.cost


def _messages(instructions: str, material: str, examples: Sequence[tuple[str, str]]) -> list[Message]:
    if not examples:
        # Instructions come last: small models retell the rule itself where it stands between them and the material.
        return [system(DATA_RULE), user(f"{as_material(material)}\n\n{instructions}")]
    # What is asked again and again begins alike, so that a server reads that beginning but once.
    shown = [one for asked, answer in examples for one in (user(as_material(asked)), assistant(answer))]
    return [system(f"{instructions} {DATA_RULE}"), *shown, user(as_material(material))]

"""Facts with a chat model beside those without: of the talks of our own that may be looked at, how many there are, how
many are in the model's words, why the others are not, and how long a sentence takes."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urldefrag

from benchmarks.quality import Say
from benchmarks.table import aligned
from benchmarks.talk_read import Talk, read_talks
from memoryapp.domain.fact import Cost, Said
from memoryapp.extraction.facts.choose import RulesRead, reader_of
from memoryapp.extraction.facts.fitness import Fitness, fitness_of
from memoryapp.extraction.facts.pipeline import WORTH
from memoryapp.inference.llm import ChatModel, chat_model

TURNS = 12  # of a talk, where nothing else is asked for
_TIMEOUT = 600.0  # seconds: what is slow is to be measured
_FAULT = re.compile(r" was not taken: (?P<why>[^“\d]+)")


def measure(address: str, *, limit: int, encode: Any, say: Say) -> dict[str, Any]:
    """`address`: of the endpoint, “#name” behind it where it serves several models. `limit`: turns a talk. Raises
    LlmError where the model does not answer."""
    url, name = urldefrag(address)
    model = chat_model(url=url, name=name or "model", timeout=_TIMEOUT)
    assert model is not None
    say(f"{model.endpoint.label}: known turns")
    fit = fitness_of(model)
    told: dict[str, Any] = {"model": model.name, "fitness": fit.told, "talks": {}, "facts": []}
    for talk in read_talks():
        if talk.half != "A" or talk.folder is not None:
            continue
        said = _said(talk)[: limit or TURNS]
        say(f"{talk.name}: {len(said)} turns")
        told["talks"][talk.name] = _one(model, said, fit, encode=encode, facts=told["facts"])
    return told


def _one(model: ChatModel, said: Sequence[Said], fit: Fitness, *, encode: Any, facts: list[Any]) -> dict[str, Any]:
    rules = RulesRead(WORTH).read(said)
    reader = reader_of("llm", model=model, worth=WORTH, extracts=fit.may_extract, encode=encode)
    start = time.perf_counter()
    read = reader.read(said)
    seconds = time.perf_counter() - start
    for ours, theirs in zip(rules, read, strict=True):
        plain = {one.quote: one.text for one in ours.candidates}
        facts += [
            {"rules": plain.get(one.quote, ""), "model": one.text, "wording": one.wording} for one in theirs.candidates
        ]
    cost = sum((one.cost for one in read), Cost())
    wordings = [one.wording for found in read for one in found.candidates]
    asked = sum(one.asked for one in read)
    return {
        "turns": len(said),
        "by rules": sum(len(one.candidates) for one in rules),
        "with the model": sum(len(one.candidates) for one in read),
        "asked": asked,
        "taken": sum(one.reworded for one in read),
        "seconds": seconds / max(asked, 1),
        "tokens a second": cost.tokens_out / max(cost.seconds, 1e-6),
        "not taken": dict(Counter(found["why"].strip() for one in wordings if (found := _FAULT.search(one)))),
        "problem": next((one.problem for one in read if one.problem), ""),
    }


def _said(talk: Talk) -> list[Said]:
    """With the speakers of each turn's session."""
    speakers: dict[str, dict[str, None]] = {}
    for turn in talk.turns:
        speakers.setdefault(turn.session, {})[turn.speaker or turn.role.value] = None
    return [
        Said(turn.text, name, turn.at, tuple(one for one in speakers[turn.session] if one != name))
        for turn in talk.turns
        for name in (turn.speaker or turn.role.value,)
    ]


def worded_table(told: Mapping[str, Any]) -> Iterator[str]:
    """A line a talk, then what the test of the known turns found and why words were not taken."""
    names = ("turns", "by rules", "with the model", "asked", "taken")
    rows = [["", *names, "s a sentence", "tokens/s"]]
    why: Counter[str] = Counter()
    for talk, one in told["talks"].items():
        rows.append(
            [talk, *(str(one[name]) for name in names), f"{one['seconds']:.1f}", f"{one['tokens a second']:.1f}"]
        )
        why.update(one["not taken"])
    yield f"\nfacts with {told['model']}: {told['fitness']}"
    yield from aligned(rows)
    if why:
        yield "not taken: " + ", ".join(f"{reason} ({count})" for reason, count in why.most_common())

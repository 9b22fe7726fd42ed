"""Facts: what the rule extractor learns from LoCoMo's conversations, beside the set's own facts; and how fast.

And facts with a chat model beside those without: of the talks of our own that may be looked at, how many there are, how
many are in the model's words, why the others are not, and how long a sentence takes.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality import Say
from benchmarks.table import align_columns
from benchmarks.talks import Talk, read_talks
from memoryapp.domain.fact import Cost, SpokenTurn
from memoryapp.extraction.facts.choose import RulesRead, reader_of
from memoryapp.extraction.facts.fitness import Fitness, fitness_of
from memoryapp.extraction.facts.pipeline import WORTH, extract_facts
from memoryapp.inference.embedding import Encoder
from memoryapp.inference.llm import ChatModel, chat_model

NEAR, NEARER, FAR = 0.75, 0.80, 0.60  # cosines: the same fact, more strictly; and hardly the same subject
_LESS = ("facts a turn", "noise", "session noise")  # where less is better
REACH = {"c75": 0.62, "facts a turn": 0.85, "session noise": 0.22}
TURNS_PER_SECOND = 300.0

Vectors = NDArray[np.float32]
TURNS = 12  # of a talk, where nothing else is asked for
_TIMEOUT = 600.0  # seconds: what is slow is to be measured
_FAULT = re.compile(r" was not taken: (?P<why>[^“\d]+)")


@dataclass(frozen=True, slots=True)
class OwnFact:
    """A fact of ours: of which turn (conversation, id) and session."""

    turn: tuple[str, str]
    session: tuple[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class GoldFact:
    """A fact of the set, and the turns it is from."""

    turns: tuple[tuple[str, str], ...]
    session: tuple[str, str]
    text: str


def measure(folder: Path, *, encoder: Encoder, split: str, limit: int, say: Say) -> dict[str, Any]:
    """Figures over all conversations and of each. `limit`: turns a conversation, 0 for all. Nothing where the set is
    not in the folder."""
    try:
        turns = _turns(folder, split, limit=limit)
        known = _read_gold_facts(folder, turns)
    except FileNotFoundError:
        say("facts: locomo is not in the folder, skipped")
        return {}
    if not known:
        say(f"facts: the set has none in the split “{split}”, skipped")
        return {}
    learned, seconds = _learn_facts(turns)
    theirs = encoder.encode_documents([one.text for one in known])
    ours = encoder.encode_documents([one.text for one in learned])
    conversations = list(dict.fromkeys(row["conv"] for row in turns))
    by = {
        name: _figures(
            name, sum(row["conv"] == name for row in turns), known=known, theirs=theirs, learned=learned, ours=ours
        )
        for name in conversations
    }
    every = _figures("", len(turns), known=known, theirs=theirs, learned=learned, ours=ours)
    return {
        "worth": WORTH,
        "all": every,
        "conversations": by,
        "turns_per_second": len(turns) / seconds,
        "load_average": os.getloadavg()[0],
    }


def _figures(
    conversation: str,
    turns: int,
    *,
    known: Sequence[GoldFact],
    theirs: Vectors,
    learned: Sequence[OwnFact],
    ours: Vectors,
) -> dict[str, float]:
    """Of one conversation, or of all where it is empty. c75: share of the set's facts that a fact of their own turn
    meets; noise: share of ours that meet none of the conversation, or of the session; on: whose turn has any."""
    wanted = [n for n, one in enumerate(known) if conversation in ("", one.session[0])]
    given = [n for n, one in enumerate(learned) if conversation in ("", one.session[0])]
    of_turn, of_session, of_conversation = _places(known, wanted)
    mine: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n in given:
        mine[learned[n].turn].append(n)
    met = [_best_cosine(ours, [o for turn in known[n].turns for o in mine[turn]], theirs[n]) for n in wanted]
    far = [_best_cosine(theirs, of_conversation[learned[n].session[0]], ours[n]) < FAR for n in given]
    far_session = [_best_cosine(theirs, of_session[learned[n].session], ours[n]) < FAR for n in given]
    return {
        "c75": _share([best >= NEAR for best in met]),
        "c80": _share([best >= NEARER for best in met]),
        "facts a turn": len(given) / max(turns, 1),
        "noise": _share(far),
        "session noise": _share(far_session),
        "on": _share([learned[n].turn in of_turn for n in given]),
    }


def _places(
    known: Sequence[GoldFact], wanted: Sequence[int]
) -> tuple[set[tuple[str, str]], dict[tuple[str, str], list[int]], dict[str, list[int]]]:
    """Turns that have a fact, and the set's facts by session and by conversation."""
    turns = {turn for n in wanted for turn in known[n].turns}
    sessions: dict[tuple[str, str], list[int]] = defaultdict(list)
    conversations: dict[str, list[int]] = defaultdict(list)
    for n in wanted:
        sessions[known[n].session].append(n)
        conversations[known[n].session[0]].append(n)
    return turns, sessions, conversations


def _best_cosine(vectors: Vectors, among: Sequence[int], of: Vectors) -> float:
    return float((vectors[list(among)] @ of).max()) if among else 0.0


def _share(found: Sequence[bool]) -> float:
    return sum(found) / max(len(found), 1)


def _learn_facts(turns: Sequence[Mapping[str, Any]]) -> tuple[list[OwnFact], float]:
    """Every conversation read in one go, as a replay would; the model is loaded before the clock starts."""
    extract_facts([SpokenTurn("I live in a quiet street.")])
    found: list[OwnFact] = []
    seconds = 0.0
    for conversation in dict.fromkeys(row["conv"] for row in turns):
        rows = [row for row in turns if row["conv"] == conversation]
        speakers = tuple(dict.fromkeys(row["speaker"] for row in rows))
        said = [_spoken_turn(row, speakers) for row in rows]
        start = time.perf_counter()
        read = extract_facts(said)
        seconds += time.perf_counter() - start
        for row, one in zip(rows, read, strict=True):
            places = (row["conv"], row["dia_id"]), (row["conv"], row["session"])
            found.extend(OwnFact(*places, fact.text) for fact in one.candidates)
    return found, seconds


def _spoken_turn(row: Mapping[str, Any], speakers: Sequence[str]) -> SpokenTurn:
    at = datetime.strptime(row["date"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return SpokenTurn(row["text"], row["speaker"], at, tuple(name for name in speakers if name != row["speaker"]))


def _turns(folder: Path, split: str, *, limit: int) -> list[dict[str, Any]]:
    taken: dict[str, int] = defaultdict(int)
    turns = []
    for row in _rows(folder / "locomo/turns.jsonl"):
        if split in ("all", row["split"]) and (not limit or taken[row["conv"]] < limit):
            taken[row["conv"]] += 1
            turns.append(row)
    return turns


def _read_gold_facts(folder: Path, turns: Sequence[Mapping[str, Any]]) -> list[GoldFact]:
    """The set's facts, those whose turns were read."""
    there = {(row["conv"], row["dia_id"]) for row in turns}
    known = []
    for row in _rows(folder / "locomo/facts.jsonl"):
        sources = tuple((row["conv"], turn) for turn in row["evidence"])
        if there.intersection(sources):
            known.append(GoldFact(sources, (row["conv"], row["session"]), row["fact"]))
    return known


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def facts_table(told: Mapping[str, Any]) -> Iterator[str]:
    """A line a measure, a column a conversation; * marks a figure that reaches what is to be reached."""
    if not told:
        return
    names = list(told["conversations"])
    rows = [["", "reach", "all", *names]]
    for measure_name, value in told["all"].items():
        reach = REACH.get(measure_name)
        cells = [f"{told['conversations'][name][measure_name]:.3f}" for name in names]
        rows.append([measure_name, f"{reach:.2f}" if reach else "", _marked_value(measure_name, value, reach), *cells])
    yield f"\nfacts by rules, worth {told['worth']:g} and up, beside the set's own"
    yield from align_columns(rows)
    speed = told["turns_per_second"]
    mark = "*" if speed >= TURNS_PER_SECOND else ""
    yield f"{speed:.0f}{mark} turns a second (reach {TURNS_PER_SECOND:.0f}), load average {told['load_average']:.1f}"


def _marked_value(name: str, value: float, reach: float | None) -> str:
    if reach is None:
        return f"{value:.3f} "
    reached = round(value, 3) <= reach if name in _LESS else round(value, 3) >= reach
    return f"{value:.3f}{'*' if reached else ' '}"


def measure_wording(address: str, *, limit: int, encode: Any, say: Say) -> dict[str, Any]:
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
        said = _said_in(talk)[: limit or TURNS]
        say(f"{talk.name}: {len(said)} turns")
        told["talks"][talk.name] = _measure_talk(model, said, fit, encode=encode, facts=told["facts"])
    return told


def _measure_talk(
    model: ChatModel, said: Sequence[SpokenTurn], fit: Fitness, *, encode: Any, facts: list[Any]
) -> dict[str, Any]:
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


def _said_in(talk: Talk) -> list[SpokenTurn]:
    """With the speakers of each turn's session."""
    speakers: dict[str, dict[str, None]] = {}
    for turn in talk.turns:
        speakers.setdefault(turn.session, {})[turn.speaker or turn.role.value] = None
    return [
        SpokenTurn(turn.text, name, turn.at, tuple(one for one in speakers[turn.session] if one != name))
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
    yield from align_columns(rows)
    if why:
        yield "not taken: " + ", ".join(f"{reason} ({count})" for reason, count in why.most_common())

"""Turns read by a chat model that has proved able to. In: turns. Out: one Extracted a turn, with those facts alone that
the turn bears out.

A model's word is not taken: quotes must be in the turn, dates must be dates, and what it is not sure of is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time

from memoryapp.domain.cleaning import clean
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, LlmError
from memoryapp.domain.fact import (
    EXPLICIT,
    IMPLIED,
    INFERRED,
    LEAST_CONFIDENCE,
    Candidate,
    Cost,
    Extracted,
    PassedOver,
    Said,
)
from memoryapp.domain.memory import Category, Mood
from memoryapp.extract.facts.dates import days_named
from memoryapp.extract.facts.drop import asks_not_to_keep
from memoryapp.extract.facts.prompt import Found, FoundFact, messages_for
from memoryapp.extract.grounding import Ground, fault_of_fact, is_english
from memoryapp.llm import ChatModel, ask

TURNS_A_CALL = 8
CHARS_A_CALL = 6_000
_FACTS_A_TURN = 30  # a model that finds more goes in circles
_FACT_CHARS = 500
_ENTITIES = 20
_ENTITY_CHARS = 100
_UNQUOTED = 0.2  # confidence taken off where the quote is not in the turn
_CONFIDENCE = {"explicit": EXPLICIT, "implied": IMPLIED, "inferred": INFERRED, "guessed": 0.3}
_FIRST_PERSON = re.compile(r"(?:I|I['’]\w+|My|We|We['’]\w+|Our)\b")
_GENERIC = {"user": "The user", "human": "The user", "me": "The user", "assistant": "The assistant"}


def extract_with_model(model: ChatModel, said: Sequence[Said], *, before: Sequence[Said] = ()) -> list[Extracted]:
    """Return one Extracted for each turn, in order; the cost of a call is on the first of its turns. `before` are the
    turns before these. A turn that asks not to be remembered is not shown to the model. Raises LlmDown, LlmSlow,
    LlmRefused, LlmNonsense, with the cost of all calls so far."""
    private = [asks_not_to_keep(turn.text) for turn in said]
    shown = [turn for turn, kept_back in zip(said, private, strict=True) if not kept_back]
    told = [turn for turn in before if not asks_not_to_keep(turn.text)]
    read = iter(_in_parts(model, shown, before=told))
    return [_kept_back(turn) if hidden else next(read) for turn, hidden in zip(said, private, strict=True)]


def _in_parts(model: ChatModel, said: Sequence[Said], *, before: Sequence[Said]) -> list[Extracted]:
    read: list[Extracted] = []
    for turns in in_calls(said):
        try:
            read += _read(model, turns, before=[*before, *said[: len(read)]])
        except LlmError as error:
            error.cost = sum((one.cost for one in read), error.cost or Cost())
            raise
    return read


def _kept_back(turn: Said) -> Extracted:
    return Extracted((), (PassedOver(turn.text.strip(), "asked not to be remembered"),))


def in_calls(said: Sequence[Said]) -> Iterator[Sequence[Said]]:
    """The turns in parts that one call takes: a few, and not too long together. A long turn goes alone."""
    start = size = 0
    for n, turn in enumerate(said):
        if n > start and (n - start == TURNS_A_CALL or size + len(turn.text) > CHARS_A_CALL):
            yield said[start:n]
            start, size = n, 0
        size += len(turn.text)
    if start < len(said):
        yield said[start:]


def _read(model: ChatModel, said: Sequence[Said], *, before: Sequence[Said]) -> list[Extracted]:
    chars = sum(len(turn.text) for turn in said)
    messages = messages_for(said, before=before)
    asked = ask(model, messages, Found, max_tokens=300 + 200 * len(said) + chars // 3)
    by_turn: dict[int, list[FoundFact]] = {}
    for found in asked.parsed.turns:  # a turn that was never asked about is nobody's
        by_turn.setdefault(found.turn, []).extend(found.facts)
    turns = [*before, *said]
    read = [
        _judged(turn, by_turn.get(n, []), before=turns[at - 1] if at else None, name=model.name)
        for n, (at, turn) in enumerate(enumerate(said, len(before)), 1)
    ]
    return [replace(read[0], cost=asked.cost), *read[1:]]


def _judged(turn: Said, facts: Sequence[FoundFact], *, before: Said | None, name: str) -> Extracted:
    candidates: dict[str, Candidate] = {}
    passed_over: list[PassedOver] = []
    for fact in facts[:_FACTS_A_TURN]:
        judged = _candidate(turn, fact, before=before)
        if isinstance(judged, Candidate):
            candidates.setdefault(judged.text.casefold(), replace(judged, wording=f"found by {name}"))
        else:
            passed_over.append(judged)
    return Extracted(tuple(candidates.values()), tuple(passed_over), extractor=f"llm {name}")


def _candidate(turn: Said, fact: FoundFact, *, before: Said | None) -> Candidate | PassedOver:
    text = " ".join(clean(fact.text).split())
    quote = quoted(fact.quote, turn.text)
    confidence = _CONFIDENCE[fact.stated]
    if not text or len(text) > _FACT_CHARS:
        return PassedOver(text[:_FACT_CHARS], "what the model wrote is empty or too long to be one fact")
    if not quote:
        if not _borne_out(text, turn):
            return PassedOver(text, "the model's words are not borne out by the turn")
        confidence = round(confidence - _UNQUOTED, 2)
    if confidence < LEAST_CONFIDENCE:
        return PassedOver(quote or text, "the model is not sure enough of it")
    if quote and is_english(text) and (fault := _fault(text, quote, turn, before=before)):
        return PassedOver(text, f"the model's words are not borne out by the turn: {fault}")
    occurred, when = _time(fact, turn)
    since, until = _instant(fact.valid_from), _instant(fact.valid_to)
    return Candidate(
        text=f"{_GENERIC.get(turn.speaker.lower(), turn.speaker)}: {text}" if _FIRST_PERSON.match(text) else text,
        quote=quote,
        category=Category(fact.category),
        confidence=confidence,
        decision_point=fact.decision,
        emotional_signal=fact.emotion,
        entities=_entities(fact, f"{text}\n{turn.text}"),
        mood=Mood(fact.mood) if fact.mood else None,
        occurred_at=occurred,
        when=when,
        valid_from=since,
        valid_to=until if not (since and until and until < since) else None,
    )


def _fault(text: str, quote: str, turn: Said, *, before: Said | None) -> str:
    around = f"{before.speaker}: {before.text}\n{turn.text}" if before is not None else turn.text
    mine = text if not _FIRST_PERSON.match(text) else f"{turn.speaker}: {text}"
    return fault_of_fact(mine, Ground(quote, quote, around, turn.speaker, turn.others))


def quoted(quote: str, text: str) -> str:
    """The words of the quote as they stand in the text, with its own case and punctuation: models change quotation
    marks, spaces and capitals when they copy. Empty where they do not stand there in this order, or are but one word,
    which proves nothing."""
    return _spoken(quote, text) if len(re.findall(r"\w+", quote)) > 1 else ""


def _spoken(words_said: str, text: str) -> str:
    words = re.findall(r"\w+", words_said)
    if not words:
        return ""
    found = re.search(r"\b" + r"\W+".join(map(re.escape, words)) + r"\b[.!?…]?", text, re.IGNORECASE)
    return found.group() if found else ""


def _borne_out(fact: str, turn: Said) -> bool:
    """Half of the fact's longer words begin as words of the turn do: a paraphrase passes, an invention does not."""
    speaker = {_stem(word) for word in turn.speaker.split()}
    told = {_stem(word) for word in re.findall(r"\w+", turn.text)}
    words = {_stem(word) for word in re.findall(r"\w+", fact) if len(word) >= 4 or not word.isascii()} - speaker
    return bool(words) and 2 * len(words & told) >= len(words)


def _stem(word: str) -> str:
    return word.casefold()[: 4 if word.isascii() else 2]


def _time(fact: FoundFact, turn: Said) -> tuple[datetime | None, str]:
    """When it happened, and which words say so. Words that the rules can resolve are theirs: models miscount days."""
    words = _spoken(fact.when or "", turn.text).rstrip(".!?…")
    if words and turn.at:
        named = days_named(words, said=turn.at.date(), past=fact.mood != "planned")
        if named and named[0].sense == "on":
            return datetime.combine(named[0].first, time(), UTC), named[0].told
    occurred = _instant(fact.occurred)
    return occurred, f"{words} → {fact.occurred}" if words and occurred else ""


def _instant(text: str | None) -> datetime | None:
    """The start of a day, month or year, UTC; None for what is no date."""
    if not text:
        return None
    full = {4: f"{text}-01-01", 7: f"{text}-01"}.get(len(text), text)
    try:
        return as_utc(datetime.fromisoformat(full))
    except (ValueError, BadInput):
        return None


def _entities(fact: FoundFact, where: str) -> tuple[str, ...]:
    """Names that are in the fact or its turn, each once."""
    there = where.casefold()
    names = (" ".join(clean(name).split()) for name in fact.entities)
    kept = dict.fromkeys(name for name in names if 0 < len(name) <= _ENTITY_CHARS and name.casefold() in there)
    return tuple(kept)[:_ENTITIES]

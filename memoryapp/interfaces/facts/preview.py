"""What would be learned from some words, made ready for its page; and the candidates packed, so that what is kept is
what was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core import signing
from django.urls import reverse
from pydantic import TypeAdapter, ValidationError

from memoryapp.domain.errors import BadInput
from memoryapp.domain.fact import Candidate, Extracted
from memoryapp.domain.memory import Memory
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.statement import Relation
from memoryapp.interfaces.memories.rows import Tag
from memoryapp.interfaces.pages import charts, human, wording
from memoryapp.remember import Preview, Would
from memoryapp.remember.learn import as_fact

_ITEM = TypeAdapter(NewMemory)
_SALT = "palimpsest.preview"
_KEPT_FOR = 24 * 3600  # seconds a shown candidate can be kept


@dataclass(frozen=True, slots=True)
class Beside:
    """A memory the candidate was compared with."""

    href: str
    text: str
    lang: str


@dataclass(frozen=True, slots=True)
class CandidateShown:
    """`outcome` is a word for the tag, `told` the whole sentence of what would become of it; `packed` is what the form
    sends back to have it kept."""

    number: int
    text: str
    lang: str
    quote: str
    quote_lang: str
    category: str
    confidence: float
    word: str
    tags: list[Tag]
    dates: list[str]
    entities: tuple[str, ...]
    worth: str
    wording: str
    outcome: str
    look: str
    told: str
    clash: bool
    beside: Beside | None
    packed: str
    picked: bool


@dataclass(frozen=True, slots=True)
class Found:
    candidates: list[CandidateShown]
    passed: list[tuple[str, str, str]]  # words, their language, why nothing is kept of them
    extractor: str
    problem: str
    cost: str


def found_of(previews: Sequence[Preview], *, speaker: str | None, said_at: datetime | None, least: float) -> Found:
    """`least`: the points a sentence needs here."""
    shown: list[CandidateShown] = []
    passed: list[tuple[str, str, str]] = []
    for preview in previews:
        for would in preview.would:
            item = as_fact(would.candidate, speaker=speaker, said_at=said_at)
            shown.append(_candidate(len(shown) + 1, would, item, least=least))
        passed += [(one.quote, wording.language(one.quote), one.reason) for one in preview.extracted.passed_over]
    first = previews[0].extracted if previews else Extracted(())
    return Found(shown, passed, first.extractor, first.problem, _cost(first))


def unpacked(sent: Sequence[str]) -> list[NewMemory]:
    """The picked candidates as they were shown. Raises BadInput for one that is too old, or not ours."""
    try:
        return [_ITEM.validate_json(signing.loads(one, salt=_SALT, max_age=_KEPT_FOR)) for one in sent]
    except (signing.BadSignature, ValidationError) as error:
        raise BadInput("This preview is too old to save from. Preview again, then select.", field="pick") from error


def _candidate(number: int, would: Would, item: NewMemory, *, least: float) -> CandidateShown:
    one = would.candidate
    outcome, look, told = _became(would)
    return CandidateShown(
        number=number,
        text=one.text,
        lang=wording.language(one.text),
        quote="" if one.quote.strip() == one.text.strip() else one.quote,
        quote_lang=wording.language(one.quote),
        category=one.category.value,
        confidence=one.confidence,
        word=charts.confidence_word(one.confidence),
        tags=_tags(one),
        dates=_dates(one),
        entities=one.entities,
        worth=f"{one.worth:g} points of {least:g} required" if one.worth else "",
        wording=one.wording,
        outcome=outcome,
        look=look,
        told=told,
        clash=would.outcome is Became.CONFLICT,
        beside=_beside(would.near) if would.near is not None and would.outcome is not Became.WRITTEN else None,
        packed=signing.dumps(_ITEM.dump_json(item).decode(), salt=_SALT, compress=True),
        picked=would.outcome is not Became.UNCHANGED,
    )


def _became(would: Would) -> tuple[str, str, str]:
    """(a word, the look of its tag, the sentence)."""
    alike = f" (cosine {would.cosine:.2f})" if would.cosine is not None else ""
    verdict = would.verdict
    if would.outcome is Became.REINFORCED:
        return "confirms", "", f"It repeats an existing fact{alike}: that fact gains trust and nothing new is written."
    if would.outcome is Became.UNCHANGED:
        return "known", "", "It is already known, in the same words and from the same source."
    if would.outcome is Became.CONFLICT and verdict is not None:
        word = "succession" if verdict.relation is Relation.SUCCESSION else "possible conflict"
        sure = "conflicts" if verdict.relation is Relation.CONFLICT else "may conflict"
        lead = (
            "It succeeds an existing fact: one ended when the other began."
            if verdict.relation is Relation.SUCCESSION
            else f"It {sure} with an existing fact{alike}."
        )
        reason = f" {verdict.reason}" if verdict.reason else ""
        return word, "conflict", f"{lead}{reason} Proposed: {verdict.outcome.value}."
    if would.outcome is Became.CONFLICT:
        return "possible conflict", "conflict", f"It may conflict with an existing fact{alike}."
    if would.near is not None and would.cosine is not None:
        return "new", "good", f"New: the closest existing fact is about something else{alike}."
    return "new", "good", "New: there is nothing like it yet."


def _beside(memory: Memory) -> Beside:
    text = wording.excerpt(memory.text, limit=200)
    return Beside(reverse("memory", args=[memory.id]), text, wording.language(text))


def _tags(one: Candidate) -> list[Tag]:
    tags = [Tag("decision", "good")] if one.decision_point else []
    if one.emotional_signal:
        tags.append(Tag("feeling"))
    if one.mood is not None and one.mood.value != "actual":
        tags.append(Tag(one.mood.value))
    return tags


def _dates(one: Candidate) -> list[str]:
    told = [f"on {human.day(one.occurred_at)}"] if one.occurred_at else []
    if one.when:
        told.append(one.when)
    if one.valid_from:
        told.append(f"holds from {human.day(one.valid_from)}")
    if one.valid_to:
        told.append(f"to {human.day(one.valid_to)}")
    return told


def _cost(extracted: Extracted) -> str:
    cost = extracted.cost
    if not cost.calls:
        return ""
    tokens = f"{human.number(cost.tokens_in)} tokens in, {human.number(cost.tokens_out)} out"
    return f"{human.counted(cost.calls, 'call')}, {tokens}, {human.seconds(cost.seconds)}"

"""The list of facts: the same machinery as the list of memories, strongest trust first. And what would be learned from
some words: looking stores nothing, keeping takes what was picked and nothing else; the candidates travel packed in the
form, so that what is kept is what was shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core import signing
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from pydantic import TypeAdapter, ValidationError

from memoryapp import remember, review
from memoryapp.accounts.roles import Role
from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput
from memoryapp.domain.fact import Candidate, Extraction, SpokenTurn
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory
from memoryapp.domain.remembering import Became, NewMemory, RememberedItem
from memoryapp.domain.statement import Relation
from memoryapp.interfaces.memories.pages import bulk_act
from memoryapp.interfaces.memories.rows import Tag
from memoryapp.interfaces.pages import charts, human, wording
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, show
from memoryapp.interfaces.pages.clock import EITHER
from memoryapp.interfaces.pages.filters import moment_of
from memoryapp.interfaces.pages.paging import FACTS, list_of
from memoryapp.jobs.reading import configured_chat_model, judges_for, reader_for
from memoryapp.remember import Preview, Would
from memoryapp.remember.learn import as_fact
from memoryapp.store import revisions, turns

_ITEM = TypeAdapter(NewMemory)
_SALT = "palimpsest.preview"
_KEPT_FOR = 24 * 3600  # seconds a shown candidate can be kept
_WORDS = {
    Became.WRITTEN: "saved",
    Became.REINFORCED: "already known, trust increased",
    Became.CONFLICT: "saved, in conflict with an existing fact",
    Became.UNCHANGED: "already known",
}


@require_GET
@page(follows=EITHER)
def facts_page(request: PageRequest) -> HttpResponse:
    waiting = 0 if request.desk.past else review.tallies(request.desk.memory)["waiting"]
    context = {**list_of(request, FACTS), "disputed": waiting, "form": {"kind": "fact"}}
    return show(request, "facts/facts.html", context, at="facts")


@require_POST
@page(Role.CURATOR)
def bulk(request: PageRequest) -> HttpResponse:
    return bulk_act(request, FACTS)


@dataclass(frozen=True, slots=True)
class NearMemory:
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
    beside: NearMemory | None
    packed: str
    picked: bool


@dataclass(frozen=True, slots=True)
class FactPreview:
    candidates: list[CandidateShown]
    passed: list[tuple[str, str, str]]  # words, their language, why nothing is kept of them
    extractor: str
    problem: str
    cost: str


def preview_of(
    previews: Sequence[Preview], *, speaker: str | None, said_at: datetime | None, least: float
) -> FactPreview:
    """`least`: the points a sentence needs here."""
    shown: list[CandidateShown] = []
    passed: list[tuple[str, str, str]] = []
    for preview in previews:
        for would in preview.would:
            item = as_fact(would.candidate, speaker=speaker, said_at=said_at)
            shown.append(_candidate(len(shown) + 1, would, item, least=least))
        passed += [(one.quote, wording.language(one.quote), one.reason) for one in preview.extracted.passed_over]
    first = previews[0].extracted if previews else Extraction(())
    return FactPreview(shown, passed, first.extractor, first.problem, _cost(first))


def unpack_candidates(sent: Sequence[str]) -> list[NewMemory]:
    """The picked candidates as they were shown. Raises BadInput for one that is too old, or not ours."""
    try:
        return [_ITEM.validate_json(signing.loads(one, salt=_SALT, max_age=_KEPT_FOR)) for one in sent]
    except (signing.BadSignature, ValidationError) as error:
        raise BadInput("This preview is too old to save from. Preview again, then select.", field="pick") from error


def _candidate(number: int, would: Would, item: NewMemory, *, least: float) -> CandidateShown:
    one = would.candidate
    outcome, look, told = _remember_outcome_text(would)
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
        beside=_compared_memory(would.near) if would.near is not None and would.outcome is not Became.WRITTEN else None,
        packed=signing.dumps(_ITEM.dump_json(item).decode(), salt=_SALT, compress=True),
        picked=would.outcome is not Became.UNCHANGED,
    )


def _remember_outcome_text(would: Would) -> tuple[str, str, str]:
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


def _compared_memory(memory: Memory) -> NearMemory:
    text = wording.excerpt(memory.text, limit=200)
    return NearMemory(reverse("memory", args=[memory.id]), text, wording.language(text))


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


def _cost(extracted: Extraction) -> str:
    cost = extracted.cost
    if not cost.calls:
        return ""
    tokens = f"{human.number(cost.tokens_in)} tokens in, {human.number(cost.tokens_out)} out"
    return f"{human.count_text(cost.calls, 'call')}, {tokens}, {human.seconds(cost.seconds)}"


@require_http_methods(["GET", "POST"])
@page()
def preview_page(request: PageRequest) -> HttpResponse:
    """GET with `turn` fills in what was said there; POST shows what would be learned."""
    space, desk = request.desk.memory, request.desk
    setting = space.tuning.extractor
    form = {"text": "", "speaker": desk.actor.name, "at": "", "extractor": ""}
    context: dict[str, Any] = {"setting": setting, "model": configured_chat_model(), "least": space.tuning.fact_worth}
    if request.method == "GET":
        if key := request.GET.get("turn", ""):
            turn = turns.get(space.db, key)
            at = timezone.localtime(turn.at).strftime("%Y-%m-%dT%H:%M")
            form |= {"text": turn.text, "speaker": turn.speaker or turn.role.value, "at": at}
            context["from_turn"] = turn
        return show(request, "preview/preview.html", {**context, "form": form}, at="preview")
    form |= {name: request.POST.get(name, "") for name in form}
    try:
        context["found"] = _preview(request, form)
        status = 200
    except BadInput as problem:
        context["problem"], status = problem.detail, 422
    part = "#found" if request.htmx else ""
    return show(request, f"preview/preview.html{part}", {**context, "form": form}, at="preview", status=status)


def _preview(request: PageRequest, form: dict[str, str]) -> Any:
    space = request.desk.memory
    text = clean(form["text"]).strip()
    if not text:
        raise BadInput("There is no text to learn from.", field="text")
    if len(text) > LIMITS.turn_chars:
        raise BadInput(f"One turn may have {LIMITS.turn_chars:,} characters; this has {len(text):,}.", field="text")
    if form["extractor"] not in ("", "rules", "llm"):
        raise BadInput("The extractor must be rules or llm.", field="extractor")
    speaker = " ".join(form["speaker"].split())[:200]
    said_at = moment_of(request.POST, "at") or space.clock()
    # The language model may cost money: who may not write is shown what the rules would learn.
    asked = form["extractor"] if request.desk.may.write else "rules"
    reader = reader_for(space, extractor=asked)
    judges = judges_for(space, chat=False)
    previews = remember.preview(space, [SpokenTurn(text, speaker or "user", said_at)], reader=reader, judges=judges)
    return preview_of(previews, speaker=speaker or None, said_at=said_at, least=space.tuning.fact_worth)


@require_POST
@page(Role.WRITER)
def keep(request: PageRequest) -> HttpResponse:
    """Remembers the picked ones, by the same road as any other fact."""
    space, desk = request.desk.memory, request.desk
    items = unpack_candidates(request.POST.getlist("pick")[:200])
    if not items:
        raise BadInput("Nothing is selected.", field="pick")
    judges = judges_for(space, chat=False)
    became = remember.remember(space, items, actor=desk.actor, reason="selected in a preview", judges=judges)
    to = f"{reverse('facts')}?{urlencode({'sort': 'learned'})}"
    return redirect_with_message(request, to, _outcome_text(became), undo=_undo(request, became))


def _outcome_text(became: tuple[RememberedItem, ...]) -> str:
    counts = Counter(one.outcome for one in became)
    parts = [f"{human.number(counts[outcome])} {word}" for outcome, word in _WORDS.items() if counts[outcome]]
    return f"{', '.join(parts).capitalize()}."


def _undo(request: PageRequest, became: tuple[RememberedItem, ...]) -> str:
    """The run of what was just written, where one may undo it."""
    changed = [one.id for one in became if one.outcome is not Became.UNCHANGED]
    layers = revisions.of_record(request.desk.memory.db, changed[0]) if changed else ()
    return reverse("run-undo", args=[layers[-1].run]) if layers and request.desk.may.decide else ""

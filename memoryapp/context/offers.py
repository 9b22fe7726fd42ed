"""Second step: what each layer could hold for this message, the best first, each with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.context.disputes import Doubt, doubts
from memoryapp.context.found import LayerName, Offer
from memoryapp.context.layers import episodes_near, node_offers, summary_offers
from memoryapp.domain.cleaning import has_words
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Answer, Hit, Query
from memoryapp.domain.sentences import sentence_spans, sentences
from memoryapp.extraction.facts.sentences import plain, strip_greetings
from memoryapp.search import CLOSEST, NOTHING, above, mark_answers, mark_outdated, search
from memoryapp.spaces import Space
from memoryapp.store.memories import sources_of

EXPERIENCES = 3
_COMPARED = 8  # hits of which is looked whether a later one makes them untrue
_NARROWED = 30  # facts that are compared by trust, those most like the message
# What trust counts beside likeness. Trust halves in 90 days: in full it would put the news of last week before the
# answer of last year. By its fourth root a year counts as half as like.
_TRUST_POWER = 0.25
_BESIDE = 2  # times the facts asked for: so many are compared with what is written in notes and documents
_BEHIND = 0.3  # of the relevance floor, which is for the best: “yes, Tuesday” answers with few of the words asked for
_LONGEST = 60.0  # half-lives
_LONG = 600  # characters of a text that is given whole
SAID = (Kind.FACT, Kind.TURN)
_AMONG = 10  # at most: what stands behind those matches less well than what was said
_REPLY = 400  # characters of a reply that stands in its question's line
KNOWLEDGE = (Kind.NOTE, Kind.SECTION, Kind.DIGEST, Kind.ATOM)


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What is asked for. `facts`: how many at most; `explicit`: layers the caller named."""

    message: str
    facts: int
    layers: tuple[LayerName, ...]
    as_of: datetime | None
    explicit: bool = False


def offers(space: Space, asked: ContextRequest) -> tuple[dict[LayerName, list[Offer]], tuple[str, ...]]:
    """(the offers by layer, in the order of the layers; notes for the reader). Where nothing is relevant to the
    message there are none but pages of the Context Tree, which it reaches by their own keywords."""
    notes: dict[str, None] = {}
    found: dict[LayerName, list[Offer]] = {}
    near = _search(space, asked, (), _NARROWED, notes)
    near = above(space.tuning.relevance_floor, near) if near.hits else near
    relevant = NOTHING not in near.notes and (not near.hits or asks(asked.message))
    if not relevant:
        notes[NOTHING] = None
    elif CLOSEST in near.notes:
        notes[CLOSEST] = None
    for layer in LayerName:
        if layer not in asked.layers or not (relevant or layer is LayerName.TREE):
            continue
        if layer is LayerName.SUMMARIES:
            found[layer] = summary_offers(space, asked.message, as_of=asked.as_of)
        elif layer is LayerName.TREE:
            found[layer] = node_offers(space, asked.message, as_of=asked.as_of)
        elif layer is LayerName.FACTS:
            found[layer] = _facts(space, asked, notes)
        elif layer is LayerName.EXPERIENCES:
            found[layer] = _experiences(space, asked, beside=found.get(LayerName.FACTS, ()))
        else:
            found[layer] = _knowledge(space, asked, notes)
    return found, tuple(notes)


def asks(message: str) -> bool:
    """Whether a message holds more than a greeting, a word of thanks or of consent."""
    return has_words(strip_greetings(f"{plain(message)}.", others=()))


def _search(space: Space, asked: ContextRequest, kinds: tuple[Kind, ...], top_k: int, notes: dict[str, None]) -> Answer:
    query = Query(asked.message, top_k=top_k, filters=Filters(kinds=kinds, as_of=asked.as_of))
    answer = search(space, query)
    notes.update(dict.fromkeys(answer.notes))
    return answer


def _relevant_hits(space: Space, answer: Answer) -> list[Hit]:
    """The hits that may answer. By the words alone nobody can tell, so that without vectors it is all of them."""
    if not any(hit.evidence.get("cosine") for hit in answer.hits):
        return list(answer.hits)
    return [hit for hit in answer.hits if hit.relevance >= _BEHIND * space.tuning.relevance_floor]


def _facts(space: Space, asked: ContextRequest, notes: dict[str, None]) -> list[Offer]:
    """The facts and turns most like the message, put in order of likeness × trust^¼."""
    if asked.facts < 1:
        return []
    hits = _relevant_hits(space, _search(space, asked, SAID, _NARROWED, notes))
    best = max((hit.score for hit in hits), default=0.0)
    fresh = _freshness(space, hits)
    worth = {
        hit.memory.id: hit.score / best * min(hit.trust * fresh, 1.0) ** _TRUST_POWER if best else 0.0 for hit in hits
    }
    hits.sort(key=lambda hit: (-round(worth[hit.memory.id], 9), hit.memory.id))
    hits = _replies_behind(
        list(mark_outdated(mark_answers(space, asked.message, hits[: asked.facts]), first=_COMPARED))
    )
    against = doubts(space, hits)
    shown = {one.id for hit in hits for one in (hit.memory, *hit.beside)}
    found = []
    for n, hit in enumerate(hits):
        if hit.memory.kind is not Kind.TURN:
            found.append(_fact(hit, best=best, doubt=against.get(hit.memory.id)))
            continue
        above_it = hits[n - 1].memory.id if n else ""
        reply = hit.reply if hit.reply is not None and hit.reply.id not in shown else None
        shown |= {reply.id} if reply is not None else set()  # two questions may have one reply
        asks_it = hit.answers if hit.answers is not None and hit.answers.id != above_it else None
        found.append(_turn(hit, best=best, answers=asks_it, reply=reply, doubt=against.get(hit.memory.id)))
    return found


def _replies_behind(hits: list[Hit]) -> list[Hit]:
    """In their order, but a reply that is one of them directly behind its question, where that comes first: so it is
    read with it, and keeps a number and marks of its own."""
    left = {(hit.inherited_from, hit.memory.id): hit for hit in hits}
    placed: list[Hit] = []
    for hit in hits:
        at: Hit | None = hit
        while at is not None and left.pop((at.inherited_from, at.memory.id), None) is not None:
            placed.append(at)
            at = left.get((at.inherited_from, at.reply.id)) if at.reply is not None else None
    return placed


def _freshness(space: Space, hits: list[Hit]) -> float:
    """What trust is multiplied by, so that it counts from the newest of these and not from today: a talk of three
    years ago that was brought in this morning is as good as it was then."""
    newest = max((hit.memory.last_confirmed for hit in hits), default=None)
    if newest is None:
        return 1.0
    days = max((space.clock() - newest).total_seconds() / 86_400, 0.0)
    return float(2.0 ** min(days / space.tuning.trust_half_life_days, _LONGEST))


def _turn(hit: Hit, *, best: float, answers: Memory | None, reply: Memory | None, doubt: Doubt | None) -> Offer:
    """`answers`, `reply`: the turn before or behind it, where that is to stand in its line."""
    replaced = [" ".join(fact.text.split()) for fact in hit.facts if fact.state is State.SUPERSEDED]
    marks = [f"no longer so: {'; '.join(replaced)}"] if replaced else []
    marks += [str(doubt)] if doubt else []
    tail = f" ({'; '.join(marks)})" if marks else ""
    return Offer(
        hit.memory,
        f"{hit.score / best:.0%} of the best match" if best else "it matches",
        _passage(hit),
        lead=_lead(hit) + (f"[asked: {' '.join(answers.text.split())}] " if answers else ""),
        tail=tail + _reply_text(reply) if reply else tail,
        short_tail=tail if reply else None,
        inherited_from=hit.inherited_from,
        relevance=hit.relevance,
        answer=hit.answer,
    )


def _reply_text(reply: Memory) -> str:
    said = " ".join(reply.text.split())
    if len(said) > _REPLY:
        said = f"{said[:_REPLY].rstrip()}…"
    return f" [reply{f' by {reply.speaker}' if reply.speaker else ''}: {said}]"


def _fact(hit: Hit, *, best: float, doubt: Doubt | None) -> Offer:
    memory = hit.memory
    marks = []
    if (said := memory.occurred_at) is not None:
        marks.append(f"{said:%Y-%m-%d}")
    if memory.valid_to is not None:
        marks.append(f"until {memory.valid_to:%Y-%m-%d}")
    short = f" ({'; '.join([*marks, doubt.word])})" if doubt else None
    marks += [str(doubt)] if doubt else []
    why = f"{hit.score / best:.0%} of the best match, trust {hit.trust:.2f}" if best else f"trust {hit.trust:.2f}"
    text = " ".join(memory.text.split())
    return Offer(
        memory,
        why,
        (text,),
        tail=f" ({'; '.join(marks)})" if marks else "",
        short_tail=short,
        whole=True,
        inherited_from=hit.inherited_from,
        relevance=hit.relevance,
        answer=hit.answer,
    )


def _experiences(space: Space, asked: ContextRequest, *, beside: Sequence[Offer]) -> list[Offer]:
    """Episodes, without the sentences that stand among the facts `beside` them, and without those that were replaced:
    an episode tells a day as it was, and would say again without a mark what is no longer so."""
    given = "\n".join(" ".join(offer.memory.text.split()) for offer in beside).casefold()
    offered = []
    for one in episodes_near(space, asked.message, limit=EXPERIENCES, as_of=asked.as_of):
        own = one.inherited_from is None and asked.as_of is None
        sources = sources_of(space.db, one.memory.id) if own else ()
        replaced = "\n".join(" ".join(fact.text.split()) for fact in sources if fact.state is State.SUPERSEDED)
        said = f"{given}\n{replaced.casefold()}"
        opening, *lines = (" ".join(line.split()) for line in sentences(one.memory.text))
        new = [line for line in lines if line.casefold() not in said]
        if lines and not new:
            continue
        offered.append(
            Offer(
                one.memory,
                f"{one.similarity:.0%} of the best match, {one.days:.0f} days ago",
                (opening, *new),
                least=2,  # its first sentence says who spoke, and when
                inherited_from=one.inherited_from,
            )
        )
    return offered


def _knowledge(space: Space, asked: ContextRequest, notes: dict[str, None]) -> list[Offer]:
    """Notes and documents: of the memories most like the message, facts among them, those that are none. So they stand
    in where facts are missing, and where what is written answers better than what was said."""
    if asked.facts < 1:
        return []
    if asked.explicit:
        relevant = _relevant_hits(space, _search(space, asked, KNOWLEDGE, asked.facts, notes))
    else:
        among = _search(space, asked, (*SAID, *KNOWLEDGE), min(_BESIDE * asked.facts, _AMONG), notes)
        relevant = [hit for hit in _relevant_hits(space, among) if hit.memory.kind not in SAID]
    hits = mark_answers(space, asked.message, relevant)
    best = max((hit.score for hit in hits), default=0.0)
    return [
        Offer(
            hit.memory,
            f"{hit.score / best:.0%} of the best match" if best else "it matches",
            _passage(hit),
            lead=_lead(hit),
            inherited_from=hit.inherited_from,
            relevance=hit.relevance,
            answer=hit.answer,
        )
        for hit in hits
    ]


def _passage(hit: Hit) -> tuple[str, ...]:
    """The sentences of a hit; of a long one those around the sentence that answers."""
    text = hit.memory.text
    if hit.answer is None or len(text) <= _LONG:
        return sentences(text)
    spans = sentence_spans(text)
    at = next((n for n, span in enumerate(spans) if span.end > hit.answer.start), 0)
    first = last = at
    while first > 0 and spans[last].end - spans[first - 1].start <= _LONG and first > at - 1:
        first -= 1
    while last + 1 < len(spans) and spans[last + 1].end - spans[first].start <= _LONG:
        last += 1
    told = [text[span.start : span.end] for span in spans[first : last + 1]]
    told[0] = f"{'… ' * (first > 0)}{told[0]}"
    told[-1] = f"{told[-1]}{' …' * (last + 1 < len(spans))}"
    return tuple(told)


def _lead(hit: Hit) -> str:
    """Whose words they are: who said them and when, or which document they stand in."""
    memory = hit.memory
    if memory.speaker:
        day = f" ({memory.occurred_at:%Y-%m-%d})" if memory.occurred_at else ""
        return f"{memory.speaker}{day}: "
    where = memory.origin.path or (memory.title if not memory.text.lstrip("# ").startswith(memory.title) else "")
    return f"{where}: " if where else ""

"""A hit made ready for a page: its share bar, the sum that made its score, and its evidence in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import Node
from memoryapp.domain.results import Answer, Hit
from memoryapp.domain.strategies import Fusion, Strategy
from memoryapp.interfaces.memories.rows import Tag, row_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.templatetags.parts import ARM_HUES
from memoryapp.search import CLOSEST, NOTHING, above, rounded_shares
from memoryapp.spaces import Space

_BAR = 96.0  # units of 100 that the greatest sum of the column fills
_GAP = 0.6
_QUOTED = 240  # characters of the turn under a fact, and of a fact under its turn
_UNRANKED = {"corroboration", "repetition"}  # shares that add or take, and find nothing
_RAW = {
    "vector": "cosine",
    "semantic": "cosine",
    "keyword": "BM25",
    "graph": "shared entities",
    "structural": "weight of its entities",
    "recall": "closeness along the path",
    "tree": "keywords",
}


@dataclass(frozen=True, slots=True)
class Segment:
    hue: int
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class ShownHit:
    id: str
    href: str
    why: str
    rank: int
    title: str
    title_marked: SafeString
    line: str
    lang: str
    kind: str
    said_by: str
    source: str
    source_href: str
    confirmed: datetime
    trust: float | None
    score: float
    relevance: str
    outdated_by: int  # the rank of the later hit that says otherwise; 0 for none
    said: SafeString
    answers: SafeString
    reply: SafeString
    learned: list[tuple[SafeString, bool]]  # whether something took its place
    tags: list[Tag]
    bars: list[Segment]
    formula: str
    evidence: list[SafeString]


def doubt_of(space: Space, answer: Answer) -> str:
    """What an agent would be told where nothing clearly answers; empty where something does."""
    notes = above(space.tuning.relevance_floor, answer).notes if answer.hits else ()
    return next((note for note in (NOTHING, CLOSEST) if note in notes), "")


def hits_of(space: Space, answer: Answer, strategy: Strategy) -> list[ShownHit]:
    """The answer's hits, their share bars on one scale."""
    most = max((sum(max(a.share, 0.0) for a in hit.arms.values()) for hit in answer.hits), default=0.0) or 1.0
    ranks = {hit.memory.id: rank for rank, hit in enumerate(answer.hits, start=1)}
    return [_hit_view(space, hit, ranks, strategy, most) for hit in answer.hits]


def _hit_view(space: Space, hit: Hit, ranks: Mapping[str, int], strategy: Strategy, most: float) -> ShownHit:
    terms = [str(word) for word in hit.evidence.get("matched", ())]
    terms += [str(one["keyword"]) for one in hit.evidence.get("reached", {}).get("matches", ())]
    row = row_of(
        space,
        hit.memory,
        trust=hit.trust,
        conflict=next(iter(hit.conflicts), ""),
        inherited=hit.inherited_from,
        terms=terms,
        limit=320,
        answer=hit.memory.text[hit.answer.start : hit.answer.end] if hit.answer else "",
    )
    there = _space_query(hit)
    node = Node(hit.memory) if hit.memory.kind is Kind.NODE else None
    title = _node_title(node) if node else row.title
    page = reverse("tree-node", args=[node.path]) if node and node.path else reverse("memory", args=[row.id])
    return ShownHit(
        id=row.id,
        href=page + there,
        why=reverse("memory-trust", args=[row.id]) + there,
        rank=ranks[hit.memory.id],
        title=title,
        title_marked=wording.mark_terms(title, terms),
        line=row.line,
        lang=row.lang,
        kind=f"{row.kind}, {human.size(node.size)}" if node else row.kind,
        said_by="" if hit.evidence.get("speaker") else row.said_by,  # the evidence says it already
        source=row.source,
        source_href=row.source_href,
        confirmed=row.confirmed,
        trust=None if hit.memory.kind is Kind.TURN else hit.trust,
        score=hit.score,
        relevance=f"{hit.relevance:.0%}",
        outdated_by=ranks.get(hit.outdated_by or "", 0),
        said=_quote_memory(hit.turn, terms) if hit.turn else SafeString(""),
        answers=_quote_memory(hit.answers, terms) if hit.answers else SafeString(""),
        reply=_quote_memory(hit.reply, terms) if hit.reply else SafeString(""),
        learned=[(_quote_memory(fact, terms), fact.state is State.SUPERSEDED) for fact in hit.facts],
        tags=row.tags,
        bars=bars(hit, most),
        formula=formula(hit, strategy),
        evidence=evidence(hit),
    )


def _quote_memory(memory: Memory, terms: list[str]) -> SafeString:
    return wording.mark_terms(wording.excerpt(memory.text, limit=_QUOTED, around=terms), terms)


def _node_title(node: Node) -> str:
    """Where a node stands, and what it is called where its path does not say so."""
    named = node.title.casefold() != node.name.casefold()
    return f"{node.path} · {node.title}" if named and node.title else node.path


def _space_query(hit: Hit) -> str:
    """What lives in a parent space is read there."""
    return f"?space={hit.inherited_from}" if hit.inherited_from else ""


def bars(hit: Hit, most: float) -> list[Segment]:
    """The shares side by side, widths in hundredths of the bar."""
    out, x = [], 0.0
    for name, arm in _in_order(hit):
        if arm.share > 0:
            width = arm.share / most * _BAR
            out.append(Segment(ARM_HUES.get(name, 6), f"{x:.1f}", f"{max(width - _GAP, 0.4):.1f}"))
            x += width
    return out


def _in_order(hit: Hit) -> list[tuple[str, Any]]:
    return sorted(
        ((str(n), a) for n, a in hit.arms.items()),
        key=lambda pair: list(ARM_HUES).index(pair[0]) if pair[0] in ARM_HUES else 99,
    )


def formula(hit: Hit, strategy: Strategy) -> str:
    """What is added and multiplied, up to the "=" that the score follows. The printed parts add up to it."""
    parts = [(name, arm) for name, arm in _in_order(hit) if arm.share]
    shares, total = rounded_shares(hit)
    factors = [(str(name), value) for name, value in hit.factors.items() if abs(value - 1.0) > 5e-6]
    if strategy.fusion == Fusion.RRF:
        ranked = {str(arm) for arm in strategy.weights}
        told = " + ".join(
            _reciprocal(name, arm.rank, strategy) if name in ranked else f"{name} {shares[name]:.5f}"
            for name, arm in parts
        )
    elif strategy.fusion == Fusion.SINGLE:
        told = " + ".join(_RAW.get(name, name) for name, _ in parts)
    else:
        told = " + ".join(f"{name} {shares[name]:.5f}" for name, _ in parts)
    if not factors:
        return f"{told or '0'} ="
    times = " ".join(f"× {name} {value:.5f}" for name, value in factors)
    return f"{told} = {total:.5f} {times} ="


def _reciprocal(name: str, rank: int | None, strategy: Strategy) -> str:
    weight = next((w for arm, w in strategy.weights.items() if str(arm) == name), 1.0)
    return f"{weight:g}/{strategy.k + (rank or 0)}"


def _term_evidence(found: Mapping[str, Any]) -> Iterator[SafeString]:
    """The terms that matched, what is quoted, and the terms that stand in its neighbours."""
    own = [t for t in found.get("terms", ()) if "own" in t.get("fields", ("own",))]
    if own:
        told = format_html_join(", ", "<mark>{}</mark> {}", ((t["term"], f"{t.get('idf', 0):.2f}") for t in own[:8]))
        yield format_html("matched {}", told)
    if found.get("quoted"):
        yield format_html("holds {}", format_html_join(", ", "“<mark>{}</mark>”", ((one,) for one in found["quoted"])))
    around = [str(t["term"]) for t in found.get("terms", ()) if t not in own]
    if around:
        yield format_html("near it {}", ", ".join(around[:8]))


def evidence(hit: Hit) -> list[SafeString]:
    """Why it is here, in words: the keywords that lead to it, matched terms with their weight, the cosine, what it
    shares, where a walk to it began and by way of what it came, who said it, when."""
    found, out = hit.evidence, []
    there = _space_query(hit)
    if found.get("reached"):
        out.append(_keywords_text(found["reached"]))
    out += _term_evidence(found)
    if found.get("cosine"):
        out.append(format_html("cosine {}", f"{float(found['cosine']):.2f}"))
    if found.get("entities"):
        shared = ((_entity(one, there),) for one in found["entities"][:6])
        out.append(format_html("shares {}", format_html_join(", ", "{}", shared)))
    if found.get("seeds"):
        seeds = ((_entity(seed, there), f"{seed.get('mass', 0):.3f}") for seed in found["seeds"][:4])
        out.append(format_html("from {}", format_html_join(", ", "{} {}", seeds)))
    if found.get("path"):
        out.append(format_html("via {}", _way(found["path"], there)))
    if found.get("speaker"):
        out.append(format_html("said by {}", _name(found["speaker"])))
    if found.get("date"):
        near = found["date"]
        out.append(format_html("date {}", f"{near:.2f}" if isinstance(near, float) else _name(near)))
    ranks = [f"{name} {arm.rank}" for name, arm in _in_order(hit) if arm.rank and name not in _UNRANKED]
    if len(ranks) > 1:
        out.append(format_html("ranks: {}", ", ".join(ranks)))
    return out


def _entity(told: dict[str, Any], there: str, *, key: str = "id") -> SafeString | str:
    """Its name, as a link where it is an entity and not just a rare word."""
    name = str(told.get("name", ""))
    if not told.get(key):
        return name
    return format_html('<a href="{}{}">{}</a>', reverse("entity", args=[told[key]]), there, name)


def _keywords_text(reached: dict[str, Any]) -> SafeString:
    """The keywords that lead to a node, each with the word of the question where the two differ, and whose they are."""
    told = []
    for one in reached["matches"][:6]:
        if one["how"] == "equal":
            told.append(format_html("<mark>{}</mark>", one["keyword"]))
        elif str(one["keyword"]).casefold() in str(one["word"]).casefold():
            told.append(format_html("<mark>{}</mark> in {}", one["keyword"], one["word"]))
        else:
            told.append(format_html("<mark>{}</mark> around {}", one["keyword"], one["word"]))
    words = format_html_join(", ", "{}", ((one,) for one in told))
    if reached["own"]:
        return format_html("keyword {}", words)
    return format_html("keyword {} of {} above it", words, reached["via"])


_BY = {"named": "", "nearest": "", "follows": "then"}


def _way(steps: Sequence[dict[str, Any]], there: str) -> SafeString:
    """The path in words: Adam uses → Terraform named in → this."""
    parts: list[SafeString | str] = []
    for n, step in enumerate(steps):
        by = str(step.get("by", ""))
        words = _BY.get(by, by.replace("_", " "))
        if by == "mentions":
            words = "names" if "entity" in step else "named in"
        if words and parts:
            parts.append(f"← {words}" if step.get("back") else f"{words} →")
        if "entity" in step:
            parts.append(_entity(step, there, key="entity"))
        elif n == len(steps) - 1:
            parts.append("this")
        else:
            text = wording.excerpt(str(step.get("text", "")), limit=40) or "a memory"
            parts.append(format_html('<a href="{}{}">“{}”</a>', reverse("memory", args=[step["memory"]]), there, text))
    return format_html_join(" ", "{}", ((part,) for part in parts))


def _name(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("name") or value.get("text") or value.get("date") or next(iter(value.values()), ""))
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)

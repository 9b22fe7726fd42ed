"""The scene as a table: one row an edge, in words, with what it was found in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from memoryapp.domain.scene import Edge, EdgeKind, EdgeState, Scene
from memoryapp.graph.edges import TEXT_CHARS
from memoryapp.interfaces.pages import human, wording
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories

PAGE = 40  # rows a page holds; more are asked for
_TEXT = 90  # characters of the memory


@dataclass(frozen=True, slots=True)
class Mark:
    text: str
    look: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """`more`: further memories that say the same."""

    id: str
    source: str
    source_name: str
    target: str
    target_name: str
    words: str
    state: str
    trust: float | None
    since: str
    text: str
    lang: str
    href: str
    more: int
    marks: tuple[Mark, ...]


def lines_of(
    space: Space, scene: Scene, *, names: dict[str, str] | None = None, first: Collection[str] = (), limit: int = PAGE
) -> list[Line]:
    """At most `limit` rows: what touches `first` before the rest, relations before those only named together, and the
    better trusted before others. `names` by id, for ends that are no nodes of the scene."""
    named = {node.id: node.name for node in scene.nodes} | (names or {})
    edges = sorted(scene.edges, key=lambda edge: _rank(edge, first))[:limit]
    if scene.far:
        return [_community_line(edge, named) for edge in edges]
    disputed = [edge.facts[0] for edge in edges if edge.state is EdgeState.CONFLICT and edge.facts]
    cases = conflicts.waiting_for(space.db, disputed) if disputed else {}
    words = memories.openings(
        space.db, [_found_in(edge) for edge in edges if edge.facts and not edge.text], chars=TEXT_CHARS
    )
    return [_line(replace(edge, text=edge.text or words.get(_found_in(edge), "")), named, cases) for edge in edges]


def _found_in(edge: Edge) -> str:
    return edge.facts[0] if edge.facts else ""


def _rank(edge: Edge, first: Collection[str]) -> tuple[object, ...]:
    far = not (edge.source in first or edge.target in first)
    trust = edge.trust if edge.trust is not None else edge.confidence
    return edge.kind is EdgeKind.TOGETHER, far, edge.state is EdgeState.SUPERSEDED, -trust, -edge.weight, edge.id


def _line(edge: Edge, named: dict[str, str], cases: dict[str, tuple[str, ...]]) -> Line:
    fact = _found_in(edge)
    case = next(iter(cases.get(fact, ())), "")
    href = reverse("conflict", args=[case]) if case else reverse("memory", args=[fact]) if fact else ""
    text = wording.excerpt(edge.text, limit=_TEXT)
    return Line(
        id=edge.id,
        source=edge.source,
        source_name=named.get(edge.source, edge.source),
        target=edge.target,
        target_name=named.get(edge.target, edge.target),
        words=words_of(edge),
        state="" if edge.state in (EdgeState.HELD, EdgeState.PLANNED) else edge.state.value,
        trust=edge.trust,
        since=span(edge),
        text="≠ waits for a decision" if case else text,
        lang="en" if case else wording.language(edge.text),
        href=href,
        more=max(len(edge.facts) - 1, 0),
        marks=marks_of(edge),
    )


def _community_line(edge: Edge, named: dict[str, str]) -> Line:
    """Two communities, which nobody said anything of."""
    ends = (edge.source, named.get(edge.source, edge.source), edge.target, named.get(edge.target, edge.target))
    words = human.count_text(round(edge.weight) or 1, "link")
    return Line(edge.id, *ends, words, "", None, "–", "", "en", "", 0, ())


def words_of(edge: Edge) -> str:
    """ "works on"; of two that are only mentioned together, in how many memories."""
    if edge.kind is EdgeKind.TOGETHER:
        return f"together in {human.count_text(round(edge.weight) or 1, 'memory', 'memories')}"
    if edge.kind is EdgeKind.IS_A:
        return "is a"
    if edge.type == "related_to" and edge.label:
        return edge.label
    return edge.type.replace("_", " ")


def marks_of(edge: Edge) -> tuple[Mark, ...]:
    marks = []
    if edge.state is EdgeState.CONFLICT:
        marks.append(Mark("≠ conflict", "conflict"))
    elif edge.state is EdgeState.SUPERSEDED:
        marks.append(Mark("superseded", "superseded"))
    elif edge.state is EdgeState.PLANNED:
        marks.append(Mark("planned", "caution"))
    if edge.hint and edge.kind is not EdgeKind.TOGETHER:
        marks.append(Mark("hint"))
    return tuple(marks)


def span(edge: Edge) -> str:
    """ "18 Nov 2026", or "18 Oct to 18 Nov 2026" of what is over."""
    if edge.since and edge.until:
        begin, end = human.day(edge.since), human.day(edge.until)
        return end if begin == end else f"{begin.removesuffix(end[-5:])} to {end}"
    return f"until {human.day(edge.until)}" if edge.until else human.day(edge.since)


def total(scene: Scene) -> tuple[int, int]:
    """Relations of the scene, and pairs that are only mentioned together."""
    together = sum(edge.kind is EdgeKind.TOGETHER for edge in scene.edges)
    return len(scene.edges) - together, together


def told_total(scene: Scene) -> str:
    if scene.far:
        return f"{human.count_text(len(scene.edges), 'pair')} of related communities"
    related, together = total(scene)
    parts: Sequence[str] = [
        human.count_text(related, "relation") if related else "",
        f"{human.count_text(together, 'pair')} mentioned together" if together else "",
    ]
    return ", ".join(filter(None, parts)) or "no relations"

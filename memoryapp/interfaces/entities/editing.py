"""The edit of an entity: what its form holds, what is read from it, and what is said when it cannot be so.

What a merge would make, before it is made: the names, what is counted for them, and what stands in the way.

Pairs of entities that may be one, side by side: what each is called, what names it, and what names both.

What an act on the graph answers: a message with its undo, on whichever page it was done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django_htmx.http import trigger_client_event

from memoryapp import graph
from memoryapp.domain.change import Run
from memoryapp.domain.entity import Alike, Entity, normal_form
from memoryapp.domain.errors import BadInput, Clash, PalimpsestError, Stale
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.graph.snapshot import Snapshot, snapshot_of
from memoryapp.interfaces.entities.list_presenter import (
    MOST_PAIRS,
    Words,
    around_list,
    entity_of,
    slots_of,
    tags_of,
    types_of,
    words_for,
)
from memoryapp.interfaces.memories.rows import Tag
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import Desk, PageRequest, came_from, redirect_with_message, say
from memoryapp.interfaces.pages.filters import address, whole_number
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.spaces import Space
from memoryapp.store import entities, entity_pairs


def edit_of(space: Space, key: str) -> dict[str, Any]:
    """Raises NotFound."""
    one = entities.get(space.db, key)
    return {"entity": one, "aliases": "\n".join(one.aliases), "every_type": types_of(space)}


def read_edit(sent: QueryDict) -> dict[str, Any]:
    """What is sent of it: keyword arguments of graph.edit_entity. An alias stands on a line of its own."""
    told: dict[str, Any] = {name: sent[name] for name in ("name", "type") if name in sent}
    if "aliases" in sent:
        told["aliases"] = [line.strip() for line in sent.get("aliases", "").splitlines() if line.strip()]
    if (version := whole_number(sent.get("version", ""))) is not None:
        told["version"] = version
    return told


def trouble_of(space: Space, one: Entity | None, sent: QueryDict, error: PalimpsestError) -> dict[str, Any]:
    """Why it was not saved, in words; `other`: the entity that has the name already, so that the two can be merged.
    `one` is None while there is only a form."""
    if isinstance(error, Stale) and one is not None:
        return {
            "problem": f"{one.name} was changed while you were editing. Reload the page to see the current version."
        }
    other = _bearer(space, one, sent) if isinstance(error, Clash) else None
    if other is not None:
        problem = f"{other.name} is already a name of another entity." if one else f"{other.name} already exists."
        return {"problem": problem, "entity": one, "other": other}
    return {"problem": error.detail}


def _bearer(space: Space, one: Entity | None, sent: QueryDict) -> Entity | None:
    """Who has one of the names that were sent."""
    names = [sent.get("name", ""), *sent.get("aliases", "").splitlines()]
    wanted = [normal for name in names if (normal := normal_form(name))]
    known = entities.by_normals(space.db, wanted)
    spelled = lexicon_of(space.db).spelled
    found = (known[normal].id if normal in known else spelled.get(normal) for normal in wanted)
    key = next((key for key in found if key and (one is None or key != one.id)), None)
    return entities.get(space.db, key) if key else None


def asked_of(space: Space, asked: QueryDict) -> tuple[str, list[str]]:
    """(id of what stays, ids of what goes into it): `keep`, `gone`, or all of them as `ids`; `name` is one more, as a
    person typed it. Without `keep` the first stays. Raises BadInput where these are not two, NotFound."""
    name = asked.get("name", "").strip()
    named = [entity_of(space, name, field="name").id] if name else []
    given = [key for field in ("gone", "ids") for key in asked.getlist(field) if key.strip()]
    every = list(dict.fromkeys([*filter(None, [asked.get("keep", "").strip()]), *given, *named]))
    if "name" in asked and not named:
        raise BadInput("Choose the entity to merge with.", field="name")
    if len(every) < 2:
        told = "That is already the same entity." if every and named else "Select at least two entities to merge."
        raise BadInput(told, field="name" if named else "ids")
    return every[0], every[1:]


def preview_of(space: Space, asked: QueryDict) -> dict[str, Any]:
    """Without `keep` the one stays that most memories name. Raises as `asked_of`, and what the merge itself would."""
    keep, gone = asked_of(space, asked)
    if not asked.get("keep"):
        keep, *gone = sorted((keep, *gone), key=_memory_counter(space), reverse=True)
    made = graph.preview_merge(space, keep, gone)
    own = made.parts[0].entity.id
    return {"made": made, "keep": own}


def _memory_counter(space: Space) -> Callable[[str], int]:
    """How many memories name an entity, given by id."""
    ground = snapshot_of(space)

    def named(key: str) -> int:
        code = ground.graph.code_of.get(key, -1)
        return int(ground.memories[code]) if code >= 0 else 0

    return named


PAGE = 12
KEYS = [
    ("m", "Merge into the first"),
    ("o", "Merge into the second"),
    ("n", "Not the same"),
    ("j k", "Next pair, previous"),
    ("↵", "Open the entity"),
    ("u", "Undo the last action"),
]


@dataclass(frozen=True, slots=True)
class Side:
    entity: Entity
    lang: str
    memories: int
    links: int
    tags: list[Tag]
    words: Words | None


@dataclass(frozen=True, slots=True)
class PairLine:
    """`shared`: memories that name both."""

    alike: Alike
    one: Side
    other: Side
    shared: int


def pairs_of(desk: Desk, asked: QueryDict) -> dict[str, Any]:
    """The tab of pairs, most likely first. Raises BadInput for a damaged address."""
    space = desk.memory
    waiting = entity_pairs.waiting(space.db, limit=MOST_PAIRS)
    begin = _begin(waiting, asked.get("after", ""))
    shown = waiting[begin : begin + PAGE]
    more = begin + len(shown) < len(waiting)
    told = human.count_text(len(waiting), "pair")
    return {
        **around_list(space, "alike", pairs=len(waiting)),
        "pairs": lines_of(space, shown),
        "page_keys": KEYS,
        "pager": Pager(
            newer=address(asked) if begin else "",
            older=address(asked, after=_cursor(shown[-1])) if more else "",
            shown=f"{human.number(len(shown))} of {told}, most likely first" if len(waiting) > len(shown) else told,
            size=PAGE,
            back="First",
            on="Next",
        ),
    }


def lines_of(space: Space, pairs: tuple[Alike, ...]) -> list[PairLine]:
    """In the order given; a pair of which one side is gone is left out."""
    ground = snapshot_of(space)
    found = entities.get_many(space.db, [key for one in pairs for key in (one.one, one.other)])
    words = words_for(ground, found.values())
    sides = {key: _side(ground, one, words.get(key)) for key, one in found.items()}
    return [
        PairLine(one, sides[one.one], sides[one.other], _shared_count(ground, one.one, one.other))
        for one in pairs
        if one.one in sides and one.other in sides
    ]


def _side(ground: Snapshot, one: Entity, words: Words | None) -> Side:
    code = ground.graph.code_of.get(one.id, -1)
    counts = (int(ground.memories[code]), int(ground.links[code])) if code >= 0 else (0, 0)
    return Side(one, wording.language(one.name), *counts, tags_of(one), words)


def _shared_count(ground: Snapshot, one: str, other: str) -> int:
    return len(np.intersect1d(slots_of(ground, one), slots_of(ground, other), assume_unique=True))


def _cursor(pair: Alike) -> str:
    return f"{pair.score!r}~{pair.id}"


def _begin(waiting: tuple[Alike, ...], cursor: str) -> int:
    """Where the page after a cursor begins: the pair it names may have been decided since."""
    if not cursor:
        return 0
    score, _, key = cursor.partition("~")
    try:
        place = (-float(score), key)
    except ValueError:
        raise BadInput("This page's address is invalid. Start again from the first page.", field="after") from None
    return sum((-one.score, one.id) <= place for one in waiting)


CHANGED = "graph-changed"  # what pages listen for, to draw anew what they show of it


def change_response(
    request: PageRequest, told: str, run: Run | None = None, *, undo: str = "", to: str = ""
) -> HttpResponse:
    """Over htmx the message and the event, nothing to swap; without scripts, or with `to`, on to a page that says it.
    `run` is what its undo takes back; `undo` another address that does."""
    undo = undo or (reverse("run-undo", args=[run.id]) if run else "")
    if to or not request.htmx:
        return redirect_with_message(request, to or came_from(request, reverse("entities")), told, undo=undo)
    return trigger_client_event(say(HttpResponse(status=204), told, undo=undo), CHANGED, {})

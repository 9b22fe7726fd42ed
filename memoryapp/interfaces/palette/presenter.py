"""The command palette: what can be gone to or done from anywhere. While nothing is typed, what was opened lately and
what was learned last; then pages and acts by their names, and what a search finds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString

from memoryapp import graph
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import spaces_of
from memoryapp.domain.entity import Entity
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import Node
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.strategies import DEFAULT
from memoryapp.interfaces.memories.rows import source_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.navigation import sections
from memoryapp.search import CLOSEST, NOTHING, above, search, strategy_of
from memoryapp.search.browse import browse
from memoryapp.spaces import Space
from memoryapp.store import entities, memories

RECENT = 6  # what was opened lately
_NEWEST = 4
_ACTS, _ENTITIES, _FACTS, _MEMORIES = 6, 4, 5, 5
_SPACES = 6
_DOUBTFUL = 3  # hits that are shown where nothing clearly answers
_TOP = 12
_CHARS = 110
_ICONS = {Kind.FACT: "facts", Kind.EPISODE: "episodes", Kind.NODE: "tree", Kind.SUMMARY: "summaries"}
_LEARNED = (Kind.FACT, Kind.NOTE, Kind.SECTION, Kind.ATOM)  # what others made of them is no news
_RECENT = re.compile(r"(?P<what>memory|entity):(?P<key>[0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class Act:
    """Something to do. `url`: the name of the page it is done on, with the id of what opens there; `does`: what the
    browser does itself instead: post (to `url`), theme, keys, clock, now, sign-out."""

    name: str
    icon: str
    url: str = ""
    opens: str = ""
    words: str = ""
    needs: Role = Role.READER
    does: str = ""


ACTS: tuple[Act, ...] = (
    Act("New fact", "plus", "facts", "write", "write remember add belief", Role.WRITER),
    Act("New memory", "plus", "memories", "write", "write remember add note", Role.WRITER),
    Act("Open a session", "sessions", "sessions", "begin", "new talk conversation begin", Role.WRITER),
    Act("Ingest a folder", "ingest", "ingest", words="import read markdown notes upload zip", needs=Role.CURATOR),
    Act("Consolidate daily logs", "consolidate", "consolidate", words="digests condense", needs=Role.CURATOR),
    Act("Review conflicts", "conflicts", "conflicts", words="decide start", needs=Role.CURATOR),
    Act("Create an API key", "key", "settings-keys", words="new agent connect mcp claude", needs=Role.ADMIN),
    Act("Create a space", "plus", "settings-spaces", words="new", needs=Role.ADMIN),
    Act("Back up this space", "copy", "settings-backups", words="backup save", needs=Role.ADMIN),
    Act("Switch light and dark", "theme", words="theme colour color mode", does="theme"),
    Act("Look at the past", "clock", words="as of time travel then history believed true clock", does="clock"),
    Act("Keyboard shortcuts", "more", words="keys help", does="keys"),
    Act("Sign out", "out", words="log out logout leave", does="sign-out"),
)
_NOW = Act("Back to now", "clock", words="present today as of", does="now")
_STEPS = Act(
    "Show the first steps", "check", "home-steps-show", words="start begin guide help", needs=Role.ADMIN, does="post"
)
_DEMO = Act("Load the sample", "plus", "home-demo", words="demo example", needs=Role.ADMIN, does="post")


@dataclass(frozen=True, slots=True)
class Option:
    """A line. `href` is where it leads, `does` what the browser does itself; `detail` stands behind it, small."""

    text: str | SafeString
    href: str = ""
    does: str = ""
    icon: str = ""
    type: str = ""
    lead: str | SafeString = ""
    detail: str = ""
    lang: str = "en"
    words: bool = False
    trust: float | None = None


@dataclass(frozen=True, slots=True)
class Choices:
    name: str
    options: list[Option]


@dataclass(frozen=True, slots=True)
class PaletteResult:
    """`note`: what is to be said of the results; `empty`: nothing is remembered in this space yet."""

    groups: list[Choices] = field(default_factory=list)
    note: str = ""
    empty: bool = False

    @property
    def count(self) -> int:
        return sum(len(group.options) for group in self.groups)


def suggestions_of(desk: Desk, recent: Sequence[str]) -> PaletteResult:
    """What is offered while nothing is typed. `recent`: “memory:ID” and “entity:ID”, the one opened last first; what
    is no more is left out. Raises StoreError."""
    space = desk.then
    space.index.refresh()
    opened = _recent_options(space, recent)
    seen = {option.href for option in opened}
    newest = [
        one
        for one in map(_memory, browse(space, Filters(kinds=_LEARNED), limit=_NEWEST).memories)
        if one.href not in seen
    ]
    groups = [
        Choices("Opened lately", opened),
        Choices("Learned last", newest),
        Choices("Actions", [*_acts(desk), *_spaces(desk)]),
        Choices("Pages", [option for option, _ in _pages(desk)]),
    ]
    return PaletteResult([one for one in groups if one.options], empty=not space.index.roster.alive.any())


def search_palette(desk: Desk, text: str) -> PaletteResult:
    """What is offered for what was typed. Raises BadInput and StoreError."""
    named = [
        *((option, words) for option, words in _pages(desk)),
        *((_act(desk, act), f"{act.name} {act.words}") for act in _allowed_acts(desk)),
        *((option, f"{option.text} space") for option in _spaces(desk)),
    ]
    asked = Option(f"Search for “{text}”", f"{reverse('search')}?{urlencode({'q': text})}", icon="search")
    groups = [Choices("Go to", _matching_options(named, text)), Choices("Search", [asked])]
    space = desk.then
    groups.append(Choices("Entities", _entities(space, text)))
    strategy = strategy_of(space, DEFAULT)
    answer = search(space, Query(text, strategy=strategy.name, top_k=_TOP))
    notes = above(space.tuning.relevance_floor, answer).notes if answer.hits else ()
    doubt = next((note for note in (NOTHING, CLOSEST) if note in notes), "")
    if doubt:
        closest = [_hit(hit) for hit in answer.hits[:_DOUBTFUL]]
        groups.append(Choices("Nothing clearly relevant; the closest are", closest))
    else:
        facts = [hit for hit in answer.hits if hit.memory.kind is Kind.FACT]
        others = [hit for hit in answer.hits if hit.memory.kind is not Kind.FACT]
        groups.append(Choices("Facts", [_hit(hit) for hit in facts[:_FACTS]]))
        groups.append(Choices("Memories", [_hit(hit) for hit in others[:_MEMORIES]]))
    return PaletteResult([one for one in groups if one.options], note=" ".join(answer.notes))


def _allowed_acts(desk: Desk) -> list[Act]:
    """In the past only what any reader may do; and the way back."""
    role = Role.READER if desk.clock else desk.role
    acts = (*([_NOW] if desk.clock else []), *ACTS, *(() if desk.space.first_steps == "shown" else (_STEPS,)))
    return [act for act in acts if role.allows(act.needs)]


def _acts(desk: Desk) -> list[Option]:
    """What may be done here; the example where there is nothing yet."""
    acts = _allowed_acts(desk)
    if desk.role.allows(_DEMO.needs) and not desk.memory.index.roster.alive.any():
        acts = [_DEMO, *acts]
    return [_act(desk, act) for act in acts]


def _act(desk: Desk, act: Act) -> Option:
    href = reverse(act.url) + (f"#{act.opens}" if act.opens else "") if act.url else ""
    return Option(act.name, href, act.does, act.icon, detail=f"into {desk.space.name}" if act is _DEMO else "")


def _spaces(desk: Desk) -> list[Option]:
    others = spaces_of(desk.person).exclude(pk=desk.space.pk).values_list("name", flat=True)[:_SPACES]
    return [
        Option(f"Switch to {name}", f"{reverse('home')}?{urlencode({'space': name})}", icon="right", detail="space")
        for name in others
    ]


def _pages(desk: Desk) -> list[tuple[Option, str]]:
    """Every page that the role may open, with the words it is found by."""
    return [
        (
            Option(
                place.name,
                reverse(place.url),
                icon=place.icon,
                detail=section.name if section.name != place.name else "",
            ),
            f"{place.name} {section.name} {place.words}",
        )
        for section in sections()
        for place in section.places
        if desk.role.allows(place.needs)
    ]


def _matching_options(named: Iterable[tuple[Option, str]], text: str) -> list[Option]:
    """Those of whose words each word that was typed begins one; those whose name it begins come first."""
    typed = text.casefold().split()
    fitting = []
    for n, (option, words) in enumerate(named):
        known = words.casefold().replace("&", " ").split()
        if all(any(word.startswith(one) for word in known) for one in typed):
            fitting.append((not str(option.text).casefold().startswith(" ".join(typed)), n, option))
    best: dict[str, Option] = {}
    for _, _, option in sorted(fitting, key=lambda one: one[:2]):
        # An act that leads to a page is that page under another name: it stands once.
        best.setdefault(option.href or option.does, option)
    return list(best.values())[:_ACTS]


def _entities(space: Space, text: str) -> list[Option]:
    """Those whose names hold what was typed, then those that it names."""
    begun = {
        row.entity.id: _entity(row.entity, row.memories)
        for row in graph.listing(space, text=text[:200], limit=_ENTITIES).items
    }
    keys = [key for key in graph.around_query(space, text) if key not in begun][:_ENTITIES]
    named = entities.get_many(space.db, keys)
    return [*begun.values(), *(_entity(named[key]) for key in keys if key in named)][:_ENTITIES]


def _recent_options(space: Space, recent: Sequence[str]) -> list[Option]:
    named = [match for match in map(_RECENT.fullmatch, recent[: 2 * RECENT]) if match]
    keys = {what: [one["key"] for one in named if one["what"] == what] for what in ("memory", "entity")}
    options = {
        f"memory:{key}": _memory(one)
        for key, one in memories.get_many(space.db, keys["memory"]).items()
        if one.state is not State.DELETED
    }
    options |= {f"entity:{key}": _entity(one) for key, one in entities.get_many(space.db, keys["entity"]).items()}
    return [options[one[0]] for one in named if one[0] in options][:RECENT]


def _entity(one: Entity, count: int | None = None) -> Option:
    counted = f", {human.count_text(count, 'memory', 'memories')}" if count is not None else ""
    return Option(one.name, reverse("entity", args=[one.id]), type=one.type, detail=f"{one.type}{counted}")


def _memory(memory: Memory, *, terms: Sequence[str] = (), trust: float | None = None, parent: str = "") -> Option:
    """`terms` are marked in its words, `trust` is drawn behind them; `parent`: the space it is inherited from."""
    title = memory.title.strip()
    text = wording.plain(memory.text)
    text = text.removeprefix(title).lstrip(" :–-") if title else text
    node = Node(memory) if memory.kind is Kind.NODE else None
    page = reverse("tree-node", args=[node.path]) if node and node.path else reverse("memory", args=[memory.id])
    return Option(
        wording.mark_terms(wording.excerpt(text, limit=_CHARS, around=terms), terms),
        page + (f"?{urlencode({'space': parent})}" if parent else ""),
        icon=_ICONS.get(memory.kind, "memories"),
        lead=wording.mark_terms(node.path if node else title, terms),
        detail=parent or source_of(memory)[0] or memory.kind.value,
        lang=wording.language(memory.text),
        words=True,
        trust=trust,
    )


def _hit(hit: Hit) -> Option:
    terms = [str(word) for word in hit.evidence.get("matched", ())]
    trust = hit.trust if hit.memory.kind is Kind.FACT else None
    return _memory(hit.memory, terms=terms, trust=trust, parent=hit.inherited_from or "")

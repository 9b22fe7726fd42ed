"""Whose memories: the four names by which mem0 tells them apart. Each set of names that is used together is one
session here, so what one set says is told from what another says by its session alone. Where somebody ends it, the
next thing that is said begins its next part."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import count
from urllib.parse import parse_qsl, quote

import numpy as np

from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import OWNED, PART, Kind, owner_of_session
from memoryapp.index.roster import KINDS, Roster
from memoryapp.index.tokens import tokens
from memoryapp.spaces import Space
from memoryapp.store import memories, sessions

FOUND = (Kind.FACT, Kind.NOTE, Kind.TURN)  # what its search finds: also what was said, word for word
KEPT = (Kind.FACT, Kind.NOTE)  # what mem0 calls a memory: what was learned from messages, or kept as it was sent
TYPES = {"user_id": "user", "agent_id": "agent", "app_id": "app", "run_id": "run"}
_A_NAME = re.compile(r"[^\W\d_]+(?:[ .'’-]+[^\W\d_]+)*\.?")  # letters of any script, in one or several words
_NAME = r"([^\W\d_][\w'’-]*?)"
_SAYS = r"(?:[’']s? (?:full |first )?name is| is called| is named| goes by)"
_STATED = (  # as the extractor words who somebody is, of an unnamed user and of one who gives the name in that message
    re.compile(rf"^The user{_SAYS} {_NAME}(?=[.,;!]|\s|$)"),
    re.compile(rf"^{_NAME}{_SAYS} (?=\1\b)"),
    re.compile(r"^사용자의 이름은 ([가-힣]{2,5}?)(?:이에요|예요|입니다|이다|이야|야|다)[.!]?$"),
    re.compile(r"^([가-힣]{2,5})의 이름은 (?=\1)"),
)
_SAYING_A_NAME = ("name", "called", "named", "goes", "이름은")  # one of them stands in each of those
_HEX = re.compile(r"[0-9a-f]+")
_NO_NAMES = frozenset({"user", "users", "admin", "root", "guest", "test", "tester", "default", "anonymous", "customer",
                       "client", "me", "human", "person", "assistant", "agent", "bot", "ai", "system"})  # fmt: skip
_LONGEST = 280  # characters of a session's name, without its part
_KINDS = [KINDS.index(kind) for kind in KEPT]
_FACT = KINDS.index(Kind.FACT)


@dataclass(frozen=True, slots=True)
class Owner:
    """At least one of them is set. What a memory does not name, it has nothing of: it matches no value there."""

    user_id: str | None = None
    agent_id: str | None = None
    app_id: str | None = None
    run_id: str | None = None

    @property
    def named(self) -> dict[str, str]:
        return {name: value for name, value in asdict(self).items() if value is not None}

    @property
    def session(self) -> str:
        """user_id=mina&run_id=7 behind the mark: readable, and the same names are the same session."""
        return OWNED + "&".join(f"{name}={_escape_owner(value)}" for name, value in self.named.items())


@dataclass(frozen=True, slots=True)
class Holding:
    """An owner, how many memories are held of it in which sessions, and when the first and the last were learned."""

    owner: Owner
    sessions: tuple[str, ...]
    memories: int
    first: datetime
    last: datetime


def owner_named(*places: dict[str, object]) -> Owner:
    """The owner that a request names, in the first of `places` that names each. Raises BadInput where nobody is named,
    or what is named is no plain name."""
    named: dict[str, str] = {}
    for place in places:
        for name in TYPES:
            value = place.get(name)
            if value is None or name in named:
                continue
            if not isinstance(value, (str, int)) or isinstance(value, bool) or not str(value).strip():
                raise BadInput(f"“{name}” is a name, not {str(value)[:40]!r}.", field=f"/{name}")
            named[name] = str(value).strip()
    if not named:
        raise BadInput("Say whose memory this is: at least one of user_id, agent_id, app_id and run_id.")
    if "*" in named.values():
        raise BadInput("“*” stands for everybody in a filter; nobody is called so.")
    owner = Owner(**named)
    if len(owner.session) > _LONGEST:
        raise BadInput(f"The names of the owner are longer than {_LONGEST - len(OWNED)} characters together.")
    return owner


def person_name(id: str) -> str | None:
    """The name that an id is, with its capital: "alex", "Alex" and "ALEX" are one person. None for what nobody is
    called: numbers, hashes, addresses, "user_42", "admin"."""
    said = " ".join(id.replace("_", " ").replace(".", " ").split())
    if not _A_NAME.fullmatch(said) or said.casefold() in _NO_NAMES or len(said) > 60:
        return None
    if len(said) > 5 and said.isascii() and _HEX.fullmatch(said.casefold()):
        return None
    return " ".join(part.capitalize() if part.islower() or (part.isupper() and len(part) > 2) else part
                    for part in said.split())  # fmt: skip


def stated_name(space: Space, owner: Owner) -> str | None:
    """What a user who is known by an id alone said they are called, in whatever session, or with whatever agent: the
    last such fact that is held. Read off the index: only facts that speak of a name are fetched."""
    if owner.user_id is None:
        return None
    space.index.refresh()
    view = space.index.view()
    places = [code for code, name in _owned_places(view.roster).items() if owner_of(name).user_id == owner.user_id]
    mine = view.roster.held & (view.roster.kind == _FACT) & np.isin(view.roster.place, places)
    naming = np.zeros_like(mine)
    for term in {one for word in _SAYING_A_NAME for one in tokens(word)}:
        naming |= view.keyword([term], k1=space.tuning.bm25_k1, b=space.tuning.bm25_b).own > 0
    slots = np.flatnonzero(mine & naming)
    found = memories.get_many(space.db, [view.roster.ids[slot] for slot in slots.tolist()])
    stated = [(one.created_at, one.id, name) for one in found.values() if (name := name_stated_in(one.text))]
    return max(stated)[2] if stated else None


def name_stated_in(fact: str) -> str | None:
    """The name that a fact of the unnamed user gives them."""
    return next((said[1] for pattern in _STATED if (said := pattern.match(fact))), None)


def owner_of(session: str | None) -> Owner:
    """The owner whose session this is; nobody where it is a session of another door."""
    named = parse_qsl((owner_of_session(session) or OWNED).removeprefix(OWNED))
    return Owner(**{name: value for name, value in named if name in TYPES})


def open_for(space: Space, owner: Owner, *, agent: str) -> str:
    """The owner's session, by name: the first part that has not ended, opened where it was not."""
    for part in count(1):
        name = owner.session + (f"{PART}{part}" if part > 1 else "")
        session = sessions.Session(name, space.clock(), agent, metadata={"owner": owner.named})
        if sessions.open_session(space.db, session).ended_at is None:
            return name
    raise AssertionError("there is always one more")


def holdings(space: Space) -> list[Holding]:
    """Every owner of whom something is held, in order of their names. Read off the index: it costs one pass."""
    space.index.refresh()
    roster = space.index.view().roster
    owned = _owned_places(roster)
    held = roster.held & np.isin(roster.kind, _KINDS) & np.isin(roster.place, list(owned))
    found: dict[Owner, Holding] = {}
    for code in np.unique(roster.place[held]).tolist():
        created = roster.created[held & (roster.place == code)]
        first, last = (datetime.fromtimestamp(float(at), tz=UTC) for at in (created.min(), created.max()))
        here = Holding(owner_of(owned[code]), (owned[code],), len(created), first, last)
        found[here.owner] = _join_holdings(found[here.owner], here) if here.owner in found else here
    return sorted(found.values(), key=lambda one: one.owner.session)


def _owned_places(roster: Roster) -> dict[int, str]:
    """Sessions of owners, by the code of the place."""
    names: Iterable[tuple[str, str, str]] = roster.names["place"].names
    return {code: session for code, (_, _, session) in enumerate(names) if session.startswith(OWNED)}


def _join_holdings(one: Holding, other: Holding) -> Holding:
    return Holding(
        owner=one.owner,
        sessions=tuple(dict.fromkeys((*one.sessions, *other.sessions))),
        memories=one.memories + other.memories,
        first=min(one.first, other.first),
        last=max(one.last, other.last),
    )


def _escape_owner(value: str) -> str:
    """Letters of every script stay readable; what would end a name, or could be trimmed away, is written as %XX."""
    return "".join(char if char.isalnum() or char in "-_.@" else quote(char, safe="") for char in value)

"""What a person picked of a preview: digests left out or put in, sentences swapped. Kept in their session while they
look through the pages of it, until it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from memoryapp.consolidate import Choice, Digest, swapped
from memoryapp.domain.errors import BadInput

_KEY = "consolidate"
_MOST = 2_000  # digests that may be changed by hand: a session is a row, not a store


@dataclass(slots=True)
class Picks:
    """`out`: digests that are due and not wanted; `put_in`: those rolled back once that are wanted all the same;
    `sentences`: what a digest takes where that was changed."""

    out: set[str] = field(default_factory=set)
    put_in: set[str] = field(default_factory=set)
    sentences: dict[str, list[str]] = field(default_factory=dict)

    def wants(self, digest: Digest) -> bool:
        return digest.id in self.put_in if digest.rolled_back else digest.id not in self.out

    def put(self, digest: Digest, *, on: bool) -> None:
        if digest.rolled_back:
            (self.put_in.add if on else self.put_in.discard)(digest.id)
        else:
            (self.out.discard if on else self.out.add)(digest.id)

    def take(self, digest: Digest, sentences: Sequence[str]) -> None:
        """`digest` with the ranker's own choice. Raises BadInput for sentences it does not have, or none."""
        changed = swapped(digest, sentences)
        if [one.id for one in changed.taken] == [one.id for one in digest.taken]:
            self.sentences.pop(digest.id, None)
            return
        if len(self.sentences) >= _MOST and digest.id not in self.sentences:
            raise BadInput(f"{_MOST:,} digests are already edited by hand; write these first.", field="take")
        self.sentences[digest.id] = [one.id for one in changed.sentences if one.taken]

    def shown(self, digest: Digest) -> Digest:
        """The digest as it would be written. A change that no longer fits its sentences is forgotten."""
        picked = self.sentences.get(digest.id)
        if picked is None:
            return digest
        try:
            return swapped(digest, picked)
        except BadInput:
            del self.sentences[digest.id]
            return digest

    def choices(self, digests: Iterable[Digest], *, prints: dict[str, str]) -> list[Choice]:
        """`prints`: of the digests as they were seen; without one nobody saw the digest, and it is not chosen."""
        return [
            Choice(one.id, prints[one.id], tuple(self.sentences[one.id]) if one.id in self.sentences else None)
            for one in digests
            if one.id in prints
        ]


def picks_of(session: SessionBase, space: str, look: str) -> Picks:
    """`look`: ranker and age; under another look the digests are others."""
    told: dict[str, Any] = session.get(_KEY, {}).get(space, {})
    if told.get("look") != look:
        return Picks()
    return Picks(set(told["out"]), set(told["in"]), dict(told["sentences"]))


def keep_picks(session: SessionBase, space: str, look: str, picks: Picks) -> None:
    every = dict(session.get(_KEY, {}))
    told = {"look": look, "out": sorted(picks.out), "in": sorted(picks.put_in), "sentences": picks.sentences}
    every[space] = told
    session[_KEY] = every


def forget_picks(session: SessionBase, space: str) -> None:
    every = {name: told for name, told in session.get(_KEY, {}).items() if name != space}
    session[_KEY] = every


def read_prints(seen: str) -> dict[str, str]:
    """“id:print id:print …” as the page carries it."""
    pairs = (one.partition(":") for one in seen.split())
    return {key: mark for key, _, mark in pairs if mark}

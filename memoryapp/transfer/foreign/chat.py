"""What the two chat exports share: turns with refs that stay, long ones in pieces, and a count of what was left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from memoryapp.domain.cleaning import pieces
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.turn import NewTurn, Role
from memoryapp.transfer.entries import Brought, Conversation
from memoryapp.transfer.foreign.records import Tally, line, reference

_MOST_TURNS = 20_000  # of one conversation
# How the programs mark a source inside the words: private-use brackets, or 【12†source】.
_CITATION = re.compile("[ \t]*(?:\ue200[^\ue200\ue201]{0,300}\ue201|【\\d+(?::\\d+)?†[^】]{0,200}】|[\ue200-\ue206])")
_MARK = re.compile("[\ue200-\ue206【]")  # seldom there, and quickly looked for


@dataclass(slots=True)
class Talk:
    """One conversation on its way to be told. `tally` counts, for the whole file, what was left out and why."""

    form: str
    where: str  # “conversations.json, record 3”
    file: str
    id: str
    title: str
    at: datetime | None
    tally: Tally
    turns: list[NewTurn] = field(default_factory=list)
    _refs: set[str] = field(default_factory=set)

    def say(self, role: Role, text: str, *, ref: str, at: datetime | None) -> None:
        """A turn. One without a time is of the time of the turn before it, so that the order holds."""
        if _MARK.search(text):
            text = _CITATION.sub("", text).strip()
        at = at or (self.turns[-1].at if self.turns else self.at)
        ref = line(ref, 100) or derived_id(str(len(self.turns)), text)
        if not text:
            self.leave("A turn without words: a picture, a file, or an answer that never came.")
        elif ref in self._refs:
            self.leave("A turn that the file has twice.")
        elif len(self.turns) >= _MOST_TURNS:
            self.leave(f"A turn after the first {_MOST_TURNS:,} of its conversation.")
        else:
            self._refs.add(ref)
            for number, piece in enumerate(pieces(text, LIMITS.turn_chars), start=1):
                self.turns.append(NewTurn(piece, role=role, at=at, ref=ref if number == 1 else f"{ref}/{number}"))

    def leave(self, why: str, count: int = 1) -> None:
        self.tally.add(self.file, why, count)

    def told(self) -> Iterator[Brought]:
        if not self.turns:
            self.leave("A conversation in which nothing was said.")
            return
        own = self.id or derived_id(self.title, str(self.at), self.turns[0].text)
        yield Conversation(reference(self.form, own), tuple(self.turns), self.title, self.at or self.turns[0].at)


def path_of(parents: dict[str, str], leaf: str) -> list[str]:
    """The ids from the first to the leaf, by the parent of each: the branch that was read last, and no other."""
    found: list[str] = []
    seen: set[str] = set()
    while leaf in parents and leaf not in seen:
        seen.add(leaf)
        found.append(leaf)
        leaf = parents[leaf]
    return found[::-1]

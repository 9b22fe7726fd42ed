"""What passes between the steps, and what comes out: a prompt's context, layer by layer, each item with its reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from memoryapp.domain.memory import Memory
from memoryapp.domain.sentences import Span

_HEADING = re.compile(r"#{1,6}(\s|$)")


class LayerName(StrEnum):
    """In the order in which an agent reads them. The tree is only there where a node is reached. Knowledge is what is
    written in notes and documents, where that matches as well as facts do, or where there are few."""

    SUMMARIES = "summaries"
    TREE = "tree"
    FACTS = "facts"
    EXPERIENCES = "experiences"
    KNOWLEDGE = "knowledge"


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that may go into a layer. `lead` always stands before the `pieces`, of which as many are taken as fit;
    with `whole` all or none, else at least so many that say something as `least` tells. `tail` follows them: dates,
    trust, dispute, a reply; `short_tail` in its place where room is short. `relevance` and `answer` as the search said
    them."""

    memory: Memory
    why: str
    pieces: tuple[str, ...]
    lead: str = ""
    tail: str = ""
    whole: bool = False
    least: int = 1
    short_tail: str | None = None
    inherited_from: str | None = None
    relevance: float | None = None
    answer: Span | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """`text` as it stands in the context, its number included; `cut` where its end was left out for want of room."""

    memory: Memory
    text: str
    tokens: int
    why: str
    number: int
    cut: bool = False
    inherited_from: str | None = None
    relevance: float | None = None
    answer: Span | None = None


@dataclass(frozen=True, slots=True)
class Layer:
    """`left_out`: how many more fitted the message, but not the budget. `tokens`: its heading's too."""

    name: str
    items: tuple[Item, ...]
    tokens: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class PromptContext:
    """`text` goes into a prompt as it is: recalled words, marked as data. `tokens` ≤ `budget`, counted by `counter`;
    `estimate` where that only reckons. `citations`: number in the text → memory id. `needed`: where nothing fitted, the
    budget that would hold something; 0 where there is nothing. `notes` for the reader."""

    text: str
    tokens: int
    budget: int
    estimate: bool
    layers: tuple[Layer, ...]
    citations: dict[str, str]
    counter: str = ""
    needed: int = 0
    notes: tuple[str, ...] = ()


def is_heading(piece: str) -> bool:
    """Whether a piece only says what comes next: a heading of markdown, or marks without a letter or a digit."""
    return bool(_HEADING.match(piece)) or not any(one.isalnum() for one in piece)

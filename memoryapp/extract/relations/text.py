"""What is read for relations, and what comes of it. The data between this room's steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memoryapp.domain.fact import Cost
from memoryapp.domain.relation import Named, Stated


@dataclass(frozen=True, slots=True)
class Text:
    """A fact, a turn or a section. `speaker`: who “I” is, None where nobody speaks. `known`: names of known entities
    that stand in it, spelled as the entity is to be named or as the text has it; small letters do not matter.
    `types`: the entity types of those names, as far as they are known; they settle what “work with” means."""

    text: str
    speaker: str | None = None
    known: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """The relations of one text. `problem` is set where the configured model could not do it and the rules stood in."""

    stated: tuple[Stated, ...]
    reader: str = "rules"
    problem: str = ""
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True, slots=True)
class End:
    """`is_name`: a proper or known name, or the speaker; else a chunk of common words. `place`: of its head. `noun`:
    the common noun that a name was told with, “cat” of “a cat named Miso”. `sure`: its type is known, not guessed."""

    named: Named
    place: int
    is_name: bool = True
    noun: str = ""
    sure: bool = False

    @property
    def kind(self) -> str:
        return self.named.type

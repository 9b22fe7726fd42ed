"""What detectors compare: two statements, and the verdict on whether they can both hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memoryapp.domain.conflict import Outcome


@dataclass(frozen=True, slots=True)
class Slot:
    """“Minsu lives in Seoul” fills the slot (minsu, lives in) with Seoul. Two values of one `functional` slot cannot
    hold at once; of others only opposite polarity of the same value is a contradiction. `said` is the attribute in the
    words of the statement, where the key holds stems (“number of developers”)."""

    subject: str  # normal form
    attribute: str
    value: str
    functional: bool
    positive: bool = True
    said: str = field(default="", compare=False)

    @property
    def key(self) -> str:
        """What memories are looked up by: the same subject and attribute."""
        return f"{self.subject}|{self.attribute}"


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory, or something about to become one, as detectors see it. Validity as far as it is known."""

    text: str
    at: datetime | None = None  # when it was said
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    speaker: str | None = None
    quote: str = ""  # the words that it was learned from, which tell more than the statement that was made of them


# Attributes by which slots are looked up, as a person calls them; the others read well as they are.
_TOLD = {
    "stored in": "database", "os": "operating system", "ceo": "CEO", "cto": "CTO", "cfo": "CFO", "coo": "COO", "url":
    "URL", "costs": "price", "weighs": "weight", "pays": "rent", "speaks natively": "native language", "from":
    "comes from", "prefers over": "prefers", "commutes by": "way to work", "answers in": "language of answers",
    "number of child": "number of children", "number of sibling": "number of siblings", "number of staff": "staff",
}  # fmt: skip


def attribute_told(attribute: str) -> str:
    """“database” for “stored in”; also behind a subject (“billing|stored in”)."""
    subject, border, name = attribute.rpartition("|")
    return f"{subject}{border}{_TOLD.get(name, name)}"


SURE = 0.85  # confidence of a succession from which on it is as certain as a rule's conflict


class Relation(StrEnum):
    """How an incoming statement stands to an existing one."""

    UNRELATED = "unrelated"
    COMPATIBLE = "compatible"  # both can hold
    SAME = "same"  # says the same in other words
    SUCCESSION = "succession"  # one held before, the other after: no conflict, the older one ends
    POSSIBLE = "possible"  # may contradict: a person should look
    CONFLICT = "conflict"  # a sure rule says they cannot both hold


@dataclass(frozen=True, slots=True)
class Verdict:
    """`detector` names who judged: slot, number, date, negation, antonym, nli, llm. `outcome` is what it proposes.
    `attribute` is what the two differ in, where that is known (precedents are looked up by it). `doubted`: the judge
    does not agree with a rule that is sure."""

    relation: Relation
    detector: str = ""
    reason: str = ""
    confidence: float = 0.0
    outcome: Outcome = Outcome.KEEP
    attribute: str | None = None
    doubted: bool = False

    @property
    def certain(self) -> bool:
        """A sure rule said so, or the incoming one itself, as surely, that it was otherwise before; and the judge does
        not doubt it."""
        said_so = self.relation is Relation.SUCCESSION and self.confidence >= SURE
        return (self.relation is Relation.CONFLICT or said_so) and not self.doubted

    @property
    def clashes(self) -> bool:
        return self.relation in (Relation.POSSIBLE, Relation.CONFLICT)

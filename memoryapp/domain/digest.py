"""A digest: what is kept of a group of daily-log sections, with the sentences it takes and those it leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from memoryapp.domain.change import Run
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Memory, index_text
from memoryapp.domain.redaction import redact_phrases, redacted_all

BULLET = "- "  # how a sentence begins in a digest's text; a day stands above those that it told


class Ranker(StrEnum):
    """By what a sentence is found worth keeping."""

    MARKS = "marks"  # length, marker words, names, done items
    CENTRAL = "central"  # what the group comes back to, without saying it twice


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a section. `score` 0–1, `why` in the sentence's own language. `left` says why it is not taken,
    "" where it is; `by_hand`: a person put it in or out."""

    id: str
    section: str
    text: str
    score: float
    why: tuple[str, ...]
    korean: bool = False
    left: str = ""
    by_hand: bool = False

    @property
    def taken(self) -> bool:
        return not self.left


@dataclass(frozen=True, slots=True)
class Original:
    """A section that a digest is made from, as it was when the digest was worked out."""

    id: str
    title: str
    at: datetime
    path: str | None
    bytes: int  # of its words in UTF-8
    edited: bool
    version: int


@dataclass(frozen=True, slots=True)
class Topic:
    """What brought the sections together. `by`: entity, likeness (of their words), digest (one that stands, of which a
    section changed)."""

    name: str
    by: str
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class Digest:
    """As it would be written. `print` changes whenever anything of it, or of its originals, does: an approval refers to
    it. `entities` are (id, name); `links` counts the references that are carried over.

    `rolled_back`: it was written once and taken back; it is written again only when it is picked by its id.
    `rewrites`: it stands, and is written anew in its place.
    """

    id: str
    print: str
    title: str
    text: str
    topic: Topic
    ranker: Ranker
    sentences: tuple[Sentence, ...]
    originals: tuple[Original, ...]
    tags: tuple[str, ...]
    entities: tuple[tuple[str, str], ...]
    began: datetime
    ended: datetime
    links: int
    confidence: float
    rolled_back: bool = False
    rewrites: bool = False

    @property
    def taken(self) -> tuple[Sentence, ...]:
        """The best first."""
        return _best_first(one for one in self.sentences if one.taken)

    @property
    def left(self) -> tuple[Sentence, ...]:
        """The best first."""
        return _best_first(one for one in self.sentences if not one.taken)

    @property
    def bytes_before(self) -> int:
        return sum(original.bytes for original in self.originals)

    @property
    def bytes_after(self) -> int:
        return len(self.text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Staying:
    """A section that is old enough and stays as it is, and why."""

    id: str
    title: str
    at: datetime | None
    why: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a consolidation would do at `at`. The sums leave out what was rolled back."""

    ranker: Ranker
    older_than_days: int
    at: datetime
    digests: tuple[Digest, ...] = ()
    staying: tuple[Staying, ...] = ()

    @property
    def due(self) -> tuple[Digest, ...]:
        return tuple(one for one in self.digests if not one.rolled_back)

    @property
    def archives(self) -> int:
        return sum(len(one.originals) for one in self.due)

    @property
    def taken(self) -> int:
        return sum(len(one.taken) for one in self.due)

    @property
    def sentences(self) -> int:
        return sum(len(one.sentences) for one in self.due)

    @property
    def links(self) -> int:
        return sum(one.links for one in self.due)

    @property
    def bytes_before(self) -> int:
        return sum(one.bytes_before for one in self.due)

    @property
    def bytes_after(self) -> int:
        return sum(one.bytes_after for one in self.due)


@dataclass(frozen=True, slots=True)
class Choice:
    """A digest that somebody approved. `print`: of the preview they saw, "" for whatever it is now; `sentences`: ids of
    all that it shall take, None for the ranker's own choice."""

    digest: str
    print: str = ""
    sentences: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A digest that was asked for and not written, and why."""

    id: str
    title: str
    why: str


@dataclass(frozen=True, slots=True)
class ConsolidationResult:
    """What was done. `run` is None where nothing was written; `archived` counts originals."""

    run: Run | None = None
    written: tuple[Memory, ...] = ()
    archived: int = 0
    sentences_taken: int = 0
    sentences: int = 0
    links: int = 0
    bytes_before: int = 0
    bytes_after: int = 0
    left: tuple[LeftOut, ...] = ()
    staying: int = 0


@dataclass(frozen=True, slots=True)
class Past:
    """A consolidation that was done. `rolled_back_by`: the run that took it back."""

    run: Run
    digests: int
    archived: int
    sentences_taken: int
    sentences: int
    links: int
    bytes_before: int
    bytes_after: int
    ranker: str
    rolled_back_by: str | None = None


def digest_id(originals: Iterable[str], ranker: Ranker) -> str:
    """16 hex digits that depend on which sections it is made from and on the ranker, and on nothing else."""
    return derived_id("digest", ranker.value, *sorted(originals))


def _best_first(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    return tuple(sorted(sentences, key=lambda one: -one.score))


def without_section(digest: Memory, section: str, phrases: Sequence[str]) -> Memory | None:
    """A written digest without the sentences that one of its sections said, and without whatever else repeats one of
    `phrases`; None where nothing is left of it. Which line came from which section stands in its detail, as long as
    nobody edited it: of an edited one, only the phrases are taken out."""
    detail = dict(digest.detail)
    told = list(detail.get("sentences") or ())
    lines = digest.text.split("\n")
    said = [n for n, line in enumerate(lines) if line.startswith(BULLET)]
    if detail.get("words") == content_hash(digest.text) and len(said) == len(told):
        gone = {n for n, one in zip(said, told, strict=True) if one["section"] == section}
        if len(gone) == len(said):
            return None
        lines = _with_days([line for n, line in enumerate(lines) if n not in gone])
        detail["sentences"] = [one for one in told if one["section"] != section]
    text = redact_phrases("\n".join(lines), phrases)
    detail["originals"] = {key: value for key, value in (detail.get("originals") or {}).items() if key != section}
    edited = digest.detail.get("words") != content_hash(digest.text)
    detail["words"] = digest.detail.get("words") if edited else content_hash(text)
    title = redact_phrases(digest.title, phrases)
    made = replace(digest, text=text, title=title, detail=redacted_all(detail, phrases))
    return replace(made, content_hash=content_hash(index_text(made)))


def _with_days(lines: Sequence[str]) -> list[str]:
    """Without the days under which nothing is said any more."""
    days: list[list[str]] = [[]]
    for line in lines:
        if line:
            days[-1].append(line)
        else:
            days.append([])
    kept = [day for day in days if any(line.startswith(BULLET) for line in day)]
    return "\n\n".join("\n".join(day) for day in kept).split("\n")

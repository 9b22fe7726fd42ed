"""A file read and cut, beside the memories it has: what is to be written of it (`FileChanges`). Changes nothing itself.

A source that changed beneath a person's edit becomes a conflict to be judged, never an overwrite, and is raised once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.document import Document, FileOutcome, FileReport, Section
from memoryapp.domain.entity import EntityType
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Kind, Memory, Origin, State, index_text
from memoryapp.extraction.entities.candidates import NAME_CHARS, inline_tags, mask_code
from memoryapp.extraction.entities.link import Subject
from memoryapp.ingest.compare import Fate, Pair, pair, source_words
from memoryapp.ingest.cut import VERSION, Cutting
from memoryapp.ingest.frontmatter import aliases_of, begun_on, each_once
from memoryapp.ingest.obsidian import without_block_id, without_marks
from memoryapp.ingest.read import Reading
from memoryapp.store.purge import PurgedContent

DETECTOR = "edited source"


def source_conflict(
    memory: Memory, section: Section, known: Sequence[Conflict], *, path: str, now: datetime
) -> Conflict | None:
    """The conflict to write, or None where these words were put before a person already."""
    key = derived_id("conflict", "edit", memory.id, content_hash(section.text))
    earlier = next((conflict for conflict in known if conflict.id == key), None)
    if earlier is not None and earlier.status is not ConflictStatus.WITHDRAWN:
        return None
    return Conflict(
        id=key,
        existing=memory.id,
        detector=DETECTOR,
        reason=f"Edited here, and lines {section.first_line}–{section.last_line} of {path} changed too.",
        created_at=now,
        incoming_text=section.text,
        outcome=Outcome.KEEP,
        version=earlier.version + 1 if earlier else 1,
    )


def overtaken(known: Sequence[Conflict], *, standing: str | None) -> list[Conflict]:
    """Waiting conflicts whose words the file no longer has, withdrawn. `standing`: what it has, None where that is no
    conflict any more."""
    return [
        replace(conflict, status=ConflictStatus.WITHDRAWN, version=conflict.version + 1)
        for conflict in known
        if conflict.detector == DETECTOR
        and conflict.status is ConflictStatus.WAITING
        and conflict.incoming_text != standing
    ]


@dataclass(frozen=True, slots=True)
class Cut:
    """A file read and cut. `before`: the document as the store has it; `key`: its id, old or new."""

    source: str
    reading: Reading
    cutting: Cutting
    before: Document | None
    key: str

    @property
    def is_moved(self) -> bool:
        return self.before is not None and self.before.path != self.reading.path


@dataclass(slots=True)
class FileChanges:
    """What one file changes. `rewritten`: memories with new words, to be embedded and linked; `relinked`: those to be
    linked alone, since their words name others by new rules or a new front matter; `placed`: those that only stand
    elsewhere now."""

    cut: Cut
    document: Document
    report: FileReport
    created: list[Memory] = field(default_factory=list)
    updated: list[tuple[Memory, Memory]] = field(default_factory=list)
    placed: list[Memory] = field(default_factory=list)
    rewritten: list[Memory] = field(default_factory=list)
    relinked: list[Memory] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    @property
    def dates_changed(self) -> bool:
        """Whether the chain of dated files must be looked at around this one."""
        before, after = self.cut.before, self.document
        if before is None or not before.present or before.path != after.path or before.date != after.date:
            return True
        return bool(self.created) or any(old.state != new.state for old, new in self.updated)


def put_away(memory: Memory) -> Memory:
    """A memory whose section is gone: archived, without lines, by which it is known when it comes back."""
    return replace(memory, state=State.ARCHIVED, origin=replace(memory.origin, first_line=None, last_line=None))


def settle(
    cut: Cut, held: Sequence[Memory], *, purged: PurgedContent, conflicts: Sequence[Conflict], now: datetime
) -> FileChanges:
    """`held`: the document's memories in whatever state; `purged`: what must not come back; `conflicts`: those of
    its edited memories, decided ones too."""
    pairs = pair(cut.cutting.sections, held)
    left_out = _left_out(pairs, purged)
    kept = [p for p in pairs if p not in left_out]
    settled = FileChanges(cut, _document(cut, left_out, now), FileReport(cut.reading.path, FileOutcome.READ))
    fates: Counter[Fate] = Counter(p.fate for p in kept)
    position = 0
    for one in kept:
        _take(one, settled, position=position, now=now)
        position += one.section is not None
    raised = _conflicts(kept, settled, conflicts, now)
    settled.report = _report(cut, fates, raised=raised, left_out=len(left_out))
    return settled


def _left_out(pairs: Sequence[Pair], purged: PurgedContent) -> list[Pair]:
    """Sections whose words were purged; where the file has none of those, one that stands at a purged one's id: the
    same section, with other words."""
    new = [pair for pair in pairs if pair.section is not None and pair.memory is None]
    same = [pair for pair in new if pair.section and pair.section.text in purged.texts]
    return same or [pair for pair in new if pair.section and pair.section.id in purged.ids]


def _take(one: Pair, settled: FileChanges, *, position: int, now: datetime) -> None:
    before = one.memory
    if one.section is None:
        assert before is not None
        settled.updated.append((before, put_away(before)))
        return
    if before is None:
        memory = _new_memory(one.section, settled, position=position, now=now)
        settled.created.append(memory)
        settled.rewritten.append(memory)
        return
    after = _updated_memory(before, one, settled, position=position)
    placed = replace(
        before, origin=after.origin, position=after.position, breadcrumb=after.breadcrumb, group=after.group
    )
    if after != placed:
        settled.updated.append((before, after))
    elif placed != before:
        settled.placed.append(placed)
    if one.fate is Fate.LEFT:
        return
    if index_text(after) != index_text(before):
        settled.rewritten.append(after)
    elif _has_earlier_rules(settled.cut) or (
        settled.cut.before and settled.cut.before.metadata != settled.document.metadata
    ):
        settled.relinked.append(after)


def _has_earlier_rules(cut: Cut) -> bool:
    """Whether earlier rules cut it: those for what it names were others too."""
    return cut.before is not None and cut.before.cutter != VERSION


def _new_memory(section: Section, settled: FileChanges, *, position: int, now: datetime) -> Memory:
    document = settled.document
    return Memory(
        id=section.id,
        kind=Kind.SECTION,
        text=section.text,
        title=section.title,
        created_at=now,
        updated_at=now,
        breadcrumb=section.breadcrumb,
        tags=_tags(section.text, document.tags),
        occurred_at=_date(document),
        daily=document.daily,
        group=_group(document),
        position=position,
        origin=_origin(section, document),
        content_hash=content_hash(section.text),
        detail={"aliases": list(aliases)} if (aliases := aliases_of(document.metadata)) else {},
    )


def _date(document: Document) -> datetime | None:
    """What its sections are dated by: the day that it is about, else the one on which it was begun."""
    return document.date or begun_on(document.metadata)


def _updated_memory(before: Memory, one: Pair, settled: FileChanges, *, position: int) -> Memory:
    """A known memory as its file has it now. What a person set by hand stays: words, tags and date alike."""
    section, document = one.section, settled.document
    assert section is not None
    placed = replace(
        before,
        breadcrumb=section.breadcrumb,
        position=position,
        group=_group(document),
        origin=_origin(section, document),
    )
    if one.fate is Fate.LEFT:
        return placed
    earlier = settled.cut.before
    was = _tags(source_words(before), earlier.tags if earlier else ())
    tags = _merge_tags(before.tags, was=was, now=_tags(section.text, document.tags))
    after = replace(placed, tags=tags, detail=_detail(before, document))
    if earlier and before.title == section.heading:  # not renamed by hand
        after = replace(after, title=section.title)
    known = _date(earlier) if earlier and not _has_earlier_rules(settled.cut) else earlier and earlier.date
    if earlier and (known, earlier.daily) != (_date(document), document.daily):
        after = replace(after, occurred_at=_date(document), daily=document.daily)
    if one.fate is Fate.AGREED:
        return replace(after, source_text=None, content_hash=content_hash(section.text))
    # What was folded into a digest comes back with new words: the digest does not tell those.
    folded = before.state is State.ARCHIVED and bool(before.detail.get("digest"))
    if one.fate is Fate.RETURNED or (folded and one.fate in (Fate.CHANGED, Fate.EDITED)):
        after = replace(after, state=State.HELD)
    if _is_same_source(before, section, settled.cut):
        after = replace(after, source_text=section.text, content_hash=content_hash(section.text))
    if after.source_text is None and section.text != after.text:
        after = replace(after, text=section.text, content_hash=content_hash(section.text))
    return after


def _detail(before: Memory, document: Document) -> dict[str, Any]:
    other = {name: value for name, value in before.detail.items() if name != "aliases"}
    aliases = aliases_of(document.metadata)
    return {**other, "aliases": list(aliases)} if aliases else other


def _conflicts(kept: Sequence[Pair], settled: FileChanges, known: Sequence[Conflict], now: datetime) -> int:
    """Raises what must be judged, withdraws what no longer has a cause; gives the number raised."""
    raised = 0
    by_memory: dict[str, list[Conflict]] = {}
    for conflict in known:
        by_memory.setdefault(conflict.existing, []).append(conflict)
    for one in kept:
        if one.memory is None or one.section is None or one.memory.source_text is None:
            continue
        about = by_memory.get(one.memory.id, [])
        words = one.section.text if _is_edited(one, settled.cut) else None
        settled.conflicts.extend(overtaken(about, standing=words))
        if words is not None:
            new = source_conflict(one.memory, one.section, about, path=settled.document.path, now=now)
            if new is not None:
                settled.conflicts.append(new)
                raised += 1
    return raised


def _is_same_source(memory: Memory, section: Section, cut: Cut) -> bool:
    """The words beneath an edit are those of the file still; only the rules that read it are others now."""
    return (
        _has_earlier_rules(cut)
        and memory.source_text is not None
        and _clean_source_text(memory.source_text) == section.text
    )


def _clean_source_text(text: str) -> str:
    lines = without_marks(text).strip("\n").rstrip().split("\n")
    return "\n".join(without_block_id(line) if line.startswith("#") else line for line in lines)


def _is_edited(one: Pair, cut: Cut) -> bool:
    """A person's words stand over other words than the file now has, whatever else became of the section."""
    memory, section = one.memory, one.section
    if memory is None or section is None or one.fate in (Fate.LEFT, Fate.AGREED):
        return False
    if _is_same_source(memory, section, cut):
        return False
    return memory.source_text is not None and section.text != memory.source_text


def _report(cut: Cut, fates: Counter[Fate], *, raised: int, left_out: int) -> FileReport:
    notes = list(cut.reading.notes)
    if cut.is_moved and cut.before:
        notes.append(f"from {cut.before.path}, {fates[Fate.UNCHANGED]} memories kept")
    if fates[Fate.RETURNED]:
        notes.append(f"{fates[Fate.RETURNED]} came back")
    if raised:
        notes.append("edited here, and the file changed too")
    if left_out:
        notes.append(f"{left_out} purged earlier, left out")
    if fates[Fate.LEFT]:
        notes.append(f"{fates[Fate.LEFT]} deleted here, left out")
    sections = len(cut.cutting.sections)
    if not sections:
        notes.append("nothing in it but front matter" if cut.reading.body_line else "empty")
    return FileReport(
        path=cut.reading.path,
        outcome=FileOutcome.MOVED if cut.is_moved else FileOutcome.READ,
        sections=sections,
        added=fates[Fate.ADDED] + fates[Fate.RETURNED],
        changed=fates[Fate.CHANGED],
        unchanged=fates[Fate.UNCHANGED] + fates[Fate.AGREED] + fates[Fate.LEFT],
        archived=fates[Fate.GONE],
        conflicts=raised,
        note="; ".join(notes),
    )


def _document(cut: Cut, left_out: Sequence[Pair], now: datetime) -> Document:
    reading = cut.reading
    text = reading.text
    if left_out:
        # A purge outlives the file: its words are not kept a second time in the document.
        lines = text.split("\n")
        for one in left_out:
            assert one.section is not None
            lines[one.section.first_line - 1 : one.section.last_line] = [""] * (
                one.section.last_line - one.section.first_line + 1
            )
        text = "\n".join(lines)
    return Document(
        id=cut.key,
        source=cut.source,
        path=reading.path,
        title=cut.cutting.title,
        content_hash=reading.content_hash,
        size=reading.size,
        modified_ns=reading.modified_ns,
        ingested_at=now,
        text=text,
        tags=reading.tags,
        date=reading.date,
        daily=reading.daily,
        metadata=reading.metadata,
        cutter=VERSION,
    )


_KINDS = {
    "people": EntityType.PERSON,
    "tools": EntityType.TOOL,
    "places": EntityType.PLACE,
    "organizations": EntityType.ORGANIZATION,
    "organisation": EntityType.ORGANIZATION,
    "company": EntityType.ORGANIZATION,
    "companies": EntityType.ORGANIZATION,
    "projects": EntityType.PROJECT,
    "concepts": EntityType.CONCEPT,
    "products": EntityType.PRODUCT,
    "events": EntityType.EVENT,
    **{kind.value: kind for kind in EntityType if kind is not EntityType.UNKNOWN},
}


def subject_of(document: Document) -> Subject | None:
    """What a note is about: one that has aliases, or whose tags say which kind of thing it describes, is about what
    it is called. None of others, and of a day's notes."""
    aliases = aliases_of(document.metadata)
    kinds = [kind for tag in document.tags if (kind := _KINDS.get(tag.casefold()))]
    if document.date or not (aliases or kinds) or len(document.title) > NAME_CHARS:
        return None
    is_named = aliases or EntityType.PERSON in kinds
    stem = PurePosixPath(document.path).stem
    names = tuple(
        name for name in ((stem, *aliases) if is_named else ()) if name != document.title and len(name) <= NAME_CHARS
    )
    return Subject(document.title, kinds[0] if kinds else "", names)


def _tags(text: str, document: Sequence[str]) -> tuple[str, ...]:
    return each_once((*document, *inline_tags(mask_code(text)[0])))


def _merge_tags(standing: Sequence[str], *, was: Sequence[str], now: Sequence[str]) -> tuple[str, ...]:
    """The source's changes carried over to tags that a person may have changed too."""
    gone = set(was) - set(now)
    return each_once((*(tag for tag in standing if tag not in gone), *(tag for tag in now if tag not in was)))


def _group(document: Document) -> str:
    return f"document:{document.id}"


def _origin(section: Section, document: Document) -> Origin:
    return Origin(document.id, document.path, section.first_line, section.last_line)

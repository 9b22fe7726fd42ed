"""What a walk found beside what the store holds: which files must be read (`Files`), which were renamed (`Renames`),
and which section is which memory (`pair`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from memoryapp.domain.document import Document, Section
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Memory, State
from memoryapp.ingest.cut import VERSION
from memoryapp.ingest.read import Reading, bytes_hash, load
from memoryapp.ingest.walk import FoundFile, WalkResult

# A file changed again within its time stamp's grain keeps the stamp: so shortly before its reading, content decides.
_GRAIN_NS = 2_000_000_000


class Fate(StrEnum):
    """What becomes of a section, or of the memory of one that is gone."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    RETURNED = "returned"  # was gone from its file, and is there again
    EDITED = "edited"  # a person's words stand over it, and its source has changed beneath
    AGREED = "agreed"  # the source now says what the person had made of it
    GONE = "gone"
    LEFT = "left"  # deleted here, and not to be brought back by its file


@dataclass(frozen=True, slots=True)
class Pair:
    """`section` is None where it is gone, `memory` None where it is new."""

    fate: Fate
    section: Section | None
    memory: Memory | None


class Files:
    """The files of a walk against the documents of the source. `moved` and `missing` are asked while files are read,
    since a move is known by what the file holds."""

    def __init__(self, source: str, walked: WalkResult, held: Mapping[str, Document]) -> None:
        self._source = source
        self._held = held
        self._ids = {document.id for document in held.values()}
        there = {found.path for found in walked.files} | {report.path for report in walked.refused}
        absent = [d for path, d in held.items() if path not in there and not _is_below(path, walked.blind)]
        self._absent = {document.id: document for document in absent}
        self._by_hash: dict[str, list[Document]] = defaultdict(list)
        for document in absent:
            self._by_hash[document.content_hash].append(document)
        self.unchanged = [(f, held[f.path]) for f in walked.files if f.path in held and _is_same(f, held[f.path])]
        same = {found.path for found, _ in self.unchanged}
        self.to_look_at = [found for found in walked.files if found.path not in same]

    def at(self, path: str) -> Document | None:
        """What the store holds for this path, whether its file was there last time or not."""
        return self._held.get(path)

    def moved(self, content_hash: str) -> Document | None:
        """A document whose file is gone and had just this content, and that no other file has taken."""
        return next((d for d in self._by_hash.get(content_hash, ()) if d.id in self._absent), None)

    def take(self, document: Document) -> None:
        """It has its file again, elsewhere: it is given to no second one, and is not missing."""
        del self._absent[document.id]

    def missing(self) -> list[Document]:
        """Documents whose file is gone since the last ingest and turned up nowhere else."""
        return [document for document in self._absent.values() if document.present]

    def new_id(self, path: str) -> str:
        """An id that hangs on source and path; on a number too, where a file that was moved away keeps the first."""
        n, key = 1, derived_id(self._source, path)
        while key in self._ids:
            n += 1
            key = derived_id(self._source, path, str(n))
        self._ids.add(key)
        return key


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _is_same(found: FoundFile, document: Document) -> bool:
    settled = found.modified_ns + _GRAIN_NS < document.ingested_at.timestamp() * 1e9
    stamp = (found.size, found.modified_ns) == (document.size, document.modified_ns)
    return document.present and stamp and found.modified_ns > 0 and settled and document.cutter == VERSION


def source_words(memory: Memory) -> str:
    """The words its file had when it was last read, beneath a person's edit if there is one."""
    return memory.text if memory.source_text is None else memory.source_text


def in_file(memory: Memory) -> bool:
    """Whether its section stood in its file at the last reading: a section that goes loses its lines."""
    return memory.origin.first_line is not None


def pair(sections: Sequence[Section], memories: Sequence[Memory]) -> list[Pair]:
    """Every section with its memory, in order, then the memories whose section is gone."""
    settled = _align_ids(sections, memories)
    by_id = {memory.id: memory for memory in memories}
    present = {section.id for section in settled}
    pairs = [Pair(_fate(section, by_id.get(section.id)), section, by_id.get(section.id)) for section in settled]
    gone = [m for m in memories if m.id not in present and in_file(m) and m.state is State.HELD]
    return pairs + [Pair(Fate.GONE, None, memory) for memory in gone]


def _fate(section: Section, memory: Memory | None) -> Fate:
    if memory is None:
        return Fate.ADDED
    if memory.state is State.DELETED:
        # Undoing an ingest takes the lines away as well: then reading the file again is meant to bring it back.
        return Fate.LEFT if in_file(memory) else Fate.RETURNED
    if memory.source_text is not None and section.text == memory.text:
        return Fate.AGREED
    if memory.state is State.ARCHIVED and not in_file(memory):
        return Fate.RETURNED
    if section.text == source_words(memory):
        return Fate.UNCHANGED
    return Fate.EDITED if memory.source_text is not None else Fate.CHANGED


def _align_ids(sections: Sequence[Section], memories: Sequence[Memory]) -> list[Section]:
    """Sections of one title, or parts of one section, are told apart by number; one put in before the others would
    shift them all. So where the words are those of another one of the same title, that one's id is taken."""
    groups: dict[str, list[Section]] = defaultdict(list)
    titled: dict[str, list[Memory]] = defaultdict(list)
    by_id = {memory.id: memory for memory in memories}
    for section in sections:
        groups[section.title].append(section)
    for memory in memories:
        titled[memory.title].append(memory)
    ids: dict[str, str] = {}
    for title, group in groups.items():
        if len(group) > 1 or len(titled[title]) > 1 or group[0].id not in by_id:
            own = [by_id[section.id] for section in group if section.id in by_id]
            ids.update(_ids(group, {memory.id: memory for memory in (*titled[title], *own)}))
    return [replace(section, id=ids.get(section.id, section.id)) for section in sections]


def _ids(group: Sequence[Section], memories: Mapping[str, Memory]) -> dict[str, str]:
    """Which id each section of one title takes: {its own: the one taken}. First the memory with the same words, its
    own before others; then its own id; then whichever is left."""
    words: dict[str, dict[str, None]] = defaultdict(dict)
    for memory in memories.values():
        words[source_words(memory)][memory.id] = None
    taken: dict[str, str] = {}
    for section in group:
        if section.id in words.get(section.text, ()):
            taken[section.id] = section.id
            del words[section.text][section.id]
    for section in group:
        if section.id not in taken and (same := words.get(section.text)):
            taken[section.id] = next(iter(same))
            del same[taken[section.id]]
    claimed = set(taken.values())
    for section in group:
        if section.id not in taken and section.id not in claimed:
            taken[section.id] = section.id
    claimed = set(taken.values())
    free = iter([section.id for section in group if section.id not in claimed])
    for section in group:
        if section.id not in taken:
            taken[section.id] = next(free)
    return taken


_LEAST_SHARE = 0.5  # of the pairs of neighbouring words of the longer text: git's measure for a rename
_LEAST_PAIRS = 4  # less in common may be chance
_FEW = 8  # so many lost documents are all looked at; of more, those that share lines
_COMMON = 5  # a line in more documents than this is a template's, and speaks for none of them


class Renames:
    """What was only renamed is known by its bytes. What was edited too is known by its words, so that a correction made
    here is not lost because a file got a better name.

    `words`: the text of a document by id, asked for only where a file is new and another is gone.
    """

    def __init__(self, files: Files, words: Callable[[str], str]) -> None:
        self._files = files
        self._words = words
        self._lost: list[Document] | None = None
        self._holders: Mapping[str, Sequence[str]] = {}

    def before(self, reading: Reading) -> Document | None:
        """Each document is given to one file."""
        found = self._files.moved(reading.content_hash) or self._alike(reading)
        if found is not None:
            self._files.take(found)
        return found

    def _alike(self, reading: Reading) -> Document | None:
        if self._lost is None:
            self._look()
        own = _pairs(reading.text)
        best, most = None, 0
        for document in self._candidates(reading):
            held = _pairs(self._words(document.id))
            shared = (own & held).total()
            if shared > most and shared >= max(_LEAST_PAIRS, _LEAST_SHARE * max(own.total(), held.total())):
                best, most = document, shared
        return best

    def _candidates(self, reading: Reading) -> list[Document]:
        missing = {document.id for document in self._files.missing()}
        waiting = [d for d in self._lost or () if d.id in missing and not _other_day(d, reading)]
        if len(waiting) <= _FEW:
            return waiting
        letters: Counter[str] = Counter()
        for line in _lines(reading.text):
            letters.update(dict.fromkeys(self._holders.get(line, ()), len(line)))
        best = {key for key, _ in letters.most_common(_FEW)}
        return [document for document in waiting if document.id in best]

    def _look(self) -> None:
        """Finds the lost documents, but for those that some file of this walk has byte by byte: they are left to it."""
        self._lost = self._files.missing()
        if not self._lost:
            return
        new = [found for found in self._files.to_look_at if self._files.at(found.path) is None]
        kept = {bytes_hash(data) for found in new if isinstance(data := load(found), bytes)}
        self._lost = [document for document in self._lost if document.content_hash not in kept]
        if len(self._lost) <= _FEW:
            return
        holders: dict[str, list[str]] = defaultdict(list)
        for document in self._lost:
            for line in _lines(self._words(document.id)):
                holders[line].append(document.id)
        self._holders = {line: keys for line, keys in holders.items() if len(keys) <= _COMMON}


def _other_day(document: Document, reading: Reading) -> bool:
    """Two days of a diary are written on one template."""
    return bool(document.date and reading.date and document.date != reading.date)


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n")} - {""}


def _pairs(text: str) -> Counter[tuple[str, str]]:
    return Counter(pairwise(text.split()))

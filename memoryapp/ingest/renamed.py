"""A new file in; the document that it was before it was renamed, and perhaps edited, out (`Renames`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from memoryapp.domain.document import Document
from memoryapp.ingest.compare import Files
from memoryapp.ingest.read import Reading, bytes_hash, load

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

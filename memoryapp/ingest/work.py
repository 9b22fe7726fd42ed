"""What one ingest carries from step to step, and its counts, for the page that watches it and the report at its end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from memoryapp.domain.change import Run
from memoryapp.domain.document import Document, FileOutcome, FileReport, IngestPhase, IngestReport, Source
from memoryapp.domain.entity import Entity
from memoryapp.domain.errors import Cancelled, ModelLoading
from memoryapp.domain.memory import Memory
from memoryapp.extraction.entities.link import Linker
from memoryapp.inference.embedding.encoder import Encoder
from memoryapp.ingest.split import Window
from memoryapp.spaces import Space
from memoryapp.store import documents


class Progress(Protocol):
    """Told after every file and batch of sections, asked before every step; the caller limits how often it writes."""

    def advance(self, done: int, total: int, counts: IngestReport | None, file: FileReport | None) -> None: ...

    def at(self, phase: IngestPhase) -> None: ...

    def cancelled(self) -> bool: ...


class Silence:
    """A progress nobody watches."""

    def advance(self, done: int, total: int, counts: IngestReport | None, file: FileReport | None) -> None:
        return

    def at(self, phase: IngestPhase) -> None:
        return

    def cancelled(self) -> bool:
        return False


@dataclass(slots=True)
class Tally:
    """`total` files to be told of; `tell` counts one of them. A moved or gone file is one too. `bytes_ahead` of files
    are still to be read, `bytes_read` were; of those, `to_embed` sections have new words."""

    progress: Progress
    total: int = 0
    dry_run: bool = False
    done: int = 0
    written: int = 0
    linked: int = 0
    embedded: int = 0
    sums: dict[str, int] = field(default_factory=dict)
    failed: list[FileReport] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)
    bytes_ahead: int = 0
    bytes_read: int = 0
    to_embed: int = 0
    embedding_since: float | None = None

    def read(self, size: int) -> None:
        """One file more was read, of so many bytes."""
        self.bytes_ahead = max(self.bytes_ahead - size, 0)
        self.bytes_read += size

    def at(self, phase: str) -> None:
        self.progress.at(IngestPhase(phase))

    def embedding(self, done: int, of: int) -> None:
        """`done` sections `of` the present window are embedded; all of the windows before it are."""
        now = time.monotonic()
        self.embedding_since = now if self.embedding_since is None else self.embedding_since
        ahead = self.to_embed * self.bytes_ahead / self.bytes_read if self.bytes_read else 0.0
        self.progress.at(
            IngestPhase(
                "embedding",
                self.to_embed - of + done,
                self.to_embed + round(ahead),
                exact=not self.bytes_ahead,
                seconds=round(now - self.embedding_since, 3),
            )
        )

    def tell(self, file: FileReport) -> None:
        self.done += 1
        for name in ("sections", "added", "changed", "unchanged", "archived", "conflicts"):
            self.sums[name] = self.sums.get(name, 0) + getattr(file, name)
        self.written += file.outcome in (FileOutcome.READ, FileOutcome.MOVED, FileOutcome.GONE)
        if file.outcome is FileOutcome.NOT_READ:
            self.failed.append(file)
        if file.outcome is not FileOutcome.GONE:
            self.sums["files"] = self.sums.get("files", 0) + 1
        self.progress.advance(self.done, max(self.total, self.done), self.report(), file)

    def skip(self, files: Iterable[FileReport]) -> None:
        """Counts what is not read by its nature, by reason; it is no part of the run's `done` and `total`."""
        for file in files:
            self.skipped[file.note] += 1
            self.progress.advance(self.done, self.total, None, file)

    def stop_if_asked(self) -> None:
        """Raises Cancelled."""
        if self.progress.cancelled():
            raise Cancelled("Stopped as you asked. What is already in stays; ingest again to go on.")

    @property
    def touched(self) -> bool:
        """Whether any file left a trace in the store."""
        return self.written > 0

    def report(self) -> IngestReport:
        return IngestReport(
            **self.sums,
            linked=self.linked,
            embedded=self.embedded,
            failed=tuple(self.failed),
            skipped=dict(self.skipped.most_common()),
            seconds=round(time.monotonic() - self.began, 3),
            dry_run=self.dry_run,
        )


_PATIENCE = 0.5  # seconds between two looks whether to stop, while the model loads


@dataclass(slots=True)
class Work:
    """`linker` knows the references of a dry run too, which the store does not;
    `learned`: entities that became known; `written`: memories with new words, by id, for linking them back;
    `dated`: documents whose place in time changed, as they were and as they are."""

    space: Space
    source: Source
    run: Run
    tally: Tally
    linker: Linker
    dry_run: bool = False
    learned: list[Entity] = field(default_factory=list)
    written: dict[str, Memory] = field(default_factory=dict)
    dated: list[Document] = field(default_factory=list)

    def encoder(self) -> Encoder:
        """Waits for the model, listening for a cancel meanwhile. Raises what loading it raised."""
        while True:
            try:
                return self.space.encoder.get(_PATIENCE)
            except ModelLoading:
                self.tally.at("loading the model")
                self.tally.stop_if_asked()

    def words(self, document: str) -> str:
        """What the store holds of a document's file. Raises Cancelled."""
        self.tally.stop_if_asked()
        return documents.get(self.space.db, document).text

    def window(self) -> Window:
        encoder = self.encoder()
        return Window(self.space.tuning.window_tokens or encoder.max_tokens, encoder.count_tokens)

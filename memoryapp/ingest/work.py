"""What one ingest carries from step to step."""

from __future__ import annotations

from dataclasses import dataclass, field

from memoryapp.domain.change import Run
from memoryapp.domain.document import Document, Source
from memoryapp.domain.entity import Entity
from memoryapp.domain.errors import ModelLoading
from memoryapp.domain.memory import Memory
from memoryapp.encoders.encoder import Encoder
from memoryapp.extract.link import Linker
from memoryapp.ingest.report import Tally
from memoryapp.ingest.split import Window
from memoryapp.spaces import Space
from memoryapp.store import documents

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

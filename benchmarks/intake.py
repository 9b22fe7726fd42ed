"""Ingest: new notes beside the encoder's own speed, the same notes again, one of them changed; in one run."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.quality import ACTOR, Say
from benchmarks.speed import open_speed_space
from memoryapp.domain.document import IngestReport, Source, SourceKind
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import index_text
from memoryapp.inference.embedding import Encoder, encode_in_batches
from memoryapp.ingest import ingest
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.store.write import new_run


def measure(folder: Path, *, encoder: Encoder, limit: int, say: Say) -> dict[str, Any]:
    """Seconds and rates. `limit`: files, 0 for all. The notes are read from a throw-away copy, for one is changed.

    The encoder must be the model itself, not one that remembers.
    """
    with tempfile.TemporaryDirectory(prefix="palimpsest-bench-") as place:
        notes = Path(place) / "notes"
        count = _laid_out(folder / "markdown/til", notes, limit=limit)
        space = open_speed_space(f"surrealkv://{place}/store", Path(place) / "index", encoder)
        source = Source(derived_id("bench"), SourceKind.FOLDER, str(notes), "bench", space.clock())
        encode_in_batches(encoder, ["warm"])
        new = _ingest_source(space, source)
        say(f"{count} files read in {new.seconds:.1f} s: {new.sections} sections")
        texts = [index_text(one) for one in memories.scan(space.db)]
        began = time.perf_counter()
        encode_in_batches(encoder, texts)
        alone = len(texts) / (time.perf_counter() - began)
        again = _ingest_source(space, source)
        changed = sorted(notes.rglob("*.md"))[0]
        changed.write_text(changed.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
        one = _ingest_source(space, source)
        space.index.close()
        space.db.close()
    rate = new.embedded / new.seconds
    return {
        "files": count,
        "sections": new.sections,
        "new_s": round(new.seconds, 3),
        "sections_per_s": round(rate, 2),
        "encoder_texts_per_s": round(alone, 2),
        "share_of_encoder": round(rate / alone, 3),
        "precision": encoder.precision,
        "unchanged_s": round(again.seconds, 3),
        "one_changed_s": round(one.seconds, 3),
        "changed_sections": one.changed + one.added,
    }


def _laid_out(origin: Path, notes: Path, *, limit: int) -> int:
    files = sorted(origin.rglob("*.md"))[: limit or None]
    for file in files:
        target = notes / file.relative_to(origin)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    return len(files)


def _ingest_source(space: Space, source: Source) -> IngestReport:
    return ingest(space, source, run=new_run("ingest", ACTOR, now=space.clock()))

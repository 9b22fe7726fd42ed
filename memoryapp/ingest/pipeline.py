"""walk → compare → read → cut → settle → embed → link → write → archive → chain → link back: files into a space."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.change import Run
from memoryapp.domain.document import IngestReport, Source
from memoryapp.extract.link import Linker
from memoryapp.ingest.chain import chain
from memoryapp.ingest.compare import Files
from memoryapp.ingest.gone import archive
from memoryapp.ingest.linkback import link_back
from memoryapp.ingest.look import pass_over, windows
from memoryapp.ingest.report import Progress, Silence, Tally
from memoryapp.ingest.resume import begin, finish
from memoryapp.ingest.walk import walk
from memoryapp.ingest.work import Work
from memoryapp.ingest.write import Writer
from memoryapp.spaces import Space
from memoryapp.store import documents


def ingest(
    space: Space,
    source: Source,
    *,
    run: Run,
    progress: Progress | None = None,
    dry_run: bool = False,
    upload: bytes | None = None,
) -> IngestReport:
    """Reads a source into its space as far as it has changed; a second call changes nothing.

    `upload`: the bytes of an uploaded file or zip. `dry_run`: the same counts, and nothing is written. May be stopped
    or killed at any moment and called again. Raises NotFound where the root is gone, BadInput or TooLarge for a source
    that cannot be read, Cancelled when `progress` says so, EncoderError where there is no usable model.
    """
    tally = Tally(progress or Silence(), dry_run=dry_run)
    work = Work(
        space=space,
        source=source,
        run=replace(run, detail={**(run.detail or {}), "source": source.id}),
        tally=tally,
        linker=Linker(space.db, sightings_to_know=space.tuning.sightings_to_know),
        dry_run=dry_run,
    )
    walked = walk(source, upload=upload)
    files = Files(source.id, walked, documents.heads(space.db, source.id))
    tally.total = len(walked.files) + len(walked.refused)
    tally.skip(walked.skipped)
    begin(work)
    pass_over(work, files, walked.refused)
    with Writer(work) as writer:
        for window in windows(work, files):
            writer.put(window)
    tally.at("linking")
    gone = files.missing()
    tally.total += len(gone)
    archive(work, gone)
    chain(work)
    link_back(work)
    return finish(work)

"""Jobs of the graph: words that wait are read for relations, names become vectors, names that may be one are found; and
every entity gets its place on the map of the space, and its community.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from memoryapp import graph
from memoryapp.accounts.spaces import open_space
from memoryapp.domain.errors import EncoderError
from memoryapp.jobs.graphing import GRAPH, count_unnamed, layout_due, size_of, submit_layout
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.reading import relation_reader_for
from memoryapp.jobs.schedule import open_to
from memoryapp.spaces import Space

PATIENCE = 90.0  # seconds that a model which is still loading is waited for


def run_graph(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"force"?}. Raises NotFound where the space is gone, StoreError, Cancelled; what is read
    by then stays read. `added` of the report: all that changed what the graph looks like; `layout`: the job that draws
    it."""
    clear_old("graph", job.space)
    space = open_space(job.space)
    progress.say("reading what was said for relations")
    actor = job.actor
    related = graph.relate(space, actor=actor, reader=relation_reader_for(space), progress=progress)
    if related.run is not None:
        progress.belongs_to(related.run.id)
    names, problem = _embed(space, progress)
    proposals = 0
    if names or related.entities or job.arguments.get("force"):
        progress.say("looking for names that may be one")
        proposals = graph.find_alike(space)
    space.index.refresh()  # here, and not in the first search after it
    counts = related.counts()
    report = {
        **counts,
        "names": names,
        "proposals": proposals,
        "added": counts["relations"] + counts["changed"] + counts["removed"] + counts["entities"] + names,
        "unnamed": count_unnamed(space),
        "reader": related.reader,
        "layout": "",
        "problem": " ".join(filter(None, [*related.problems, problem])),
        "cost": {"calls": related.cost.calls, "tokens": related.cost.tokens_in + related.cost.tokens_out},
    }
    outgrown = report["added"] and layout_due(space, now=timezone.now(), beside=job.pk)
    if outgrown and open_to(space.name, "layout"):
        report["layout"] = submit_layout(space.name, actor=GRAPH).pk
    return report


def _embed(space: Space, progress: JobProgress) -> tuple[int, str]:
    """How many names became vectors, and why none could, where the model is not usable."""
    progress.say("embedding names")
    try:
        return graph.embed_names(space, space.encoder.get(PATIENCE), progress=progress), ""
    except EncoderError as error:
        return 0, error.detail


def run_layout(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the space is gone, StoreError, Cancelled; the map of before then stays. `entities` and
    `edges` of the report are what the map was drawn of."""
    clear_old("layout", job.space)
    space = open_space(job.space)
    space.index.refresh()
    size = size_of(space)  # before: what comes while it draws is not on it
    counts = graph.draw(space, progress=progress)
    return {**counts, "entities": size.entities, "edges": size.edges}

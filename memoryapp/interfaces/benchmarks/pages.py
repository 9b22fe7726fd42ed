"""Benchmarks: the figures that ship, one's own run beside them, and how both are taken."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from memoryapp.interfaces.benchmarks.presenter import Run, groups_of, read_run, strategies_of, tally
from memoryapp.interfaces.pages.access import PageRequest, page, show

# Those whose figures ship: what the page shows how to measure.
SETS = "locomo,markdown,korean,multihop,facts,conflict,updates,duplicates,blind,tree,dialogsum,consolidate,speed,ingest"
OWN = "bench.json"  # in the data folder: what `manage.py bench --out` of this installation wrote


@require_GET
@page()
def benchmarks_page(request: PageRequest) -> HttpResponse:
    shipped = read_run(settings.BASE_DIR / "docs" / "benchmarks.json") or Run({})
    own = read_run(settings.DATA_DIR / OWN)
    groups = groups_of(shipped.figures, own.figures if own else {})
    context = {
        "sets": SETS,
        "shipped": shipped,
        "own": own,
        "groups": groups,
        "tally": tally(groups),
        "strategies": strategies_of(shipped.figures),
    }
    return show(request, "benchmarks/benchmarks.html", context, at="benchmarks")

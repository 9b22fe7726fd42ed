"""The consolidations that were done, the last first, each with what it wrote and whether it was taken back."""

from __future__ import annotations

from datetime import datetime

from memoryapp.domain.change import Run
from memoryapp.domain.digest import Past
from memoryapp.domain.memory import State
from memoryapp.spaces import Space
from memoryapp.store import audit, revisions

ACT = "consolidate"


def runs(space: Space, *, before: tuple[datetime, str] | None = None, limit: int = 30) -> tuple[Past, ...]:
    """`before`: (started_at, id) of the last one shown."""
    acts = audit.acts(space.db, before=before, act=ACT, limit=limit, shown=0)
    if not acts:
        return ()
    undone = audit.undone(space.db, since=min(act.run.started_at for act in acts))
    return tuple(_past(space, act.run, undone.get(act.run.id)) for act in acts)


_COUNTED = ("digests", "archived", "sentences_taken", "sentences", "links", "bytes_before", "bytes_after")


def _past(space: Space, run: Run, rolled_back_by: str | None) -> Past:
    told = dict(run.detail or {})
    if run.ended_at is None:  # it was killed on its way, or is still at it: what it left behind is counted
        left = revisions.of_run(space.db, run.id)
        told["archived"] = sum(one.after.get("state") == State.ARCHIVED.value for one in left)
        told["digests"] = len(left) - told["archived"]
    counts = {name: int(told.get(name, 0)) for name in _COUNTED}
    return Past(run=run, ranker=str(told.get("ranker", "")), rolled_back_by=rolled_back_by, **counts)

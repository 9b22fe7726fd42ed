"""Undo: one revision, one decision, or all that a run did, taken back in a run of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memoryapp.domain.change import Actor, Revision, Run
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.errors import Clash, NotFound
from memoryapp.review.inbox import unsee
from memoryapp.review.reversal import DECIDED, States, decides, group_changes, withdrew
from memoryapp.spaces import Space
from memoryapp.store import conflicts, documents, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.revisions import SEE
from memoryapp.store.rows import short_id
from memoryapp.store.write import commit, new_run

_CHUNK = 200  # revisions of one write


@dataclass(frozen=True, slots=True)
class Undone:
    """`left`: what could not be taken back because it was changed since, with the reason."""

    run: Run
    taken_back: int
    left: tuple[tuple[str, str], ...]


def undo_revision(space: Space, key: str, *, actor: Actor) -> Undone:
    """Takes back one change. Raises NotFound, or Clash when the record was changed since."""
    revision = revisions.get(space.db, key)
    part = _with_its_decision(space, revision)
    undone = _undo(space, part, actor, f"undo of one change ({revision.act})", {"revision": key})
    if undone.left:
        raise Clash(undone.left[0][1])
    return undone


def undo_run(space: Space, key: str, *, actor: Actor) -> Undone:
    """Takes back what a run did, newest first. What was changed since is left as it is and named.

    Raises NotFound, or Clash when nothing of it can be taken back (it was undone before, or all was changed since).
    """
    run = revisions.get_run(space.db, key)
    if run.act == SEE:
        return Undone(unsee(space, run, actor=actor), 1, ())
    left_behind = revisions.of_run(space.db, key)
    if not left_behind:
        raise Clash(f"Run {key} ({run.act}) left no change that could be undone.")
    undone = _undo(space, left_behind, actor, f"undo of {run.act}", {"undoes": key})
    if not undone.taken_back:
        raise Clash(undone.left[0][1] if undone.left else f"Nothing of run {key} is left to undo.")
    return undone


def undo_decision(space: Space, key: str, *, actor: Actor) -> Conflict:
    """Puts a decided conflict to a decision again, whoever or whatever decided it: both memories stand as before, and
    others decided in the same run stay decided.

    Raises NotFound, and Clash where it is not decided, or where what the decision changed was changed since.
    """
    conflict = conflicts.get(space.db, key)
    if conflict is None:
        raise NotFound(f"There is no conflict {short_id(key)} in space “{space.name}”.")
    if conflict.status not in DECIDED or not conflict.decision:
        raise Clash(f"Conflict {key} is {conflict.status.value}: there is no decision to undo.")
    run = str(conflict.decision.get("run"))
    part = _part(space, run, conflict)
    if not part:
        raise Clash(f"Nothing is known any more of how conflict {key} was decided.")
    undone = _undo(space, part, actor, "undo of a decision", {"undoes": run, "conflicts": [key]})
    if undone.left:
        raise Clash(undone.left[0][1])
    back = conflicts.get(space.db, key)
    assert back is not None  # it was written a moment ago
    return back


def _with_its_decision(space: Space, revision: Revision) -> Sequence[Revision]:
    """What a decision did is taken back with the decision, of whichever of its changes one asks."""
    about = conflicts.get_many(space.db, revisions.decisions_at(space.db, revision.run, revision.at))
    for conflict in about.values():
        part = _part(space, revision.run, conflict)
        if any(one.id == revision.id for one in part):
            return part
    return (revision, *_withdrawals_of(space, revision, {revision.record_id}))


def _part(space: Space, run: str, conflict: Conflict) -> list[Revision]:
    """What a run changed for this one conflict: its own revision, those of its sides written together with it, and
    those of others that its new words withdrew."""
    concerned = [key for key in (conflict.id, conflict.existing, conflict.incoming) if key]
    changes = revisions.of_act(space.db, run, records=concerned)
    own = next((c for c in changes if (c.record, c.record_id) == ("conflict", conflict.id) and decides(c)), None)
    if own is None:
        return []
    return [c for c in changes if c.at == own.at] + _withdrawals_of(space, own, set(concerned))


def _withdrawals_of(space: Space, change: Revision, sides: set[str]) -> list[Revision]:
    """Conflicts about these memories that were withdrawn in the same write, as their new words clash no longer."""
    beside = conflicts.get_many(space.db, revisions.decisions_at(space.db, change.run, change.at)).values()
    about = [one.id for one in beside if sides & {one.existing, one.incoming}]
    return [c for c in revisions.of_act(space.db, change.run, records=about) if c.at == change.at and withdrew(c)]


def _undo(space: Space, changes: Sequence[Revision], actor: Actor, reason: str, detail: dict[str, Any]) -> Undone:
    now = space.clock()
    run = new_run("undo", actor, now=now, reason=reason, detail=detail)
    about = conflicts.get_many(space.db, [c.record_id for c in changes if c.record == "conflict"])
    done, left = 0, []
    for chunk in _chunks(group_changes(changes, about)):
        states = _take_back(space, chunk, run)
        done += states.taken
        left.extend(states.skipped)
    if done:
        run = revisions.finish_run(space.db, run, at=space.clock(), detail={"taken_back": done, "left": len(left)})
    return Undone(run, done, tuple(left))


def _chunks(groups: Sequence[list[Revision]]) -> Iterator[list[list[Revision]]]:
    """In pieces that are written one by one; a group is never split."""
    chunk: list[list[Revision]] = []
    for group in groups:
        chunk.append(group)
        if sum(map(len, chunk)) >= _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _take_back(space: Space, groups: list[list[Revision]], run: Run) -> States:
    """Writes the opposite of these changes."""

    def write() -> States:
        states = States.before(space, [change for group in groups for change in group])
        for group in groups:
            states.take_back(group)
        batch = states.batch(space)
        documents.unread(space.db, states.documents_to_read_again())
        commit(space.db, run, batch, now=space.clock())
        return states

    return retry_write(write)

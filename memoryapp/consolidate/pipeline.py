"""due → cut → group → rank → choose → compose → write: daily logs into digests, with their originals put aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from memoryapp.consolidate.draft import Planned
from memoryapp.consolidate.plan import plan
from memoryapp.consolidate.write import Made, as_memory, write
from memoryapp.domain.change import Actor, Run
from memoryapp.domain.digest import Choice, Consolidated, LeftOut, Preview, Ranker
from memoryapp.domain.errors import BadInput, Cancelled
from memoryapp.spaces import Space, embed
from memoryapp.store import conflicts, memories, revisions
from memoryapp.store.write import new_run

_AT_ONCE = 16  # digests of one write
_CHANGED = "its sections were changed since the preview; look at it again"
_GONE = "there is nothing left for it to fold: its sections were folded, changed or put aside since"


class Progress(Protocol):
    def advance(self, done: int, total: int, counts: dict[str, int] | None = None) -> None: ...
    def cancelled(self) -> bool: ...


def preview(
    space: Space, *, ranker: Ranker | None = None, older_than_days: int | None = None, choices: Sequence[Choice] = ()
) -> Preview:
    """What `consolidate` would do now; nothing is written. `choices`: digests shown with the sentences that a person
    picked for them. Raises BadInput."""
    return plan(space, ranker=ranker, older_than_days=older_than_days, choices=choices).preview


def consolidate(
    space: Space,
    *,
    actor: Actor,
    ranker: Ranker | None = None,
    older_than_days: int | None = None,
    choices: Sequence[Choice] | None = None,
    reason: str = "",
    progress: Progress | None = None,
) -> Consolidated:
    """Writes the digests that were chosen, all that are due where `choices` is None, and archives what they were made
    from: all in one run, each digest in one block, so that a kill leaves whole digests only.

    What was changed since the preview is left out and told in `left`; the rest is written. What was rolled back is
    written again only by choice. Raises BadInput, Cancelled.
    """
    picked = _once(choices or ())
    made = plan(space, ranker=ranker, older_than_days=older_than_days, choices=list(picked.values()))
    left = _unknown(picked, made.planned)
    due: list[Planned] = []
    for one in made.planned:
        choice = picked.get(one.digest.id)
        if choice is None and (choices is not None or one.digest.rolled_back):
            continue
        why = _refused(one, choice)
        if why:
            left.append(LeftOut(one.digest.id, one.digest.title, why))
        else:
            due.append(one)
    days, by = made.preview.older_than_days, made.preview.ranker
    detail = {"ranker": by.value, "older_than_days": days}
    run = new_run(
        "consolidate", actor, now=space.clock(), reason=reason or f"logs older than {days} days", detail=detail
    )
    written: list[Planned] = []
    archived = 0
    done = 0
    for some, disputed in _made(space, due):
        if progress is not None and progress.cancelled():
            _finish(space, run, written, archived)
            raise Cancelled("Stopped. The digests that are written stay; begin again to go on.")
        put, refused = write(space, some, run=run) if some else ([], [])
        written += [one.planned for one, _ in put]
        archived += sum(count for _, count in put)
        changed = [*disputed, *(one.planned for one in refused)]
        left += [LeftOut(one.digest.id, one.digest.title, _CHANGED) for one in changed]
        done += len(some) + len(disputed)
        if progress is not None:
            progress.advance(done, len(due), {"digests": len(written), "archived": archived})
    ended = _finish(space, run, written, archived) if written else None
    found = memories.get_many(space.db, [one.digest.id for one in written])
    return Consolidated(
        run=ended,
        written=tuple(found[one.digest.id] for one in written if one.digest.id in found),
        archived=archived,
        left=tuple(left),
        staying=len(made.preview.staying),
        **_sums(written),
    )


def _once(choices: Sequence[Choice]) -> dict[str, Choice]:
    picked: dict[str, Choice] = {}
    for choice in choices:
        if choice.digest in picked:
            raise BadInput(f"Digest {choice.digest[:40]} is chosen twice.", field="/digests")
        picked[choice.digest] = choice
    return picked


def _unknown(picked: dict[str, Choice], planned: Sequence[Planned]) -> list[LeftOut]:
    there = {one.digest.id for one in planned}
    return [LeftOut(key, "", _GONE) for key in picked if key not in there]


def _refused(one: Planned, choice: Choice | None) -> str:
    if choice is not None and choice.print and choice.print != one.digest.print:
        return _CHANGED
    if choice is not None and choice.sentences is not None:
        if set(choice.sentences) - {sentence.id for sentence in one.digest.sentences}:
            return _CHANGED
        if not choice.sentences:
            return "no sentence of it was picked: a digest without words cannot be written"
    return ""


def _made(space: Space, due: Sequence[Planned]) -> Iterator[tuple[list[Made], list[Planned]]]:
    """A few at a time, as they are asked for: those to be written, each with its memory and vector, and those about
    one of whose sections a conflict came up since it was planned."""
    for start in range(0, len(due), _AT_ONCE):
        some = due[start : start + _AT_ONCE]
        waiting = conflicts.waiting_for(space.db, [section.id for one in some for section in one.sections])
        disputed = [one for one in some if any(section.id in waiting for section in one.sections)]
        free = [one for one in some if one not in disputed]
        memories_ = [as_memory(one, now=space.clock()) for one in free]
        vectors = {embedding.memory: embedding for embedding in embed(space, memories_)}
        made = [Made(one, memory, vectors.get(memory.id)) for one, memory in zip(free, memories_, strict=True)]
        yield made, disputed


def _finish(space: Space, run: Run, written: Sequence[Planned], archived: int) -> Run | None:
    """The run with its sums. Without a digest there is no run: none was written."""
    if not written:
        return None
    sums = {"digests": len(written), "archived": archived, **_sums(written)}
    return revisions.finish_run(space.db, run, at=space.clock(), detail=sums)


def _sums(written: Sequence[Planned]) -> dict[str, int]:
    digests = [one.digest for one in written]
    return {
        "sentences_taken": sum(len(one.taken) for one in digests),
        "sentences": sum(len(one.sentences) for one in digests),
        "links": sum(one.links for one in digests),
        "bytes_before": sum(one.bytes_before for one in digests),
        "bytes_after": sum(one.bytes_after for one in digests),
    }

"""Previews of consolidations, worked out once for the sections that are due: at once where that is quick, else aside
while the page waits. Kept in this process alone; another one works out its own."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import numpy as np

from memoryapp import consolidate
from memoryapp.consolidate import Preview, Ranker
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind
from memoryapp.index.roster import KINDS, SPEC
from memoryapp.spaces import Space
from memoryapp.store import conflicts

log = logging.getLogger(__name__)

AT_ONCE = 150  # sections; more make a page wait for longer than one likes
_KEPT = 8
_OF_USE = {"accesses", "accessed_at", "used", "not_useful"}  # columns that change when a section is only read
_lock = threading.Lock()
_counts: dict[str, int] = {}  # digests due by space, as last worked out; −1 while that is done for the first time
_kept: OrderedDict[tuple[str, str], Future[Preview]] = OrderedDict()


def preview_of(space: Space, *, ranker: Ranker, days: int) -> Preview | None:
    """The preview of what is held now; None while it is still being worked out. Raises what `consolidate.preview`
    does."""
    old, state = _footing(space, days)
    key = (space.name, derived_id("preview", state, str(ranker), str(days)))
    with _lock:
        found = _kept.get(key)
        begin = found is None
        if found is None:
            found = _kept[key] = Future()
        _kept.move_to_end(key)
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    if begin and old <= AT_ONCE:
        _fill(found, space, ranker, days)
    elif begin:
        _aside(_fill, found, space, ranker, days)
    if old > AT_ONCE and not found.done():
        return None
    try:
        return found.result()
    except BaseException:
        with _lock:
            _kept.pop(key, None)  # what went wrong once is tried again
        raise


def _footing(space: Space, days: int) -> tuple[int, str]:
    """How many sections are due, and the state of all that a preview is made from: the settings, these sections, whom
    they name, which of them wait for a decision, and the digests there are. Whatever else is written, such as what
    agents remember meanwhile, leaves a preview as it is."""
    view, due = consolidate.slots_due(space, older_than_days=days)
    roster, known = view.roster, view.incidence.entities
    digests = np.flatnonzero(roster.alive & (roster.kind == KINDS.index(Kind.DIGEST)))
    about = np.concatenate([due, digests])
    told = hashlib.blake2b(
        repr((space.index.serial, space.encoder.name, space.encoder.ready, space.tuning)).encode(), digest_size=16
    )
    for name in sorted(SPEC.keys() - _OF_USE):
        told.update(roster.columns[name][about].tobytes())
    told.update(" ".join(roster.ids[slot] for slot in about.tolist()).encode())
    matrix = view.incidence.matrix
    named = matrix[due[due < matrix.shape[0]]]
    for array in (named.indptr, named.indices, named.data):
        told.update(array.tobytes())
    codes = np.unique(named.indices).tolist()
    told.update(repr([(one.id, one.name, one.normal) for code in codes if (one := known[code])]).encode())
    waiting = conflicts.disputed(space.db) & {roster.ids[slot] for slot in due.tolist()}
    told.update(" ".join(sorted(waiting)).encode())
    return len(due), told.hexdigest()


def digests_due(space: Space) -> int | None:
    """How many digests are due by the space's own settings, as they were last worked out; None where that was never
    done in this process. Then it is begun, where it is quick, so that the next page can tell."""
    old = consolidate.old_enough(space)
    if not old:
        return 0
    with _lock:
        known = _counts.get(space.name)
        if known is None:
            _counts[space.name] = -1  # begun: not by every page anew
    if known is None and old <= AT_ONCE:
        _aside(_count, space)
    return known if known is not None and known >= 0 else None


def _aside(do: Callable[..., None], *args: Any) -> None:
    """On a thread that a process need not wait for when it ends: nobody reads that page any more."""
    threading.Thread(target=do, args=args, name="preview", daemon=True).start()


def _count(space: Space) -> None:
    try:
        preview_of(space, ranker=Ranker(space.tuning.digest_ranker), days=space.tuning.consolidate_after_days)
    except Exception as error:  # a count in the rail is not worth a word to anybody
        log.debug("The digests of space %s cannot be counted: %s", space.name, error)


def _fill(found: Future[Preview], space: Space, ranker: Ranker, days: int) -> None:
    """Others who ask for the same meanwhile wait for this one."""
    try:
        made = consolidate.preview(space, ranker=ranker, older_than_days=days)
        if ranker.value == space.tuning.digest_ranker and days == space.tuning.consolidate_after_days:
            _counts[space.name] = len(made.due)
        found.set_result(made)
    except BaseException as error:
        found.set_exception(error)

"""Open questions are noted: what an agent asked and found nothing clear for, until it asks again and does."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.question import LONGEST
from memoryapp.domain.secrets import is_masked, mask
from memoryapp.search.pipeline import CLOSEST, NOTHING
from memoryapp.spaces import Space
from memoryapp.store import questions

_log = logging.getLogger(__name__)


def note_question(space: Space, text: str, notes: Sequence[str], *, by: str) -> None:
    """Keeps a question whose answer's `notes` say that nothing is clearly relevant, without what is secret or private
    in it; forgets one that is answered. A failing store loses the note, never the answer."""
    kept = mask(" ".join(text.split()))[:LONGEST]
    try:
        if NOTHING not in notes and CLOSEST not in notes:
            questions.answered(space.db, kept)
        elif not is_masked(kept):
            questions.keep(space.db, kept, by=by, now=space.clock())
    except PalimpsestError as error:
        _log.warning("An open question was not noted: %s", error.detail)

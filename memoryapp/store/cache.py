"""A cache of answers that hold until something is written: what every page asks of much is asked once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from memoryapp.store.database import Database

Answer = TypeVar("Answer")
# By database and by what was asked: how much had been written before it was, and the answer.
_answers: WeakKeyDictionary[Database, dict[str, tuple[int, Any]]] = WeakKeyDictionary()


def cached(db: Database, what: str, ask: Callable[[], Answer]) -> Answer:
    """What `ask` answers, or what it answered under the name `what` if nothing can have been written since. A server
    is asked each time: others write there too. Nobody may change the answer; whoever asks raises what `ask` does."""
    known = _answers.setdefault(db, {})
    found = known.get(what)
    if found is not None and db.still_at(found[0]):
        answer: Answer = found[1]
        return answer
    written = db.written  # read first: a write that is under way while this is asked makes it be asked again
    answer = ask()
    known[what] = (written, answer)
    return answer

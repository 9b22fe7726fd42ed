"""The marker words of a space, a word at a time, as its setting keeps them: one line, parted by commas."""

from __future__ import annotations

from dataclasses import dataclass

from memoryapp.accounts.models import Space
from memoryapp.accounts.spaces import set_settings
from memoryapp.domain.errors import BadInput
from memoryapp.domain.sentences import MARKERS, markers_in
from memoryapp.interfaces.pages import wording

_SETTING = "marker_words"
MOST = 100
CHARS = 40


@dataclass(frozen=True, slots=True)
class Mark:
    word: str
    lang: str


def marks_of(row: Space) -> list[Mark]:
    return [Mark(word, wording.language(word)) for word in _words(row)]


def are_own(row: Space) -> bool:
    """Whether the space has other words than every space begins with."""
    return _words(row) != markers_in(MARKERS)


def add(row: Space, typed: str) -> tuple[str, ...]:
    """Adds one or several, parted by commas; returns those that are new. Raises BadInput."""
    before = _words(row)
    wanted = markers_in(typed)
    if not wanted:
        raise BadInput("Enter a word first.", field="word")
    if long := [word for word in wanted if len(word) > CHARS]:
        raise BadInput(f"“{long[0][:CHARS]}…” is too long for a mark: {CHARS} characters at most.", field="word")
    new = tuple(word for word in wanted if word not in before)
    if len(before) + len(new) > MOST:
        raise BadInput(f"A space has {MOST} marks at most.", field="word")
    keep(row, [*before, *new])
    return new


def drop(row: Space, word: str) -> None:
    keep(row, [one for one in _words(row) if one != word])


def keep(row: Space, words: list[str] | tuple[str, ...]) -> None:
    """Replaces the words; those that every space begins with need no setting."""
    told = {name: value for name, value in row.settings.items() if name != _SETTING}
    if tuple(words) != markers_in(MARKERS):
        told[_SETTING] = ", ".join(words)
    set_settings(row, told)


def reset(row: Space) -> None:
    keep(row, markers_in(MARKERS))


def words_of(row: Space) -> list[str]:
    return list(_words(row))


def _words(row: Space) -> tuple[str, ...]:
    return markers_in(str(row.settings.get(_SETTING, MARKERS)))

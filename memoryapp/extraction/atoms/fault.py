"""What is wrong with a text of atoms, and where: one way of saying it for the steps that read it."""

from __future__ import annotations

from memoryapp.domain.errors import BadInput, TooLarge

FIELD = "/atoms"
_SHOWN = 40  # characters of what was found


def fault(text: str, at: int, what: str) -> BadInput:
    """`what` is wrong at text[at]: "Line 2, column 14: found …". Lines and columns count from 1."""
    return BadInput(_place_text(text, at, what), field=FIELD)


def over_limit(text: str, at: int, what: str) -> TooLarge:
    """As `fault`, where only the amount is wrong."""
    return TooLarge(_place_text(text, at, what), field=FIELD)


def quote_words(words: str) -> str:
    """“words”, on one line and not long."""
    line = " ".join(words.split())
    return f"“{line if len(line) <= _SHOWN else line[: _SHOWN - 1] + '…'}”"


def place(text: str, at: int) -> str:
    """ "line 2, column 14"."""
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return f"line {line}, column {column}"


def _place_text(text: str, at: int, what: str) -> str:
    return f"{place(text, at).capitalize()}: {what}"

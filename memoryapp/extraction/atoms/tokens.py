"""Tokenizer of PENMAN notation: brackets, roles, words and quoted strings, each with its place.

Written by hand: the `penman` package cuts words at “:” and “/” (so no paths, times or addresses), has no line breaks
in strings, passes over a role without a value, and leaves out whatever follows the last atom.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from memoryapp.extraction.atoms.fault import fault, quote_words


class Kind(Enum):
    OPEN = auto()
    CLOSE = auto()
    VARIABLE = auto()  # the “p /” of “(p / prefers”
    ROLE = auto()
    WORD = auto()
    STRING = auto()
    END = auto()


class Token(NamedTuple):
    """`text` as written, for a string what it stands for; `at`: its place in the text."""

    kind: Kind
    text: str
    at: int


_SPACE = re.compile(r"\s*+")
_LINE = re.compile(r"[^\n]*+")
_WORD = re.compile(r'[^\s()"]++')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
# Without a space before the slash only the short names that variables have: (a/Alice), but (and/or …).
_VARIABLE = re.compile(r'\s*+(?:([^\s()":/#][^\s()":/]*+)\s++|([a-z][0-9]*+))/\s*+')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "/": "/"}
# Seen where a list, a pasted quotation or another notation was meant; names do have the rest.
_NOT_IN_WORDS = re.compile(r"[,;\[\]{}\\`“”„]|^['‘]")
_QUOTES = "“”„'‘`"


def tokens(text: str) -> Iterator[Token]:
    """Everything but white space and comments, then an END. Raises BadInput. Linear in the text."""
    depth = 0
    end = 0
    while True:
        at = _end(_SPACE, text, end)
        if at == len(text):
            break
        first_of_line = end == 0 or "\n" in text[end:at]
        letter = text[at]
        if letter == "#" and (depth == 0 or first_of_line):
            end = _end(_LINE, text, at)
            continue
        if letter == "(":
            depth += 1
            yield Token(Kind.OPEN, letter, at)
            end = at + 1
            if variable := _VARIABLE.match(text, end):
                name = variable.lastindex or 0
                yield Token(Kind.VARIABLE, variable[name], variable.start(name))
                end = variable.end()
        elif letter == ")":
            depth -= 1
            yield Token(Kind.CLOSE, letter, at)
            end = at + 1
        elif letter == '"':
            end = _end(_STRING, text, at)
            if end == at:
                raise fault(text, at, 'found a quote " that is never closed, expected another at the end of the words.')
            yield Token(Kind.STRING, _unescape_string(text, at + 1, end - 1), at)
        else:
            end = _end(_WORD, text, at)
            yield _word(text, at, end)
    yield Token(Kind.END, "", len(text.rstrip()))


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _word(text: str, at: int, end: int) -> Token:
    word = text[at:end]
    if word.startswith(":"):
        return Token(Kind.ROLE, word, at)
    if odd := _NOT_IN_WORDS.search(word):
        what = (
            f'found a quote like {odd[0]}, expected the straight double quote " on both sides of words.'
            if odd[0] in _QUOTES
            else f'found {quote_words(word)}, expected a plain word. With “{odd[0]}” in it, it goes in quotes: "…".'
        )
        raise fault(text, at + odd.start(), what)
    return Token(Kind.WORD, word, at)


def _unescape_string(text: str, start: int, end: int) -> str:
    def meant(escape: re.Match[str]) -> str:
        if escape[1] not in _ESCAPES:
            what = (
                f'found {quote_words(escape[0])} in quotes, expected \\", \\\\, \\n or \\t. A backslash is written '
                f"\\\\."
            )
            raise fault(text, start + escape.start(), what)
        return _ESCAPES[escape[1]]

    return _ESCAPE.sub(meant, text[start:end])

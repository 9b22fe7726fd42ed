"""A memory's words made ready for a page: an excerpt, matched words marked, the quoted span, the word diff."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from memoryapp.text.hangul import HANGUL

_LETTER = re.compile(r"[^\W\d_]")
_PIECE = re.compile(r"\s+|[^\s]+")
_MARKDOWN = re.compile(
    r"^\s{0,3}#{1,6}\s+|^\s*(?:[-*+]|\d+[.)])\s+|^\s*>\s?|^\s*(?:`{3}|~{3})[\w+-]*|\*\*|__|`", re.MULTILINE
)
_IMAGE_OR_LINK = re.compile(
    r"(?<!\w)!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:\s+\"[^\"\n]*\")?\)"
)
_EMPHASIS = re.compile(r"(?<![\w*_])([*_])(?=[^\s*_])([^*_\n]{1,200}?)(?<=[^\s*_])\1(?![\w*_])")
# Above this a quadratic diff could hold up a page; the change is then shown as a whole.
_DIFF_WORDS = 4_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a diff: `kind` is "same", "out" or "in"."""

    kind: str
    text: str


def language(text: str) -> str:
    """ "ko" where at least a third of the first letters are Hangul, else "en": the lang of a `.words` element."""
    letters = _LETTER.findall(text[:400])
    return "ko" if letters and len(HANGUL.findall(text[:400])) * 3 >= len(letters) else "en"


def plain(text: str) -> str:
    """Markdown's signs taken off, links told by their words and white space run together, for a line in a list."""
    bare = _MARKDOWN.sub("", _IMAGE_OR_LINK.sub(r"\1", text))
    return " ".join(_EMPHASIS.sub(r"\2", bare).split())


def excerpt(text: str, *, limit: int = 240, around: Iterable[str] = (), answer: str = "") -> str:
    """At most `limit` characters of `text`, cut between words; it opens near the first of `around` that occurs, or
    near `answer`, where it would otherwise be cut off."""
    flat = plain(text)
    if len(flat) <= limit:
        return flat
    found = _pattern(around)
    first = found.search(flat) if found else None
    start = max(first.start() - limit // 3, 0) if first else 0
    at = flat.find(answer) if answer else -1
    if at >= 0 and not start <= at <= at + len(answer) <= start + limit:
        start = max(at - limit // 6, 0)
    start = 0 if start < 20 else flat.find(" ", start) + 1
    piece = flat[start : start + limit]
    if start + limit < len(flat):
        piece = piece.rsplit(" ", 1)[0].rstrip(" ,;:") + " …"
    return ("… " if start else "") + piece


def _pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    words = sorted({t for t in terms if t.strip()}, key=len, reverse=True)[:200]
    if not words:
        return None
    # A Hangul word carries its particle behind it; any other must stand alone, or "ti" would mark "time".
    parts = [re.escape(w) if HANGUL.search(w) else rf"(?<!\w){re.escape(w)}(?!\w)" for w in words]
    return re.compile("|".join(parts), re.IGNORECASE)


def mark_terms(text: str, terms: Iterable[str], *, answer: str = "") -> SafeString:
    """`text` escaped, each occurrence of a term, as a word of its own, in <mark>; `answer`, the part of it that
    answers, underlined where it is not all of it."""
    terms = tuple(terms)
    at = text.find(answer) if answer else -1
    if at >= 0 and len(answer) < len(text.strip()):
        before, behind = mark_terms(text[:at], terms), mark_terms(text[at + len(answer) :], terms)
        return mark_safe(f'{before}<span class="answer">{mark_terms(answer, terms)}</span>{behind}')
    found = _pattern(terms)
    if found is None:
        return mark_safe(escape(text))
    out, at = [], 0
    for hit in found.finditer(text):
        out += [escape(text[at : hit.start()]), "<mark>", escape(hit.group()), "</mark>"]
        at = hit.end()
    return mark_safe("".join([*out, escape(text[at:])]))


def word_diff(before: str, after: str) -> list[Piece]:
    """What was struck and what was written in its place, word by word; "same" pieces join up to `after`'s own words."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    if len(old) + len(new) > _DIFF_WORDS:
        return _ends_told(old, new)
    struck: list[str] = []
    written: list[str] = []
    pieces: list[Piece] = []

    def settle() -> None:
        # A space that both sides end with belongs to neither: it keeps the words apart.
        for kind, words in (("out", struck), ("in", written)):
            if any(w.strip() for w in words):
                pieces.append(Piece(kind, "".join(words)))
            words.clear()

    for op, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op != "equal":
            struck += old[a:b]
            written += new[c:d]
        elif (struck or written) and not "".join(old[a:b]).strip() and b < len(old) and d < len(new):
            struck += old[a:b]  # only a space between two changes: one change reads better than two
            written += new[c:d]
        else:
            settle()
            pieces.append(Piece("same", "".join(old[a:b])))
    settle()
    return pieces


def _ends_told(old: list[str], new: list[str]) -> list[Piece]:
    """What both begin and end with is the same, all between is changed: a diff of huge texts in one pass."""
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    tail = next((n for n in range(shorter - head) if old[-1 - n] != new[-1 - n]), shorter - head)
    parts = (
        ("same", new[:head]),
        ("out", old[head : len(old) - tail]),
        ("in", new[head : len(new) - tail]),
        ("same", new[len(new) - tail :]),
    )
    return [Piece(kind, "".join(words)) for kind, words in parts if "".join(words).strip()]


def shorten_pieces(pieces: list[Piece], *, keep: int = 120) -> list[Piece]:
    """Long stretches cut down to their ends, so that a change in a long text is seen and the page stays small."""
    out = []
    for n, piece in enumerate(pieces):
        if piece.kind != "same" and len(piece.text) > 6 * keep:
            piece = Piece(
                piece.kind, f"{piece.text[: 4 * keep].rsplit(' ', 1)[0]} … {piece.text[-keep:].split(' ', 1)[-1]}"
            )
        if piece.kind == "same" and len(piece.text) > 2 * keep + 20:
            head = "" if n == 0 else piece.text[:keep].rsplit(" ", 1)[0]
            tail = "" if n == len(pieces) - 1 else piece.text[-keep:].split(" ", 1)[-1]
            piece = Piece("same", f"{head} … {tail}")
        out.append(piece)
    return out


@dataclass(frozen=True, slots=True)
class Quote:
    """Lines of a document around a memory: `before` and `after` are context, with the line breaks that part them from
    `span`, which is what the memory was cut from."""

    before: str
    span: str
    after: str
    first_line: int
    last_line: int

    @property
    def opened_at(self) -> str:
        """The query that opens a long document a little above the quote; empty near its beginning."""
        return f"?line={self.first_line - 20}" if self.first_line > 150 else ""


def quote_passage(document: str, *, first_line: int, last_line: int, context: int = 3, longest: int = 1_500) -> Quote:
    """The lines first..last (from 1) with `context` lines on each side; an over-long span is cut in its middle."""
    lines = document.splitlines()
    first, last = max(first_line, 1), min(last_line, len(lines))
    span = "\n".join(lines[first - 1 : last])
    if len(span) > longest:
        span = f"{span[: longest // 2].rstrip()}\n…\n{span[-longest // 2 :].lstrip()}"
    before = "\n".join(lines[max(first - 1 - context, 0) : first - 1])
    after = "\n".join(lines[last : last + context])
    before, after = _join_lines(before)[-400:], _join_lines(after)[:400]
    return Quote(before and f"{before}\n", _join_lines(span), after and f"\n{after}", first, last)


_OWN_LINE = re.compile(r"\s*$|\s{0,3}(?:#|>|[-*+]\s|\d+[.)]\s|`{3}|~{3}|\|)|\s{4}|\t")


def _join_lines(text: str) -> str:
    """Lines of one paragraph run together, as a reader of the file's rendered form would see them."""
    out: list[str] = []
    for line in text.strip("\n").split("\n"):
        if out and not _OWN_LINE.match(line) and not _OWN_LINE.match(out[-1]):
            out[-1] += " " + line.strip()
        else:
            out.append(line)
    return "\n".join(out)

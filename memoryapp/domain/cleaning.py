"""What people and programs send, made clean: shared by every door that takes words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import category

from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.secrets import is_private, mask

_NAME_CHARS = 300  # of a title, ref, session or speaker
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85]")  # of Windows and old Macs, of pages, of mainframes
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")  # control characters, halves of characters
# What colours a terminal or names its window: without the whole of it a word would begin with “31m”.
_TERMINAL = re.compile("\x1b(?:\\[[0-9;:?]{0,40}[@-~]|\\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\\\))")
_FILLERS = "\u115f\u1160\u3164\uffa0\u2800"  # letters of Hangul and a pattern of Braille that show nothing


def clean(text: str) -> str:
    """Without control characters and lone surrogates, which no store keeps. Tabs stay; every kind of line end is one
    "\\n", so that the words on both its sides stay two."""
    return without_unseen(_LINE_ENDS.sub("\n", text))


def without_unseen(text: str) -> str:
    """Without control characters, a terminal's colours and lone surrogates; line ends of every kind stay."""
    return _UNSEEN.sub("", _TERMINAL.sub("", text))


def has_words(text: str) -> bool:
    """Whether anybody would see anything: blanks, format characters (zero-width ones) and fillers alone are nothing."""
    return any(not (one.isspace() or one in _FILLERS or category(one) in ("Cf", "Cc")) for one in text)


def pieces(text: str, most: int) -> Iterator[str]:
    """Return the text cut into parts of at most so many characters: between paragraphs, else lines, else words."""
    while len(text) > most:
        cut = next((at for sign in ("\n\n", "\n", " ") if (at := text.rfind(sign, most // 2, most)) > 0), most)
        yield text[:cut].strip()
        text = text[cut:].strip()
    if text:
        yield text


def clean_tags(tags: Sequence[str], *, field: str) -> tuple[str, ...]:
    """On one line, without a leading #, each once, in order. Raises BadInput for too many or too long ones."""
    found = dict.fromkeys(tag for raw in tags if (tag := " ".join(clean(raw).split()).lstrip("#").strip()))
    if len(found) > LIMITS.tags:
        raise BadInput(f"{len(found)} tags; the limit is {LIMITS.tags}.", field=field)
    if any(len(tag) > LIMITS.tag_chars for tag in found):
        raise BadInput(f"A tag is longer than {LIMITS.tag_chars} characters.", field=field)
    return tuple(found)


def check_text(text: str, *, field: str) -> str:
    """The words of a memory as they may be stored: cleaned, with marks in place of private words and secrets.
    Raises BadInput when there are none, or none but private ones, and TooLarge over the limit."""
    cleaned = clean(text).strip()
    if not has_words(cleaned):
        raise BadInput("The text is empty.", field=field)
    if len(cleaned) > LIMITS.text_chars:
        raise TooLarge(
            f"The text has {len(cleaned):,} characters; one memory may have {LIMITS.text_chars:,}. "
            "Ingest it as a document instead, so that it is cut into sections.",
            field=field,
        )
    if is_private(cleaned):
        raise BadInput(
            "All of the text is private, and private words are not stored. Say outside of <private> … </private> what "
            "is to be remembered, or send nothing.",
            field=field,
        )
    return mask(cleaned)


def clean_title(title: str | None, *, field: str) -> str:
    """The heading of a memory as it may be stored, empty where there is none. Raises BadInput when too long."""
    return mask(clean_name(title, field=field) or "")


def clean_name(value: str | None, *, field: str) -> str | None:
    """One line without control characters, or None when nothing is left. Raises BadInput when too long."""
    if value is None:
        return None
    cleaned = " ".join(clean(value).split())
    if len(cleaned) > _NAME_CHARS:
        raise BadInput(f"Longer than {_NAME_CHARS} characters.", field=field)
    return cleaned or None

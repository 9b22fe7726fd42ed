"""Taking words out of texts that quote them. Pure: the store says which texts, and writes them back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

MARK = "[purged]"
_TELLING_CHARS, _TELLING_WORDS = 12, 3  # a phrase shorter than both is said in many places, and tells nothing of one
_SENTENCE = re.compile(r"[^.!?。\n]+(?:[.!?。]+|\n|$)")
_WORD = re.compile(r"\w+")
_HALF = 0.5
_SHORT = 2  # letters of a word that says nothing by itself


def telling(texts: Iterable[str | None]) -> tuple[str, ...]:
    """The texts that can be recognised wherever they stand, each once, without the punctuation around them."""
    bare = (" ".join(text.split()).strip(" .!?。\"'“”") for text in texts if text)
    return tuple(dict.fromkeys(text for text in bare if _is_telling(text)))


def sentences(text: str) -> tuple[str, ...]:
    """Its sentences, each without the blanks around it."""
    return tuple(found.strip() for found in _SENTENCE.findall(text) if found.strip())


def marks(phrases: Iterable[str]) -> tuple[str, ...]:
    """The longest word of each phrase, in small letters: what a text that quotes it holds at least."""
    return tuple(dict.fromkeys(max(phrase.lower().split(), key=len) for phrase in phrases))


def quotes(text: str, phrases: Sequence[str]) -> bool:
    """Whether the text says one of the phrases, whatever the case and the spaces."""
    return any(_pattern(phrase).search(text) for phrase in phrases)


def redact_phrases(text: str, phrases: Sequence[str]) -> str:
    """The text with a mark in place of each of the phrases."""
    for phrase in phrases:
        text = _pattern(phrase).sub(MARK, text)
    return text


def is_blank(text: str) -> bool:
    """Whether nothing is left of a text but marks."""
    return not any(one.isalnum() for one in text.replace(MARK, ""))


def redacted_all(value: Any, phrases: Sequence[str]) -> Any:
    """The same for every text inside plain JSON."""
    if isinstance(value, str):
        return redact_phrases(value, phrases)
    if isinstance(value, dict):
        return {name: redacted_all(inner, phrases) for name, inner in value.items()}
    return [redacted_all(inner, phrases) for inner in value] if isinstance(value, list) else value


def redacted_turn(text: str, *, quote: str, about: str) -> str:
    """A turn that was the source of a fact: without the sentence it was learned from, however short that is.

    Where the quote is not known, sentences with half the fact's words go; where none has them, all of it goes: of what
    is to be forgotten too much is better than too little.
    """
    bare = " ".join(quote.split()).strip(" .!?。\"'“”")
    if bare and (without := redact_phrases(text, [bare])) != text:
        return without
    if quotes(text, phrases := telling([about])):
        return redact_phrases(text, phrases)
    without = without_sentences_like(text, about)
    return without if without != text else MARK


def without_sentences_like(text: str, about: str) -> str:
    """The text with a mark in place of each sentence that has half the words of `about`."""
    wanted = _words(about)
    for one in sentences(text):
        if wanted and len(wanted & _words(one)) >= _HALF * len(wanted):
            text = text.replace(one, MARK)
    return text


def _is_telling(text: str) -> bool:
    return len(text) >= _TELLING_CHARS or len(text.split()) >= _TELLING_WORDS


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > _SHORT}


@lru_cache(maxsize=512)
def _pattern(phrase: str) -> re.Pattern[str]:
    inner = r"\s+".join(re.escape(word) for word in phrase.split())
    return re.compile(rf"(?<!\w){inner}(?:(?!\w)|(?<=[가-힣]))", re.IGNORECASE)

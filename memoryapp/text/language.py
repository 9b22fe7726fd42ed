"""Which language a text is in: by its script where that says it, else by a small model of n-grams of bytes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memoryapp.text.hangul import HANGUL

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

CHARS = 600  # of a text, from its beginning
_LEAST = 12  # letters: below them a name or a “yes” is in no language of its own
_SURE = 0.8  # probability from which the model is believed
# Those that people write to one another in most; among fewer it errs less.
_KNOWN = (
    "ar", "bg", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "nl", "no", "pl",
    "pt", "ro", "ru", "sv", "tr", "uk", "vi",
)  # fmt: skip
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_THAI = re.compile("[\u0e01-\u0e3a]")
# What is in no language: code, marks in place of what was masked, and of the words addresses, paths, numbers.
_NO_TEXT = re.compile(r"```.*?(?:```|\Z)|`[^`]*`|\[(?:private|secret: [^]]*)\]", re.DOTALL)
_NO_WORD = re.compile(r"://|\w[/\\]\w|[_=<>{}@#$|~^]|\w[.(]\w|\d")


@lru_cache(maxsize=8192)
def language_of(text: str) -> str:
    """The ISO 639-1 code of the language that most of `text` is in; "" where it holds too little to tell."""
    begin = text[:CHARS]
    if by_script := _by_script(begin):
        return by_script
    bare = " ".join(word for word in _NO_TEXT.sub(" ", begin).split() if not _NO_WORD.search(word))
    if _letters(bare) < _LEAST:
        return ""
    code, probability = _identifier().classify(bare)
    return str(code) if probability >= _SURE else ""


def _letters(text: str) -> int:
    return sum(1 for one in text if one.isalpha())


def _by_script(text: str) -> str:
    """Of the scripts that one language alone is written in: Hangul, kana, Thai, and Han without kana. A syllable or a
    sign says more than a Latin letter: a third of the letters are enough."""
    hangul, kana, han, thai = (len(one.findall(text)) for one in (HANGUL, _KANA, _HAN, _THAI))
    count, code = max((hangul, "ko"), (kana + han if kana else 0, "ja"), (0 if kana else han, "zh"), (thai, "th"))
    return code if count >= 2 and count * 3 >= _letters(text) else ""


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """Loaded when a language is first asked for: some 100 MB and a second."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(_KNOWN))
    return identifier

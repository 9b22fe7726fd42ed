"""Korean sentences: what tells them, and the particles that a name takes."""

from __future__ import annotations

import re

from memoryapp.text.hangul import HANGUL

_LETTER = re.compile(r"[^\W\d_]")
_FIRST, _FINALS = 0xAC00, 28
_FINAL_B = 17  # ㅂ, as in 합니다
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_LEAST_SHARE = 0.4  # of the letters; technical Korean is full of latin names


def is_korean(text: str) -> bool:
    """Whether enough of its letters are Hangul: two syllables at least, and a share of all letters."""
    syllables = len(HANGUL.findall(text))
    return syllables >= 2 and syllables >= _LEAST_SHARE * len(_LETTER.findall(text))


def with_topic(name: str) -> str:
    """“민수는”, “지훈은”."""
    return name + ("은" if ends_in_consonant(name) else "는")


def ends_in_consonant(name: str) -> bool:
    """Whether the last syllable has a final consonant; of other letters as they are usually read."""
    last = name.rstrip()[-1:]
    if HANGUL.match(last):
        return (ord(last) - _FIRST) % _FINALS != 0
    return last.lower() in "lmnr013678"


def vowel(syllable: str) -> str:
    """The vowel of a syllable, “ㅐ” of “해”; empty where it is none."""
    return _VOWELS[(ord(syllable) - _FIRST) // _FINALS % len(_VOWELS)] if HANGUL.fullmatch(syllable) else ""


def is_formal(text: str) -> bool:
    """“합니다”, “있습니다”; not “아니다”."""
    before = text.rstrip()[-3:-2]
    return text.rstrip().endswith("니다") and bool(before) and (ord(before) - _FIRST) % _FINALS == _FINAL_B

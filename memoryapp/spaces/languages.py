"""Which languages a space is in, by a sample of its newest texts, and whether its model reads them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from memoryapp.domain.memory import Kind
from memoryapp.index import SearchIndex
from memoryapp.index.roster import KINDS
from memoryapp.inference.embedding import EncoderSlot, universal
from memoryapp.inference.embedding.load import comes_along
from memoryapp.spaces.space import Space
from memoryapp.store import memories
from memoryapp.text.language import CHARS, language_of

SAMPLE = 400  # texts
_ENOUGH = 10  # texts in a language that could be told, before a share says anything
_OTHER_SHARE = 0.1  # not in English, from which a model that reads English alone is the wrong one
_ENGLISH = "en"
_WRITTEN = [KINDS.index(kind) for kind in (Kind.SECTION, Kind.NOTE, Kind.FACT, Kind.TURN)]  # others are composed here
_NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian",
    "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def language_name(code: str) -> str:
    """In English; a code that has no name here is its own."""
    return _NAMES.get(code, code)


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """One language's share of the sampled texts whose language could be told, 0 to 1."""

    code: str  # ISO 639-1
    texts: int
    share: float

    @property
    def name(self) -> str:
        return language_name(self.code)

    @property
    def percent(self) -> str:
        return f"{self.share:.0%}" if self.share >= 0.005 else "<1%"


@dataclass(frozen=True, slots=True)
class Languages:
    """`shares`: the largest first. `sampled`: texts looked at. `suggested_model`: one that reads them, where a tenth
    or more is not English and the space's model reads English alone; "" otherwise."""

    shares: tuple[LanguageShare, ...]
    sampled: int
    model: str
    suggested_model: str = ""

    @property
    def installed(self) -> bool:
        """Whether the multilingual model is there."""
        return universal.is_installed()

    @property
    def advice(self) -> str:
        """What is wrong with the model and what to do, in words for a person; "" where nothing is."""
        if not self.suggested_model:
            return ""
        others = [one for one in self.shares if one.code != _ENGLISH]
        share, names = sum(one.share for one in others), ", ".join(one.name for one in others[:3])
        told = f"{share:.0%} of this space is {names if len(others) == 1 else f'not in English ({names})'}"
        install = "" if self.installed else f" Install it first: {universal.INSTALL}"
        return (
            f"{self.model} does not read {names if len(others) == 1 else 'other languages than English'}, and {told}: "
            f"switch to the multilingual model, {self.suggested_model}.{install}"
        )


@dataclass(frozen=True, slots=True)
class _Sample:
    content: int  # of the index, at which it was taken
    texts: int
    counts: Counter[str]  # by language, of those that could be told


_samples: WeakKeyDictionary[SearchIndex, _Sample] = WeakKeyDictionary()  # the last of each space


def languages_of(space: Space) -> Languages:
    """The languages of the newest texts. Read again only where something was written since it was last asked."""
    space.index.refresh()
    content = space.index.view().content
    sample = _samples.get(space.index)
    if sample is None or sample.content != content:
        sample = _samples[space.index] = _take_sample(space, content)
    counts = sample.counts
    known = counts.total()
    shares = tuple(LanguageShare(code, count, count / known) for code, count in counts.most_common())
    foreign = known - counts[_ENGLISH]
    wrong = known >= _ENOUGH and foreign >= _OTHER_SHARE * known and reads_only_english(space.encoder)
    return Languages(shares, sample.texts, space.encoder.name, universal.NAME if wrong else "")


def _take_sample(space: Space, content: int) -> _Sample:
    roster = space.index.view().roster
    slots = np.flatnonzero(roster.held & np.isin(roster.kind, _WRITTEN))
    newest = slots[np.argsort(roster.created[slots], kind="stable")][-SAMPLE:]
    texts = memories.openings(space.db, [roster.ids[slot] for slot in newest.tolist()], chars=CHARS)
    counts = Counter(code for text in texts.values() if (code := language_of(text)))
    return _Sample(content, len(texts), counts)


def reads_only_english(slot: EncoderSlot) -> bool:
    """Whether the model reads English alone. False for one that is not loaded yet, unless it is the bundled one."""
    return slot.get(0).languages == {_ENGLISH} if slot.ready else comes_along(slot.name)

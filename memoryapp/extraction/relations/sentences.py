"""Texts cut into sentences for relations, each known name one word, the English ones parsed; and what is found in
them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from memoryapp.domain.fact import Cost
from memoryapp.domain.relation import NamedEntity, StatedRelation
from memoryapp.extraction.entities.mentions import Mention, Names, names_of
from memoryapp.extraction.entities.stoplists import is_common
from memoryapp.extraction.facts.filter import LONGEST, LONGEST_CHARS, asks_not_to_keep
from memoryapp.extraction.facts.hangul import is_korean
from memoryapp.extraction.facts.parse import BATCH, NAMES, ParsedSentence, english_model, words_of
from memoryapp.extraction.facts.sentences import cut, plain, strip_greetings
from memoryapp.extraction.relations.kinds import DOUBTFUL_TOOLS, PERSON, TOOLS, is_given

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True)
class Text:
    """A fact, a turn or a section. `speaker`: who “I” is, None where nobody speaks. `known`: names of known entities
    that stand in it, spelled as the entity is to be named or as the text has it; small letters do not matter.
    `types`: the entity types of those names, as far as they are known; they settle what “work with” means."""

    text: str
    speaker: str | None = None
    known: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """The relations of one text. `problem` is set where the configured model could not do it and the rules stood in."""

    stated: tuple[StatedRelation, ...]
    reader: str = "rules"
    problem: str = ""
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True, slots=True)
class End:
    """`is_name`: a proper or known name, or the speaker; else a chunk of common words. `place`: of its head. `noun`:
    the common noun that a name was told with, “cat” of “a cat named Miso”. `sure`: its type is known, not guessed."""

    named: NamedEntity
    place: int
    is_name: bool = True
    noun: str = ""
    sure: bool = False

    @property
    def kind(self) -> str:
        return self.named.type


SENTENCES = 400  # of one text; a section is cut long before
# “Mina: Deployments start on Mondays.”: how a fact without a name tells whose it is.
_TOLD_BY = re.compile(r"^([^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,2}): (?=\S)")
_JOINS = frozenset("-/_@\\")
_A_PERSON, _A_THING = "John", "Microsoft"


@dataclass(frozen=True)
class Sentence(ParsedSentence):
    """`known`: places of words that are a known name, and that name. `labels`: the model's guess of each word's kind,
    "" for most. `speaker`: who “I” is. A known name's word is a stand-in: `spelled` gives the name."""

    known: Mapping[int, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    speaker: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)

    def spelled(self, place: int) -> str:
        return self.known.get(place, self.words[place].text)

    @property
    def text(self) -> str:
        told = (self.spelled(place) + " " * word.space for place, word in enumerate(self.words))
        return "".join(told).strip()


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence before it is parsed. `text` number `of`."""

    of: int
    text: str
    korean: bool
    source: Text


def lines(texts: Sequence[Text]) -> Iterator[Line]:
    """The statements of the texts in order: no questions, nothing that is asked not to be kept, no listings."""
    for number, one in enumerate(texts):
        if asks_not_to_keep(one.text):
            continue
        for piece in islice(cut(one.text), SENTENCES):
            words = plain(piece.text)
            if words.rstrip("\"')”’ ").endswith(("?", "？")) or len(words) > LONGEST_CHARS:
                continue
            korean = is_korean(words)
            source = one
            if told := _TOLD_BY.match(words):
                words = words[told.end() :]
                source = _told_by(one, told.group(1))
            words = words if korean else _strip_openers(words, source)
            if words and len(words.split()) <= LONGEST:
                yield Line(number, words, korean, source)


def _strip_openers(text: str, source: Text) -> str:
    """Without greetings and fillers. What is left gets a capital, but for a known name in small letters: “uv is …”."""
    left = strip_greetings(text, others=())
    as_it_was = text[len(text) - len(left) :]
    return as_it_was if as_it_was.startswith(tuple(name for name in source.known if name[:1].islower())) else left


def _told_by(text: Text, name: str) -> Text:
    """“Mina: I moved” is Mina's where nobody else is known to speak."""
    same = [known for known in text.known if known.lower() == name.lower()]
    if text.speaker is not None or not same:
        return text
    return Text(text.text, same[0], text.known, text.types)


@dataclass(frozen=True, slots=True)
class ParsedTexts:
    """Texts cut into statements, and the English ones parsed: what all rules over them begin with. The number of a
    sentence is its text's."""

    lines: tuple[Line, ...]
    sentences: tuple[tuple[int, Sentence], ...]


def parse_texts(texts: Sequence[Text]) -> ParsedTexts:
    """Raises ModelMissing where there is English to read and the model is not installed."""
    said = tuple(lines(texts))
    return ParsedTexts(said, tuple(sentences(said)))


def sentences(said: Iterable[Line]) -> Iterator[tuple[int, Sentence]]:
    """Each English line parsed, with the number of its text. Raises ModelMissing where the model is not installed."""
    waiting = [line for line in said if not line.korean]
    if not waiting:
        return
    read: list[Sentence] = []
    with english_model() as model:
        made = [_document(model, line) for line in waiting]
        # The pipes hand back the documents they were given, parsed and with their names.
        parsed = model.pipe((document for document, _ in made), batch_size=BATCH)
        names: Any = model.get_pipe(NAMES)
        list(names.pipe(parsed, batch_size=BATCH))
        for line, (document, known) in zip(waiting, made, strict=True):
            read.append(_sentence(line, document, known))
    yield from zip((line.of for line in waiting), read, strict=True)


def _sentence(line: Line, document: Doc, known: Mapping[int, str]) -> Sentence:
    return Sentence(
        words=tuple(words_of(document)),
        known=known,
        labels=tuple("" if token.i in known else token.ent_type_ for token in document),
        speaker=line.source.speaker,
        types={name.lower(): kind for name, kind in line.source.types.items()},
    )


def _document(model: Language, line: Line) -> tuple[Doc, dict[int, str]]:
    """The line's words, each known name a single word that the tagger takes for a name; and the places of those."""
    from spacy.tokens import Doc

    whole = model.make_doc(line.text)
    words: list[str] = []
    spaces: list[bool] = []
    known: dict[int, str] = {}
    at = 0
    for mention in _mentions(line):
        span = whole.char_span(mention.start, mention.end)
        if span is None or span.start < at:
            continue
        for token in whole[at : span.start]:
            words.append(token.text)
            spaces.append(bool(token.whitespace_))
        known[len(words)] = mention.entity
        words.append(_stand_in(span.text, mention.entity, line.source))
        spaces.append(bool(span[-1].whitespace_))
        at = span.end
    for token in whole[at:]:
        words.append(token.text)
        spaces.append(bool(token.whitespace_))
    return Doc(model.vocab, words=words, spaces=spaces), known


def _mentions(line: Line) -> tuple[Mention, ...]:
    found = matcher(line.source.known).find(line.text)
    named = [one for one in found if _is_name_here(line.text[one.start : one.end], one.entity)]
    taken = {at for one in named for at in range(one.start, one.end)}
    # In small letters the tagger takes “pytest” for a superlative and “nvim” for an adjective.
    tools = [one for one in _tools().find(line.text) if one.start not in taken and _stands_free(line.text, one)]
    return tuple(sorted([*named, *tools], key=lambda one: one.start))


def _stands_free(text: str, tool: Mention) -> bool:
    """In small letters, and no part of “vim-rails” or “docs/python”."""
    around = text[max(tool.start - 1, 0) : tool.start] + text[tool.end : tool.end + 1]
    return text[tool.start : tool.end] == tool.entity and not set(around) & _JOINS


@lru_cache(maxsize=1)
def _tools() -> Names:
    """Finds the tools that are nothing else besides."""
    return names_of((tool, (tool,)) for tool in sorted(TOOLS - DOUBTFUL_TOOLS))


@lru_cache(maxsize=64)
def matcher(known: tuple[str, ...]) -> Names:
    """Finds these names; the entity of a mention is the name."""
    return names_of((name, (name,)) for name in known)


def _is_name_here(surface: str, name: str) -> bool:
    """An everyday word in small letters is no name, though there be a thing called “Make”."""
    return surface == name or not (surface.islower() and is_common(surface))


def _stand_in(surface: str, name: str, text: Text) -> str:
    """One word that is read as such a name is meant: the parser stumbles over names it never saw. What is called by
    common words is its last one."""
    if name.islower() and " " in name:
        return surface.split()[-1]
    kind = text.types.get(name, "")
    return _A_PERSON if kind == PERSON or (not kind and is_given(name)) else _A_THING

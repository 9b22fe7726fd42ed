"""First step: memories in, the relations their words state out, and the names in them of which the kind is clear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.domain.atom import Atom
from memoryapp.domain.entity import UNCLEAR
from memoryapp.domain.errors import BadInput
from memoryapp.domain.fact import Cost
from memoryapp.domain.memory import Memory
from memoryapp.domain.relation import MadeBy, Named, Stated
from memoryapp.extract.atoms import UNSURE, joined, parse, whom
from memoryapp.extract.concepts import named_words
from memoryapp.extract.lexicon import Lexicon, lexicon_of
from memoryapp.extract.relations.choose import RelationReader, made_by
from memoryapp.extract.relations.pipeline import mentions_in, spoken
from memoryapp.extract.relations.taxonomy import Encode
from memoryapp.extract.relations.text import Text
from memoryapp.spaces import Space

ATOM = "atom"  # in detail: what an atom was written as, in PENMAN


@dataclass(frozen=True, slots=True)
class Heard:
    """What one memory says. `named`: names of a clear kind that stand in it. `by_atom`: its atom says it, which gave
    everybody their roles when it came."""

    memory: Memory
    stated: tuple[Stated, ...]
    made_by: MadeBy
    named: tuple[Named, ...] = ()
    problem: str = ""
    cost: Cost = Cost()
    by_atom: bool = False


def hear(space: Space, memories: Sequence[Memory], reader: RelationReader) -> list[Heard]:
    """Each memory read, in order. What an atom states stands in it; nobody is asked to read its words."""
    lexicon = lexicon_of(space.db)
    atoms = {memory.id: stated for memory in memories if (stated := _atoms_of(memory))}
    told = [memory for memory in memories if memory.id not in atoms]
    encode = space.encoder.get().encode_documents if atoms and space.encoder.ready else None
    texts = [_text(memory, lexicon) for memory in told]
    said = spoken(texts)
    readings = reader.read(texts, said=said)
    heard = {}
    for memory, reading, named in zip(told, readings, mentions_in(texts, said=said), strict=True):
        clear = tuple(one for one in named if one.type and one.type not in UNCLEAR)
        heard[memory.id] = Heard(memory, reading.stated, made_by(reading), clear, reading.problem, reading.cost)
    for memory in memories:
        if memory.id in atoms:
            edges = tuple(_stated_by(atoms[memory.id], memory, encode=encode))
            heard[memory.id] = Heard(memory, edges, MadeBy.ATOM, by_atom=True)
    return [heard[memory.id] for memory in memories]


def _text(memory: Memory, lexicon: Lexicon) -> Text:
    words = named_words(memory.text)
    known, types = [], {}
    for mention in lexicon.names.find(words):
        surface = words[mention.start : mention.end]
        entity = lexicon.entities.get(mention.entity)
        if entity is not None:
            known.append(surface)
            if entity.type not in UNCLEAR:
                types[surface] = str(entity.type)
    return Text(words, speaker=memory.speaker, known=tuple(dict.fromkeys(known)), types=types)


def _atoms_of(memory: Memory) -> tuple[Atom, ...]:
    """The atom that the memory came as, or that confirmed it; none where words are all there is."""
    try:
        return parse(str(memory.detail.get(ATOM, "")))
    except BadInput:
        return ()


def _stated_by(atoms: Sequence[Atom], memory: Memory, *, encode: Encode | None) -> Iterator[Stated]:
    for edges in joined(atoms, encode=encode):
        for one in edges:
            sure = min(memory.confidence, UNSURE) if one.unsure else memory.confidence
            subject, object = (Named(whom(name, memory.speaker)) for name in (one.subject, one.object))
            yield Stated(subject, one.type, object, sure, one.label, one.planned)

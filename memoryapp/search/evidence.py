"""Why a memory was found: the terms and where they stand, the cosine, shared names, speaker and date."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.memory import Memory
from memoryapp.domain.node import EQUAL
from memoryapp.domain.strategies import Arm, Fusion
from memoryapp.index import spans, tokens
from memoryapp.index.incidence import Incidence
from memoryapp.search.arms.recall import Steps, path_to
from memoryapp.search.arms.structural import RandomWalk
from memoryapp.search.ppr import Mass
from memoryapp.search.state import ArmResult, Arms, Question, Scores

_READ = 20_000  # characters of a text in which matched words are looked for
_NAMES = 5
_REST = re.compile(r"[a-z0-9']*")


def evidence(
    question: Question, arms: Arms, memory: Memory, slot: int, fields: dict[str, tuple[str, ...]], path: Steps = ()
) -> dict[str, Any]:
    """By name: "terms" [{term, idf, fields}], "matched" (the words of the text to mark) and "spans" ([start, end] of
    each in the text), "cosine", "entities" [{id, name, degree}], "seeds" [{id, name, by, mass, here}], "path" (see
    results.Hit), "reached" (by which keywords, of a node of the tree; see there too), "speaker", "date" (closeness
    0–1), "quoted" (the quotations that the memory holds). `fields`: what `arms.words` says of this slot."""
    told: dict[str, Any] = {
        "terms": [
            {"term": term, "idf": round(arms.words.idf[term], 4), "fields": list(where)}
            for term, where in fields.items()
        ]
    }
    marks = _marks(memory.text, {term for term, where in fields.items() if "own" in where})
    told["matched"] = list(dict.fromkeys(memory.text[start:end] for start, end in marks))
    told["spans"] = [list(mark) for mark in marks]
    if arms.cosines[slot] > 0:
        told["cosine"] = round(float(arms.cosines[slot]), 5)
    if entities := _entities(question, arms, slot):
        told["entities"] = entities
    if seeds := _seeds(question, arms.found.get(Arm.STRUCTURAL), slot):
        told["seeds"] = seeds
    if path:
        told["path"] = list(path)
    if reached := _tree_evidence(arms, slot):
        told["reached"] = reached
    if question.spoken is not None and question.spoken[slot]:
        told["speaker"] = memory.speaker
    if question.dated is not None and question.dated[slot] > 0.01:
        told["date"] = round(float(question.dated[slot]), 4)
    if question.quoted is not None and (quoted := question.quoted.held.get(slot)):
        told["quoted"] = list(quoted)
    return told


def _marks(text: str, terms: set[str]) -> list[tuple[int, int]]:
    """Where in the text a word stands whose term is one of `terms`."""
    if not terms:
        return []
    read = text[:_READ]
    if not read.isascii() or not all(term.isascii() for term in terms):
        return [(start, end) for term, start, end in spans(read) if term in terms]
    low = read.lower()
    found: set[tuple[int, int]] = set()
    for term in terms:
        beginning = term[: max(len(term) - 1, 1)]
        at = low.find(beginning)
        while at >= 0:
            end = _REST.match(low, at).end()  # type: ignore[union-attr]
            if (at == 0 or not low[at - 1].isalnum()) and terms.intersection(tokens(read[at:end])):
                found.add((at, end))
            at = low.find(beginning, end)
    return sorted(found)


def _entities(question: Question, arms: Arms, slot: int) -> list[dict[str, Any]]:
    walked = arms.found.get(Arm.STRUCTURAL)
    if walked is not None and walked.scores[slot] > 0:
        return _walk_entities(question, walked.detail, slot)
    graph = arms.found.get(Arm.GRAPH)
    if graph is None or graph.scores[slot] <= 0:
        return []
    if question.strategy.fusion in (Fusion.SCORES, Fusion.MASS):
        candidates, mass = graph.detail
        return _landmarks(question, candidates, mass, slot)
    return _shared_entities(question.view.incidence, graph.detail, slot)


def _tree_evidence(arms: Arms, slot: int) -> dict[str, Any]:
    tree = arms.found.get(Arm.TREE)
    if tree is None or slot not in tree.detail:
        return {}
    reached = tree.detail[slot]
    matches = [
        {"word": one.word, "keyword": one.keyword, "how": "equal" if one.grade == EQUAL else "within"}
        for one in reached.matches
    ]
    return {"own": reached.own, "via": reached.via, "matches": matches}


def _shared_entities(incidence: Incidence, worth: Scores, slot: int) -> list[dict[str, Any]]:
    """Entities that the memory shares with the seeds, the rarest first."""
    row = incidence.matrix[slot]
    codes = [int(code) for code in row.indices if worth[code] > 0]
    codes.sort(key=lambda code: (-worth[code], code))
    known = [(incidence.entities[code], int(incidence.degree[code])) for code in codes[:_NAMES]]
    return [{"id": one.id, "name": one.name, "degree": degree} for one, degree in known if one is not None]


def _walk_entities(question: Question, walked: RandomWalk, slot: int) -> list[dict[str, Any]]:
    """Entities of the memory through which the walk came to it, those that carried most first."""
    choice = walked.graph.choice
    row = slice(choice.indptr[slot], choice.indptr[slot + 1])
    codes = choice.indices[row]
    carried = choice.data[row] * walked.mass[codes]
    most = [int(codes[n]) for n in np.lexsort((codes, -carried)) if carried[n] > 0][:_NAMES]
    known = [(question.view.graph.entities[code], int(walked.graph.degree[code])) for code in most]
    return [{"id": one.id, "name": one.name, "degree": degree} for one, degree in known if one is not None]


def _seeds(question: Question, found: ArmResult | None, slot: int) -> list[dict[str, Any]]:
    """Where the walk began and how much of it is there at its end, the most first."""
    if found is None or found.detail is None or found.scores[slot] <= 0:
        return []
    walked: RandomWalk = found.detail
    told = []
    for seed in sorted(walked.seeds, key=lambda seed: (-walked.mass[seed.code], seed.code)):
        entity = question.view.graph.entities[seed.code]
        if entity is not None:
            here = bool(walked.graph.member[slot, seed.code])
            mass = round(float(walked.mass[seed.code]), 5)
            told.append({"id": entity.id, "name": entity.name, "by": seed.by, "mass": mass, "here": here})
    return told


def path_of(question: Question, arms: Arms, slot: int) -> Steps:
    """How recall came to a memory; () where another arm found it, or recall began with it."""
    found = arms.found.get(Arm.RECALL)
    return () if found is None or found.scores[slot] <= 0 else path_to(question, found.detail, slot)


def _landmarks(question: Question, candidates: NDArray[np.intp], mass: Mass, slot: int) -> list[dict[str, Any]]:
    """Names and rare words through which the walk came to the memory, those that carried most first."""
    at = int(np.flatnonzero(candidates == slot)[0])
    phrases = question.view.phrases
    mine = mass.landmark[slice(*np.searchsorted(mass.owner, (at, at + 1)).tolist())]
    carried, codes, counts = (of[mine].tolist() for of in (mass.carried, mass.landmarks, mass.counts))
    most = sorted(range(len(codes)), key=carried.__getitem__, reverse=True)[: 2 * _NAMES]
    by_name = {phrases.name(codes[n]): n for n in most if carried[n] > 0}
    chosen: list[str] = []
    # What carries most first; a whole name before its single words, which then say nothing more.
    for name in sorted(by_name, key=lambda name: (-carried[by_name[name]], -len(name), name)):
        if len(chosen) < _NAMES and not any(name in other for other in chosen):
            chosen.append(name)
    return [{"id": None, "name": name, "degree": counts[by_name[name]]} for name in chosen]

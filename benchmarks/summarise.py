"""Digests: how well the rankers choose what a summary tells, on dialogues that people summarised, and how fast."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality import Say
from benchmarks.table import align_columns
from memoryapp.consolidate.ranking import ByCentrality, ByMarks, Ranking, rarity
from memoryapp.consolidate.sentences import Piece, terms
from memoryapp.domain.sentences import MARKERS, markers_in
from memoryapp.extraction.facts.sentences import cut, plain, strip_greetings
from memoryapp.inference.embedding import Encoder

SENTENCES, WORDS = 4, 36  # of a dialogue's summary, at most
_WHOLE = 2_000  # characters of a dialogue that are embedded as one text: more than a model's window
PRODUCED = ("rouge-1", "rouge-2", "rouge-l", "words")
Rouge = Callable[..., dict[str, float]]
_TURN = re.compile(r"^(#[^#\n]+#)\s*:\s*(.*)$", re.DOTALL)
_SPACED = re.compile(r"\s*[’']\s*(?=(?:s|t|m|re|ve|ll|d)\b)", re.IGNORECASE)  # “haven ' t”, as the set writes it


@dataclass(frozen=True, slots=True)
class Dialogue:
    """`pieces` are its sentences in order, `section` of each the number of its turn; `speakers` stand beside them."""

    key: str
    turns: tuple[str, ...]
    references: tuple[str, ...]
    pieces: tuple[Piece, ...]
    speakers: tuple[str, ...]


def measure(folder: Path, *, encoder: Encoder, split: str, limit: int, say: Say) -> dict[str, Any]:
    """By column and half: ROUGE-1/2/L F (best over the references) and words. The weights of “central” were fitted on
    the half “fitted”; “other” saw none of it. Columns that end in “, told” say who speaks in place of “I” and “you”."""
    file = folder / "summarisation/dialogsum.jsonl"
    if not file.exists():
        say("There is no summarisation/dialogsum.jsonl in the folder of the sets.")
        return {}
    dialogues = list(read(file, split))[: limit or None]
    rouge = scorer(file.parent / "score.py")
    say(f"{len(dialogues)} dialogues, {sum(len(one.pieces) for one in dialogues)} sentences")
    rare = rarity([{stem for piece in one.pieces for stem in piece.terms} for one in dialogues])
    vectors = _vectors(dialogues, encoder)
    chosen = [
        _pick_sentences(_rank_by_centrality(one, rare, rows)) for one, rows in zip(dialogues, vectors, strict=True)
    ]
    texts = {
        "first three turns": [" \n".join(one.turns[:3]) for one in dialogues],
        "marks": [_speech_text(one, _pick_sentences(_by_marks(one))) for one in dialogues],
        "central, no model": [
            _speech_text(one, _pick_sentences(_rank_by_centrality(one, rare, None))) for one in dialogues
        ],
        "central": [_speech_text(one, picked) for one, picked in zip(dialogues, chosen, strict=True)],
        "central, told": [_third_person_text(one, picked) for one, picked in zip(dialogues, chosen, strict=True)],
    }
    halves = {"fitted": slice(0, None, 2), "other": slice(1, None, 2), "both": slice(None)}
    return {
        name: {half: _figures(made[part], dialogues[part], rouge) for half, part in halves.items()}
        for name, made in texts.items()
    }


def table_of(figures: dict[str, Any]) -> Iterator[str]:
    if figures:
        rows = [["DialogSum", "half", *PRODUCED]]
        for name, halves in figures.items():
            rows += [
                [name, half, *(f"{told[one]:.1f}" if one == "words" else f"{told[one]:.3f}" for one in PRODUCED)]
                for half, told in halves.items()
            ]
        yield from align_columns(rows)


def read(file: Path, split: str) -> Iterator[Dialogue]:
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if split in ("all", row["split"]):
            yield _dialogue(row)


def scorer(file: Path) -> Rouge:
    """The set's own ROUGE."""
    spec = importlib.util.spec_from_file_location("summarisation_score", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rouge: Rouge = module.rouge
    return rouge


def _dialogue(row: dict[str, Any]) -> Dialogue:
    pieces: list[Any] = []
    speakers: list[str] = []
    for turn, said in enumerate(row["turns"]):
        found = _TURN.match(said)
        who, words = (found[1], found[2]) if found else ("", said)
        for one in cut(_SPACED.sub("'", words)):
            text = strip_greetings(plain(one.text), others=[])
            if text:
                key = f"{len(pieces)}"
                pieces.append(Piece(key, str(turn), text, terms(text), turn / len(row["turns"]), False, False))
                speakers.append(who)
    return Dialogue(row["id"], tuple(row["turns"]), tuple(row["refs"]), tuple(pieces), tuple(speakers))


def _vectors(dialogues: Sequence[Dialogue], encoder: Encoder) -> list[np.ndarray[Any, Any]]:
    """Of the sentences of each dialogue, and of the whole of it in one row more."""
    texts = [
        text for one in dialogues for text in (*(piece.text for piece in one.pieces), "\n".join(one.turns)[:_WHOLE])
    ]
    made = np.asarray(encoder.encode_documents(texts), dtype=np.float64)
    bounds = np.cumsum([0, *(len(one.pieces) + 1 for one in dialogues)])
    return [made[start:end] for start, end in itertools.pairwise(bounds)]


def _by_marks(dialogue: Dialogue) -> Ranking:
    return ByMarks(dialogue.pieces, markers=markers_in(MARKERS))


def _rank_by_centrality(dialogue: Dialogue, rare: dict[str, float], vectors: np.ndarray[Any, Any] | None) -> Ranking:
    return ByCentrality(dialogue.pieces, rare=rare, vectors=vectors)


def _pick_sentences(ranking: Ranking) -> list[int]:
    """The best sentences that fit, in order."""
    open_, taken, words = dict.fromkeys(range(len(ranking.ranked))), list[int](), 0
    while open_ and len(taken) < SENTENCES:
        best = ranking.next(open_, taken)
        if best is None:
            break
        del open_[best]
        more = len(ranking.ranked[best].piece.text.split()) + 1
        if (not taken or words + more <= WORDS) and not ranking.likeness(best, taken):
            taken.append(best)
            words += more
    return sorted(taken)


def _speech_text(dialogue: Dialogue, picked: Sequence[int]) -> str:
    return "\n".join(f"{dialogue.speakers[n]}: {dialogue.pieces[n].text}" for n in picked)


_PERSONS = (
    (r"\bI(?:'m| am)\b", "{who} is"),
    (r"\bI(?:'ve| have)\b", "{who} has"),
    (r"\bI'd\b", "{who} would"),
    (r"\bI'll\b", "{who} will"),
    (r"\bI\b|\b[Mm]e\b", "{who}"),
    (r"\b[Mm]y\b", "{who}'s"),
    (r"\b[Yy]ou(?:'re| are)\b", "{other} is"),
    (r"\b[Yy]our\b", "{other}'s"),
    (r"\b[Yy]ou\b", "{other}"),
)


def _third_person_text(dialogue: Dialogue, picked: Sequence[int]) -> str:
    """The same sentences with the speakers' names for “I” and “you”, and nothing else changed."""
    lines = []
    for n in picked:
        who = dialogue.speakers[n]
        other = next((name for name in dialogue.speakers if name != who), who)
        text = dialogue.pieces[n].text
        for said, named in _PERSONS:
            text = re.sub(said, named.format(who=who, other=other), text)
        lines.append(text if who in text[:30] else f"{who}: {text}")
    return "\n".join(lines)


def _figures(made: Sequence[str], dialogues: Sequence[Dialogue], rouge: Rouge) -> dict[str, float]:
    scores = [rouge(text, one.references, True) for text, one in zip(made, dialogues, strict=True)]
    if not scores:
        return dict.fromkeys(PRODUCED, 0.0)
    keys = {"rouge-1": "r1", "rouge-2": "r2", "rouge-l": "rl"}
    counted = {name: statistics.mean(one[key] for one in scores) for name, key in keys.items()}
    return counted | {"words": statistics.mean(len(re.findall(r"[a-z0-9]+", text.lower())) for text in made)}

"""Teaches what a new statement is to one that is held: same, changed, contradicts, both hold, or unrelated.

    python training/judge.py            # trains, prints the figures on held-back hands
    python training/judge.py --write    # and writes the weights (memoryapp/contradictions/judge)

An hour on two cores of its own. A line of `pairs-*.jsonl` is a statement that is held and ten that
come after it, as plain statements or as turns of a chat; one of `matters-*.jsonl` six statements about somebody and six
that come after them; one of `contrast.jsonl` a fact, what cannot hold beside it (`clash`), and what can although it
looks alike (`fine`). One of `threads-*.jsonl` is what one person says of a matter over weeks: any two of its turns are
a pair.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memoryapp.contradictions.pair_judge import JUDGE, LABELS, LONGEST
from memoryapp.inference.embedding.minilm import load_minilm
from memoryapp.inference.reranking.reranker import passage_text
from memoryapp.search.outdated import LEAST, statements_of
from training import repeats, scenes, twins
from training.cross_encoder import Pair, Stage, logits, new_model, save, train
from training.figures import auc
from training.hands import DATA, fingerprint, lines, person

HELD_BACK = (
    "pairs-6.jsonl",
    "pairs-25.jsonl",
    "pairs-28.jsonl",
    "pairs-32.jsonl",
    "pairs-36.jsonl",  # near repeats
    "pairs-38.jsonl",
)
TAUGHT = tuple(sorted({path.name for path in DATA.glob("pairs-*.jsonl")} - set(HELD_BACK)))
MATTERS = tuple(sorted(path.name for path in DATA.glob("matters-*.jsonl")))
_BENCH = "../../benchmarks"  # these the rules were written with, and are measured by, too
CONTRASTS = f"{_BENCH}/contrast.jsonl"
OWN_PAIRS = (f"{_BENCH}/pairs.jsonl", f"{_BENCH}/blind.jsonl")
TALKS = ("1", "2", "8")  # hands of whole talks and of their candidates: any two of a talk nearly always both hold
UNSEEN_TALK = "5"
UNSEEN_THREADS = ("threads-5.jsonl", "threads-9.jsonl", "threads-15.jsonl")
THREADS = tuple(sorted({path.name for path in DATA.glob("threads-*.jsonl")} - set(UNSEEN_THREADS)))
FILES = (
    *TAUGHT,
    *MATTERS,
    CONTRASTS,
    *OWN_PAIRS,
    *THREADS,
    *(f"{kind}-{hand}.jsonl" for kind in ("facts", "talks") for hand in TALKS),
)
_MATTERS = 3  # other matters of the same person, a line
_SYMMETRIC = ("same", "contradicts", "unrelated")  # whichever of the two was said first
_TURNED = 0.3  # of the plain pairs of these are shown the other way round as well
_FORWARD = 0.6  # of the near repeats have the one that is held first
_ENDED = 0.3
_FALSE_ALARMS = 0.03
# What a contrast set says: that the two clash, whether by change or contradiction, or that they do not.
_CLASH, _FINE = len(LABELS), len(LABELS) + 1
GROUPS = ((1, 2), (0, 3, 4))
_EPOCHS = 2
_SCENES = 3_000
_TWINS = 5_000
_NEAREST = 14  # facts, and turns, that a fact is put beside
_REPEATED = 0.8  # cosine
_SHORTEST = 30  # characters of a turn

Line = dict[str, Any]


def taught() -> list[Pair]:
    """Return all that the judge learns from."""
    return [*of_statements(random.Random(5)), *of_turns(random.Random(6))]


def of_statements(chance: random.Random) -> list[Pair]:
    """Return the pairs whose first is a statement that is known."""
    rows = lines(*TAUGHT)
    in_talks = [
        pair
        for hand in TALKS
        for facts in (lines(f"facts-{hand}.jsonl"),)
        for pair in (*of_one_talk(facts, chance), *before_turns(facts, _turns(hand), chance))
    ]
    return [
        *pairs(rows, chance),
        *near_repeats(rows, chance),
        *matters(rows, chance),
        *known(lines(*MATTERS)),
        *contrasts(lines(CONTRASTS), chance),
        *own_pairs(lines(*OWN_PAIRS), chance),
        *(Pair(one, other, _CLASH if clash else _FINE) for one, other, clash in scenes.scenes(chance, _SCENES)),
        *(Pair(held, after, LABELS.index("both")) for held, after in in_talks),
    ]


def of_turns(chance: random.Random) -> list[Pair]:
    """Return turns of one matter, twins of one kind, what is told in turns once more, and what lies near a fact."""
    rows = lines(*TAUGHT)
    generated = [*twins.made(chance, _TWINS), *twins.renamed(rows, chance)]
    return [
        *threads(lines(*THREADS)),
        *(Pair(held, after, _CLASH if clash else LABELS.index("both")) for held, after, clash in generated),
        *in_turns(rows),
        *near_in_life(
            lines(*(f"facts-{hand}.jsonl" for hand in TALKS)),
            [turns for hand in TALKS for turns in _turns(hand).values()],
        ),
    ]


def near_in_life(facts: list[Line], talks: list[list[Line]]) -> Iterator[Pair]:
    """What one person says of neighbouring matters, which nearly always both holds: each fact beside the later ones of
    its talk and those of other talks that lie nearest to it, told by its own speaker, and beside the turns that do.
    These are what a new fact is compared with, and a judge that never read them takes any change for one of whatever
    lies near."""
    facts = [fact for fact in facts if fact["good"]]
    encoder = load_minilm()
    turns = [
        (turn["speaker"], turn["text"][:LONGEST]) for talk in talks for turn in talk if len(turn["text"]) > _SHORTEST
    ]
    held = encoder.encode_documents([fact["fact"] for fact in facts])
    said = encoder.encode_documents([text for _, text in turns])
    for one, nearest in zip(facts, _nearest_rows(held, held), strict=True):
        for number in nearest:
            other = facts[number]
            if (one["hand"], one["talk"]) != (other["hand"], other["talk"]) or one["turn"] < other["turn"]:
                later = _rename_person(other["fact"], other["speaker"], one["speaker"])
                yield Pair(one["fact"], later, LABELS.index("both"))
    for one, nearest in zip(facts, _nearest_rows(held, said), strict=True):
        for number in nearest:
            speaker, text = turns[number]
            if speaker != one["speaker"]:
                yield Pair(one["fact"], passage_text(text, speaker=one["speaker"]), LABELS.index("both"))


def _nearest_rows(ones: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.intp]:
    """(ones, _NEAREST) of the others by cosine, those left out that say the same."""
    near = ones @ others.T
    near[near > _REPEATED] = -1.0
    return np.argsort(-near, axis=1)[:, :_NEAREST]


def in_turns(rows: list[Line]) -> Iterator[Pair]:
    """What is told in a turn of a chat, beside what is known."""
    for row in rows:
        for news in row["news"]:
            if "speaker" in news:
                yield Pair(row["held"], _news_text(news), LABELS.index(news["label"]))


def threads(rows: list[Line]) -> Iterator[Pair]:
    """Any two turns of a matter, as the first hits of a question are compared. Turns that only ask are left out."""
    for row in rows:
        labels = {(earlier, later): label for earlier, later, label in row["pairs"]}
        texts = [statements_of(turn["text"], speaker=_speaker(turn)) for turn in row["turns"]]
        for earlier, later in combinations(range(len(texts)), 2):
            if texts[earlier] and texts[later]:
                label = labels.get((earlier, later), "both")
                yield Pair(texts[earlier], texts[later], LABELS.index(label))


def _speaker(turn: Line) -> str | None:
    """Nobody says a fact that was made of a turn."""
    return None if turn["role"] == "fact" else str(turn["speaker"])


def pairs(rows: list[Line], chance: random.Random) -> Iterator[Pair]:
    for row in rows:
        for news in row["news"]:
            yield Pair(row["held"], _news_text(news), LABELS.index(news["label"]))
            if "speaker" not in news and news["label"] in _SYMMETRIC and chance.random() < _TURNED:
                yield Pair(news["text"], row["held"], LABELS.index(news["label"]))


def matters(rows: list[Line], chance: random.Random) -> Iterator[Pair]:
    """Other matters of the same person, which both hold: what was written about somebody else of another domain, the
    name exchanged. Without them whatever tells of a change is held against all that is known of a person."""
    named = [row for row in rows if person(row)]
    for row in named:
        for _ in range(_MATTERS):
            other = chance.choice(named)
            if other["domain"] == row["domain"]:
                continue
            news = chance.choice([*other["news"], {"text": other["held"]}])
            yield Pair(row["held"], _rename_person(_news_text(news), person(other), person(row)), LABELS.index("both"))


def known(rows: list[Line]) -> Iterator[Pair]:
    """Each of what is known of somebody beside each of what comes after it."""
    for row in rows:
        for news in row["news"]:
            for held, label in zip(row["held"], news["labels"], strict=True):
                yield Pair(held, _news_text(news), LABELS.index(label))


def contrasts(rows: list[Line], chance: random.Random) -> Iterator[Pair]:
    """Each fact beside what clashes with it and what does not, in either order."""
    for row in rows:
        for kind, label in (("clash", _CLASH), ("fine", _FINE)):
            for text in row[kind]:
                yield Pair(*((text, row["fact"]) if chance.random() < _TURNED else (row["fact"], text)), label)


def own_pairs(rows: list[Line], chance: random.Random) -> Iterator[Pair]:
    """The project's own pairs, in either order."""
    for row in rows:
        label = _CLASH if row["label"] in ("contradiction", "supersedes", "clash") else _FINE
        one, other = row["existing"], row["incoming"]
        yield Pair(*((other, one) if chance.random() < _TURNED else (one, other)), label)


def near_repeats(rows: list[Line], chance: random.Random) -> Iterator[Pair]:
    """Generated: the same in other forms, in either order; another number, day or direction; no longer so."""
    for row in rows:
        held = row["held"]
        for text in repeats.same(held, chance):
            first, second = (held, text) if chance.random() < _FORWARD else (text, held)
            yield Pair(first, second, LABELS.index("same"))
        for text in repeats.contradicting(held, chance):
            yield Pair(held, text, LABELS.index("contradicts"))
        if (text := repeats.no_longer(held)) and chance.random() < _ENDED:
            yield Pair(held, text, LABELS.index("changed"))


def of_one_talk(rows: list[Line], chance: random.Random, *, count: int = 4) -> Iterator[tuple[str, str]]:
    """Of each candidate fact and `count` others that came later in its talk, or an earlier one, by chance."""
    for facts in _by_talk(rows).values():
        for later, row in enumerate(facts):
            for earlier in chance.sample(facts[:later], min(count, later)):
                yield earlier["fact"], row["fact"]


def before_turns(
    rows: list[Line], talks: dict[str, list[Line]], chance: random.Random, *, count: int = 4
) -> Iterator[tuple[str, str]]:
    """Of each candidate fact and `count` turns that came later in its talk. `talks`: the turns of each, by its name."""
    for row in rows:
        after = talks[row["talk"]][row["turn"] + 1 :]
        for turn in chance.sample(after, min(count, len(after))):
            yield row["fact"], passage_text(turn["text"][:LONGEST], speaker=turn["speaker"])


def _by_talk(rows: list[Line]) -> dict[str, list[Line]]:
    talks: dict[str, list[Line]] = {}
    for row in rows:
        talks.setdefault(row["talk"], []).append(row)
    return talks


def _turns(hand: str) -> dict[str, list[Line]]:
    return {f"{hand}-{number}": talk["turns"] for number, talk in enumerate(lines(f"talks-{hand}.jsonl"), 1)}


def _rename_person(text: str, name: str, other: str) -> str:
    first, other_first = name.split(" ")[0], other.split(" ")[0]
    return text.replace(name, other).replace(first, other_first)


def report(model: Any, rows: list[Line]) -> dict[str, float]:
    """What is found of changes and contradictions where at most .03 of the others are taken for one, of all and of
    those told in a chat turn; the recall of “same” at .98 precision; and the share of labels that are right."""
    asked = [(row["held"], news) for row in rows for news in row["news"]]
    likely = _probabilities(model, [(held, _news_text(news)) for held, news in asked])
    label = np.array([LABELS.index(news["label"]) for _, news in asked])
    in_a_turn = (label == 1) & np.array(["speaker" in news for _, news in asked])
    clash, disputed = likely[:, 1] + likely[:, 2], (label == 1) | (label == 2)
    line = np.quantile(clash[~disputed], 1 - _FALSE_ALARMS)
    return {
        "labels": float((likely.argmax(axis=1) == label).mean()),
        "changed or contradicts, AUC": auc(clash[disputed], clash[~disputed]),
        "changed or contradicts, recall": float((clash > line)[disputed].mean()),
        **({"changed, told in a turn, recall": float((clash > line)[in_a_turn].mean())} if in_a_turn.any() else {}),
        "same, recall": _recall(likely[:, 0], label == 0, precision=0.98),
    }


def report_threads(model: Any, rows: list[Line]) -> dict[str, float]:
    """Of any two turns of a matter: the recall of changes at .03 false alarms, and at the line at which the hits of a
    question are compared, with its share of false alarms."""
    asked = list(threads(rows))
    clash = _probabilities(model, [(pair.first, pair.second) for pair in asked])[:, 1:3].sum(axis=1)
    disputed = np.isin([pair.label for pair in asked], (1, 2))
    line = np.quantile(clash[~disputed], 1 - _FALSE_ALARMS)
    return {
        "changed or contradicts, AUC": auc(clash[disputed], clash[~disputed]),
        "changed or contradicts, recall": float((clash > line)[disputed].mean()),
        f"recall at {LEAST}": float((clash >= LEAST)[disputed].mean()),
        f"false alarms at {LEAST}": float((clash >= LEAST)[~disputed].mean()),
    }


def report_twins(model: Any) -> dict[str, float]:
    """Of generated twins of unseen kinds: AUC, and at the probability of .9 the shares of clashes and of alarms."""
    asked = list(twins.made(random.Random(4), 1_000, held_back=True))
    clash = _probabilities(model, [(held, after) for held, after, _ in asked])[:, 1:3].sum(axis=1)
    clashing = np.array([label for *_, label in asked])
    return {
        "AUC": auc(clash[clashing], clash[~clashing]),
        "recall at 0.9": float((clash >= 0.9)[clashing].mean()),
        "false alarms at 0.9": float((clash >= 0.9)[~clashing].mean()),
    }


def alarms(model: Any, pairs: list[tuple[str, str]]) -> dict[str, float]:
    """Of pairs of one talk, which nearly always both hold, the share that is taken for a clash, at some lines."""
    clash = _probabilities(model, pairs)[:, 1:3].sum(axis=1)
    return {f"at {line}": round(float((clash >= line).mean()), 4) for line in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)}


def _probabilities(model: Any, pairs: list[tuple[str, str]]) -> NDArray[np.float64]:
    """Of each label, (pairs, labels)."""
    scores = logits(model, pairs)
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def _recall(likely: Any, wanted: Any, *, precision: float) -> float:
    """The largest share of the wanted that stands above a line where so many are wanted."""
    order = np.argsort(-likely)
    right = np.cumsum(wanted[order])
    good = right / np.arange(1, len(order) + 1) >= precision
    return float(right[good].max(initial=0) / wanted.sum())


def _news_text(news: Line) -> str:
    text = passage_text(news["text"], speaker=news.get("speaker"))
    return f"{news['before']} {text}" if news.get("before") else text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    model = new_model(labels=len(LABELS))
    train(model, [Stage("pairs", taught(), epochs=_EPOCHS)], groups=GROUPS)
    figures = {
        name: {key: round(value, 3) for key, value in report(model, lines(name)).items()}
        for name in HELD_BACK
        if (DATA / name).exists()
    }
    chance, unseen = random.Random(3), lines(f"facts-{UNSEEN_TALK}.jsonl")
    figures["facts of one talk"] = alarms(model, list(of_one_talk(unseen, chance)))
    figures["turns of one talk"] = alarms(model, list(before_turns(unseen, _turns(UNSEEN_TALK), chance)))
    figures |= {
        name: {key: round(value, 3) for key, value in report_threads(model, lines(name)).items()}
        for name in UNSEEN_THREADS
    }
    figures["twins"] = {key: round(value, 3) for key, value in report_twins(model).items()}
    for name, measured in figures.items():
        print(name, measured)
    if options.write:
        save(model, JUDGE, data=fingerprint(FILES), figures={**figures})


if __name__ == "__main__":
    main()

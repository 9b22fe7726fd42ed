"""Teaches which spans of a text name something that a reader would look up, and of what kind
(memoryapp/extraction/entities/judge): person, organisation, place, project, product, tool, event, concept, or nothing.

    python training/entities.py            # trains, prints the figures on held-back hands
    python training/entities.py --write    # and writes the weights

Two minutes on two cores. A line of `entities-*.jsonl` is a passage with the entities in it; whatever else could be one
there (`extraction/entities/spans.py`) is none. `entity-frames.txt` are sentences with places for names, which
`entity-names.json` fills: they teach what names look like and what stands around them.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memoryapp.domain.entity import normal_form
from memoryapp.extraction.entities.entity_judge import FEATURES, FOLDER, KINDS, LEARNED, NOTE, EntityJudge, words
from memoryapp.extraction.entities.spans import SIGNS, Span, spans
from training.hands import DATA, fingerprint, lines

HELD_BACK = ("entities-3.jsonl", "entities-5.jsonl")
TAUGHT = tuple(sorted({path.name for path in DATA.glob("entities-*.jsonl")} - set(HELD_BACK)))
FRAMES, NAMES = "entity-frames.txt", "entity-names.json"
FILLED = 450  # passages made of frames
LINE = 0.4  # probability from which a span is a name
HIDDEN, ROUNDS, RATE, DECAY = 48, 10, 1e-3, 0.02
DROPPED = 0.3  # of the numbers of a span, each time it is shown
OF_FRAMES = 0.3  # how much a span of a frame counts beside one that somebody wrote

Passage = tuple[str, dict[str, str]]  # text, and its entities: normal form → type


def written(*names: str) -> list[Passage]:
    """The passages of some hands."""
    return [(row["text"], _types_by_name(row["entities"])) for row in lines(*names)]


def _types_by_name(entities: list[dict[str, Any]]) -> dict[str, str]:
    named = {}
    for one in entities:
        for name in (one["name"], *one["also"]):
            named[_plain_name(name)] = one["type"].replace("organisation", "organization")
    return named


def _plain_name(name: str) -> str:
    return normal_form(name).removeprefix("the ")


def filled(chance: random.Random) -> list[Passage]:
    """Passages made of frames and names."""
    names = {kind: some.split("|") for kind, some in json.loads((DATA / NAMES).read_text("utf-8")).items()}
    frames = (DATA / FRAMES).read_text("utf-8").splitlines()
    return [
        _fill_frames([chance.choice(frames) for _ in range(chance.randint(1, 4))], names, chance) for _ in range(FILLED)
    ]


def _fill_frames(frames: list[str], names: dict[str, list[str]], chance: random.Random) -> Passage:
    named: dict[str, str] = {}
    written = []
    for frame in frames:
        owners: list[str] = []

        def put(slot: re.Match[str], owners: list[str] = owners) -> str:
            kind = slot[1]
            if kind == "thing":
                sort, thing = chance.choice(names["thing"]).split(":")
                if owners and slot.string[: slot.start()].endswith("'s "):
                    named[_plain_name(f"{owners[-1]}'s {thing}")] = sort
                named.update({f"{whose} {thing}": sort for whose in ("her", "his", "my", "our", "their")})
                return thing
            name = chance.choice(names["none" if kind == "nonelow" else kind])
            if kind == "nonelow":
                return name.lower().replace(" ", "_")
            if kind == "person":
                owners.append(name)
            if kind not in ("none", "nothing"):
                named[_plain_name(name)] = kind
            return name

        line = re.sub(r"\{(\w+)\}", put, frame)
        written.append(line.removeprefix("lower: ").lower() if line.startswith("lower: ") else line)
    return "\n".join(written), named


def labelled(passage: Passage) -> list[tuple[Span, str]]:
    """The spans of a passage, each with its type or “none”. Those that are only a part of a name are left out where
    no span is the whole."""
    text, named = passage
    groups: dict[int, list[Span]] = defaultdict(list)
    for span in spans(text, is_rare=words().is_rare):
        groups[span.group].append(span)
    found = []
    for group in groups.values():
        types = {span: named.get(_plain_name(text[span.start : span.end])) for span in group}
        whole = [span for span, kind in types.items() if kind]
        for span, kind in types.items():
            name = _plain_name(text[span.start : span.end])
            inside = [other for other in whole if other.start <= span.start and span.end <= other.end and other != span]
            is_around = any(span.start <= other.start and other.end <= span.end for other in whole)
            is_part = any(f" {name} " in f" {other} " for other in named)
            if kind and not inside:
                found.append((span, kind))
            elif inside or is_around or not is_part:
                found.append((span, "none"))
    return found


def examples(passages: list[Passage]) -> tuple[np.ndarray, np.ndarray]:
    """Features (spans, FEATURES) and kinds (spans,)."""
    rows, kinds = [np.zeros((0, FEATURES), np.float32)], []
    for text, named in passages:
        known = labelled((text, named))
        if known:
            rows.append(words().features(text, [span for span, _ in known]))
            kinds += [KINDS.index(kind) for _, kind in known]
    return np.concatenate(rows), np.array(kinds)


def train(x: np.ndarray, y: np.ndarray, weight: np.ndarray, *, seed: int = 0) -> dict[str, np.ndarray]:
    """The weights of the network, with the features' scales taken in."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    scale = x.std(axis=0) + 0.01
    scale[:-SIGNS] = x[:, :-SIGNS].std() * 2
    inputs, kinds, counts = torch.tensor(x / scale), torch.tensor(y), torch.tensor(weight, dtype=torch.float32)
    hidden, out = torch.nn.Linear(FEATURES, HIDDEN), torch.nn.Linear(HIDDEN, len(KINDS))
    model = torch.nn.Sequential(torch.nn.Dropout(DROPPED), hidden, torch.nn.ReLU(), torch.nn.Dropout(DROPPED), out)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    steps = ROUNDS * (len(y) // 128 + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=RATE * 2, total_steps=steps)
    for _ in range(ROUNDS):
        for rows in torch.randperm(len(y)).split(128):
            loss = torch.nn.functional.cross_entropy(model(inputs[rows]), kinds[rows], reduction="none")
            optimizer.zero_grad()
            (loss * counts[rows]).mean().backward()
            optimizer.step()
            schedule.step()
    return {
        "hidden.weight": (hidden.weight.detach().numpy() / scale).astype(np.float16),
        "hidden.bias": hidden.bias.detach().numpy(),
        "out.weight": out.weight.detach().numpy(),
        "out.bias": out.bias.detach().numpy(),
    }


def report(judge: EntityJudge, names: tuple[str, ...]) -> dict[str, float]:
    """Of the names found in the passages of some hands: the share that are entities of the passage, the share of those
    that are found by any of their names, and of those found the share that are rightly typed. A name that stands within
    one of the passage's (“Proxmox” of “Proxmox VE 8.2”) finds it."""
    right = wrong = typed = there = found = 0
    for row in lines(*names):
        entities = [_types_by_name([one]) for one in row["entities"]]
        hit = set()
        for one in judge.names(row["text"]):
            name = f" {_plain_name(one.surface)} "
            at = next((n for n, known in enumerate(entities) if any(name in f" {full} " for full in known)), -1)
            wrong += at < 0
            if at >= 0:
                right += 1
                typed += one.kind.value in entities[at].values()
                hit.add(at)
        there += len(entities)
        found += len(hit)
    return {
        "precision": round(right / max(right + wrong, 1), 3),
        "recall": round(found / max(there, 1), 3),
        "typed": round(typed / max(right, 1), 3),
    }


def taught(hands: tuple[str, ...]) -> dict[str, np.ndarray]:
    """What is learned from some hands, and from the frames."""
    own, kinds = examples(written(*hands))
    made, kinds_made = examples(filled(random.Random(7)))
    counts = np.concatenate([np.ones(len(kinds)), np.full(len(kinds_made), OF_FRAMES)])
    print(f"{len(kinds)} spans of hands, {len(kinds_made)} of frames, {np.mean(kinds > 0):.2f} of hands' are entities")
    return train(np.concatenate([own, made]), np.concatenate([kinds, kinds_made]), counts)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true")
    asked.add_argument("--without", default="", help="a hand to leave out and to report on besides")
    options = asked.parse_args()
    left_out = (options.without,) if options.without else ()
    learned = taught(tuple(name for name in TAUGHT if name not in left_out))
    judge = EntityJudge(words(), learned, line=LINE)
    figures = {name: report(judge, (name,)) for name in (*left_out, *HELD_BACK)}
    for name, told in figures.items():
        print(name, told)
    if options.write:
        FOLDER.mkdir(exist_ok=True)
        np.savez(FOLDER / LEARNED, **learned)  # type: ignore[arg-type]
        data = (FOLDER / LEARNED).read_bytes()
        note = {
            "data": fingerprint((*TAUGHT, FRAMES, NAMES)),
            "weights": sha256(data).hexdigest(),
            "kinds": KINDS,
            "features": FEATURES,
            "line": LINE,
            "figures": figures,
        }
        (FOLDER / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
        print(f"{len(data):,} bytes in {FOLDER}")


if __name__ == "__main__":
    main()

"""`manage.py calibrate`: the thresholds that measurements suggest."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.pairs import Pair, cosines, duplicate_pairs, read_duplicates, score
from benchmarks.table import align_columns
from memoryapp.contradictions.same import tell_apart
from memoryapp.domain.errors import BadInput
from memoryapp.inference.embedding import Encoder, load_encoder
from memoryapp.inference.embedding.zones import Zones, zones_of
from memoryapp.management.command import PalimpsestCommand

STEPS = tuple(n / 100 for n in range(30, 100, 5))
RIGHT = 0.95  # of what the “same” zone holds and nothing tells apart, this share is to be right
FOUND = 0.99  # of all duplicates, this share is to lie above the line under which nothing is compared
_CEILING, _FLOOR = 0.85, 0.25  # where the pairs do not reach RIGHT, and what is too near to nothing


@dataclass(frozen=True, slots=True)
class Point:
    """At cosine ≥ `line`. `kept_right`: precision of those that nothing tells apart."""

    line: float
    precision: float
    recall: float
    f1: float
    kept_right: float
    kept: int


def curve(pairs: Sequence[Pair], encoder: Encoder) -> list[Point]:
    near = cosines(pairs, encoder)
    apart = [tell_apart(pair.one, pair.other) for pair in pairs]
    return [_point(line, pairs, near, apart) for line in STEPS]


def recommend(points: Sequence[Point]) -> Zones:
    """The lowest line from which on RIGHT is held, and the highest that still finds FOUND."""
    held = [p.line for p in points if all(q.kept_right >= RIGHT for q in points if q.line >= p.line and q.kept)]
    found = [p.line for p in points if p.recall >= FOUND]
    same = min(held, default=_CEILING)
    return Zones(same=same if same < STEPS[-1] else _CEILING, near=max(found, default=_FLOOR))


def curve_table(points: Sequence[Point], recommended: Zones) -> Iterator[str]:
    rows = [["cosine ≥", "precision", "recall", "F1", "nothing tells apart", "of which right"]]
    for p in points:
        numbers = (f"{p.precision:.3f}", f"{p.recall:.3f}", f"{p.f1:.3f}", str(p.kept), f"{p.kept_right:.3f}")
        rows.append([f"{p.line:.2f}", *numbers])
    yield from align_columns(rows)
    yield f"recommended: the same from {recommended.same:.2f}, compared from {recommended.near:.2f}"


def _point(line: float, pairs: Sequence[Pair], near: Sequence[float], apart: Sequence[bool]) -> Point:
    scored = score([(pair.positive, cosine >= line) for pair, cosine in zip(pairs, near, strict=True)])
    kept = [
        pair.positive
        for pair, cosine, differs in zip(pairs, near, apart, strict=True)
        if cosine >= line and not differs
    ]
    right = sum(kept) / len(kept) if kept else 0.0
    return Point(line, scored["precision"], scored["recall"], scored["F1"], right, len(kept))


class Command(PalimpsestCommand):
    help = "Measure on duplicate pairs at which cosines an embedding model means “the same”, and “something else”."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--model", default="", help="model (default: MEMORY_ENCODER, else all-MiniLM-L6-v2)")
        parser.add_argument("--pairs", metavar="FILE", help='JSON lines {"a", "b", "label": 0|1, "lang"}')

    def act(self, **options: Any) -> None:
        model = options["model"] or os.environ.get("MEMORY_ENCODER") or "all-MiniLM-L6-v2"
        pairs, origin = _chosen_pairs(options["pairs"])
        encoder = load_encoder(model)
        told: dict[str, Any] = {"model": model, "pairs": origin, "in use": asdict(zones_of(model)), "languages": {}}
        for group in dict.fromkeys(pair.group for pair in pairs):
            language = group.rpartition(" ")[2]
            if language not in encoder.languages:
                continue
            held = [pair for pair in pairs if pair.group == group]
            points = curve(held, encoder)
            recommended = recommend(points)
            told["languages"][language] = {
                "pairs": len(held),
                "curve": [asdict(point) for point in points],
                "recommended": asdict(recommended),
            }
            if not options["json"]:
                self.stdout.write(f"\n{model}, {len(held)} pairs in “{language}” of {origin}")
                self.stdout.write("\n".join(curve_table(points, recommended)))
        if options["json"]:
            self.print_json(told)
            return
        used = zones_of(model)
        self.stdout.write(f"\nin use: the same from {used.same:.2f}, compared from {used.near:.2f}")


def _chosen_pairs(file: str | None) -> tuple[list[Pair], str]:
    """(pairs, where they are from): the file, the bench folder, or those of the project."""
    if file:
        path = Path(file).expanduser()
        if not path.is_file():
            raise BadInput(f"There is no file {path}.", field="/pairs")
        try:
            return read_duplicates(path), path.name
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(
                f'{path} does not hold one {{"a", "b", "label", "lang"}} a line ({type(error).__name__}: {error}).',
                field="/pairs",
            ) from error
    folder = os.environ.get("MEMORY_BENCH_DIR")
    if folder and (found := duplicate_pairs(Path(folder), "dev")):
        return found, "MEMORY_BENCH_DIR"
    return duplicate_pairs(None, "all"), "the project"

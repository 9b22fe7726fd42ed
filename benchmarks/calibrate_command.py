from __future__ import annotations

import os
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.curve import curve, curve_table, recommend
from benchmarks.pairs import Pair, duplicate_pairs, read_duplicates
from memoryapp.domain.errors import BadInput
from memoryapp.inference.embedding import load_encoder
from memoryapp.inference.embedding.zones import zones_of
from memoryapp.management.command import PalimpsestCommand


class Command(PalimpsestCommand):
    help = "Measure on duplicate pairs at which cosines an embedding model means “the same”, and “something else”."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--model", default="", help="model (default: MEMORY_ENCODER, else all-MiniLM-L6-v2)")
        parser.add_argument("--pairs", metavar="FILE", help='JSON lines {"a", "b", "label": 0|1, "lang"}')

    def act(self, **options: Any) -> None:
        model = options["model"] or os.environ.get("MEMORY_ENCODER") or "all-MiniLM-L6-v2"
        pairs, origin = _chosen(options["pairs"])
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


def _chosen(file: str | None) -> tuple[list[Pair], str]:
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

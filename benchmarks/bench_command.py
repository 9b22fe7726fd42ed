"""`manage.py bench`: the measurements of docs/BENCHMARKS.md."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks import facts, folding, intake, locomo_said, pairs, quality, scale, speed, summarise, table, talk, tree
from benchmarks.bootstrap import above, plain, read_each, write_each
from benchmarks.scale import scale_table
from benchmarks.sets import SETS
from benchmarks.vectors import RememberingEncoder
from memoryapp.domain.clock import utc_now
from memoryapp.domain.errors import BadInput
from memoryapp.domain.strategies import HYBRID
from memoryapp.inference.embedding import load_encoder
from memoryapp.management.command import PalimpsestCommand

MEASURED = (
    *SETS,
    "sessions",
    "tree",
    "facts",
    *pairs.PAIR_SETS,
    "talks",
    "dialogsum",
    "speed",
    "ingest",
    "consolidate",
    "scale",
)
OWN = {"blind", "talks"}  # the sets that are part of the project
DEFAULT = "locomo,markdown,korean,multihop,speed"


class Command(PalimpsestCommand):
    help = (
        "Measure how well and how fast the memory finds, on the sets in the folder that MEMORY_BENCH_DIR names; "
        "talks, blind and scale need no folder."
    )

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sets", default=DEFAULT, help=f"of {', '.join(MEASURED)} (default: {DEFAULT})")
        parser.add_argument("--split", choices=["dev", "heldout", "all"], default="dev")
        parser.add_argument("--limit", type=int, default=0, help="questions a pool, or files to ingest (default: all)")
        parser.add_argument("--strategies", default="", help="columns, strategies or plans (default: every strategy)")
        parser.add_argument(
            "--each", metavar="FILE", help="write what every question scored, for --against of a later run"
        )
        parser.add_argument("--against", help="a column of this run, or a file that --each wrote: differences from it")
        parser.add_argument("--ablations", action="store_true", help="also the default strategy without each piece")
        parser.add_argument("--sizes", default="1000,10000,50000", help="memories of the speed part, and of scale")
        parser.add_argument("--grown", metavar="DIR", help="where scale grows its space and keeps it for the next run")
        parser.add_argument("--encoder", default="", help="model (default: MEMORY_ENCODER, else all-MiniLM-L6-v2)")
        parser.add_argument("--cache", metavar="DIR", help="where vectors are kept between runs (default: temporary)")
        parser.add_argument(
            "--llm",
            metavar="URL",
            help="with the set facts: the same facts worded by the chat model there (URL#NAME), on the project's talks",
        )
        parser.add_argument("--out", metavar="FILE", help="write the figures as JSON to this file")

    def act(self, **options: Any) -> None:
        if options["sets"].strip() == "scale":  # it makes its own data
            self._scale(options)
            return
        folder = Path(os.environ.get("MEMORY_BENCH_DIR", ""))
        chosen = _chosen_sets(options["sets"])
        if options["llm"]:
            self._worded(chosen, options)
            return
        own = set(chosen) <= OWN  # nothing to be looked for in a folder
        if not own and (not os.environ.get("MEMORY_BENCH_DIR") or not folder.is_dir()):
            self.stdout.write(
                "Skipped: MEMORY_BENCH_DIR names no folder with the data sets. docs/BENCHMARKS.md says which."
            )
            return
        name = options["encoder"] or os.environ.get("MEMORY_ENCODER") or "all-MiniLM-L6-v2"
        encoder = RememberingEncoder(name, folder=Path(options["cache"]) if options["cache"] else None)
        figures: dict[str, Any] = {"at": utc_now().isoformat(), "encoder": name, "split": options["split"]}
        try:
            self._quality(folder, chosen, encoder, options, figures)
            self._read_and_judged(folder, chosen, encoder, options, figures)
        finally:
            encoder.save()
        self._times(folder, chosen, encoder, options, figures)
        self._tell(options, figures)

    def _read_and_judged(
        self,
        folder: Path,
        chosen: list[str],
        encoder: RememberingEncoder,
        options: dict[str, Any],
        figures: dict[str, Any],
    ) -> None:
        """The sets beside the questions: trees, facts, sessions, dialogues, pairs of statements, talks."""
        said = {"encoder": encoder, "split": options["split"], "limit": options["limit"], "say": self._say}
        parts: dict[str, tuple[Callable[..., Any], Callable[[Any], Iterable[str]]]] = {
            "tree": (tree.measure, tree.tree_table),
            "facts": (facts.measure, facts.facts_table),
            "sessions": (locomo_said.measure, locomo_said.sessions_table),
            "dialogsum": (summarise.measure, summarise.table_of),
        }
        for name, (measure, table_of) in parts.items():
            if name in chosen:
                figures[name] = measure(folder, **said)
                self._show(options, table_of(figures[name]))
        if set(pairs.PAIR_SETS) & set(chosen):
            figures["pairs"] = pairs.measure(None if set(chosen) <= OWN else folder, chosen, **said)
            self._show(options, pairs.pairs_table(figures["pairs"]))
        if "talks" in chosen:
            figures["talks"] = talk.measure(encoder=encoder, limit=options["limit"], say=self._say)
            self._show(options, talk.talks_table(figures["talks"]))

    def _times(
        self,
        folder: Path,
        chosen: list[str],
        encoder: RememberingEncoder,
        options: dict[str, Any],
        figures: dict[str, Any],
    ) -> None:
        """How long things take: searching, ingesting, folding, and all of it in a space that grows."""
        if "speed" in chosen:
            sizes = _sizes(options["sizes"])
            figures["speed"] = speed.measure(folder, encoder=encoder, sizes=sizes, say=self._say)
            self._show(options, table.speed_table(figures["speed"]))
        if "ingest" in chosen:
            figures["ingest"] = intake.measure(
                folder, encoder=load_encoder(figures["encoder"]), limit=options["limit"], say=self._say
            )
            self._show(options, table.intake_table(figures["ingest"]))
        if "consolidate" in chosen:
            figures["consolidate"] = folding.measure(say=self._say)
            self._show(options, folding.table_of(figures["consolidate"]))
        if "scale" in chosen:
            figures["scale"] = self._grown(options)

    def _scale(self, options: dict[str, Any]) -> None:
        self._tell(options, {"at": utc_now().isoformat(), "encoder": scale.ENCODER, "scale": self._grown(options)})

    def _worded(self, chosen: list[str], options: dict[str, Any]) -> None:
        """Raises BadInput for other sets than facts, LlmError."""
        if chosen != ["facts"]:
            raise BadInput("--llm goes with --sets facts.", field="/llm")
        name = options["encoder"] or os.environ.get("MEMORY_ENCODER") or "all-MiniLM-L6-v2"
        encode = load_encoder(name).encode_documents
        told = facts.measure_wording(options["llm"], limit=options["limit"], encode=encode, say=self._say)
        self._show(options, facts.worded_table(told))
        self._tell(options, {"at": utc_now().isoformat(), "encoder": name, "worded": told})

    def _grown(self, options: dict[str, Any]) -> dict[str, Any]:
        place = Path(options["grown"]) if options["grown"] else None
        told = scale.measure(place, sizes=_sizes(options["sizes"]), say=self._say)
        self._show(options, scale_table(told))
        return told

    def _tell(self, options: dict[str, Any], figures: dict[str, Any]) -> None:
        if options["out"]:
            Path(options["out"]).write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        if options["json"]:
            self.print_json(figures)

    def _quality(
        self,
        folder: Path,
        chosen: list[str],
        encoder: RememberingEncoder,
        options: dict[str, Any],
        figures: dict[str, Any],
    ) -> None:
        columns = quality.strategies([one.strip() for one in options["strategies"].split(",") if one.strip()])
        against = options["against"]
        before = None if not against or against in {one.name for one in columns} else read_each(Path(against))
        common: dict[str, Any] = {
            "encoder": encoder,
            "split": options["split"],
            "limit": options["limit"],
            "say": self._say,
        }
        asked = quality.by_question(folder, chosen, variants=columns, **common)
        figures["quality"] = quality.figures_of(asked)
        self._show(options, table.quality_table(figures["quality"]))
        if options["each"]:
            write_each(Path(options["each"]), asked)
        if against:
            differences = above(asked, asked, column=against) if before is None else above(before, asked)
            figures["against"] = {"what": against, "points": plain(differences)}
            self._show(options, table.against_table(differences, what=against))
        if options["ablations"]:
            groups = {HYBRID.name: quality.ablations(), **quality.arm_ablations()}
            columns = tuple(one for whole, pieces in groups.items() for one in (quality.Variant(whole, whole), *pieces))
            asked = quality.by_question(folder, chosen, variants=columns, **common)
            figures["ablations"] = quality.figures_of(asked)
            for whole, pieces in groups.items():
                shown = table.columns_of(asked, [whole, *(piece.name for piece in pieces)])
                self._show(options, table.ablation_table(shown, whole=whole))

    def _say(self, line: str) -> None:
        self.stderr.write(line)

    def _show(self, options: dict[str, Any], lines: Any) -> None:
        if not options["json"]:
            self.stdout.write("\n".join(lines))


def _sizes(told: str) -> list[int]:
    """Raises BadInput."""
    try:
        return [int(size) for size in told.split(",")]
    except ValueError:
        raise BadInput(f"“{told[:80]}” are no sizes. Write them as 1000,10000.", field="/sizes") from None


def _chosen_sets(sets: str) -> list[str]:
    """Raises BadInput for a set that is not known."""
    chosen = [one.strip() for one in sets.split(",") if one.strip()]
    if unknown := [one for one in chosen if one not in MEASURED]:
        raise BadInput(f"There is no set “{unknown[0]}”. Known: {', '.join(MEASURED)}.", field="/sets")
    return chosen

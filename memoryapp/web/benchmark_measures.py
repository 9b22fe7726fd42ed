"""What the benchmarks page lists: each measure in words, where its figure lies in what `manage.py bench --out` writes,
the plain baseline beside it, and what is to be reached."""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """`plain`: the baseline as a number, or where the same run has it. `least`: the lower the better. `unit`: "" for a
    share from 0 to 1, else "ms", "s", "MB" or "a second"."""

    name: str
    place: Place
    reach: float | None = None
    plain: float | Place | None = None
    least: bool = False
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    told: str
    measures: tuple[Measure, ...]


def _found(name: str, group: str, measure: str, plain: float | None, reach: float, by: str = "hybrid") -> Measure:
    return Measure(name, ("quality", group, by, measure), reach, plain)


def _searched(size: int, reach: float) -> Measure:
    place = ("speed", "searches", str(size))
    return Measure(
        f"Hybrid search at {size:,}, p50",
        (*place, "hybrid_ms", "p50"),
        reach,
        (*place, "baseline_ms", "p50"),
        True,
        "ms",
    )


def _grown(name: str, strategy: str, measure: str) -> Measure:
    columns = ("tree", name, "columns")
    return Measure(
        f"Context Tree on {name}, {measure}", (*columns, strategy, measure), None, (*columns, "keyword", measure)
    )


FINDING = Section(
    "Finding",
    "The default strategy unless it says bridge. Baseline: BM25 over the memory alone, but for meetings.",
    (
        _found("LoCoMo turns, R@10", "locomo", "R@10", 0.628, 0.81),
        _found("LoCoMo turns, R@5", "locomo", "R@5", 0.558, 0.73),
        _found("LoCoMo, wrong person named, R@10", "locomo", "adversarial R@10", 0.886, 0.86),
        _found("LoCoMo sessions, R@5", "locomo", "session R@5", 0.837, 0.89),
        _found("MuSiQue, R@5", "musique", "R@5", 0.453, 0.68),
        _found("MuSiQue, all of it in 5", "musique", "all@5", 0.12, 0.34),
        _found("MuSiQue by bridge, R@5", "musique", "R@5", 0.453, 0.76, "bridge"),
        _found("MuSiQue by bridge, all of it in 5", "musique", "all@5", 0.12, 0.52, "bridge"),
        _found("HotpotQA, R@5", "hotpotqa", "R@5", 0.77, 0.86),
        _found("HotpotQA by bridge, R@5", "hotpotqa", "R@5", 0.77, 0.90, "bridge"),
        _found("Markdown, known item, R@1", "markdown", "R@1", 0.786, 0.86),
        _found("Markdown, known item, R@5", "markdown", "R@5", 0.939, 0.975),
        _found("Korean sentences, R@1", "korean", "R@1", 0.729, 0.75),
        _found("Korean sentences, R@5", "korean", "R@5", 0.876, 0.94),
        _found("QMSum, spans of meetings, P@10", "meetings", "P@10", 0.23, 0.30),
    ),
)
JUDGING = Section(
    "Facts and judgement",
    "Facts out of talk, contradictions, duplicates; without a language model. Baseline: flag every pair.",
    (
        Measure("Facts a person would note, met in their turn", ("facts", "all", "c75"), 0.62),
        Measure("Facts that nobody would note", ("facts", "all", "session noise"), 0.22, least=True),
        Measure("Turns read", ("facts", "turns_per_second"), 300, unit="a second"),
        Measure("Contradictions, sure, F1", ("pairs", "conflict en", "sure F1"), 0.72, 0.646),
        Measure("Contradictions, sure, false alarms", ("pairs", "conflict en", "sure false alarms"), 0.05, 1.0, True),
        Measure("Contradictions, with possible, F1", ("pairs", "conflict en", "shown F1"), 0.86, 0.646),
        Measure(
            "Contradictions, with possible, false alarms",
            ("pairs", "conflict en", "shown false alarms"), 0.15, 1.0, True,
        ),
        Measure("Contradictions in free words, precision", ("pairs", "unseen twentieth", "shown precision"), 0.95),
        Measure("Contradictions in free words, recall", ("pairs", "unseen twentieth", "shown recall"), 0.60),
        Measure(
            "Contradictions in free words, false alarms",
            ("pairs", "unseen twentieth", "shown false alarms"), 0.03, least=True,
        ),
        Measure("Facts updated, F1", ("pairs", "updates", "shown F1"), 0.99),
        Measure("Duplicates, English, F1", ("pairs", "duplicates en", "F1"), 0.76, 0.748),
        Measure("Duplicates, Korean, F1", ("pairs", "duplicates ko", "F1"), 0.88, 0.872),
    ),
)  # fmt: skip
WRITING = Section(
    "Digests and the Context Tree",
    "DialogSum: sentences as they were said; with names in place of “I” and “you” it is .33, .11 and .26. Baseline: "
    "the first three turns. Tree: by keywords that a program chose; baseline words alone.",
    (
        *(
            Measure(
                f"DialogSum, ROUGE-{last.upper()}", ("dialogsum", "central", "both", f"rouge-{last}"), reach,
                ("dialogsum", "first three turns", "both", f"rouge-{last}"),
            )
            for last, reach in (("1", 0.31), ("2", 0.10), ("l", 0.24))
        ),
        _grown("notes", "context-tree", "P@1"),
        _grown("articles", "context-tree", "P@1"),
    ),
)  # fmt: skip
SPEED = Section(
    "Speed and size",
    "Two shared cores; trust the ratios. Baseline in the same run: SQLite FTS5, exact cosines, reciprocal rank fusion.",
    (
        _searched(1_000, 2.0),
        _searched(10_000, 4.0),
        _searched(50_000, 10.0),
        Measure(
            "Dual-arm at 50,000, p50", ("speed", "searches", "50000", "graph", "dual-arm_ms", "p50"), 40, None, True,
            "ms",
        ),
        Measure(
            "Recall of two hops at 50,000, p50", ("speed", "searches", "50000", "graph", "recall_ms", "p50"), 40, None,
            True, "ms",
        ),
        Measure("Searches over HTTP at 10,000, 8 clients", ("http", "searches_per_s"), 100, unit="a second"),
        Measure("Start to the first answer at 50,000", ("speed", "start_to_ready_s"), 6, None, True, "s"),
        Measure("Resident at 50,000, with the benchmark's own", ("speed", "memory_mb"), 1_200, None, True, "MB"),
        Measure("Ingest of new notes, of the encoder's own speed", ("ingest", "share_of_encoder"), 0.85),
        Measure("Ingest again, unchanged", ("ingest", "unchanged_s"), 1, None, True, "s"),
        Measure("Ingest again, one file changed", ("ingest", "one_changed_s"), 1.5, None, True, "s"),
        Measure("50 sections into digests", ("consolidate", "50", "write"), 0.3, None, True, "s"),
        Measure("5,000 sections into digests", ("consolidate", "5000", "write"), 20, None, True, "s"),
    ),
)  # fmt: skip
SECTIONS = (FINDING, JUDGING, WRITING, SPEED)
# Sets by the name a run has for them, with the measures of the table of strategies.
SETS = {
    "locomo": ("LoCoMo turns", ("R@10", "R@5")),
    "musique": ("MuSiQue", ("R@5", "all@5")),
    "hotpotqa": ("HotpotQA", ("R@5", "all@5")),
    "markdown": ("Markdown notes", ("R@1", "R@5")),
    "korean": ("Korean sentences", ("R@1", "R@5")),
    "meetings": ("QMSum", ("P@10",)),
}

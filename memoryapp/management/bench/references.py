"""What the figures are held against: a plain baseline, and what is to be reached, by set and measure."""

from __future__ import annotations

REACH: dict[str, dict[str, tuple[float, float]]] = {  # (plain BM25 over the memory alone, to be reached)
    "locomo": {
        "R@10": (0.628, 0.81),
        "R@5": (0.558, 0.73),
        "adversarial R@10": (0.886, 0.86),
        "session R@5": (0.837, 0.89),
    },
    "markdown": {"R@1": (0.786, 0.86), "R@5": (0.939, 0.975)},
    "korean": {"R@1": (0.729, 0.75), "R@5": (0.876, 0.94)},
    "musique": {"R@5": (0.453, 0.68), "all@5": (0.12, 0.34)},  # of the default; bridge: .76, .52
    "hotpotqa": {"R@5": (0.77, 0.86)},  # of the default; bridge: .90
    "meetings": {"P@10": (0.23, 0.30)},
}
MILLISECONDS = {1_000: 2.0, 10_000: 4.0, 50_000: 10.0}  # hybrid search, query embedding excluded, p50
WALK_MILLISECONDS = 40.0  # dual-arm and recall of two hops at 50,000 memories and 200,000 references, p50

"""Search strategies as data: which arms run, with what weight, how they are joined, which factors multiply."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from memoryapp.domain.memory import Kind


class Arm(StrEnum):
    VECTOR = "vector"
    KEYWORD = "keyword"
    GRAPH = "graph"
    STRUCTURAL = "structural"
    SEMANTIC = "semantic"
    RECALL = "recall"
    TREE = "tree"


class Fusion(StrEnum):
    RRF = "rrf"  # Σ weight / (k + rank)
    SCORES = "scores"  # contextual score fusion: max-normalised scores, speaker, date, gated graph mass
    SINGLE = "single"  # one arm, its own score
    MASS = "mass"  # graph mass by rank; the other arms find its candidates and order what no walk reaches
    TREE = "tree"  # Σ weight · score / best score of the arm: keywords of the tree's nodes, and words


class Factor(StrEnum):
    TRUST = "trust"
    STRENGTH = "strength"
    FEEDBACK = "feedback"


@dataclass(frozen=True, slots=True)
class Strategy:
    """`weights`: one number an arm; `depth`: how many each arm may return (0: all); factors multiply at the end.
    `kinds`: what it looks for where the caller names no kinds; empty for whatever is searched. `numbers`: of a space's
    tuning, those that it has its own of."""

    name: str
    summary: str
    arms: tuple[Arm, ...]
    fusion: Fusion
    weights: dict[Arm, float] = field(default_factory=dict)
    depth: dict[Arm, int] = field(default_factory=dict)
    k: int = 60
    factors: tuple[Factor, ...] = (Factor.FEEDBACK,)
    kinds: tuple[Kind, ...] = ()
    numbers: dict[str, float] = field(default_factory=dict)

    def weight(self, arm: Arm) -> float:
        return self.weights.get(arm, 1.0)


HYBRID = Strategy(
    name="hybrid",
    summary="Keyword and vector in context, speaker, dates, and graph mass where no one memory covers the question",
    arms=(Arm.VECTOR, Arm.KEYWORD, Arm.GRAPH),
    fusion=Fusion.SCORES,
    weights={Arm.KEYWORD: 1.0, Arm.VECTOR: 1.1, Arm.GRAPH: 1.25},
)
RRF = Strategy(
    name="rrf",
    summary="Kit's fusion: vector, keyword and shared entities by reciprocal rank",
    arms=(Arm.VECTOR, Arm.KEYWORD, Arm.GRAPH),
    fusion=Fusion.RRF,
    weights={Arm.VECTOR: 1.0, Arm.KEYWORD: 1.0, Arm.GRAPH: 0.5},
    depth={Arm.VECTOR: 20, Arm.KEYWORD: 20, Arm.GRAPH: 10},
)
VECTOR = Strategy("vector", "Cosine of the embeddings alone", (Arm.VECTOR,), Fusion.SINGLE)
KEYWORD = Strategy("keyword", "BM25 over words alone", (Arm.KEYWORD,), Fusion.SINGLE)
GRAPH = Strategy("graph", "Memories that share entities with the nearest five", (Arm.GRAPH,), Fusion.SINGLE)
BRIDGE = Strategy(
    name="bridge",
    summary="Graph mass alone, for questions that only two memories together answer",
    arms=(Arm.VECTOR, Arm.KEYWORD, Arm.GRAPH),
    fusion=Fusion.MASS,
    weights={Arm.KEYWORD: 1.0, Arm.VECTOR: 1.1, Arm.GRAPH: 1.0},
)
DUAL_ARM = Strategy(
    name="dual-arm",
    summary="Structural and semantic by reciprocal rank, times strength",
    arms=(Arm.STRUCTURAL, Arm.SEMANTIC),
    fusion=Fusion.RRF,
    weights={Arm.STRUCTURAL: 0.1},  # as much as one, it pushes aside more answers than it brings (BENCHMARKS.md)
    depth={Arm.STRUCTURAL: 100, Arm.SEMANTIC: 150},
    factors=(Factor.STRENGTH, Factor.FEEDBACK),
)
RECALL = Strategy(
    "recall", "From the nearest memories and the named entities along relations, with the path", (Arm.RECALL,),
    Fusion.SINGLE,
)  # fmt: skip
STRUCTURAL = Strategy(
    "structural", "A walk over memories and entities, begun at those the query names", (Arm.STRUCTURAL,), Fusion.SINGLE
)
SEMANTIC = Strategy("semantic", "The nearest memories by cosine, from .3 on", (Arm.SEMANTIC,), Fusion.SINGLE)
CONTEXT_TREE = Strategy(
    name="context-tree",
    summary="Nodes of the Context Tree, whole, by their keywords and by words",
    arms=(Arm.TREE, Arm.KEYWORD),
    fusion=Fusion.TREE,
    weights={Arm.TREE: 0.4, Arm.KEYWORD: 0.6},
    kinds=(Kind.NODE,),
)
TREE = Strategy(
    "tree", "Keywords of the Context Tree's nodes alone", (Arm.TREE,), Fusion.SINGLE, kinds=(Kind.NODE,)
)  # fmt: skip

STRATEGIES: dict[str, Strategy] = {
    s.name: s
    for s in (
        HYBRID, RRF, BRIDGE, DUAL_ARM, RECALL, CONTEXT_TREE, VECTOR, KEYWORD, GRAPH, STRUCTURAL, SEMANTIC, TREE,
    )
}  # fmt: skip
DEFAULT = HYBRID.name
MENU = (HYBRID, BRIDGE, KEYWORD, VECTOR)  # what a menu offers; the others are pieces, and peers, for the Search lab


def with_weights(strategy: Strategy, weights: dict[Arm, float]) -> Strategy:
    """The same strategy with some weights replaced: what a saved profile is."""
    return replace(strategy, weights={**strategy.weights, **weights})

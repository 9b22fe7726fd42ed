"""Every default number in one place. A space may override the tunable ones on its settings page."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.domain.routing import read_table
from memoryapp.domain.sentences import MARKERS


@dataclass(frozen=True, slots=True)
class Limits:
    """Hard limits that protect the process. Not tunable per space."""

    file_bytes: int = 5 * 1024 * 1024
    archive_bytes: int = 256 * 1024 * 1024  # all members together, unpacked
    archive_members: int = 20_000
    archive_ratio: int = 200  # unpacked / packed: more is a bomb
    upload_bytes: int = 64 * 1024 * 1024
    query_chars: int = 8_000
    text_chars: int = 200_000  # one memory
    batch_items: int = 1_000
    top_k: int = 100
    turns: int = 200  # of one request
    turn_chars: int = 20_000
    tags: int = 50
    tag_chars: int = 100
    idle_minutes: int = 10  # until a space that nobody uses is closed


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a space may set for itself. Units in the names."""

    window_tokens: int = 0  # 0: the encoder's own window
    neighbours: int = 2  # memories on each side in the keyword arm's window field
    bm25_k1: float = 0.9
    bm25_b: float = 0.6
    keyword_window: float = 0.4  # shares of the window and of the whole group in the keyword score; own words: the rest
    keyword_whole: float = 0.2
    vector_weight: float = 1.1
    vector_window: float = 0.64  # share of the window's mean cosine in the vector score; the memory's own: the rest
    speaker_boost: float = 0.15
    date_weight: float = 0.6
    quoted_weight: float = 2.0  # of exact words, where the query is nothing but quotation marks and what they hold
    diversity: float = 0.0  # share of its score that a memory loses at most for saying what a better one says; 0: off
    graph_weight: float = 1.25
    graph_candidates: int = 300
    rrf_k: int = 60
    seed_word: float = 0.65  # cosine from which a name is meant by a single word of the query
    seed_query: float = 0.5  # … or by the query as a whole
    seeds: int = 8  # entities at which the walks over entities begin, at most
    ppr_alpha: float = 0.5  # share of the walk that begins again at the seeds in each round
    ppr_beta: float = 4.0  # power of the cosine by which the walk chooses among an entity's memories
    ppr_rounds: int = 5
    recall_hops: int = 2  # relations that the strategy recall follows from what it begins with
    recency: float = 0.0  # share of its score that a memory loses at most for being old; 0: off
    recency_days: float = 30.0  # until it has lost half of that
    trust_half_life_days: float = 90.0
    relevance_floor: float = 0.06  # where no hit reaches it, agents are told that nothing relevant is remembered
    trust_floor: float = 0.0
    turn_days: int = 0  # after which a turn is archived, while what was learned from it stays; 0: never
    feedback_reach: float = 0.2
    cache_minutes: int = 30
    sightings_to_know: int = 2
    consolidate_after_days: int = 3
    digest_ranker: str = "marks"  # marks · central: by what a sentence of a daily log is found worth keeping
    marker_words: str = MARKERS  # parted by commas; a sentence that holds one is worth more
    conflict_policy: str = "auto-certain"  # review · auto-certain · auto
    trust_gate: float = 1.5  # an existing fact with more than so many times the incoming trust survives
    zone_same: float = 0.0  # cosine above which two facts may say the same; 0: what the model is calibrated to
    zone_near: float = 0.0  # below it an incoming fact is simply new; 0: what the model is calibrated to
    extractor: str = "auto"  # auto (the language model where one is set up, else rules) · rules · llm · off
    private_turns: str = "drop"  # drop (never stored) · keep (in the session alone): words that are marked private
    fact_worth: float = 2.5  # points a sentence needs to become a fact, where rules extract
    episode_facts: int = 3  # facts, or one decision, that make an ended session an episode
    summary_after: int = 5  # new facts of a category after which its summary is written anew
    context_tokens: int = 1500  # budget of /context where the caller names none
    context_facts: int = 20
    context_nodes: int = 2  # of the Context Tree, that the message reaches by a keyword of their own
    context_tree_share: float = 0.3  # of the budget that is kept for them while the other layers want the rest
    mem0_deletes: str = "delete"  # delete · purge: what mem0's client does when it deletes
    tree_routing: str = ""  # which tag means which node of the Context Tree (domain.routing): “W=values, O=pipeline”


LIMITS = Limits()
CHOICES: dict[str, tuple[str, ...]] = {
    "conflict_policy": ("review", "auto-certain", "auto"),
    "extractor": ("auto", "rules", "llm", "off"),
    "private_turns": ("drop", "keep"),
    "digest_ranker": ("marks", "central"),
    "mem0_deletes": ("delete", "purge"),
}
# Of each number, the least and the most that it may be: on the settings page, in the API, in a strategy's changes.
RANGES: dict[str, tuple[float, float]] = {
    "window_tokens": (0, 32_768),
    "neighbours": (0, 20),
    "bm25_k1": (0, 10),
    "bm25_b": (0, 1),
    "keyword_window": (0, 1),
    "keyword_whole": (0, 1),
    "vector_weight": (0, 10),
    "vector_window": (0, 1),
    "speaker_boost": (0, 10),
    "date_weight": (0, 10),
    "quoted_weight": (0, 10),
    "diversity": (0, 0.9),
    "graph_weight": (0, 10),
    "graph_candidates": (0, 5_000),
    "rrf_k": (1, 10_000),
    "seed_word": (0, 1),
    "seed_query": (0, 1),
    "seeds": (1, 100),
    "ppr_alpha": (0, 1),
    "ppr_beta": (0, 20),
    "ppr_rounds": (0, 50),
    "recall_hops": (1, 3),
    "recency": (0, 0.9),
    "recency_days": (0.1, 36_500),
    "trust_half_life_days": (0.1, 36_500),
    "relevance_floor": (0, 1),
    "trust_floor": (0, 1.35),
    "turn_days": (0, 36_500),
    "feedback_reach": (0, 1),
    "cache_minutes": (0, 1_440),
    "sightings_to_know": (1, 100),
    "consolidate_after_days": (0, 36_500),
    "trust_gate": (1, 100),
    "zone_same": (0, 1),
    "zone_near": (0, 1),
    "fact_worth": (0, 20),
    "episode_facts": (1, 100),
    "summary_after": (1, 1_000),
    "context_tokens": (100, 100_000),
    "context_facts": (0, 100),
    "context_nodes": (0, 10),
    "context_tree_share": (0, 1),
}


def tuning_from(overrides: dict[str, Any]) -> Tuning:
    """Tuning with a space's own numbers put in. Raises BadInput that names the field for an unknown name or type."""
    known = {f.name: f for f in fields(Tuning)}
    base = asdict(Tuning())
    for name, value in overrides.items():
        if name not in known:
            raise BadInput(f"“{name}” is not a setting of a space. Known: {', '.join(known)}.", field=f"/{name}")
        kind = type(base[name])
        if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
            raise BadInput(f"“{name}” takes a {kind.__name__}, not {value!r}.", field=f"/{name}")
        if kind in (int, float):
            _check_bounds(name, value)
    for name, choices in CHOICES.items():
        if overrides.get(name, choices[0]) not in choices:
            raise BadInput(f"“{name}” is one of {', '.join(choices)}.", field=f"/{name}")
    read_table(overrides.get("tree_routing", ""))
    return replace(Tuning(), **overrides)


def within_ranges(overrides: dict[str, Any]) -> dict[str, Any]:
    """Numbers that were saved when their ranges were wider, brought to the nearest that is allowed: a space that has
    one still opens."""
    kept = dict(overrides)
    for name, value in overrides.items():
        if name in RANGES and isinstance(value, (int, float)) and not isinstance(value, bool):
            low, high = RANGES[name]
            nearest = min(max(value, low), high)
            kept[name] = int(nearest) if isinstance(value, int) and float(nearest).is_integer() else nearest
    return kept


def _check_bounds(name: str, value: float) -> None:
    low, high = RANGES[name]
    if not low <= value <= high:  # NaN too
        raise BadInput(f"“{name}” lies between {low:,} and {high:,}.", field=f"/{name}")

"""Every default number in one place. A space may override the tunable ones on its settings page."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.domain.routing import read_table
from memoryapp.domain.sentence_score import MARKERS


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
    trust_floor: float = 0.0
    feedback_reach: float = 0.2
    cache_minutes: int = 30
    sightings_to_know: int = 2
    consolidate_after_days: int = 3
    digest_ranker: str = "marks"  # marks · central: by what a sentence of a daily log is found worth keeping
    marker_words: str = MARKERS  # parted by commas; a sentence that holds one is worth more
    conflict_policy: str = "review"  # review · auto-certain · auto
    trust_gate: float = 1.5  # an existing fact with more than so many times the incoming trust survives
    zone_same: float = 0.0  # cosine above which two facts may say the same; 0: what the model is calibrated to
    zone_near: float = 0.0  # below it an incoming fact is simply new; 0: what the model is calibrated to
    extractor: str = "auto"  # auto (the language model where one is set up, else rules) · rules · llm · off
    fact_worth: float = 2.5  # points a sentence needs to become a fact, where rules extract
    episode_facts: int = 3  # facts, or one decision, that make an ended session an episode
    summary_after: int = 5  # new facts of a category after which its summary is written anew
    context_tokens: int = 1500  # budget of /context where the caller names none
    context_facts: int = 5
    context_nodes: int = 2  # of the Context Tree, that the message reaches by a keyword of their own
    context_tree_share: float = 0.3  # of the budget that is kept for them while the other layers want the rest
    mem0_deletes: str = "delete"  # delete · purge: what mem0's client does when it deletes
    tree_routing: str = ""  # which tag means which node of the Context Tree (domain.routing): “W=values, O=pipeline”


LIMITS = Limits()
CHOICES: dict[str, tuple[str, ...]] = {
    "conflict_policy": ("review", "auto-certain", "auto"),
    "extractor": ("auto", "rules", "llm", "off"),
    "digest_ranker": ("marks", "central"),
    "mem0_deletes": ("delete", "purge"),
}
_FAR = 1_000_000_000  # the most of what has no bound of its own: further than anybody means
_MOST: dict[str, float] = {
    "neighbours": 1_000,
    "vector_weight": 10.0,
    "graph_weight": 10.0,
    "keyword_window": 1.0,
    "keyword_whole": 1.0,
    "vector_window": 1.0,
    "speaker_boost": 10.0,
    "date_weight": 10.0,
    "quoted_weight": 10.0,
    "rrf_k": 1_000,
    "bm25_b": 1.0,
    "diversity": 0.9,
    "recency": 0.9,
    "feedback_reach": 1.0,
    "zone_same": 1.0,
    "zone_near": 1.0,
    "seed_word": 1.0,
    "seed_query": 1.0,
    "ppr_alpha": 1.0,
    "ppr_rounds": 50,
    "recall_hops": 3,
    "context_tree_share": 1.0,
}
_NOT_ZERO = frozenset(
    {
        "recency_days",
        "trust_half_life_days",
        "sightings_to_know",
        "trust_gate",
        "episode_facts",
        "summary_after",
        "seeds",
        "recall_hops",
    }
)


def tuned(overrides: dict[str, Any]) -> Tuning:
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


def _check_bounds(name: str, value: float) -> None:
    if value < 0 or value != value:
        raise BadInput(f"“{name}” cannot be {'negative' if value < 0 else value}.", field=f"/{name}")
    if value == 0 and name in _NOT_ZERO:
        raise BadInput(f"“{name}” cannot be zero.", field=f"/{name}")
    if value > (most := _MOST.get(name, _FAR)):
        raise BadInput(f"“{name}” is at most {most:,}.", field=f"/{name}")

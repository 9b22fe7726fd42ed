"""A space's own numbers as fields of a form, and back, with a message beside the one that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import Tuning, tuned
from memoryapp.domain.routing import EXAMPLE

_CHOICES = {
    "digest_ranker": (
        ("marks", "marks: length, marker words, names, done items"),
        ("central", "central: recurring topics of the logs"),
    ),
    "conflict_policy": (
        ("review", "review: every conflict waits"),
        ("auto-certain", "auto-certain: certain ones are decided automatically"),
        ("auto", "auto: all are decided automatically"),
    ),
    "mem0_deletes": (
        ("delete", "delete: a person can restore it"),
        ("purge", "purge: erased permanently, at once"),
    ),
    "private_turns": (
        ("drop", "drop: never stored"),
        ("keep", "keep: shown in the session, never searched, learned from or exported"),
    ),
    "extractor": (
        ("auto", "auto: the language model where configured, else rules"),
        ("rules", "rules: on this machine, no LLM"),
        ("llm", "llm: the language model, rules if it fails"),
        ("off", "off: turns are stored, nothing is learned from them"),
    ),
}
# Group → what it is about → (name, label, hint) of its fields. Every field of Tuning is here once: a test counts.
_GROUPS: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "Search": (
        "the hybrid strategy's constants",
        [
            ("vector_weight", "Vector weight", "relative to 1.0 for keywords"),
            ("vector_window", "Context share, vectors", "share of the neighbours in the vector score, 0 to 1"),
            ("keyword_window", "Context share, keywords", "share of the neighbours in the keyword score"),
            ("keyword_whole", "Document-level keyword share", "share of the whole document or session"),
            ("graph_weight", "Graph weight", "where no single memory covers the question"),
            ("graph_candidates", "Graph candidates", "memories it considers"),
            ("speaker_boost", "Named speaker", "added where the question names the speaker"),
            ("date_weight", "Named date", "added where the question names the day"),
            ("quoted_weight", "Exact phrase", "added where the question is nothing but words in quotation marks"),
            ("diversity", "Diversity", "largest share of its score that a repetition loses, 0 to 0.9; 0 is off"),
            ("neighbours", "Neighbours", "memories on each side that count as context"),
            ("bm25_k1", "BM25 k1", "how soon repeats stop counting"),
            ("bm25_b", "BM25 b", "how much length counts, 0 to 1"),
            ("rrf_k", "RRF k", "of the strategies rrf and dual-arm"),
            ("feedback_reach", "Max. feedback effect", "0.2 moves a score by at most 20 %"),
            ("recency", "Recency", "largest share of its score that an old memory loses, 0 to 0.9; 0 is off"),
            ("recency_days", "Recency half-life", "days until half of that is lost"),
            ("cache_minutes", "Recall layer", "minutes an answer is cached; any write invalidates it"),
        ],
    ),
    "Entity walks": (
        "the strategies structural, dual-arm and recall",
        [
            ("seeds", "Seeds", "max. entities at which a walk starts"),
            ("seed_word", "Word match threshold", "cosine above which a word of the question matches a name"),
            ("seed_query", "Question match threshold", "cosine above which the whole question matches a name"),
            ("ppr_alpha", "Restart share", "share of each round that restarts at the seeds, 0 to 1"),
            ("ppr_beta", "Question exponent", "power of the cosine: higher stays closer to the question"),
            ("ppr_rounds", "Rounds", "of the structural walk"),
            ("recall_hops", "Hops", "relations that recall follows, 1 to 3"),
        ],
    ),
    "Relevance": (
        "when agents are told that nothing is relevant",
        [("relevance_floor", "Relevance floor", "of the best result, 0 to 1; 0 always returns the closest")],
    ),
    "Trust and decay": (
        "how trust fades",
        [
            ("trust_half_life_days", "Trust half-life", "days until the trust of an unconfirmed memory halves"),
            ("trust_floor", "Trust floor", "facts below it are archived; 0 keeps all"),
            (
                "turn_days",
                "Turn retention",
                "days before turns are archived; what was learned from them stays; 0: forever",
            ),
            ("consolidate_after_days", "Daily log age", "days before logs are condensed"),
            ("digest_ranker", "Sentences kept", ""),
            ("marker_words", "Sentence marks", "words, separated by commas, that raise a sentence's score"),
        ],
    ),
    "Ingest": (
        "documents and names",
        [
            ("window_tokens", "Longest section", "tokens; 0 is the encoder's own window"),
            (
                "sightings_to_know",
                "Mentions before an entity is accepted",
                "a proposed entity is accepted automatically after this many",
            ),
        ],
    ),
    "Facts": (
        "what is learned from conversations",
        [
            ("extractor", "Extractor", ""),
            ("private_turns", "Private text", ""),
            (
                "fact_worth",
                "Minimum fact score",
                "points a sentence needs when rules extract: 4 keeps few, 1 keeps most",
            ),
            (
                "zone_same",
                "Duplicate threshold",
                "cosine above which two facts may be the same; 0: calibrated value",
            ),
            ("zone_near", "Related threshold", "below it a new fact is simply new; 0: calibrated value"),
            (
                "episode_facts",
                "Facts per episode",
                "facts needed, or one decision, for an ended session to become an episode",
            ),
            ("summary_after", "Summaries", "new facts in a category after which its summary is rewritten"),
        ],
    ),
    "Conflicts": (
        "who decides what to believe",
        [
            ("conflict_policy", "Policy", ""),
            ("trust_gate", "Trust gate", "an existing fact with more than this many times the incoming trust survives"),
        ],
    ),
    "Other clients": (
        "programs that speak mem0",
        [("mem0_deletes", "mem0's delete", "what happens to a memory that a mem0 client deletes")],
    ),
    "Context": (
        "what an agent is given for a message",
        [
            ("context_tokens", "Budget", "tokens, if the caller gives none"),
            ("context_facts", "Facts", "maximum number"),
            ("context_nodes", "Pages of the Context Tree", "maximum number; 0 for none"),
            ("context_tree_share", "Context Tree share", "of the budget, while other layers use the rest"),
        ],
    ),
    "Context Tree": (
        "where accepted facts go",
        [
            ("tree_routing", "Routing", f"which tag goes to which node, as “{EXAMPLE}”"),
        ],
    ),
}


@dataclass(frozen=True, slots=True)
class TuningField:
    name: str
    label: str
    hint: str
    value: str
    default: str
    changed: bool
    wrong: str = ""
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> bool:
        """Whether it takes words, and no number."""
        return isinstance(getattr(Tuning(), self.name), str)


@dataclass(frozen=True, slots=True)
class TuningGroup:
    name: str
    told: str
    fields: list[TuningField]


def groups_of(
    overrides: Mapping[str, Any], *, typed: Mapping[str, str] | None = None, wrong: Mapping[str, str] | None = None
) -> list[TuningGroup]:
    """The form: the space's numbers, or what was typed; `wrong` holds messages by field."""
    base = asdict(Tuning())
    groups = []
    for name, (told, fields) in _GROUPS.items():
        shown = []
        for key, label, hint in fields:
            value = (typed or {}).get(key, _text(overrides.get(key, base[key])))
            told_wrong, choices = (wrong or {}).get(key, ""), _CHOICES.get(key, ())
            shown.append(TuningField(key, label, hint, value, _text(base[key]), key in overrides, told_wrong, choices))
        groups.append(TuningGroup(name, told, shown))
    return groups


def overrides_of(typed: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """(the numbers that differ from the defaults, messages by field). Saved only if there is no message."""
    base = asdict(Tuning())
    found: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for key, default in base.items():
        text = typed.get(key)
        if text is None:
            continue
        try:
            value = _value(text.strip(), default)
            tuned({key: value})
        except (ValueError, BadInput) as error:
            wrong[key] = error.detail if isinstance(error, BadInput) else _expected(default)
            continue
        if value != default:
            found[key] = value
    return found, wrong


def _value(text: str, default: Any) -> Any:
    if isinstance(default, str):
        return text
    if isinstance(default, float):
        value = float(text.replace(",", "."))
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError
        return value
    return int(text)


def _expected(default: Any) -> str:
    return "Enter a number, such as 0.8." if isinstance(default, float) else "Enter a whole number."


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

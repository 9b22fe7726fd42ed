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
        ("central", "central: what the logs come back to"),
    ),
    "conflict_policy": (
        ("review", "review: every conflict waits"),
        ("auto-certain", "auto-certain: sure ones are settled"),
        ("auto", "auto: all are settled"),
    ),
    "mem0_deletes": (
        ("delete", "delete: a person can restore it"),
        ("purge", "purge: erased for good, at once"),
    ),
    "private_turns": (
        ("drop", "drop: never stored"),
        ("keep", "keep: shown in the session, never found, learned from or exported"),
    ),
    "extractor": (
        ("auto", "auto: the language model where one is set up, else the rules"),
        ("rules", "rules: on this machine, no model asked"),
        ("llm", "llm: the language model, the rules where it fails"),
        ("off", "off: turns are kept, nothing is learned from them"),
    ),
}
# Group → what it is about → (name, label, hint) of its fields. Every field of Tuning is here once: a test counts.
_GROUPS: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "Search": (
        "the hybrid strategy's constants",
        [
            ("vector_weight", "Weight of meaning", "beside 1.0 for words"),
            ("vector_window", "Meaning in context", "share of the neighbours in the score of meaning, 0 to 1"),
            ("keyword_window", "Words in context", "share of the neighbours in the score of words"),
            ("keyword_whole", "Words in the whole", "share of the whole document or session"),
            ("graph_weight", "Weight of the graph", "where no one memory covers the question"),
            ("graph_candidates", "Candidates of the graph", "memories it looks at"),
            ("speaker_boost", "Named speaker", "added where the question names who said it"),
            ("date_weight", "Named date", "added where the question names the day"),
            ("quoted_weight", "Exact words", "added where the question is nothing but words in quotation marks"),
            ("diversity", "Diversity", "share of its score that a repetition loses at most, 0 to 0.9; 0 is off"),
            ("neighbours", "Neighbours", "memories on each side that count as context"),
            ("bm25_k1", "BM25 k1", "how soon repeats stop counting"),
            ("bm25_b", "BM25 b", "how much length counts, 0 to 1"),
            ("rrf_k", "RRF k", "of the strategies rrf and dual-arm"),
            ("feedback_reach", "Reach of feedback", "0.2 moves a score by at most 20 %"),
            ("recency", "Recency", "share of its score that an old memory loses at most, 0 to 0.9; 0 is off"),
            ("recency_days", "Half-life of recency", "days until half of that is lost"),
            ("cache_minutes", "Recall layer", "minutes that an answer is kept; any write makes it stale"),
        ],
    ),
    "Walks over entities": (
        "the strategies structural, dual-arm and recall",
        [
            ("seeds", "Seeds", "entities at which a walk begins, at most"),
            ("seed_word", "Named by a word", "cosine from which one word of the question means a name"),
            ("seed_query", "Named by the question", "cosine from which the whole question means a name"),
            ("ppr_alpha", "Return to the seeds", "share of each round that begins anew, 0 to 1"),
            ("ppr_beta", "Pull of the question", "power of the cosine: higher keeps closer to the question"),
            ("ppr_rounds", "Rounds", "of the structural walk"),
            ("recall_hops", "Hops", "relations that recall follows, 1 to 3"),
        ],
    ),
    "Relevance": (
        "when agents are told that nothing answers",
        [("relevance_floor", "Relevance floor", "of the best result, 0 to 1; 0 gives whatever is nearest")],
    ),
    "Trust and decay": (
        "how belief fades",
        [
            ("trust_half_life_days", "Half-life of trust", "days until an unconfirmed memory is trusted half"),
            ("trust_floor", "Trust floor", "below it a fact is put aside; 0 keeps all"),
            ("turn_days", "Turns are kept", "days, then archived; what was learned from them stays; 0: always"),
            ("consolidate_after_days", "Daily logs rest", "days before they are folded"),
            ("digest_ranker", "Sentences kept", ""),
            ("marker_words", "Sentence marks", "words, parted by commas, that make a sentence worth more"),
        ],
    ),
    "Coming in": (
        "documents and names",
        [
            ("window_tokens", "Longest section", "tokens; 0 is the encoder's own window"),
            ("sightings_to_know", "Sightings to know a name", "a proposed entity is known at this many"),
        ],
    ),
    "Facts": (
        "what is learned from what is said",
        [
            ("extractor", "Who extracts", ""),
            ("private_turns", "Private words", ""),
            (
                "fact_worth",
                "Worth of a fact",
                "points a sentence needs, where rules extract: 4 keeps few, 1 most",
            ),
            (
                "zone_same",
                "Says the same",
                "cosine above which two facts may be one; 0: as calibrated",
            ),
            ("zone_near", "Is about the same", "below it an incoming fact is simply new; 0: as calibrated"),
            ("episode_facts", "Facts of an episode", "so many, or one decision, make an ended session an episode"),
            ("summary_after", "Summaries", "new facts of a category after which its summary is written anew"),
        ],
    ),
    "Conflicts": (
        "who decides what to believe",
        [
            ("conflict_policy", "Policy", ""),
            ("trust_gate", "Trust gate", "a belief with more than so many times the incoming trust survives"),
        ],
    ),
    "Other clients": (
        "programs that speak mem0",
        [("mem0_deletes", "mem0's delete", "what a mem0 client does to a memory that it deletes")],
    ),
    "Context": (
        "what an agent is given for a message",
        [
            ("context_tokens", "Budget", "tokens, where the caller names none"),
            ("context_facts", "Facts", "how many, at most"),
            ("context_nodes", "Pages of the Context Tree", "how many, at most; 0 for none"),
            ("context_tree_share", "Share of the Context Tree", "of the budget, while other layers want the rest"),
        ],
    ),
    "Context Tree": (
        "where what is taken in goes",
        [
            ("tree_routing", "Routing", f"which tag means which node, as “{EXAMPLE}”"),
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
    return "A number, such as 0.8." if isinstance(default, float) else "A whole number."


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

"""Every setting of a space in words for people: its name, help, unit, group and choices. The page, the API, the command
and docs/CONFIGURATION.md say the same; what may be saved is the domain's (domain/limits.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from memoryapp.domain.limits import CHOICES, RANGES, Tuning
from memoryapp.domain.routing import EXAMPLE

GENERAL = "General"  # the group of what most people set; all others stand under Advanced
Kind = Literal["number", "integer", "text", "choice"]
_KINDS: dict[type, Kind] = {float: "number", int: "integer", str: "text"}
DEFAULTS: Mapping[str, Any] = asdict(Tuning())


@dataclass(frozen=True, slots=True)
class Setting:
    """`label`: its name for people; `unit`: “days”, “tokens”, or “” for a plain number, words or a choice."""

    name: str
    label: str
    help: str
    unit: str = ""

    @property
    def default(self) -> Any:
        return DEFAULTS[self.name]

    @property
    def kind(self) -> Kind:
        if self.name in CHOICES:
            return "choice"
        return _KINDS[type(self.default)]

    @property
    def range(self) -> tuple[float, float] | None:
        """The least and the most it may be; None for words and choices."""
        return RANGES.get(self.name)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """(value, words) of each choice, in order."""
        words = _CHOICES.get(self.name, {})
        return tuple((value, words[value]) for value in CHOICES.get(self.name, ()))

    def words_of(self, value: Any) -> str:
        """A value as people read it: a choice by its words, a number without idle zeros."""
        return dict(self.choices).get(value, text_of(value))


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    help: str
    settings: tuple[Setting, ...]


_CHOICES: dict[str, dict[str, str]] = {
    "conflict_policy": {
        "review": "Ask about every conflict",
        "auto-certain": "Decide the certain ones automatically",
        "auto": "Decide all automatically",
    },
    "extractor": {
        "auto": "Language model if there is one, else rules",
        "rules": "Rules only (nothing leaves this machine)",
        "llm": "Language model (rules if it fails)",
        "off": "Nothing (turns are only stored)",
    },
    "private_turns": {
        "drop": "Do not store it",
        "keep": "Keep it in the session only",
    },
    "digest_ranker": {
        "marks": "Marked: length, marker words, names, done items",
        "central": "Central: topics that recur in the logs",
    },
    "mem0_deletes": {
        "delete": "Delete it (can be restored)",
        "purge": "Purge it (erased at once, for good)",
    },
}

GROUPS: tuple[Group, ...] = (
    Group(
        GENERAL,
        "What most people set",
        (
            Setting("conflict_policy", "Conflict policy", "Who decides when two facts cannot both hold."),
            Setting("extractor", "Learn facts with", "What reads conversations. Private text is never read."),
            Setting(
                "private_turns",
                "Private text",
                "What becomes of text that its author marked private. It is never searched, learned from or exported.",
            ),
            Setting(
                "turn_days",
                "Keep transcripts",
                "Older turns are archived; what was learned from them stays. 0: forever.",
                "days",
            ),
            Setting(
                "trust_half_life_days",
                "Trust half-life",
                "Time until the trust of an unconfirmed memory halves.",
                "days",
            ),
            Setting(
                "relevance_floor",
                "Minimum relevance",
                "If no result reaches it, agents are told that nothing is relevant. 0: always return the closest.",
            ),
            Setting(
                "context_tokens", "Context budget", "Length of what an agent gets, if it asks for no other.", "tokens"
            ),
        ),
    ),
    Group(
        "Search weights",
        "How much each signal counts, relative to 1.0 for keywords",
        (
            Setting("vector_weight", "Vector weight", "Similarity in meaning."),
            Setting("graph_weight", "Graph weight", "Links between memories, if no single one covers the question."),
            Setting("speaker_boost", "Named speaker", "Added if the question names the speaker."),
            Setting("date_weight", "Named date", "Added if the question names the day."),
            Setting("quoted_weight", "Exact phrase", "Added if the question is nothing but words in quotation marks."),
            Setting("recency", "Recency", "Largest share of its score that an old memory loses. 0: off."),
            Setting("recency_days", "Recency half-life", "Time until half of that is lost.", "days"),
            Setting("diversity", "Diversity", "Largest share of its score that a repetition loses. 0: off."),
            Setting("feedback_reach", "Max. feedback effect", "0.2 moves a score by at most 20 %."),
        ),
    ),
    Group(
        "Search details",
        "Context around a memory, keyword ranking and caching",
        (
            Setting("neighbours", "Neighbours", "Memories on each side that count as context."),
            Setting("vector_window", "Context share, vectors", "Share of the neighbours in the vector score."),
            Setting("keyword_window", "Context share, keywords", "Share of the neighbours in the keyword score."),
            Setting(
                "keyword_whole",
                "Document-level keyword share",
                "Share of the whole document or session in the keyword score.",
            ),
            Setting("bm25_k1", "BM25 k1", "How soon repeated words stop counting."),
            Setting("bm25_b", "BM25 b", "How much a text's length counts."),
            Setting("rrf_k", "RRF k", "Of the strategies rrf and dual-arm: higher evens out the ranks."),
            Setting("graph_candidates", "Graph candidates", "Memories that the graph considers."),
            Setting("cache_minutes", "Cached answers", "How long an answer is reused. Any write ends it.", "minutes"),
        ),
    ),
    Group(
        "Entity walks",
        "The strategies structural, dual-arm and recall",
        (
            Setting("seeds", "Start entities", "Entities at which a walk starts, at most."),
            Setting("seed_word", "Word match threshold", "Cosine from which a word of the question means a name."),
            Setting("seed_query", "Question match threshold", "Cosine from which the whole question means a name."),
            Setting("ppr_alpha", "Restart share", "Share of each round that restarts at the start entities."),
            Setting("ppr_beta", "Question exponent", "Power of the cosine: higher stays closer to the question."),
            Setting("ppr_rounds", "Rounds", "Of the structural walk."),
            Setting("recall_hops", "Hops", "Relations that the strategy recall follows."),
        ),
    ),
    Group(
        "Facts and conflicts",
        "What is learned from conversations, and when two facts clash",
        (
            Setting(
                "fact_worth",
                "Minimum fact score",
                "Points a sentence needs to become a fact, with rules: 4 keeps few, 1 keeps most.",
            ),
            Setting(
                "trust_gate",
                "Trust gate",
                "A fact with more than this many times the new one's trust is kept.",
            ),
            Setting("trust_floor", "Minimum trust", "Facts below it are archived. 0: keep all."),
            Setting(
                "zone_same",
                "Duplicate threshold",
                "Cosine above which two facts may be the same. 0: as calibrated for the encoder.",
            ),
            Setting(
                "zone_near",
                "Related threshold",
                "Cosine below which a new fact is simply new. 0: as calibrated for the encoder.",
            ),
            Setting(
                "episode_facts", "Facts per episode", "Facts, or one decision, that make an ended session an episode."
            ),
            Setting("summary_after", "Facts per summary", "New facts in a category until its summary is rewritten."),
        ),
    ),
    Group(
        "Ingest and entities",
        "Documents, and the names in them",
        (
            Setting("window_tokens", "Longest section", "0: as long as the encoder reads.", "tokens"),
            Setting(
                "sightings_to_know",
                "Mentions before an entity is accepted",
                "A proposed entity is accepted automatically after this many.",
            ),
        ),
    ),
    Group(
        "Daily logs",
        "What consolidation keeps of them",
        (
            Setting("consolidate_after_days", "Age", "Older daily logs are condensed.", "days"),
            Setting("digest_ranker", "Sentences to keep", "How the sentences of a digest are chosen."),
            Setting("marker_words", "Marker words", "Separated by commas: a sentence with one of them scores higher."),
        ),
    ),
    Group(
        "Context and Context Tree",
        "What an agent gets for a message, and where facts are filed",
        (
            Setting("context_facts", "Facts in context", "At most."),
            Setting("context_nodes", "Pages in context", "Pages of the Context Tree, at most. 0: none."),
            Setting(
                "context_tree_share",
                "Context Tree share",
                "Share of the budget kept for its pages while other layers want more.",
            ),
            Setting("tree_routing", "Routing", f"Which tag goes to which page: “{EXAMPLE}”."),
        ),
    ),
    Group(
        "Other clients",
        "Programs that speak mem0",
        (Setting("mem0_deletes", "Delete from mem0", "What happens to a memory that a mem0 client deletes."),),
    ),
)
SETTINGS: Mapping[str, Setting] = {one.name: one for group in GROUPS for one in group.settings}


def with_groups() -> Iterator[tuple[Group, Setting]]:
    """Every setting with its group, in the order of the page."""
    for group in GROUPS:
        for one in group.settings:
            yield group, one


def text_of(value: Any) -> str:
    """A value as it is typed."""
    return f"{value:g}" if isinstance(value, float) else str(value)

"""Quality: each pool is remembered in a space of its own, and each strategy asked each of its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.bootstrap import Each
from benchmarks.score import Ranked, each, means
from benchmarks.sets import Pool, pools_of
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import Tuning
from memoryapp.domain.plan import read_plan
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import DUAL_ARM, HYBRID, RECALL, STRATEGIES, Arm, Strategy
from memoryapp.graph import embed_names
from memoryapp.index import open_index
from memoryapp.inference.embedding import Encoder, EncoderSlot
from memoryapp.remember import remember
from memoryapp.search import forget, search
from memoryapp.spaces import Space
from memoryapp.store.database import open_database
from memoryapp.store.migrate import migrate

ACTOR = Actor(ActorKind.MACHINE, "bench")
_BATCH = 100  # items written at once
DEPTH = 60  # results asked for: enough turns to see five sessions
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Variant:
    """One column: a strategy by name, or the default one with something taken out."""

    name: str
    strategy: str = HYBRID.name
    tuning: Tuning = Tuning()
    replaced: Strategy | None = None


def strategies(named: Sequence[str] = ()) -> tuple[Variant, ...]:
    """A column a name; of every strategy where none is named. A plan may stand there: “hybrid;graph=0” (domain.plan).
    Raises BadInput for a strategy that does not exist."""
    for one in named:
        if read_plan(one, field="/strategies").base not in STRATEGIES:
            raise BadInput(f"There is no strategy “{one[:40]}”. Known: {', '.join(STRATEGIES)}.", field="/strategies")
    return tuple(Variant(name, name) for name in named or STRATEGIES)


def ablations() -> tuple[Variant, ...]:
    """The default formula with one piece left out each time."""
    whole = Tuning()
    alone = replace(whole, keyword_window=0.0, keyword_whole=0.0, vector_window=0.0)
    return (
        Variant("without window and group", tuning=alone),
        Variant("without group", tuning=replace(whole, keyword_window=0.5, keyword_whole=0.0)),
        Variant("without vector window", tuning=replace(whole, vector_window=0.0)),
        Variant("without speaker", tuning=replace(whole, speaker_boost=0.0)),
        Variant("without date", tuning=replace(whole, date_weight=0.0)),
        Variant("without syllables", f"{HYBRID.name};syllables=0"),
        Variant("without graph", replaced=replace(HYBRID, arms=(Arm.VECTOR, Arm.KEYWORD))),
        Variant("without vector", replaced=replace(HYBRID, arms=(Arm.KEYWORD,))),
        Variant("without keyword", replaced=replace(HYBRID, arms=(Arm.VECTOR, Arm.GRAPH))),
    )


def arm_ablations() -> dict[str, tuple[Variant, ...]]:
    """The other fusions and walks with one piece left out each time, by the name of the whole."""
    names_alone = replace(Tuning(), seed_word=1.0, seed_query=1.0)
    return {
        DUAL_ARM.name: (
            Variant("dual-arm without structural", replaced=replace(DUAL_ARM, arms=(Arm.SEMANTIC,))),
            Variant("dual-arm without semantic", replaced=replace(DUAL_ARM, arms=(Arm.STRUCTURAL,))),
            Variant("dual-arm without meant names", DUAL_ARM.name, names_alone),
        ),
        RECALL.name: (Variant("recall without the second hop", RECALL.name, replace(Tuning(), recall_hops=1)),),
    }


Figures = dict[str, dict[str, dict[str, float]]]


def measure(
    folder: Path,
    chosen: Sequence[str],
    *,
    encoder: Encoder,
    variants: Sequence[Variant],
    split: str,
    limit: int,
    say: Say,
) -> Figures:
    """Figures by set, variant and measure. `limit`: questions a pool, 0 for all."""
    asked = by_question(folder, chosen, encoder=encoder, variants=variants, split=split, limit=limit, say=say)
    return figures_of(asked)


def figures_of(asked: Each) -> Figures:
    """The means of what the questions scored."""
    return {name: {column: means(scored) for column, scored in columns.items()} for name, columns in asked.items()}


def by_question(
    folder: Path,
    chosen: Sequence[str],
    *,
    encoder: Encoder,
    variants: Sequence[Variant],
    split: str,
    limit: int,
    say: Say,
) -> Each:
    """What each question scored, by set, variant and measure."""
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for name, pools in (one for key in chosen for one in pools_of(key, folder, split)):
        if not pools:
            say(f"{name}: not in the folder, skipped")
            continue
        answers: dict[str, list[Ranked]] = {variant.name: [] for variant in variants}
        for pool in pools:
            say(f"{name} {pool.name}: {len(pool.items)} memories, {len(pool.questions)} questions")
            with filled_space(pool, encoder) as space:
                for variant in variants:
                    answers[variant.name].extend(_ask_questions(space, pool, variant, limit=limit))
        found[name] = {variant: each(name, ranked) for variant, ranked in answers.items()}
    return found


@contextmanager
def filled_space(pool: Pool, encoder: Encoder) -> Iterator[Space]:
    """A space in memory that holds the pool, written in batches as an agent would, the names of its entities embedded
    as the job does it; gone afterwards."""
    with empty(f"bench-{pool.name}".lower(), encoder) as space:
        for start in range(0, len(pool.items), _BATCH):
            remember(space, pool.items[start : start + _BATCH], actor=ACTOR)
        embed_names(space, encoder)
        yield space


@contextmanager
def empty(name: str, encoder: Encoder) -> Iterator[Space]:
    db = open_database("mem://", name)
    try:
        migrate(db)
        slot = EncoderSlot(encoder.name, lambda _: encoder)
        slot.fill()
        yield Space(name=name, db=db, index=open_index(db, model=encoder.name), encoder=slot)
    finally:
        forget(name)
        db.close()


def _ask_questions(space: Space, pool: Pool, variant: Variant, *, limit: int) -> Iterator[Ranked]:
    tuned = replace(space, tuning=variant.tuning)
    for asked in pool.questions[: limit or None]:
        query = Query(asked.text, strategy=variant.strategy, top_k=DEPTH)
        answer = search(tuned, query, strategy=variant.replaced)
        yield [hit.memory.ref or "" for hit in answer.hits], asked.gold, asked.category

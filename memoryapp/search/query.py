"""A query that can be searched for, or a plain refusal that points at the field at fault.

The question as it is understood: its terms, its vector, who and when it names, what may answer it.
"""

from __future__ import annotations

import re
import time
import unicodedata
from dataclasses import replace
from datetime import datetime
from functools import partial

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, EncoderError, TooLarge
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS, Tuning
from memoryapp.domain.memory import Kind
from memoryapp.domain.plan import with_numbers
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import HYBRID, KEYWORD, Arm, Fusion, Strategy
from memoryapp.index import View, tokens
from memoryapp.search.dates import closeness, dates_in
from memoryapp.search.entities import matchers, seeds_of, speaker_named
from memoryapp.search.quoted import NOBODY, quoted_in
from memoryapp.search.reranker import reread_of
from memoryapp.search.rows import texts_at
from memoryapp.search.state import Mask, Question, Scores, Seed
from memoryapp.search.trees import trees
from memoryapp.spaces import Space

# A summary says again what its facts say, and would stand before them for any question about its category. Who wants
# one asks for that kind.
SEARCHED = tuple(kind for kind in Kind if kind is not Kind.SUMMARY)


def check(query: Query, *, strategy: Strategy = HYBRID) -> Query:
    """The query with control characters dropped and its times in UTC; without kinds, of those that its strategy looks
    for, else of all but summaries.

    Raises TooLarge over LIMITS.query_chars, BadInput for an empty query, a `top_k` outside 1–LIMITS.top_k, or a
    time range that ends before it begins.
    """
    if len(query.text) > LIMITS.query_chars:
        raise TooLarge(
            f"The query has {len(query.text):,} characters; a search takes {LIMITS.query_chars:,}.", field="/query"
        )
    text = " ".join(_printable(query.text).split())
    if not text:
        raise BadInput("The query is empty: say what to look for.", field="/query")
    if isinstance(query.top_k, bool) or not 1 <= query.top_k <= LIMITS.top_k:
        raise BadInput(f"top_k lies between 1 and {LIMITS.top_k}, not at {query.top_k}.", field="/top_k")
    return replace(query, text=text, filters=_filters(query.filters, strategy))


def _printable(text: str) -> str:
    """Control characters and lone surrogates become spaces, so that they part words instead of joining them."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text)


def _filters(filters: Filters, plan: Strategy) -> Filters:
    checked = replace(
        filters,
        kinds=filters.kinds or plan.kinds or SEARCHED,
        since=_utc(filters.since),
        until=_utc(filters.until),
        as_of=_utc(filters.as_of),
    )
    if checked.since and checked.until and checked.until <= checked.since:
        raise BadInput("“until” must lie after “since”.", field="/filters/until")
    return checked


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else as_utc(moment)


_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
LOADING = "The model is still loading; answered by words alone."
NO_HANGUL = "The model reads no Korean; its vectors were left out for this query."
_WALKING = frozenset({Arm.STRUCTURAL, Arm.RECALL})  # arms that go over entities, with a query's vector or without
_COMPARING = _WALKING | {Arm.VECTOR, Arm.GRAPH, Arm.SEMANTIC}
_IN_CONTEXT = (Fusion.SCORES, Fusion.MASS)


def understand(space: Space, query: Query, *, view: View, strategy: Strategy) -> Question:
    """`strategy`: as it is run, with the space's numbers put in."""
    now = space.clock()
    plan, tuning = strategy, with_numbers(space.tuning, strategy.numbers)
    hangul = _HANGUL.search(query.text) is not None
    began = time.perf_counter()
    compares = bool(_COMPARING.intersection(plan.arms))
    vector, notes = _vector(space, query.text, hangul=hangul) if compares else (None, ())
    if vector is None:
        plan = _by_words(plan)
    seeds = _seeds(space, view, query.text, vector, tuning) if _WALKING.intersection(plan.arms) else ()
    encode_ms = (time.perf_counter() - began) * 1000
    roster = view.roster
    mask = roster.mask(query.filters, now=now, half_life=tuning.trust_half_life_days)
    contextual = plan.fusion in _IN_CONTEXT
    speaker = speaker_named(query.text, roster.speakers) if contextual else None
    standing = _standing(view, query.filters, mask, now=now)
    tree = trees.of(space, view, standing)
    if tree is not None:  # a branch that only holds others, and an empty page, answer nothing
        mask[tree.unwritten] = False
    quoted = quoted_in(space, view, query.text, mask, tuning) if contextual else None
    if quoted is not None and not quoted.held:
        notes = (*notes, NOBODY)
    again, why_not = reread_of(strategy.numbers)
    if why_not:
        notes = (*notes, why_not)
    return Question(
        query=query,
        strategy=plan,
        tuning=tuning,
        view=view,
        now=now,
        mask=mask,
        terms=tuple(dict.fromkeys(tokens(query.text))),
        hangul=hangul,
        vector=vector,
        speaker=speaker,
        spoken=None if speaker is None else _speaker_scores(view, speaker),
        dated=_date_scores(view, query.text, now=now) if contextual else None,
        notes=notes,
        standing=standing,
        texts=partial(texts_at, space, view),
        seeds=seeds,
        tree=tree,
        quoted=quoted,
        reread=again,
        encode_ms=encode_ms,
    )


def _by_words(plan: Strategy) -> Strategy:
    """What is left of a strategy without a vector of the query. Names still lead a walk; beside it, and where nothing
    is left, words stand in for what compares vectors. What compares none stays as it is."""
    if Arm.KEYWORD in plan.arms or plan.arms == (Arm.RECALL,) or not _COMPARING.intersection(plan.arms):
        return plan
    walking = tuple(arm for arm in plan.arms if arm == Arm.STRUCTURAL)
    if not walking:
        return replace(KEYWORD, factors=plan.factors)
    return replace(plan, arms=(*walking, Arm.KEYWORD), fusion=Fusion.RRF)


def _standing(view: View, filters: Filters, mask: Mask, *, now: datetime) -> Mask:
    """What a walk may pass: a filter says what is looked for, and not by way of what."""
    walked = Filters(kinds=SEARCHED, states=filters.states, as_of=filters.as_of)
    return mask.copy() if filters == walked else mask | view.roster.mask(walked, now=now)


def _seeds(space: Space, view: View, text: str, vector: NDArray[np.float32] | None, tuning: Tuning) -> tuple[Seed, ...]:
    graph = view.graph
    matcher = matchers.of(space.name, space.index)
    named, rest = matcher.find(graph, text)
    encoder = None if vector is None else space.encoder.get(0)
    parts = matcher.find_parts(graph, rest)
    return seeds_of(graph, vector, named=named, parts=parts, rest=rest, encoder=encoder, tuning=tuning)


def _vector(space: Space, text: str, *, hangul: bool) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
    """The query's embedding, or None and the sentence that says why there is none."""
    slot = space.encoder
    if not slot.ready:
        return None, (LOADING if slot.error is None else f"{slot.error} Answered by words alone.",)
    try:
        encoder = slot.get(0)
        if hangul and "ko" not in encoder.languages:
            return None, (NO_HANGUL,)
        return encoder.encode_query(text), ()
    except EncoderError as error:  # an encoder behind an address may fail at any query
        return None, (f"{error.detail} Answered by words alone.",)


def _speaker_scores(view: View, speaker: str) -> Scores:
    names = view.roster.speakers
    codes = [code for code, name in enumerate(names) if " ".join(name.casefold().split()) == speaker]
    return np.isin(view.roster.speaker, codes).astype(np.float32)


def _date_scores(view: View, text: str, *, now: datetime) -> Scores | None:
    spans = dates_in(text, now=now)
    if not spans:
        return None
    close = closeness(spans, view.roster.occurred)
    return close if close.any() else None

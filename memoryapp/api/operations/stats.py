"""Counts of a space."""

from __future__ import annotations

from datetime import datetime

import numpy as np
from pydantic import Field

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import Shown
from memoryapp.index.roster import KINDS, STATES, Roster
from memoryapp.spaces import Space
from memoryapp.spaces.languages import languages_of
from memoryapp.store import stats


class DayOut(Shown):
    day: datetime = Field(examples=["2026-11-21T00:00:00Z"])
    created: int = Field(examples=[12])
    changed: int = Field(examples=[3])


class LanguageOut(Shown):
    code: str = Field(examples=["de"])
    name: str = Field(examples=["German"])
    texts: int = Field(examples=[48])
    share: float = Field(description="Of the texts whose language could be told.", examples=[0.12])


class LanguagesOut(Shown):
    """The languages of the newest texts, the largest share first. `advice` and `suggested_model` where the space's
    model does not read them: POST /embed with that model switches to it."""

    shares: list[LanguageOut]
    sampled: int = Field(examples=[400])
    model: str = Field(examples=["all-MiniLM-L6-v2"])
    suggested_model: str = Field(examples=[""])
    advice: str = Field(examples=[""])


class StatsOut(Shown):
    """`counts` by table; `states` and `kinds` of what is not deleted; `trust` of what is held, in steps of 0.25."""

    space: str = Field(examples=["default"])
    counts: dict[str, int] = Field(examples=[{"memory": 1042, "entity": 310, "conflict": 2}])
    states: dict[str, int] = Field(examples=[{"held": 1000, "archived": 42}])
    kinds: dict[str, int] = Field(examples=[{"section": 900, "note": 142}])
    trust: dict[str, int] = Field(examples=[{"faint": 10, "thin": 40, "fair": 200, "firm": 700, "settled": 92}])
    conflicts_waiting: int = Field(examples=[2])
    growth: list[DayOut]
    languages: LanguagesOut


router = Routes("Health")
WORDS = ("faint", "thin", "fair", "firm", "settled")  # domain.trust.Trust.word, by its step


@router.get("/stats", needs=Role.READER, response=StatsOut, summary="Get counts")
def get_stats(request: ApiRequest) -> StatsOut:
    """How many of what there are, how far the held ones are trusted, how the space grew in the last 30 days,
    and which languages it is in."""
    space = the_space(request)
    space.index.refresh()
    roster = space.index.view().roster
    return StatsOut(
        space=space.name,
        counts=stats.counts(space.db),
        states={state.value: n for state, n in zip(STATES, _counted(roster, "state", len(STATES)), strict=True)},
        kinds={kind.value: n for kind, n in zip(KINDS, _counted(roster, "kind", len(KINDS)), strict=True)},
        trust=_trust(space, roster),
        conflicts_waiting=review.tallies(space)["waiting"],
        growth=[
            DayOut(day=one.day, created=one.created, changed=one.changed)
            for one in stats.growth(space.db, now=space.clock())
        ],
        languages=_languages(space),
    )


def _languages(space: Space) -> LanguagesOut:
    found = languages_of(space)
    return LanguagesOut(
        shares=[
            LanguageOut(code=one.code, name=one.name, texts=one.texts, share=round(one.share, 3))
            for one in found.shares
        ],
        sampled=found.sampled,
        model=found.model,
        suggested_model=found.suggested_model,
        advice=found.advice,
    )


def _counted(roster: Roster, column: str, codes: int) -> list[int]:
    found = np.bincount(roster.columns[column][: roster.n][roster.alive], minlength=codes)
    return [int(n) for n in found[:codes]]


def _trust(space: Space, roster: Roster) -> dict[str, int]:
    """Held memories by the word for their trust, in steps of 0.25 (domain.trust)."""
    values = roster.trust(space.clock(), half_life=space.tuning.trust_half_life_days)[roster.listed]
    steps = np.bincount(np.minimum(values / 0.25, 4).astype(np.int64), minlength=5)
    return {word: int(n) for word, n in zip(WORDS, steps, strict=True)}

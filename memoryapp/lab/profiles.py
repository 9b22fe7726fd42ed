"""Profiles: plans that were given a name, and are strategies of the space from then on."""

from __future__ import annotations

import re
from dataclasses import replace

from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import clean_name
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.golden import Profile
from memoryapp.domain.plan import MOST_CHARS, Plan, read_plan
from memoryapp.domain.strategies import STRATEGIES
from memoryapp.search import strategy_of
from memoryapp.spaces import Space
from memoryapp.store import profiles

MOST = 200  # profiles of a space
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def profiles_of(space: Space) -> tuple[Profile, ...]:
    """In order of their names."""
    return profiles.every(space.db)


def profile_named(space: Space, name: str) -> Profile:
    """Raises NotFound."""
    return profiles.get(space.db, name)


def save_profile(
    space: Space, name: str, plan: str, note: str = "", *, version: int | None = None, actor: Actor
) -> Profile:
    """A new profile, or with `version` (the one that was read) another plan and note for one that is there.

    A plan on another profile is kept as what it comes to: what becomes of the other one later changes nothing here.
    Raises BadInput (/name, /plan, /note), Clash where the name of a new one is taken or the space is full; for one that
    is there NotFound, Stale.
    """
    text = str(_flatten_plan(space, read_plan(plan, field="/plan")))
    if len(text) > MOST_CHARS:
        raise BadInput(
            f"With the changes of its profile it has {len(text)} characters, not {MOST_CHARS}.", field="/plan"
        )
    strategy_of(space, text, field="/plan")
    told, now = clean_name(note, field="/note") or "", space.clock()
    if version is None:
        _check_new(space, name)
        profile = Profile(name, text, told, actor.name, now, now)
    else:
        was = profiles.get(space.db, name)
        profile = replace(was, plan=text, note=told, by=actor.name, updated_at=now, version=version + 1)
    profiles.save(space.db, profile)
    return profile


def delete_profile(space: Space, name: str, *, version: int | None = None) -> Profile:
    """What was deleted, so that `put_back_profile` can undo it. Runs by it stay. Raises NotFound, and Stale where
    `version` is not the present one."""
    return profiles.delete(space.db, name, version=version)


def put_back_profile(space: Space, profile: Profile) -> Profile:
    """A deleted profile as it was, but for its version, which begins again. Raises Clash where its name is taken."""
    back = replace(profile, version=1)
    profiles.save(space.db, back)
    return back


def _flatten_plan(space: Space, plan: Plan) -> Plan:
    """The plan on a strategy's name. What names nothing stays, for `strategy_of` to say what there is."""
    profile = None if plan.base in STRATEGIES else profiles.find(space.db, plan.base)
    if profile is None:
        return plan
    base = read_plan(profile.plan)
    return Plan(
        base.base,
        weights={**base.weights, **plan.weights},
        k=base.k if plan.k is None else plan.k,
        factors=base.factors if plan.factors is None else plan.factors,
        numbers={**base.numbers, **plan.numbers},
    )


def _check_new(space: Space, name: str) -> None:
    if not _NAME.fullmatch(name):
        told = "A profile's name has up to 40 lower-case letters, digits and hyphens, and begins with none of the last."
        raise BadInput(told, field="/name")
    if name in STRATEGIES:
        raise BadInput(f"“{name}” is the name of a strategy. Choose another.", field="/name")
    if profiles.count(space.db) >= MOST:
        raise Clash(f"This space has {MOST} profiles, and takes no more. Delete one first.", field="/name")

"""Profiles as a page shows them: what each changes in words, and where it can be tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import Profile
from memoryapp.domain.plan import NUMBERS, PLAN_NUMBERS, read_plan
from memoryapp.domain.strategies import STRATEGIES, Arm, Factor
from memoryapp.interfaces.golden.presenter import compare_address
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager

FORM = ("name", "plan", "note", "version")
PAGE = 40


@dataclass(frozen=True, slots=True)
class ProfileLine:
    one: Profile
    told: str
    search: str
    compare: str


def page_of(profiles: Sequence[Profile], asked: QueryDict) -> dict[str, Any]:
    """`profiles`: in order of their names, of which the address says the last one shown."""
    after = asked.get("after", "")
    left = [one for one in profiles if one.name > after]
    shown, more = left[:PAGE], len(left) > PAGE
    return {
        "lines": lines_of(shown),
        "pager": Pager(
            newer=address(asked) if after else "",
            older=address(asked, after=shown[-1].name) if more else "",
            shown=f"{human.number(len(shown))} of {human.count_text(len(profiles), 'profile')}",
            size=PAGE,
            back="First",
            on="Next",
        ),
    }


def lines_of(profiles: Sequence[Profile]) -> list[ProfileLine]:
    return [
        ProfileLine(
            one,
            plan_told(one.plan),
            f"{reverse('search')}?{urlencode({'strategy': one.name})}",
            compare_address(columns=[read_base(one.plan), one.name]),
        )
        for one in profiles
    ]


def plan_told(text: str) -> str:
    """“hybrid;vector=1.4;graph=0” → “hybrid with vector 1.4, without graph”. What cannot be read stays as it is."""
    try:
        plan = read_plan(text)
    except BadInput:
        return text
    some = [f"{arm.value} {weight:g}" for arm, weight in plan.weights.items() if weight]
    some += [] if plan.k is None else [f"k {plan.k}"]
    some += [f"{name.replace('_', ' ')} {value:g}" for name, value in plan.numbers.items()]
    told = [f"with {', '.join(some)}"] if some else []
    if none := [arm.value for arm, weight in plan.weights.items() if not weight]:
        told.append(f"without {' and '.join(none)}")
    if plan.factors is not None:
        told.append(f"times {' and '.join(plan.factors)}" if plan.factors else "times no factor")
    return f"{plan.base} {', '.join(told)}" if told else f"{plan.base}, as it is"


def read_base(text: str) -> str:
    """The strategy that a plan changes."""
    return text.partition(";")[0].strip()


def form_of(asked: QueryDict, profile: Profile | None) -> dict[str, Any]:
    """A form's fields: of a profile that is there, else of what the address proposes."""
    if profile is not None:
        return {"name": profile.name, "plan": profile.plan, "note": profile.note, "version": profile.version}
    return {"name": asked.get("name", "")[:40], "plan": asked.get("plan", "")[:300], "note": asked.get("note", "")}


def parts_of_a_plan() -> dict[str, Any]:
    """What a plan may name and change, for the help under the field."""
    return {
        "bases": list(STRATEGIES),
        "arms": [arm.value for arm in Arm],
        "factors": [factor.value for factor in Factor],
        "numbers": (*NUMBERS, *PLAN_NUMBERS),
    }


def version_in(posted: QueryDict) -> int | None:
    """The version of what is changed, None for something new. Raises BadInput."""
    text = posted.get("version", "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadInput("The version is a whole number.", field="version")
    return int(text)


def profile_kept(one: Profile) -> dict[str, Any]:
    """As JSON, for an undo."""
    return {
        "name": one.name, "plan": one.plan, "note": one.note, "by": one.by,
        "created_at": one.created_at.isoformat(), "updated_at": one.updated_at.isoformat(),
    }  # fmt: skip


def profile_read(told: dict[str, Any]) -> Profile:
    created, updated = (datetime.fromisoformat(told[name]) for name in ("created_at", "updated_at"))
    return Profile(told["name"], told["plan"], told["note"], told["by"], created, updated)

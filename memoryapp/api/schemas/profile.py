"""Profiles: plans that were given a name."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Name, Shown, Sparse
from memoryapp.api.schemas.lab import PlanOut
from memoryapp.api.schemas.search import PlanText

ProfileName = Annotated[
    str,
    Field(
        description="Up to 40 lower-case letters, digits and hyphens; no strategy's name.",
        max_length=300,
        examples=["careful"],
    ),
]


class ProfileIn(Sparse):
    """`plan`: a strategy or another profile with changes. On another profile, it is kept as what that comes to now."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"plan": "hybrid;vector=1.4;factors=trust+feedback", "note": "Trusts what was confirmed."}]
        },
    )

    plan: PlanText
    note: Name = ""


class ProfileOut(Shown):
    """`as_run`: the plan with the space's numbers and all changes put in."""

    name: str = Field(examples=["careful"])
    plan: str = Field(examples=["hybrid;vector=1.4;factors=trust+feedback"])
    note: str = Field(examples=["Trusts what was confirmed."])
    as_run: PlanOut
    by: str = Field(examples=["alice"])
    created_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    updated_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    version: int = Field(examples=[1])


class ProfilesOut(Shown):
    items: list[ProfileOut]


class ProfileGoneOut(Shown):
    profile: ProfileOut
    dry_run: bool = Field(examples=[False])

"""What keeps an installation well, and how well it does."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, Name, Shown

FIGURES: dict[str, Any] = {"encoder": "all-MiniLM-L6-v2", "quality": {"locomo": {"hybrid": {"turn R@10": 0.81}}}}


class EmbedIn(Body):
    """`model`: another one for the space; without it, the one it has."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"model": "universal-sentence-encoder-multilingual"}]}
    )

    model: Name = ""


class BenchmarksOut(Shown):
    """Figures as `palimpsest bench --out` writes them: those that ship, and those of this installation's own run in
    `bench.json` of the data folder. Null where there are none."""

    shipped: dict[str, Any] | None = Field(examples=[FIGURES])
    own: dict[str, Any] | None = Field(examples=[None])


class FitnessOut(Shown):
    """What the last test found. `rewrites`, `extracts`: whether the model is used for wording facts, and for finding
    some beside those of the rules."""

    told: str = Field(examples=["rewrites facts: 10 of 12 right; extraction: 5 of 14, so it is not used for that"])
    rewrites: bool = Field(examples=[True])
    rewritten_right: int = Field(examples=[10])
    sentences: int = Field(examples=[12])
    extracts: bool = Field(examples=[False])
    extracted_right: int = Field(examples=[5])
    turns: int = Field(examples=[14])
    seconds_a_sentence: float = Field(examples=[1.4])
    tokens_a_second: float = Field(examples=[22.5])
    at: str = Field(examples=["2026-11-20T09:30:02+00:00"])


class ChatModelOut(Shown):
    """`status`: none (no chat model is set up), untried, ok, failing or down. `fitness`: null where it was not
    tested; then it words facts and finds none."""

    name: str = Field(examples=["qwen2.5-1.5b"])
    status: Literal["none", "untried", "ok", "failing", "down"] = Field(examples=["ok"])
    problem: str = Field(examples=[""])
    fitness: FitnessOut | None

"""Spaces, keys, health, backups, embeddings: what keeps the rest going."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.accounts.roles import Role
from memoryapp.api.schemas.base import Body, FullName, Name, Shown, words

SpaceName = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$", examples=["research"])]
A_KEY: dict[str, Any] = {
    "id": 3,
    "name": "Planner",
    "agent": "planner",
    "prefix": "pal_1a2b3c4d",
    "space": "default",
    "role": "writer",
    "created_by": "alice",
    "created_at": "2026-11-20T08:00:00Z",
    "last_used_at": None,
    "revoked_at": None,
}


class SpaceIn(Body):
    """A new, empty space. It reads its parent's memories beside its own, and writes only its own."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "research", "title": "Research", "parent": "default"}]}
    )

    name: SpaceName
    title: words(200) = ""  # type: ignore[valid-type]
    parent: SpaceName | None = None
    encoder: Name = Field("", description="The embedding model; empty: the parent's, or the installation's.")
    settings: dict[str, Any] = Field(default={}, max_length=60, description="Numbers of its own; see GET /spaces.")


class SpaceEdit(Body):
    """`settings` replaces the space's own numbers; {} goes back to the defaults. A null parent takes it away."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"title": "Research 2026"}]})

    title: words(200) | None = None  # type: ignore[valid-type]
    parent: SpaceName | None = None
    settings: dict[str, Any] | None = Field(None, max_length=60)


class SpaceOut(Shown):
    name: str = Field(examples=["research"])
    title: str = Field(examples=["Research"])
    parent: str | None = Field(examples=["default"])
    encoder: str = Field(examples=["all-MiniLM-L6-v2"])
    role: Role = Field(description="Yours.")
    settings: dict[str, Any] = Field(examples=[{}])
    tuning: dict[str, Any] = Field(description="All numbers in force.", examples=[{"rrf_k": 60}])
    created_at: datetime = Field(examples=["2026-11-20T08:00:00Z"])


class SpaceList(Shown):
    items: list[SpaceOut]


class KeyIn(Body):
    """`space` null: every space, which only an administrator of all may give."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Planner", "role": "writer", "space": "default"}]}
    )

    name: words(100, least=1)  # type: ignore[valid-type]
    role: Role
    space: SpaceName | None = None
    agent: words(100) = ""  # type: ignore[valid-type]


class KeyOut(Shown):
    model_config = ConfigDict(json_schema_extra={"examples": [A_KEY]})

    id: int
    name: str
    agent: str
    prefix: str = Field(description="How the key begins; the rest is shown once only.")
    space: str | None
    role: Role
    created_by: str | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class KeyMade(KeyOut):
    """`key` is shown here and never again."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_KEY | {"key": "pal_1a2b3c4d_…"}]})

    key: str


class KeyList(Shown):
    items: list[KeyOut]


class RestoredOut(Shown):
    """Rows by table. A dry run says what the file holds and writes nothing."""

    space: str = Field(examples=["research"])
    rows: dict[str, int] = Field(examples=[{"memory": 1042, "revision": 1300}])
    dry_run: bool = Field(examples=[False])


class AliveOut(Shown):
    status: Literal["alive"] = Field(examples=["alive"])


class ReadyOut(Shown):
    """Ready as soon as the default space's store answers. While the model loads, searches are answered by keyword."""

    status: Literal["ready"] = Field(examples=["ready"])
    store: str = Field(examples=["ok"])
    encoder: Literal["ready", "idle", "loading", "failed"]
    encoder_error: str | None = Field(examples=[None])
    notes: list[str] = Field(examples=[[]])


class VersionOut(Shown):
    name: str = Field(examples=["Palimpsest"])
    version: str = Field(examples=["0.1.0"])
    api: str = Field(examples=["v1"])
    encoder: str = Field(description="The model of the space that is asked.", examples=["all-MiniLM-L6-v2"])
    search_engine: str = Field(examples=["local"])
    mode: Literal["embedded", "server"] = Field(examples=["embedded"])
    encoder_error: str | None = Field(None, description="Why the model cannot be used.", examples=[None])


class EmbeddingsIn(Shown):
    """OpenAI's shape. `model` is one that GET /models lists; texts are embedded as documents."""

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={"examples": [{"model": "all-MiniLM-L6-v2", "input": ["We moved the queue to Redis."]}]},
    )

    input: words(200_000, least=1) | Annotated[list[words(200_000, least=1)], Field(min_length=1, max_length=256)]  # type: ignore[valid-type]
    model: FullName | None = None
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(None, ge=1, le=100_000, description="Only the model's own number is possible.")


class EmbeddingOut(Shown):
    object: Literal["embedding"] = "embedding"
    index: int = Field(examples=[0])
    embedding: list[float] | str = Field(examples=[[0.031, -0.052, 0.118]])


class TokensOut(Shown):
    prompt_tokens: int = Field(examples=[9])
    total_tokens: int = Field(examples=[9])


class EmbeddingsOut(Shown):
    object: Literal["list"] = "list"
    data: list[EmbeddingOut]
    model: str = Field(examples=["all-MiniLM-L6-v2"])
    usage: TokensOut


class ModelOut(Shown):
    id: str = Field(examples=["all-MiniLM-L6-v2"])
    object: Literal["model"] = "model"
    created: int = Field(examples=[0])
    owned_by: str = Field(examples=["palimpsest"])


class ModelsOut(Shown):
    object: Literal["list"] = "list"
    data: list[ModelOut]

"""Backups that are kept in the folder of a space."""

from __future__ import annotations

from datetime import datetime

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, Shown
from memoryapp.api.schemas.system import SpaceName

_NAME = "default-20261121-040000.palimpsest.gz"


class KeptBackupOut(Shown):
    name: str = Field(examples=[_NAME])
    made_at: datetime = Field(examples=["2026-11-21T04:00:00Z"])
    size: int = Field(description="In bytes.", examples=[1_240_312])
    before_purge: bool = Field(
        description="Made before something was last purged, which it may still hold.", examples=[False]
    )


class KeptBackupsOut(Shown):
    """`folder`: where they are, on the app's machine. `purged_at`: when something was last purged from the space."""

    folder: str = Field(examples=["/opt/palimpsest/data/backups/default"])
    items: list[KeptBackupOut]
    purged_at: datetime | None = Field(examples=[None])


class RestoreBackupIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"space": "default-again"}]})

    space: SpaceName


class RemovePurgedIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"dry_run": True}]})

    dry_run: bool = False


class BackupsGoneOut(Shown):
    """`dry_run`: they would be removed, and are there as before."""

    removed: list[str] = Field(description="Names.", examples=[[_NAME]])
    dry_run: bool = Field(False, examples=[False])

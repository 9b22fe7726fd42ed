"""Profiles of a space: plans that were given a name."""

from __future__ import annotations

from memoryapp.domain.errors import Clash, NotFound, Stale
from memoryapp.domain.golden import Profile
from memoryapp.store import optimistic_lock, rows
from memoryapp.store.database import Database

_PROFILE = rows.Table("profile", Profile, key="name")


def every(db: Database) -> tuple[Profile, ...]:
    """In order of their names."""
    return tuple(map(_PROFILE.read, db.query("SELECT * FROM profile LIMIT 1000 TIMEOUT 10s")[0]))


def find(db: Database, name: str) -> Profile | None:
    found = db.query("SELECT * FROM $key TIMEOUT 10s", key=rows.record("profile", name))[0]
    return _PROFILE.read(found[0]) if found else None


def get(db: Database, name: str) -> Profile:
    """Raises NotFound."""
    found = find(db, name)
    if found is None:
        raise NotFound(f"There is no profile “{rows.short_id(name)}” in this space.")
    return found


def save(db: Database, profile: Profile) -> None:
    """Writes it over the version before its own. Raises Clash where a new name is taken, Stale where somebody else
    changed it."""
    try:
        optimistic_lock.save(db, [_PROFILE.row(profile)])
    except Stale as error:
        if profile.version == 1:
            raise Clash(f"There is a profile “{profile.name}” already.", field="/name") from error
        told = f"Profile “{profile.name}” was changed since you read it. Load it again."
        raise Stale(told, current=error.current) from error


def delete(db: Database, name: str, *, version: int | None = None) -> Profile:
    """What was deleted. Raises NotFound, and Stale where `version` is given and not the present one."""
    try:
        found = optimistic_lock.delete(db, rows.record("profile", name), version=version)
    except Stale as error:
        told = f"Profile “{rows.short_id(name)}” was changed since you read it. Load it again."
        raise Stale(told, current=error.current) from error
    if found is None:
        raise NotFound(f"There is no profile “{rows.short_id(name)}” in this space.")
    return _PROFILE.read(found)


def count(db: Database) -> int:
    found = db.query("SELECT count() AS n FROM profile GROUP ALL TIMEOUT 5s")[0]
    return int(found[0]["n"]) if found else 0

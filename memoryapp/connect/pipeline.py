"""Connecting an agent and taking that back: wished for (agents) → put into the text of its files, or taken out of it
(settings_text) → written in one step (files) → written down (changes)."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import tomlkit

from memoryapp.connect.agents import AGENTS, Agent, Wish, wishes
from memoryapp.connect.changes import Change, backup, changes_in, digest, drop_backup, keep_backup, write_changes
from memoryapp.connect.files import read_bytes, remove, write_bytes
from memoryapp.connect.settings_text import add_wishes, has, remove_wishes
from memoryapp.domain.errors import BadInput, NotFound

_OURS, _SHARED = 0o600, 0o644  # modes of a new file: a person's own, and one that lies in a project


class Became(StrEnum):
    MADE = "made"
    CHANGED = "changed"
    SAME = "unchanged"
    RESTORED = "restored"  # to the byte
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of one file: `now` → `then`, each None for no file. `base`: what it is without us."""

    file: Path
    now: bytes | None
    then: bytes | None
    base: bytes | None
    became: Became
    wishes: tuple[Wish, ...] = ()

    @property
    def diff(self) -> str:
        """As a unified diff; empty where nothing changes."""
        before, after = (
            (one or b"").decode("utf-8", "replace").splitlines(keepends=True) for one in (self.now, self.then)
        )
        return "".join(
            line if line.endswith("\n") else f"{line}\n"
            for line in difflib.unified_diff(before, after, str(self.file), str(self.file))
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """An agent as it is found here. `files`: those that hold an entry of ours."""

    agent: Agent
    installed: bool
    files: tuple[Path, ...]


class Unusable(BadInput):
    """A file that is left alone. `block` is what a person can put there instead."""

    def __init__(self, file: Path, why: str, block: str) -> None:
        super().__init__(f"{file} was left alone: {why}.")
        self.block = block


def agent_named(name: str) -> Agent:
    """Raises NotFound, naming those there are."""
    if name not in AGENTS:
        raise NotFound(f"There is no agent “{name}” among those that can be connected: {', '.join(AGENTS)}.")
    return AGENTS[name]


def standings(data: Path, project: Path | None = None) -> list[Standing]:
    """Return every agent that can be connected, and where it is. Raises BadInput."""
    found = _changes(data)
    return [
        Standing(
            agent,
            agent.is_installed,
            tuple(
                one.file
                for one in found
                if one.agent == agent.id
                and one.project in ("", str(project or ""))
                and any(has(one.file, read_bytes(one.file), wish) for wish in one.wishes)
            ),
        )
        for agent in AGENTS.values()
    ]


def plan_connect(
    data: Path, agent: Agent, *, project: Path | None, space: str, budget: int | None, hooks: bool
) -> list[Step]:
    """Return what connecting would do, changing nothing. Raises BadInput where the agent has no file in a project, and
    Unusable for a file that is not what it should be."""
    if project and not agent.project:
        raise BadInput(f"{agent.title} has no file of servers in a project. Connect it without --project.")
    wanted = wishes(agent, data, project=project, space=space, budget=budget, hooks=hooks)
    files = list(dict.fromkeys(wish.file for wish in wanted))
    known = {one.file: one for one in _changes(data) if one.agent == agent.id and one.project == str(project or "")}
    steps = [
        _plan(data, file, tuple(one for one in wanted if one.file == file), known.pop(file, None)) for file in files
    ]
    return steps + [_plan_return(data, change) for change in known.values()]  # a file that is no longer wanted


def connect(data: Path, agent: Agent, steps: Sequence[Step], *, project: Path | None) -> None:
    """Do what was planned, written down first: whatever happens then can be taken back. Raises BadInput."""
    for step in steps:
        if step.became is Became.SAME:
            continue
        others = [one for one in _changes(data) if (one.agent, one.file) != (agent.id, step.file)]
        if not step.wishes or step.then is None:
            _write(step, _folders(data, agent.id, step.file))
            write_changes(data, others)
            continue
        change = Change(
            agent.id,
            str(project or ""),
            step.file,
            keep_backup(data, step.file, step.base),
            digest(step.then),
            _folders(data, agent.id, step.file),
            step.wishes,
        )
        write_changes(data, [*others, change])
        made = _write(step, (), mode=_SHARED if project else _OURS)
        if made:
            write_changes(data, [*others, _with_folders(change, made)])


def plan_disconnect(data: Path, agent: Agent, *, project: Path | None) -> list[Step]:
    """Return what taking it back would do, changing nothing. Raises Unusable."""
    return [
        _plan_return(data, one) for one in _changes(data) if one.agent == agent.id and one.project == str(project or "")
    ]


def disconnect(data: Path, agent: Agent, steps: Sequence[Step]) -> None:
    """Do what was planned, and forget that it was connected. Raises BadInput."""
    files = {step.file for step in steps}
    folders = tuple(
        folder for one in _changes(data) if one.agent == agent.id and one.file in files for folder in one.folders
    )
    for step in steps:
        found = _changes(data)
        mine = [one for one in found if (one.agent, one.file) == (agent.id, step.file)]
        others = [one for one in found if one not in mine]
        _write(step, folders)
        write_changes(data, others)
        for one in mine:
            drop_backup(data, one.before, others)


def _plan(data: Path, file: Path, wanted: tuple[Wish, ...], change: Change | None) -> Step:
    now = _content(file, wanted)
    try:
        base = _base(data, change, now) if change else now
        then = add_wishes(file, base, wanted)
    except (OSError, ValueError) as error:
        raise Unusable(file, _error_text(error), block(wanted)) from None
    became = Became.MADE if now is None else Became.SAME if then == now else Became.CHANGED
    return Step(file, now, then, base, became, wanted)


def _plan_return(data: Path, change: Change) -> Step:
    now = _content(change.file, change.wishes)
    try:
        base = _base(data, change, now)
    except (OSError, ValueError) as error:
        raise Unusable(change.file, _error_text(error), f"Take out by hand:\n{block(change.wishes)}") from None
    if now == base:
        became = Became.SAME
    elif base is None:
        became = Became.REMOVED
    else:
        became = Became.RESTORED if digest(now or b"") == change.after else Became.CHANGED
    return Step(change.file, now, base, base, became)


def _base(data: Path, change: Change, now: bytes | None) -> bytes | None:
    """The file without us: the very bytes where nobody else touched it since. Raises OSError and ValueError."""
    if now is None:
        return None
    before = backup(data, change.before)
    if digest(now) == change.after:
        return before
    rest = remove_wishes(change.file, now, change.wishes, before)
    return None if before is None and rest.strip() in (b"", b"{}") else rest


def _content(file: Path, wanted: Sequence[Wish]) -> bytes | None:
    try:
        return read_bytes(file)
    except OSError as error:
        raise Unusable(file, _error_text(error), block(wanted)) from None


def _write(step: Step, folders: tuple[Path, ...], *, mode: int = _OURS) -> list[Path]:
    try:
        if read_bytes(step.file) != step.now:
            raise BadInput(f"{step.file} was changed by another program a moment ago. Try again.")
        if step.then is None:
            remove(step.file, list(folders))
        elif step.then != step.now:
            return write_bytes(step.file, step.then, mode=mode)
    except OSError as error:
        raise Unusable(step.file, _error_text(error), block(step.wishes)) from None
    return []


def _changes(data: Path) -> list[Change]:
    try:
        return changes_in(data)
    except (OSError, ValueError) as error:
        raise BadInput(str(error)) from None


def _folders(data: Path, agent: str, file: Path) -> tuple[Path, ...]:
    return next((one.folders for one in _changes(data) if (one.agent, one.file) == (agent, file)), ())


def _with_folders(change: Change, made: list[Path]) -> Change:
    return Change(change.agent, change.project, change.file, change.before, change.after, tuple(made), change.wishes)


def block(wanted: Sequence[Wish]) -> str:
    """Return the wishes as a person would paste them into the file."""
    values: dict[str, object] = {}
    for wish in wanted:
        place: dict[str, object] = values
        for step in wish.path[:-1]:
            place = place.setdefault(step, {})  # type: ignore[assignment]
        place[wish.path[-1]] = [wish.value] if wish.element else wish.value
    if wanted and wanted[0].file.suffix == ".toml":
        return tomlkit.dumps(values)
    return json.dumps(values, ensure_ascii=False, indent=2)


def _error_text(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return str(getattr(error, "strerror", None) or error).rstrip(".")

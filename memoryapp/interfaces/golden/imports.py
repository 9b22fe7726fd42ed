"""Golden queries brought in from a file: read, tried, told line by line, and taken back as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput, NotFound, TooLarge
from memoryapp.domain.golden import Golden
from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.golden.presenter import golden_kept, golden_read
from memoryapp.interfaces.pages import human
from memoryapp.lab import change_golden, delete_golden, golden_named
from memoryapp.lab.exchange import Imported, Line
from memoryapp.spaces import Space

_MOST = 40  # lines of a group that are told
_UNDONE = 200  # lines: more are no matter of one click
_GROUPS = (
    ("bad", "Cannot be imported"),
    ("join", "Merged with an existing query"),
    ("add", "New"),
    ("same", "Nothing new"),
)


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    outcome: str
    count: int
    lines: Sequence[Line]

    @property
    def more(self) -> int:
        return self.count - len(self.lines)


def text_of(sent: UploadedFile[Any] | None, pasted: str) -> str:
    """Of the file, else what was pasted. Raises BadInput, TooLarge."""
    if sent is None:
        if not pasted.strip():
            raise BadInput("Choose a file, or paste its lines.", field="file")
        return pasted
    if (sent.size or 0) > LIMITS.file_bytes:
        raise TooLarge(
            f"The file has {human.size(sent.size)}; {human.size(LIMITS.file_bytes)} is the limit.", field="file"
        )
    try:
        text: str = sent.read().decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput("This is not UTF-8 text.", field="file") from None
    return text


def groups_of(imported: Imported) -> list[Group]:
    groups = []
    for outcome, name in _GROUPS:
        some = [line for line in imported.lines if line.outcome == outcome]
        if some:
            groups.append(Group(name, outcome, len(some), some[:_MOST]))
    return groups


def told_of(imported: Imported) -> str:
    counts = (("add", "added"), ("join", "joined"), ("same", "already here"), ("bad", "left out"))
    told = [f"{human.number(imported.count(outcome))} {word}" for outcome, word in counts if imported.count(outcome)]
    return f"Imported: {', '.join(told)}."


def before_of(imported: Imported, was: Mapping[str, Golden]) -> dict[str, Any] | None:
    """What undoes it, as JSON; None where it wrote too much or nothing. `was`: what there was, by id."""
    written = {line.golden: line.outcome for line in imported.lines if line.outcome in ("add", "join") and line.golden}
    if not imported.written or not 0 < len(written) <= _UNDONE:
        return None
    return {
        "added": [key for key in written if key not in was],
        "joined": [golden_kept(was[key]) for key in written if key in was],
    }


def taken_back(space: Space, told: Mapping[str, Any], *, actor: Actor) -> tuple[int, int]:
    """(how many are as before, how many stay because somebody changed them since)."""
    done = stayed = 0
    for key in told["added"]:
        try:
            fresh = golden_named(space, key).golden.version == 1
            if fresh:
                delete_golden(space, key, version=1)
            done, stayed = done + fresh, stayed + (not fresh)
        except NotFound:
            done += 1
    for kept in told["joined"]:
        was = golden_read(kept)
        now = _there(space, was.id)
        if now is None or now.version != was.version + 1:
            stayed += 1
            continue
        change_golden(space, was.id, version=now.version, relevant=was.relevant, note=was.note, actor=actor)
        done += 1
    return done, stayed


def _there(space: Space, key: str) -> Golden | None:
    try:
        return golden_named(space, key).golden
    except NotFound:
        return None

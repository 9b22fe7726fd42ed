"""Transcripts of Claude Code: JSON Lines, a file for each session, in folders for each project. What a person wrote and
Claude answered is told; tools, thoughts, commands and the work of helpers are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.connect.transcript import FORM, is_record, speech_of
from memoryapp.domain.turn import Role
from memoryapp.transfer.entries import Brought, SkippedEntry
from memoryapp.transfer.foreign.chat import Talk
from memoryapp.transfer.foreign.files import ImportFiles, Part
from memoryapp.transfer.foreign.records import (
    BrokenRecord,
    Tally,
    identifier,
    line,
    mapping,
    moment,
    parts_with,
    records,
)

_MACHINE = "Of the machine: tools, thoughts, commands and their results, helpers, summaries."


def is_one(value: Any) -> bool:
    return is_record(value)


def read(opened: ImportFiles) -> Iterator[Brought]:
    for part in parts_with(opened, is_one):
        tally = Tally()
        yield from _transcript(part, tally)
        yield from tally.skipped()


def _transcript(part: Part, tally: Tally) -> Iterator[Brought]:
    """A file may go on with another session: each is told on its own."""
    talks: dict[str, Talk] = {}
    for record in records(part):
        if isinstance(record, BrokenRecord):
            yield SkippedEntry(record.where, record.why)
            continue
        said = speech_of(record.value)
        if said is None:
            tally.add(part.name, _MACHINE)
            continue
        key, at = identifier(said.session), moment(said.at)
        if key not in talks:
            title = line(str(mapping(record.value).get("cwd") or "")).rstrip("/").rpartition("/")[2]
            talks[key] = Talk(FORM, record.where, part.name, key, title, at, tally)
        talks[key].say(Role(said.role), said.text, ref=identifier(said.ref), at=at)
    for talk in talks.values():
        yield from talk.told()

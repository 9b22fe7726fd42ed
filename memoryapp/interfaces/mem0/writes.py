"""Memories written for a mem0 client. Messages come in: said in their owner's session and read there, or kept as they
are, with what became of each. Memories are changed and deleted by the acts of a curator on the pages, and as undoable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memoryapp import review
from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.fact import SpokenTurn
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.secrets import is_private, mask_private
from memoryapp.domain.turn import NewTurn, ReadingStatus, Role
from memoryapp.extraction.facts.filter import asks_not_to_keep
from memoryapp.extraction.facts.pipeline import extract_facts
from memoryapp.interfaces.mem0.filters import moment
from memoryapp.interfaces.mem0.metadata import Label, end_of, label_of, tags_of, valid_metadata, with_label
from memoryapp.interfaces.mem0.owners import Owner, name_stated_in, open_for, person_name, stated_name
from memoryapp.jobs.reading import judges_for, reader_for
from memoryapp.remember import append_turns, read_turns, remember
from memoryapp.review.edit import edited_text, overlaid
from memoryapp.review.rewrite import ReviewResult, rewrite
from memoryapp.spaces import Space
from memoryapp.store import lineage, memories, revisions, turns
from memoryapp.store.retry import retry_write

CHANGEABLE = ("text", "metadata", "timestamp", "expiration_date")


@dataclass(frozen=True, slots=True)
class Message:
    """`name` is who says it, where the message tells."""

    text: str
    role: Role
    name: str | None = None


@dataclass(frozen=True, slots=True)
class AddedMemory:
    """`results` as mem0 tells them; `run` can be undone; `note`: why less was learned than could be."""

    results: list[dict[str, Any]]
    run: str | None
    note: str = ""


def messages_of(said: object) -> list[Message]:
    """A text, one message, or several, as every version of the client sends them. Raises BadInput."""
    listed = said if isinstance(said, list) else [said]
    found = [
        _message({"role": "user", "content": one} if isinstance(one, str) else one, n) for n, one in enumerate(listed)
    ]
    if not any(message.text for message in found):
        raise BadInput("There is no text in the messages.", field="/messages")
    return [message for message in found if message.text]


def _message(said: object, n: int) -> Message:
    if not isinstance(said, dict):
        raise BadInput("A message has a role and a content.", field=f"/messages/{n}")
    content = said.get("content") or ""
    if isinstance(content, list):  # the parts of one message, of which pictures and files say nothing here
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict)).strip()
    if not isinstance(content, str):
        raise BadInput("The content of a message is text, or a list of parts.", field=f"/messages/{n}/content")
    role = (
        str(said.get("role", "user"))
        .replace("human", "user")
        .replace("developer", "system")
        .replace("function", "tool")
    )
    if role not in tuple(Role):
        raise BadInput(f"“{role[:40]}” is no role; there are {', '.join(Role)}.", field=f"/messages/{n}/role")
    name = said.get("name")
    return Message(content.strip(), Role(role), name.strip() or None if isinstance(name, str) else None)


def learn_messages(
    space: Space,
    owner: Owner,
    said: Sequence[Message],
    *,
    label: Label,
    at: datetime | None,
    until: datetime | None,
    actor: Actor,
) -> AddedMemory:
    """Keeps the messages as turns, and reads them before it answers. `until`: end of validity of what is new."""
    session = open_for(space, owner, agent=actor.name)
    stated = _name_of(space, owner, said)
    kept = append_turns(
        space,
        session,
        [NewTurn(one.text, speaker=_speaker(one, owner, stated), role=one.role, at=at) for one in said],
        actor=actor,
    )
    reader = reader_for(space)
    read_turns(space, reader=reader, actor=actor, session=session, judges=judges_for(space, chat=False))
    found = turns.readings(space.db, [turn.id for turn in kept])
    read = [found[turn.id] for turn in kept if turn.id in found]
    became: dict[str, str] = {}
    for reading in read:
        for learned in reading.learned:
            became.setdefault(learned.memory, learned.outcome)
    new = [key for key, outcome in became.items() if outcome in (Became.WRITTEN, Became.CONFLICT)]
    _put(space, new, label, until=until, actor=actor)
    note = "Extraction is switched off in this space." if reader.name == "off" else ""
    note = note or next((one.problem for one in read if one.problem), "")
    if any(one.status is ReadingStatus.FAILED for one in read):
        note = note or "Some of it could not be read."
    return AddedMemory(_results(space, became), next((one.run for one in read if one.run), None), note)


def keep_messages(
    space: Space,
    owner: Owner,
    said: Sequence[Message],
    *,
    label: Label,
    at: datetime | None,
    until: datetime | None,
    actor: Actor,
) -> AddedMemory:
    """Keeps each message as it is, a note of its owner's session; what the system says is no memory, and neither is a
    message that is private as a whole, which the note tells."""
    session = open_for(space, owner, agent=actor.name)
    stated = _name_of(space, owner, said)
    told = [one for one in said if one.role is not Role.SYSTEM]
    private = [one for one in told if is_private(clean(one.text)) or asks_not_to_keep(one.text)]
    items = [
        NewMemory(
            text=one.text,
            session=session,
            speaker=_speaker(one, owner, stated),
            occurred_at=at,
            expires_at=until,
            tags=tags_of(label.metadata),
        )
        for one in told
        if one not in private
    ]
    done = remember(space, items, actor=actor) if items else ()
    _put(space, [one.id for one in done], label, until=until, actor=actor)
    run = revisions.of_record(space.db, done[0].id)[0].run if done else None
    note = f"Messages that are private as a whole, and were not kept: {len(private)}." if private else ""
    return AddedMemory(_results(space, {one.id: one.outcome.value for one in done}), run, note)


def _name_of(space: Space, owner: Owner, said: Sequence[Message]) -> str | None:
    """What a user whose id is no name is called: as one of these messages says, so that the others read with it are
    about the same person, else as was stated earlier."""
    if owner.user_id is None or person_name(owner.user_id):
        return None
    theirs = [
        SpokenTurn(mask_private(clean(one.text)), Role.USER.value, space.clock())
        for one in said
        if one.role is Role.USER and not one.name
    ]
    read = [candidate.text for extracted in extract_facts(theirs) for candidate in extracted.candidates]
    stated = [name for text in read if (name := name_stated_in(text))]
    return stated[-1] if stated else stated_name(space, owner)


def _speaker(message: Message, owner: Owner, stated: str | None) -> str | None:
    """Facts name whom they are about: a user by the message's name, the name they `stated`, or the user_id where that
    is a name; an assistant by the agent_id. Else the role stands in, and the fact is one of “the user”."""
    if message.name:
        return person_name(message.name) or message.name
    if message.role is Role.USER:
        return stated or (person_name(owner.user_id) if owner.user_id else None)
    return owner.agent_id if message.role is Role.ASSISTANT else None


def _put(space: Space, keys: Sequence[str], label: Label, *, until: datetime | None, actor: Actor) -> None:
    if not keys or (label == Label() and until is None):
        return

    def put() -> ReviewResult:
        found = memories.get_many(space.db, keys)
        pairs = [(memory, _label_memory(memory, label, until)) for memory in found.values()]
        return rewrite(space, pairs, act="tag", actor=actor, reason="sent along by the mem0 client")

    retry_write(put)


def _label_memory(memory: Memory, label: Label, until: datetime | None) -> Memory:
    """What was to expire earlier still does."""
    ends = [moment for moment in (memory.expires_at, until) if moment is not None]
    return replace(with_label(memory, label), expires_at=min(ends, default=None))


def _results(space: Space, became: dict[str, str]) -> list[dict[str, Any]]:
    """One a memory: ADD, or NONE where it was known already or was decided against; DELETE for what it replaced."""
    found = memories.get_many(space.db, list(became))
    told: list[dict[str, Any]] = []
    for key, outcome in became.items():
        memory = found[key]
        new = outcome in (Became.WRITTEN, Became.CONFLICT) and memory.state is State.HELD
        shown: dict[str, Any] = {"id": key, "memory": memory.text, "event": "ADD" if new else "NONE"}
        if (metadata := label_of(memory).metadata) and new:
            shown["metadata"] = metadata
        told.append(shown)
        if outcome == Became.CONFLICT and new:
            told += [{"id": old.id, "memory": old.text, "event": "DELETE", "replaced_by": key}
                     for old in lineage.replaced_by(space.db, key)]  # fmt: skip
    return told


def existing_memories(space: Space, keys: Sequence[str]) -> list[Memory]:
    """The memories of these ids that are not deleted, each once. Raises NotFound that names the first one missing."""
    wanted = list(dict.fromkeys(keys))
    found = memories.get_many(space.db, wanted)
    for key in wanted:
        if key not in found or found[key].state is State.DELETED:
            raise NotFound(f"There is no memory {key[:40]!r} here. It may have been deleted.")
    return [found[key] for key in wanted]


def update_memories(space: Space, changes: Mapping[str, Mapping[str, Any]], *, actor: Actor) -> list[Memory]:
    """Changes memories in one run: by id, some of CHANGEABLE. Raises NotFound, Clash (an immutable one), BadInput."""

    def updated() -> ReviewResult:
        pairs = [
            (memory, _change_memory(memory, changes[memory.id])) for memory in existing_memories(space, list(changes))
        ]
        return rewrite(space, pairs, act="edit", actor=actor)

    return list(retry_write(updated).memories)


def _change_memory(memory: Memory, said: Mapping[str, Any]) -> Memory:
    asked = {name: value for name, value in said.items() if name in CHANGEABLE}
    if not asked:
        raise BadInput(f"Nothing is to be changed: send {', '.join(CHANGEABLE[:-1])} or {CHANGEABLE[-1]}.")
    label = label_of(memory)
    if label.immutable:
        raise Clash(f"Memory {memory.id} was added as immutable. Delete it, or edit it on its page.")
    after = memory
    if asked.get("text") is not None:
        after = replace(after, text=edited_text(asked["text"], memory))
    if asked.get("metadata") is not None:
        label = replace(label, metadata=valid_metadata(asked["metadata"]))
    if asked.get("timestamp") is not None:
        try:
            label = replace(label, at=moment(asked["timestamp"]).isoformat())
        except (TypeError, ValueError, OverflowError):
            raise BadInput("“timestamp” is in seconds since 1970, or ISO 8601.", field="/timestamp") from None
    if "expiration_date" in asked:
        day = asked["expiration_date"]
        after = replace(after, expires_at=None if day is None else end_of(str(day)))
    return overlaid(memory, with_label(after, label))


def delete_memories(space: Space, keys: Sequence[str], *, actor: Actor, linked: bool = False) -> int:
    """Soft, where the space's `mem0_deletes` does not say purge: each can be restored on its page until it is purged.
    `linked`: those that they replaced go along. Returns how many went. Raises NotFound."""
    going = [memory.id for memory in existing_memories(space, keys)]
    if linked:
        going += [key for key in _replaced_by(space, going) if key not in set(going)]
    if space.tuning.mem0_deletes == "purge":
        for key in going:
            with suppress(NotFound):  # gone along with one before it
                review.purge(space, key, actor=actor, reason="deleted by mem0's client")
        return len(going)
    for start in range(0, len(going), LIMITS.batch_items):
        review.delete(space, going[start : start + LIMITS.batch_items], actor=actor)
    return len(going)


def _replaced_by(space: Space, keys: Sequence[str]) -> list[str]:
    found: dict[str, None] = {}
    asked = list(keys)
    while asked:
        older = [one for key in asked for one in lineage.replaced_by(space.db, key)]
        asked = [one.id for one in older if one.id not in found and one.state is not State.DELETED]
        found |= dict.fromkeys(asked)
    return list(found)

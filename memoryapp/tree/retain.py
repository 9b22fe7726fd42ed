"""Retain: what is held goes into the tree as lines. What a line says already is merged into it; what contradicts one
waits as a conflict; anything else is a line more, where it fits best.

Nothing is written before all memories of the act are settled: until then the nodes are a draft (`draft`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import Line, Node, check_path, line_conflict, line_key, lines_of
from memoryapp.spaces import Space, zones_in
from memoryapp.store import memories
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.tree.compare import Against, apply_trust_gate, compare
from memoryapp.tree.draft import Work
from memoryapp.tree.lines import LINE_CHARS, MemoryLines, add_line, append_block, lines_from_memory, read, replace_line
from memoryapp.tree.provenance import refresh_node, stale
from memoryapp.tree.route import NEAR_SHARE, Route
from memoryapp.tree.write import write

Became = Literal["written", "merged", "conflict", "unchanged"]
_RANK: tuple[Became, ...] = ("conflict", "written", "merged", "unchanged")
_QUOTED = 200  # characters of a line in a reason
# By space: two acts of this process that met at a node would each compare with what the other is about to change.
_one_by_one: defaultdict[str, Lock] = defaultdict(Lock)


@dataclass(frozen=True, slots=True)
class RetainResult:
    """`run` is None where nothing was written."""

    items: tuple[RetainedMemory, ...]
    run: Run | None = None


def retain(
    space: Space, items: Sequence[str], *, path: str | None = None, actor: Actor, dry_run: bool = False
) -> RetainResult:
    """Takes memories into the tree, into the node at `path` or each where it is routed, in one run; with `dry_run`
    nothing is written. A node that is not there yet is made. Doing it again changes nothing.

    Raises NotFound, BadInput (a path that cannot be one, a memory that is a node, or is not held) and TooLarge.
    """
    wanted = list(dict.fromkeys(items))
    if len(wanted) > LIMITS.batch_items:
        raise TooLarge(f"{len(wanted)} memories at once; the limit is {LIMITS.batch_items}.", field="/memories")
    into = None if path is None else check_path(path)

    def done() -> RetainResult:
        found = memories.get_many(space.db, wanted)
        chosen = [_check_memory(space, found.get(key), key) for key in wanted]
        return _retain_memories(space, chosen, into, actor=actor, dry_run=dry_run)

    with _one_by_one[f"{space.db.url} {space.name}"]:
        return retry_write(done)


def rehearse(space: Space, said: Sequence[Memory], *, path: str | None = None, actor: Actor) -> RetainResult:
    """What retain would do with memories that are not written yet."""
    return _retain_memories(space, said, None if path is None else check_path(path), actor=actor, dry_run=True)


def _check_memory(space: Space, memory: Memory | None, key: str) -> Memory:
    if memory is None:
        return memories.get(space.db, key)  # says why it is not there
    if memory.kind is Kind.NODE:
        raise BadInput(f"Memory {key} is a node of the tree itself.", field="/memories")
    if memory.state is not State.HELD:
        raise BadInput(
            f"Memory {key} is {memory.state.value}: only what is held goes into the tree.", field="/memories"
        )
    return memory


def _retain_memories(
    space: Space, chosen: Sequence[Memory], into: str | None, *, actor: Actor, dry_run: bool
) -> RetainResult:
    now = space.clock()
    work = Work(space, chosen, now=now)
    kept = tuple(settle(work, memory, into) for memory in chosen)
    created, updated = work.written()
    if dry_run:
        known = tuple(replace(one, conflict=None) if one.conflict in work.raised else one for one in kept)
        return RetainResult(known)
    if not created and not updated and not work.raised:
        return RetainResult(kept)
    # No words here: what is told of a run outlives a purge.
    nodes = sorted({one.path for one in kept if one.outcome in ("written", "merged")})
    run = new_run("retain", actor, now=now, detail={**Counter(one.outcome for one in kept), "nodes": nodes})
    raised = [replace(one, run=run.id, incoming_text=work.page_of(one)) for one in work.raised.values()]
    write(space, run, created=created, updated=updated, conflicts=raised)
    return RetainResult(kept, run)


# ── one memory beside the node it goes to


@dataclass(frozen=True, slots=True)
class RetainedMemory:
    """What became of one memory. `line`: the first of its lines that became so, as it stands or would stand.
    `conflict`: the id of what waits for a decision about it, or was decided."""

    memory: str
    path: str
    outcome: Became
    line: str
    why: str
    conflict: str | None = None


def settle(work: Work, memory: Memory, into: str | None) -> RetainedMemory:
    """Puts a memory's lines into the node it is routed to, as far as nothing speaks against it."""
    new = lines_from_memory(memory, work.roads.table)
    there = work.standing(memory, into)
    if there is not None:
        return _retain_existing(work, memory, new, there)
    road = work.road(memory, into)
    outlived = _outlived_keys(work, road.path, memory)
    if outlived:
        return _in_place(work, memory, new, road.path, outlived, "in place of what it superseded")
    if new.block:
        return _block(work, memory, new, road)
    became = [_line(work, memory, said, road) for said in new.lines]
    return min(became, key=lambda one: _RANK.index(one.outcome))


def _retain_existing(work: Work, memory: Memory, new: MemoryLines, path: str) -> RetainedMemory:
    """It stands there already; what it says otherwise since goes in place of what it said then."""
    outlived = _outlived_keys(work, path, memory)
    if outlived:
        return _in_place(work, memory, new, path, outlived, "in place of what it said before")
    node = Node(work.node(path))
    mine = {line.key for line in node.lines if line.memory == memory.id}
    row = next((one.said for one in read(node.text).lines if one.key in mine), _first_line(new))
    return RetainedMemory(memory.id, path, "unchanged", row, "stands there already")


def _outlived_keys(work: Work, path: str, memory: Memory) -> list[str]:
    """Keys of the node's lines that are stale and in whose place this memory stands."""
    return [one.key for one in stale(work.space, Node(work.node(path))) if one.by == memory.id]


def _in_place(work: Work, memory: Memory, new: MemoryLines, path: str, keys: Sequence[str], why: str) -> RetainedMemory:
    after = refresh_node(work.node(path), [(key, memory) for key in keys], space=work.space, now=work.now)
    work.put(path, Node(after).text, lines_of(after))
    return RetainedMemory(memory.id, path, "written", _first_line(new), why)


def _block(work: Work, memory: Memory, new: MemoryLines, road: Route) -> RetainedMemory:
    """A long note goes in whole, at the end, unless it stands there word for word."""
    node = Node(work.node(road.path))
    standing = {line_key(row) for row in node.text.splitlines()}
    there = standing.issuperset(new.keys)
    mine = [Line(key, memory.id, memory.version, work.now, road.why) for key in new.keys]
    text = node.text if there else append_block(node.text, new.block)
    work.put(road.path, text, [*lines_of(node.memory), *mine])
    return RetainedMemory(memory.id, road.path, "merged" if there else "written", _first_line(new), road.why)


def _line(work: Work, memory: Memory, said: str, road: Route) -> RetainedMemory:
    node = Node(work.node(road.path))
    compared = compare(work.space, memory, said, work.beside(road.path), work.vectors)
    if compared.same is not None:
        mine = Line(compared.same.key, memory.id, memory.version, work.now, road.why)
        work.put(road.path, node.text, [*lines_of(node.memory), mine])
        return RetainedMemory(
            memory.id, road.path, "merged", compared.same.said, f"{road.why}; the line says it already"
        )
    for against in compared.against:
        kept = _retain_contradicted(work, memory, said, road, against)
        if kept is not None:
            return kept
    text = add_line(node.text, said, beside=_row(work, road.path, said))
    mine = Line(line_key(said), memory.id, memory.version, work.now, road.why)
    work.put(road.path, text, [*lines_of(node.memory), mine])
    return RetainedMemory(memory.id, road.path, "written", said, road.why)


def _find_conflict_between(work: Work, node: Node, key: str, memory: Memory) -> Conflict | None:
    """The conflict of the memory with one of those that stand behind a line; of several one that waits."""
    behind = dict.fromkeys(line.memory for line in node.lines if line.key == key)
    found = [one for other in behind if (one := work.between(other, memory.id)) is not None]
    return min(found, key=lambda one: one.status is not ConflictStatus.WAITING, default=None)


def _retain_contradicted(work: Work, memory: Memory, said: str, road: Route, against: Against) -> RetainedMemory | None:
    """The conflict that waits about the two, raised where there is none; None where it was decided that both hold."""
    node, standing = Node(work.node(road.path)), against.beside.standing
    between = _find_conflict_between(work, node, standing.key, memory)
    if between is not None and between.status is ConflictStatus.WAITING:
        why = "what stands behind the line contradicts it; that waits for a decision"
        return RetainedMemory(memory.id, road.path, "conflict", said, why, between.id)
    if between is not None and (between.decision or {}).get("outcome") == Outcome.BOTH.value:
        return None
    key = line_conflict(node.id, standing.key, line_key(said))
    known = work.known_conflict(key)
    if known is not None and known.status is not ConflictStatus.WAITING:
        outcome = (known.decision or {}).get("outcome", known.status.value)
        return RetainedMemory(memory.id, road.path, "unchanged", said, f"it was decided before: {outcome}", key)
    if known is None:
        work.raised[key] = _line_conflict(work, memory, said, road, against)
        mine = Line(line_key(said), memory.id, memory.version, work.now, road.why, instead=standing.key)
        work.put(road.path, node.text, [*lines_of(node.memory), mine])
    return RetainedMemory(
        memory.id, road.path, "conflict", said, f"{road.why}; “{_cut(standing.said)}” speaks against it", key
    )


def _line_conflict(work: Work, memory: Memory, said: str, road: Route, against: Against) -> Conflict:
    """Between the page as it stands and the page with the new line in place of the old one."""
    node = Node(work.node(road.path))
    standing = against.beside.standing
    verdict = apply_trust_gate(work.space, against, memory)
    told_ = f"“{road.path}” says “{_cut(standing.said)}”, and what came in says “{_cut(said)}”."
    return Conflict(
        id=line_conflict(node.id, standing.key, line_key(said)),
        existing=node.id,
        incoming_text=replace_line(node.text, standing.key, said),
        detector=verdict.detector,
        reason=f"{verdict.reason} {told_}".strip(),
        created_at=work.now,
        outcome=verdict.outcome,
        confidence=verdict.confidence,
        attribute=verdict.attribute,
        certain=against.verdict.certain,
    )


def _row(work: Work, path: str, said: str) -> int | None:
    """The row of the line or heading of the node that the words are nearest to; None where none is near."""
    if not work.roads.reads(said):
        return None
    page = read(Node(work.node(path)).text)
    deep = [one for one in page.headings if one.level > 1]
    places = [(one.said, one.first) for one in page.lines if len(one.said) <= LINE_CHARS]
    places += [(one.title, one.row) for one in deep]
    work.vectors.of([said, *(words for words, _ in places)])
    near = [(cosine, row) for words, row in places if (cosine := work.vectors.cosine(words, said)) is not None]
    best = max(near, key=lambda one: (one[0], -one[1]), default=None)
    return best[1] if best is not None and best[0] >= NEAR_SHARE * zones_in(work.space).near else None


def _first_line(new: MemoryLines) -> str:
    return new.lines[0] if new.lines else new.block.split("\n", 1)[0].lstrip("# ")


def _cut(said: str) -> str:
    return said if len(said) <= _QUOTED else said[: _QUOTED - 1] + "…"

"""A bank is brought in: `tree-index.json` and its markdown beside the tree that is held, and what is new is written.

Brought again, it changes nothing. What was edited here survives: a file that changed too raises a conflict, and the
node stays as it is until that is decided. Written in one block where it fits, else in several; killed between them, it
goes on when it is brought again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import ROOT, Node, new_node, ref_of, rewritten
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, nodes, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.tree.bank_diff import Fate, diff_node, newly
from memoryapp.tree.bank_export import TITLE, kept_index, with_index
from memoryapp.tree.bank_files import Bank, Leaf, read_bank
from memoryapp.tree.bank_index import Problem
from memoryapp.tree.index_record import read_index_record
from memoryapp.tree.keywords import Elsewhere, best_keywords
from memoryapp.tree.markdown import title_of
from memoryapp.tree.placement import parents_of
from memoryapp.tree.write import write

_TOGETHER = 500  # nodes of one block
_BYTES_TOGETHER = 8 * 1024 * 1024
DETECTOR = "bank"


@dataclass(frozen=True, slots=True)
class Brought:
    """Paths of nodes by what became of them. `unchanged`: the bank says what is held. `kept`: changed here since, and
    not in the bank. `gone`: no longer in the bank, left as they are; `removed`: those of them that were pruned.
    `conflicts`: (path, conflict) where both changed; the node stays as it is until that is decided.

    `run` is None where nothing was written. `ignored`: files that are no part of the tree. `problems`: what could not
    be taken as it was."""

    run: Run | None = None
    dry_run: bool = False
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    conflicts: tuple[tuple[str, str], ...] = ()
    ignored: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many of each, as a run's detail tells it."""
        named = ("added", "changed", "unchanged", "kept", "gone", "removed", "conflicts", "problems")
        return {name: len(getattr(self, name)) for name in named}


# ── the plan


@dataclass(slots=True)
class _Part:
    created: list[Memory] = field(default_factory=list)
    updated: list[tuple[Memory, Memory]] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """What bringing the bank would write, and tell. `index`: the node above all with the index that came."""

    bank: Bank
    created: list[Memory] = field(default_factory=list)
    updated: list[tuple[Memory, Memory]] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    index: tuple[Memory | None, Memory] | None = None
    fates: dict[Fate, list[str]] = field(default_factory=lambda: {fate: [] for fate in Fate})
    gone: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    disputed: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    elsewhere: Elsewhere | None = None

    @property
    def writes(self) -> bool:
        return bool(self.created or self.updated or self.conflicts or self.index)

    def parts(self) -> Iterator[_Part]:
        """In pieces that are written one by one; the index comes last, when what it tells of is there."""
        part, size, count = _Part(), 0, 0
        changes: list[tuple[Memory | None, Memory]] = [(None, one) for one in self.created]
        changes += [*self.updated, *([self.index] if self.index else [])]
        for before, after in changes:
            if count == _TOGETHER or size > _BYTES_TOGETHER:
                yield part
                part, size, count = _Part(), 0, 0
            if before is None:
                part.created.append(after)
            else:
                part.updated.append((before, after))
            size, count = size + len(after.text), count + 1
        part.conflicts = self.conflicts
        yield part

    def report(self, run: Run | None, *, dry_run: bool) -> Brought:
        def told(fate: Fate) -> tuple[str, ...]:
            return tuple(sorted(self.fates[fate]))

        return Brought(
            run=run,
            dry_run=dry_run,
            added=told(Fate.ADDED),
            changed=told(Fate.CHANGED),
            unchanged=told(Fate.UNCHANGED),
            kept=told(Fate.KEPT),
            gone=tuple(sorted(self.gone)),
            removed=tuple(sorted(self.removed)),
            conflicts=tuple(sorted(self.disputed)),
            ignored=self.bank.ignored,
            problems=(*self.bank.problems, *self.problems),
        )


# ── bringing it in


def bring(
    space: Space, files: Mapping[str, bytes], *, actor: Actor, dry_run: bool = False, prune: bool = False
) -> Brought:
    """Takes a bank over, in one run that can be undone. `files`: bytes by path, in whatever folder the tree lies.

    `prune`: nodes that are no longer in the bank are deleted (they come back when they are brought again), as far as
    nobody changed them here. `dry_run`: the same report, and nothing is written. Raises BadInput where there is nothing
    to read or the index is no JSON, TooLarge, Stale where others write the same nodes again and again.
    """
    bank = read_bank(files)
    run = new_run("import", actor, now=space.clock(), detail={"files": len(files)})

    def take_over() -> Plan:
        plan = _make_plan(space, bank, prune=prune)
        for part in plan.parts() if plan.writes and not dry_run else ():
            write(space, run, created=part.created, updated=part.updated, conflicts=part.conflicts)
        return plan

    plan = retry_write(take_over)
    if dry_run or not plan.writes:
        return plan.report(None, dry_run=dry_run)
    told = plan.report(run, dry_run=False)
    return replace(told, run=revisions.finish_run(space.db, run, at=space.clock(), detail=told.counts()))


def _make_plan(space: Space, bank: Bank, *, prune: bool) -> Plan:
    now = space.clock()
    held = [node for node in nodes.every(space.db) if node.path != ROOT]
    root = nodes.whatever_at(space.db, ROOT)
    same_index = bank.index_text is not None and bank.index_text == kept_index(root, held)
    plan = Plan(bank)
    matched = _match_nodes(bank, held)
    free = [ref_of(leaf.path) for leaf in bank.leaves.values() if leaf.path not in matched]
    deleted = memories.by_refs(space.db, free)
    known: dict[str, list[Conflict]] = {}
    for one in conflicts.about(space.db, [node.id for node in matched.values()]):
        known.setdefault(one.existing, []).append(one)
    for leaf in bank.leaves.values():
        node = matched.get(leaf.path)
        if node is not None:
            _weigh(plan, node, leaf, known.get(node.id, ()), same_index=same_index, now=now)
        elif leaf.entry is not None or leaf.text is not None:
            _add(plan, leaf, deleted.get(ref_of(leaf.path)), now)
    above = {one for path in plan.fates[Fate.ADDED] for one in parents_of(path)}
    for path in sorted(above & set(bank.leaves)):
        if path not in matched and path not in plan.fates[Fate.ADDED]:
            _add(plan, bank.leaves[path], deleted.get(ref_of(path)), now)
    _look_for_gone(plan, held, {node.path for node in matched.values()}, prune=prune)
    if bank.index_text is not None and not same_index:
        whole = _root_with_index(bank, root, now)
        plan.index = (root, whole) if whole != root else None
    return plan


def _match_nodes(bank: Bank, held: Sequence[Node]) -> dict[str, Node]:
    """The held node of each leaf: the one at its path, else the one that was there when it was last in a bank."""
    at = {node.path: node for node in held}
    was = {said.path: node for node in held if (said := read_index_record(node)) and said.path not in at}
    both = {path: at.get(path) or was.get(path) for path in bank.leaves}
    seen: dict[str, str] = {}  # a node that was moved is one node, and not two
    for path, node in both.items():
        if node is not None and (node.path == path or node.path not in both):
            seen[path] = node.path
    return {path: at[here] for path, here in seen.items()}


def _weigh(plan: Plan, node: Node, leaf: Leaf, known: Sequence[Conflict], *, same_index: bool, now: datetime) -> None:
    found = diff_node(node, leaf, same_index=same_index, has_index=plan.bank.index is not None)
    fate, raised = found.fate, None
    if fate is Fate.CONFLICT:
        raised = _conflict(node, leaf, now)
        earlier = next((one for one in known if one.id == raised.id), None)
        if earlier is None or earlier.status is ConflictStatus.WITHDRAWN:
            plan.conflicts.append(replace(raised, version=earlier.version + 1 if earlier else 1))
        if earlier is None or earlier.status in (ConflictStatus.WITHDRAWN, ConflictStatus.WAITING):
            plan.disputed.append((node.path, raised.id))
        else:
            fate = Fate.KEPT  # a person has decided on these words already
    if fate is not Fate.CONFLICT:
        plan.fates[fate].append(node.path)
    if not leaf.unread:
        plan.conflicts += _withdraw_overtaken(known, standing=raised)
    if found.after != node.memory:
        plan.updated.append((node.memory, found.after))
    plan.problems += [Problem(node.path, note) for note in found.notes]


def _conflict(node: Node, leaf: Leaf, now: datetime) -> Conflict:
    text = leaf.text or ""
    return Conflict(
        id=derived_id("conflict", "bank", node.id, content_hash(text)),
        existing=node.id,
        detector=DETECTOR,
        reason=f"Edited here, and {leaf.file} of the bank changed too.",
        created_at=now,
        incoming_text=text,
        outcome=Outcome.KEEP,
    )


def _withdraw_overtaken(known: Sequence[Conflict], *, standing: Conflict | None) -> list[Conflict]:
    """Waiting conflicts about words that the bank no longer has, withdrawn."""
    return [
        replace(one, status=ConflictStatus.WITHDRAWN, version=one.version + 1)
        for one in known
        if one.detector == DETECTOR
        and one.status is ConflictStatus.WAITING
        and (standing is None or one.id != standing.id)
    ]


def _add(plan: Plan, leaf: Leaf, was: Memory | None, now: datetime) -> None:
    # A file that its index does not name stays unnamed; one that came without an index is named like the rest.
    in_index = leaf.entry is not None or plan.bank.index is None
    words = _suggest_keywords(plan, leaf) if leaf.entry is None and leaf.text else ()
    made = newly(leaf, words, was=was, in_index=in_index, now=now)
    if was is None:
        plan.created.append(made)
    else:
        plan.updated.append((was, made))
    plan.fates[Fate.ADDED].append(leaf.path)


def _suggest_keywords(plan: Plan, leaf: Leaf) -> tuple[str, ...]:
    """Keywords for a file that no index names: what it tells and the other files do not."""
    if plan.elsewhere is None:
        plan.elsewhere = Elsewhere.of(one.text for one in plan.bank.leaves.values() if one.text)
    text = leaf.text or ""
    return best_keywords(text, title=title_of(text) or leaf.path.rpartition("/")[2], elsewhere=plan.elsewhere)


def _look_for_gone(plan: Plan, held: Sequence[Node], matched: set[str], *, prune: bool) -> None:
    """Nodes that were in a bank once and are not in this one. Pruned are those that nobody changed, from the bottom
    up: what stays keeps what is above it."""
    if not plan.bank.whole:
        return
    staying = [node.path for node in held if node.path in matched or read_index_record(node) is None]
    for node in sorted(held, key=lambda one: -one.path.count("/")):
        if node.path in matched or read_index_record(node) is None:
            continue
        plan.gone.append(node.path)
        if not prune:
            continue
        edited = node.has_file and content_hash(node.text) != node.memory.content_hash
        if edited or any(path.startswith(f"{node.path}/") for path in staying):
            staying.append(node.path)
            if edited:
                plan.problems.append(Problem(node.path, "is not in the bank, but was changed here; it stays."))
            continue
        plan.removed.append(node.path)
        plan.updated.append((node.memory, replace(node.memory, state=State.DELETED)))


def _root_with_index(bank: Bank, root: Memory | None, now: datetime) -> Memory:
    """The node above all, with the index as it came."""
    assert bank.index is not None and bank.index_text is not None
    title = " ".join(bank.index.title.split())[:300] or (root.title if root else TITLE)
    after = root or new_node(ROOT, title=title, text=None, now=now)
    after = rewritten(replace(after, title=title, state=State.HELD), None)
    return replace(with_index(after, bank.index_text), content_hash=content_hash(bank.index_text))

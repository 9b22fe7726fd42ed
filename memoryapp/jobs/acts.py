"""What a space does by itself, act by act: when by default, whether there is anything to do, and the job that does it.
A new act is one entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memoryapp import consolidate, tree
from memoryapp.consolidate import over, under_the_floor
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import NotFound
from memoryapp.domain.identity import derived_id
from memoryapp.jobs import backups, graphing, narration, requests
from memoryapp.jobs.models import Job
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.schedule import Schedule
from memoryapp.spaces import Space
from memoryapp.store import backup, nodes
from memoryapp.summaries import stale

_SHOWN = 3  # nodes that are named


@dataclass(frozen=True, slots=True)
class Look:
    """Whether there is something to do and, where there is not, why. `state` tells apart all that the act depends on:
    while it is the same as when the act was last begun, nothing has changed since. "" is never the same."""

    due: bool
    told: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """`told`: what it does, in a sentence. `kind`: of its jobs. `schedule`: unless somebody sets another. `look` costs
    milliseconds; `begin` submits the job."""

    key: str
    name: str
    told: str
    kind: str
    schedule: Schedule
    look: Callable[[Space, Schedule, datetime], Look]
    begin: Callable[[str, Actor, Schedule], Job]


def submit_act(space: str, act: str, *, actor: Actor, split: bool = False) -> Job:
    """A job of the kind `heartbeat`, for acts that have no kind of their own."""
    arguments = {"act": act, "split": split}
    return submit("heartbeat", space=space, arguments=arguments, actor=actor, subject=f"heartbeat:{act}:{space}")


def state_of(space: Space, *more: object) -> str:
    """Of a space's content and settings. Counting accesses changes neither."""
    space.index.refresh()
    return derived_id("state", str(space.index.view().content), repr(space.tuning), *map(str, more))


def told_nodes(large: tuple[nodes.Outline, ...]) -> str:
    """“2 nodes are over 10 KB: identity/values, projects.”"""
    if not large:
        return "no node is over 10 KB"
    named = ", ".join(node.path for node in large[:_SHOWN]) + (", …" if len(large) > _SHOWN else "")
    return f"{len(large):,} {'node is' if len(large) == 1 else 'nodes are'} over 10 KB: {named}"


def _consolidate(space: Space, schedule: Schedule, now: datetime) -> Look:
    old = consolidate.old_enough(space)
    days = space.tuning.consolidate_after_days
    return Look(bool(old), f"no daily log is older than {days} days", state_of(space, old))


def _expire(space: Space, schedule: Schedule, now: datetime) -> Look:
    floor = space.tuning.trust_floor
    due = over(space) | under_the_floor(space)
    low = f", and no fact is trusted less than {floor:g}" if floor > 0 else ""
    return Look(bool(due), f"nothing has expired{low}", state_of(space, len(due)))


def _summaries(space: Space, schedule: Schedule, now: datetime) -> Look:
    return Look(bool(stale(space)), "every summary tells what is held", state_of(space))


def _graph(space: Space, schedule: Schedule, now: datetime) -> Look:
    return Look(graphing.graph_due(space, now=now), "nothing new to read, and no new name")


def _layout(space: Space, schedule: Schedule, now: datetime) -> Look:
    return Look(graphing.layout_due(space, now=now), "the map still fits the graph")


def _tree_size(space: Space, schedule: Schedule, now: datetime) -> Look:
    """Without `split` telling it is all there is to do, and that is done by looking."""
    large = tree.overfull(space)
    return Look(bool(large) and schedule.split, told_nodes(large), state_of(space, len(large)))


def _take_in(space: Space, schedule: Schedule, now: datetime) -> Look:
    if not nodes.outline(space.db):
        return Look(False, "this space has no tree yet")
    return Look(tree.count_waiting(space) > 0, "nothing waits to be taken into the tree", state_of(space))


def _look_for_golden(space: Space, schedule: Schedule, now: datetime) -> Look:
    why = requests.golden_skip_reason(space)
    return Look(not why, why)


def _index(space: Space, schedule: Schedule, now: datetime) -> Look:
    space.index.refresh()
    status = space.index.status()
    if status.engine != "local":
        return Look(False, "the database keeps the index")
    return Look(status.saved_version != status.version, "the index is on disk as it stands")


def _backup(space: Space, schedule: Schedule, now: datetime) -> Look:
    """What was written since cannot be told by one number. A backup that holds the same as the one before takes its
    place."""
    return Look(not backup.is_empty(space.db), "there is nothing in this space yet")


def _begin(act: str) -> Callable[[str, Actor, Schedule], Job]:
    return lambda space, actor, schedule: submit_act(space, act, actor=actor, split=schedule.split)


def _begin_consolidation(space: str, actor: Actor, schedule: Schedule) -> Job:
    from memoryapp.jobs.requests import submit_consolidate

    return submit_consolidate(space, actor=actor)


ACTS: dict[str, Act] = {
    act.key: act
    for act in (
        Act(
            "consolidate", "Consolidation", "Condenses old daily logs into digests, and archives them.",
            "consolidate", Schedule(on=False, at="03:00"), _consolidate, _begin_consolidation,
        ),
        Act(
            "expire", "Expiry", "Archives expired memories, and facts whose trust fell below the floor.",
            "expire", Schedule(on=True, every_minutes=1_440), _expire,
            lambda space, actor, schedule: narration.submit_expiry(space, actor=actor),
        ),
        Act(
            "summaries", "Summaries", "Rewrites category summaries that are out of date.",
            "summaries", Schedule(on=True), _summaries,
            lambda space, actor, schedule: narration.submit_summaries(space, actor=actor),
        ),
        Act(
            "graph", "Graph scan", "Finds relations in new text, and proposes possible duplicate entities.",
            "graph", Schedule(on=True), _graph,
            lambda space, actor, schedule: graphing.submit_graph(space, actor=actor, force=True),
        ),
        Act(
            "layout", "Graph layout", "Recomputes the layout when the graph has grown too much for it.",
            "layout", Schedule(on=True), _layout,
            lambda space, actor, schedule: graphing.submit_layout(space, actor=actor),
        ),
        Act(
            "take-in", "Fill the tree", "Adds pending facts to the node that one of their tags or keywords names.",
            "heartbeat", Schedule(on=False, every_minutes=60), _take_in, _begin("take-in"),
        ),
        Act(
            "tree-size", "Split large pages", "Finds nodes of the tree over 10 KB; splits them if set to.",
            "heartbeat", Schedule(on=True, every_minutes=1_440), _tree_size, _begin("tree-size"),
        ),
        Act(
            "golden", "Golden queries",
            "Runs the golden queries again when the model, the settings or the digests changed.",
            "golden", Schedule(on=True, every_minutes=1_440), _look_for_golden,
            lambda space, actor, schedule: requests.submit_golden_again(space, actor=actor),
        ),
        Act(
            "backup", "Backup", "Makes and verifies a backup of the space; the oldest is deleted.",
            "backup", Schedule(on=False, at="04:00", keep=7), _backup,
            lambda space, actor, schedule: backups.submit_backup(space, keep=schedule.keep, actor=actor),
        ),
        Act(
            "index", "Search index", "Removes deleted entries from the index, and writes it to disk.",
            "heartbeat", Schedule(on=True, every_minutes=1_440), _index, _begin("index"),
        ),
    )
}  # fmt: skip


def act_named(key: str) -> Act:
    """Raises NotFound."""
    if key not in ACTS:
        raise NotFound(f"The heartbeat has no act “{key[:40]}”. It has {', '.join(ACTS)}.")
    return ACTS[key]

"""Can this history have happened one request after the other? Each rule is told a history and how it ended, and gives
a sentence for everything that breaks it; `judge` asks them all."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from tests.concurrency.history import End, Op, by_memory
from tests.concurrency.windows import all_windows, floor, possible, running_highest

DECIDED = ("decided", "automatic")
Rule = Callable[[Sequence[Op], End], Iterator[str]]


def judge(ops: Sequence[Op], end: End) -> list[str]:
    """Every breach, in words; empty for a history that is sound."""
    return [f"{rule.__name__}: {told}" for rule in RULES for told in rule(ops, end)]


def all_answered(ops: Sequence[Op], end: End) -> Iterator[str]:
    """Nobody waits for ever, nothing fails, and what is refused is refused as the documentation says."""
    for op in ops:
        if op.ended is None:
            yield f"{op.who} got no answer to {op.act} {op.memory or op.conflict}"
        elif op.status >= 500 or not op.documented:
            yield f"{op.who} got {op.status} for {op.act} {op.memory or op.conflict}"


def versions_in_a_row(ops: Sequence[Op], end: End) -> Iterator[str]:
    for key, layers in end.layers.items():
        versions = [layer.version for layer in layers]
        if versions != list(range(1, len(versions) + 1)):
            yield f"the history of {key} has the versions {versions}"


def no_lost_update(ops: Sequence[Op], end: End) -> Iterator[str]:
    """Each acknowledged change is in the history of its memory exactly once, with the words that were sent."""
    for key, changes in by_memory(ops).items():
        layers = end.layers.get(key, ())
        kept = Counter(layer.run for layer in layers)
        text = {layer.run: layer.text for layer in layers}
        for op in changes:
            if kept[op.run] != 1:
                yield f"{op.who}'s {op.act} of {key} (run {op.run}) is in its history {kept[op.run]} times"
            elif op.sent and text[op.run] != op.sent:
                yield f"{op.who} sent “{op.sent}” for {key}, and the history says “{text[op.run]}”"


def in_real_time(ops: Sequence[Op], end: End) -> Iterator[str]:
    """Of two changes of which one ended before the other began, the later one has the higher version."""
    for key, changes in by_memory(ops).items():
        at = {layer.run: layer.version for layer in end.layers.get(key, ())}
        known = sorted((op for op in changes if op.run in at), key=lambda op: op.began)
        ended = sorted(known, key=lambda op: op.end)
        highest, position = 0, 0
        for op in known:
            while position < len(ended) and ended[position].end < op.began:
                highest = max(highest, at[ended[position].run])
                position += 1
            if at[op.run] <= highest:
                yield f"{op.who}'s {op.act} of {key} is version {at[op.run]}, begun after version {highest} was told"


def stale_edits_refused(ops: Sequence[Op], end: End) -> Iterator[str]:
    """An edit sent with a version makes the next one, or is refused because there was another by then."""
    windows = all_windows(ops, end)
    for op in ops:
        if op.given is None or op.ended is None:
            continue
        at = {layer.run: layer.version for layer in end.layers.get(op.memory, ())}
        if op.done and op.run in at and at[op.run] != op.given + 1:
            yield f"{op.who} read version {op.given} of {op.memory}, and the edit became version {at[op.run]}"
        if op.status == 412:
            changed = windows.get(op.memory, {}).get(op.given + 1)
            if changed is None or changed[0] >= op.ended:
                yield f"{op.who} was refused for version {op.given} of {op.memory}, which nobody had changed"


def counted_once(ops: Sequence[Op], end: End) -> Iterator[str]:
    """What was said again and confirmed counts as often as that was acknowledged."""
    asked: Counter[str] = Counter()
    for op in ops:
        if op.done and (op.outcome == "reinforced" or op.act.startswith("confirm")):
            asked[op.made or op.memory] += 1
    for key, count in end.reinforced.items():
        if asked[key] != count:
            yield f"{key} counts as said again {count} times, acknowledged {asked[key]} times"
    told: Counter[str] = Counter(op.memory for op in ops if op.done and op.act == "feedback")
    for key, count in end.used.items():
        if told[key] != count:
            yield f"{key} counts as of use {count} times, acknowledged {told[key]} times"


def one_memory_a_sentence(ops: Sequence[Op], end: End) -> Iterator[str]:
    for sentence in sorted(end.once):
        if len(end.said.get(sentence, ())) != 1:
            yield f"{len(end.said.get(sentence, ()))} memories say “{sentence}”"


def one_key_one_memory(ops: Sequence[Op], end: End) -> Iterator[str]:
    made: dict[str, set[str]] = defaultdict(set)
    for op in ops:
        if op.key and op.done:
            made[op.key].add(op.made)
    for key, memories in made.items():
        if len(memories) != 1:
            yield f"Idempotency-Key {key} made {len(memories)} memories"


def decided_in_turn(ops: Sequence[Op], end: End) -> Iterator[str]:
    """A conflict is decided once; again only after that was taken back."""
    acts: dict[str, list[Op]] = defaultdict(list)
    for op in ops:
        if op.done and op.conflict and op.act in ("decide", "take back"):
            acts[op.conflict].append(op)
    for key, done in acts.items():
        decided = [op for op in done if op.act == "decide"]
        back = [op for op in done if op.act == "take back"]
        stands = end.conflicts.get(key) in DECIDED
        if len(decided) - len(back) != int(stands):
            ends = f"{len(decided)} times, taken back {len(back)} times, and ends as {end.conflicts.get(key)}"
            yield f"conflict {key} was decided {ends}"
        decided.sort(key=lambda op: op.began)
        for one, other in itertools.pairwise(decided):
            if one.end < other.began and not any(op.began < other.end and op.end > one.began for op in back):
                yield f"conflict {key} was decided by {one.who} and again by {other.who}"


def nothing_older_than_told(ops: Sequence[Op], end: End) -> Iterator[str]:
    """Nobody is shown a version that is older than one which anybody was shown, or had acknowledged, before the
    question was asked: everybody reads their own writes, and time does not run backwards."""
    shown: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for op in ops:
        for seen in op.seen:
            if op.done and seen.version is not None:
                shown[seen.memory].append((op.end, seen.version))
    for told in shown.values():
        told.sort()
    floors = {key: running_highest(told) for key, told in shown.items()}
    for op in ops:
        for seen in op.seen:
            if seen.version is None:
                continue
            least = floor(floors[seen.memory], op.began)
            if seen.version < least:
                yield f"{op.who} was shown version {seen.version} of {seen.memory} by {op.act}, after version {least}"


def as_it_stood(ops: Sequence[Op], end: End) -> Iterator[str]:
    """What is shown is what the memory said in that version, and that version can have been the present one."""
    windows = all_windows(ops, end)
    for op in ops:
        for seen in op.seen:
            layers = end.layers.get(seen.memory)
            if layers is None:
                continue
            stood = possible(layers, windows[seen.memory], op)
            fitting = [one for one in stood if one.text == seen.text and seen.version in (None, one.version)]
            if not fitting:
                told = ", ".join(f"{one.version} “{one.text}”" for one in stood) or "no version"
                shown = f"{seen.version} “{seen.text}”"
                yield f"{op.who} was shown {shown} by {op.act} of {seen.memory}, which stood at {told}"


def found_while_held(ops: Sequence[Op], end: End) -> Iterator[str]:
    """A memory that is asked for by its own word is found when it is held all the while, and never when it is not."""
    windows = all_windows(ops, end)
    for op in ops:
        if not op.asked or not op.done or op.asked not in end.layers:
            continue
        states = {one.state == "held" for one in possible(end.layers[op.asked], windows[op.asked], op)}
        there = any(seen.memory == op.asked for seen in op.seen)
        if states == {True} and not there:
            yield f"{op.who} did not find {op.asked} by {op.act}, which was held"
        if states == {False} and there:
            yield f"{op.who} found {op.asked} by {op.act}, which was put aside"


RULES: tuple[Rule, ...] = (
    all_answered,
    versions_in_a_row,
    no_lost_update,
    in_real_time,
    stale_edits_refused,
    counted_once,
    one_memory_a_sentence,
    one_key_one_memory,
    decided_in_turn,
    nothing_older_than_told,
    as_it_stood,
    found_while_held,
)

"""Eight who write and eight who read, over the same few dozen memories, until it is enough.

Who does what is drawn from a seed; in which order the requests meet is the machine's affair, and no two runs agree."""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from random import Random
from typing import Any

from tests.acceptance.place import Place
from tests.concurrency.callers import Agent, Caller, Person, documented_in, signed_in
from tests.concurrency.history import End, Op
from tests.concurrency.world import SENTENCES, World, end_of

OUTCOMES = ("keep", "replace", "both", "neither")


@dataclass(slots=True)
class Done:
    """`ops` in the order in which they began; `stuck`: who never came to an end."""

    ops: list[Op]
    end: End
    stuck: list[str]
    seconds: float

    def told(self) -> str:
        """How many of what, and how long they took: a line an act."""
        times: dict[str, list[float]] = defaultdict(list)
        refused: Counter[str] = Counter()
        for op in self.ops:
            times[op.act].append(op.end - op.began)
            refused[op.act] += not op.done
        lines = [f"{len(self.ops)} requests in {self.seconds:.0f} s"]
        for act, took in sorted(times.items()):
            took.sort()
            p50, p95 = (1000 * took[min(int(len(took) * part), len(took) - 1)] for part in (0.5, 0.95))
            lines.append(f"{act:24} {len(took):6} refused {refused[act]:5}  p50 {p50:6.0f} ms  p95 {p95:6.0f} ms")
        return "\n".join(lines)

    def in_short(self, what: str, seed: str) -> str:
        """Once every rule was asked, and none was broken."""
        refused = sum(not op.done for op in self.ops)
        return (
            f"{what}, seed {seed}: {len(self.ops):,} requests, of which {refused:,} were refused as they must be, in "
            f"{self.seconds / 60:.1f} minutes; every rule holds, nobody was stuck."
        )


Step = Callable[[Any, Random, World], object]
_numbers = count(1)


def work(
    world: World, *, seed: str, enough: Callable[[int], bool], patience: float, doors: Sequence[Place] = ()
) -> Done:
    """`enough` is asked by each caller after so many of its requests. `doors`: the processes that serve the space,
    taken by callers in turn; the one of the world by default."""
    documented, cookies = documented_in(world.place), signed_in(world.place)
    open_ = cycle(doors or [world.place])
    callers: list[tuple[Caller, Step]] = []
    for n in range(6):
        callers.append((Agent(f"writer {n + 1}", next(open_), documented), agent_writes))
    for n in range(2):
        callers.append((Person(f"writer {n + 7}", next(open_), cookies), person_writes))
    for n in range(5):
        callers.append((Agent(f"reader {n + 1}", next(open_), documented), agent_reads))
    for n in range(3):
        callers.append((Person(f"reader {n + 6}", next(open_), cookies), person_reads))
    gate, broken = threading.Barrier(len(callers)), []

    def run(caller: Caller, step: Step) -> None:
        drawn = Random(f"{seed} {caller.who}")
        try:
            gate.wait(60)
            while not enough(len(caller.ops)):
                step(caller, drawn, world)
        except Exception as error:
            broken.append(f"{caller.who}: {error!r}")

    threads = [threading.Thread(target=run, args=one, name=one[0].who, daemon=True) for one in callers]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.1, began + patience - time.monotonic()))
    stuck = broken + [f"{thread.name} is stuck" for thread in threads if thread.is_alive()]
    ops = world.first + [op for caller, _ in callers for op in caller.ops]
    for caller, _ in callers:
        caller.http.close()
    return Done(sorted(ops, key=lambda op: op.began), end_of(world, ops), stuck, time.monotonic() - began)


def agent_writes(one: Agent, drawn: Random, world: World) -> None:
    sentence, key = drawn.choice(SENTENCES), drawn.choice(list(world.words))
    act = drawn.choices(
        (
            "say",
            "confirm",
            "fresh edit",
            "old edit",
            "put",
            "undo",
            "tag",
            "feedback",
            "decide",
            "back",
            "keyed",
            "jot",
        ),
        (6, 2, 4, 3, 4, 2, 2, 2, 2, 1, 2, 2),
    )[0]
    match act:
        case "say":
            one.say(sentence)
        case "confirm":
            one.put(world.said[sentence], "confirm")
        case "fresh edit":
            one.get(key)
            one.edit(key, _text(world.words[key]), given=one.versions[key])
        case "old edit":
            one.edit(key, _text(world.words[key]), given=one.versions.get(key))
        case "put":
            one.put(key, drawn.choice(("archive", "delete", "restore", "restore")))
        case "undo":
            mine = [(memory, run) for memory, run in one.runs[-6:] if memory in world.words]
            if mine:
                one.undo(*drawn.choice(mine))
        case "tag":
            one.tag(drawn.choice([key, world.said[sentence]]), f"tag {next(_numbers)}")
        case "feedback":
            one.feedback(world.said[sentence])
        case "decide":
            one.decide(drawn.choice(world.conflicts), drawn.choice(OUTCOMES))
        case "back":
            one.take_back(drawn.choice(world.conflicts))
        case "keyed":
            # Eight of one number come from several writers, each with the same words and the same key.
            number = len(one.ops) // 20
            one.keyed(f"Parcel {number} was left at the gate.", f"parcel {world.place.name} {number}")
        case "jot":
            one.jot(f"Letter {len(one.ops) // 20} was left at the gate.")  # likewise, without a key


def person_writes(one: Person, drawn: Random, world: World) -> None:
    key = drawn.choice(list(world.words))
    act = drawn.choices(("edit", "put", "confirm"), (4, 3, 1))[0]
    match act:
        case "edit":
            one.get(key)
            one.edit(key, _text(world.words[key]), given=one.versions.get(key))
        case "put":
            one.put(key, drawn.choice(("archive", "delete", "restore", "restore")))
        case "confirm":
            one.put(world.said[drawn.choice(SENTENCES)], "confirm")


def agent_reads(one: Agent, drawn: Random, world: World) -> None:
    key = drawn.choice(list(world.words))
    act = drawn.choices(("get", "list", "search", "context"), (4, 1, 5, 2))[0]
    match act:
        case "get":
            one.get(drawn.choice([key, world.said[drawn.choice(SENTENCES)]]))
        case "list":
            one.list_all()
        case "search":
            one.recall(key, world.words[key])
        case "context":
            one.context(key, world.words[key])


def person_reads(one: Person, drawn: Random, world: World) -> None:
    key = drawn.choice(list(world.words))
    act = drawn.choices(("get", "memory", "memories", "search", "facts", "conflicts", "home"), (4, 2, 1, 2, 1, 1, 1))[0]
    pages = {
        "memory": f"/memories/{key}/", "memories": f"/memories/?q={world.words[key]}",
        "search": f"/search/?q={world.words[key]}", "facts": "/facts/", "conflicts": "/conflicts/", "home": "/",
    }  # fmt: skip
    if act == "get":
        one.get(key)
    else:
        one.open(act, pages[act])


def _text(word: str) -> str:
    return f"The {word} board shows {next(_numbers)}."

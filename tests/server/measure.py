"""What server mode costs beside embedded mode, on this machine: requests a second, processor time a request, memory of
each process, and how that grows. docs/SCALING.md holds the figures.

    python -m tests.server.measure [--memories 1000,10000] [--seconds 4] [--rounds 3] [--clients 8] [--encoder NAME]
        [--engine local|surreal]

Processor time is what to trust: on a shared machine it stays what it is, while requests a second do not. The two
modes are asked in turns.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.live import live_app
from tests.server.cluster import Cluster, started

TICKS = os.sysconf("SC_CLK_TCK")
WORDS = [
    "heron", "weir", "ferry", "towpath", "otter", "lock", "reed", "bridge", "willow", "barge", "mill", "meadow",
    "kingfisher", "sluice", "gravel", "lantern", "harbour", "compass", "ledger", "orchard", "quarry", "saddle",
]  # fmt: skip


@dataclass(slots=True)
class Side:
    """One way to run: its address, and the processes that a request costs time in."""

    name: str
    api: httpx.Client
    pids: dict[str, int]
    counted: str = ""  # where the store tells how many questions it was asked
    figures: dict[str, list[tuple[float, dict[str, float]]]] = field(default_factory=lambda: defaultdict(list))


def sentence(rng: random.Random) -> str:
    return f"On day {rng.randrange(10**6)} the {' '.join(rng.choices(WORDS, k=9))} was noted by {rng.choice(WORDS)}."


def fill(api: httpx.Client, count: int, rng: random.Random) -> float:
    """Writes so many memories in batches; seconds."""
    began = time.monotonic()
    for at in range(0, count, 100):
        items = [{"text": sentence(rng)} for _ in range(min(100, count - at))]
        api.post("/memories/batch", json={"items": items}, timeout=300).raise_for_status()
    api.post("/search", json={"query": "heron"}).raise_for_status()
    return time.monotonic() - began


def asked(kind: str) -> Callable[[httpx.Client, random.Random], httpx.Response]:
    return {
        "new query": lambda api, rng: api.post("/search", json={"query": sentence(rng)}),
        "same query": lambda api, rng: api.post("/search", json={"query": "Where is the heron?"}),
        "write": lambda api, rng: api.post("/memories", json={"text": sentence(rng)}),
        "list": lambda api, rng: api.get("/memories", params={"limit": 50}),
    }[kind]


def load(side: Side, kind: str, *, clients: int, seconds: float) -> None:
    """Requests a second by so many clients, and milliseconds of processor time a request in each process."""
    ask, counts, over = asked(kind), [0] * clients, threading.Event()

    def go_on(n: int) -> None:
        rng = random.Random()
        with httpx.Client(base_url=side.api.base_url, headers=side.api.headers, timeout=60, trust_env=False) as api:
            while not over.is_set():
                ask(api, rng).raise_for_status()
                counts[n] += 1

    before, began = spending(side), time.monotonic()
    callers = [threading.Thread(target=go_on, args=(n,)) for n in range(clients)]
    for caller in callers:
        caller.start()
    time.sleep(seconds)
    over.set()
    for caller in callers:
        caller.join()
    done, took = sum(counts), time.monotonic() - began
    after = spending(side)
    each = {name: (after[name] - before[name]) / max(done, 1) for name in after}
    side.figures[kind].append((done / took, each))


def spending(side: Side) -> dict[str, float]:
    """Milliseconds of processor time of each process until now, and the questions that the store was asked."""
    told = {f"{name} ms": 1000 * spent(pid) for name, pid in side.pids.items()}
    return told | ({"questions": float(httpx.get(side.counted, trust_env=False).text)} if side.counted else {})


def spent(pid: int) -> float:
    """Seconds of processor time of a process, its threads with it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(pid: int) -> float:
    """MB that a process holds and shares with no other."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def counted_at(cluster: Cluster) -> str:
    return cluster.env["MEMORY_STORE_URL"].replace("ws:", "http:").replace("/rpc", "/counted")


def tell(side: Side) -> None:
    for kind, rounds in side.figures.items():
        rate = statistics.median(one for one, _ in rounds)
        each = {name: statistics.median(costs[name] for _, costs in rounds) for name in rounds[0][1]}
        costs = ", ".join(f"{name} {value:.1f}" for name, value in each.items())
        print(f"  {side.name:9} {kind:11} {rate:6.0f}/s   a request: {costs}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", default="1000,10000")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    parser.add_argument("--engine", default="local")
    wanted = parser.parse_args()
    settings = {"MEMORY_ENCODER": wanted.encoder, "MEMORY_SEARCH_ENGINE": wanted.engine, "MEMORY_RATE_LIMIT": "0"}
    with tempfile.TemporaryDirectory() as folder:
        (data := Path(folder) / "embedded").mkdir()
        (served := Path(folder) / "served").mkdir()
        with started(served, webs=1, workers=1, **settings) as cluster, live_app(data, **settings) as live:
            web, worker = cluster.webs[0], cluster.workers[0]
            pids = {"web": web.pid, "store": cluster.store.pid}
            sides = [
                Side("embedded", live.client(), {"app": live.process.pid}),
                Side("ws://", web.api, pids, counted_at(cluster)),
            ]
            everybody = pids | {"worker": worker.pid, "redis": cluster.redis.pid, "embedded app": live.process.pid}
            print("empty, MB:", {name: round(resident(pid)) for name, pid in everybody.items()}, flush=True)
            held = 0
            for count in map(int, wanted.memories.split(",")):
                for side in sides:
                    side.figures.clear()
                    took = fill(side.api, count - held, random.Random(count))
                    print(f"{count} memories, {side.name}: {(count - held) / took:.0f} written a second in batches")
                held = count
                for _ in range(wanted.rounds):
                    for kind in ("new query", "same query", "write", "list"):
                        for side in sides:
                            load(side, kind, clients=wanted.clients, seconds=wanted.seconds)
                for side in sides:
                    tell(side)
                print("  MB:", {name: round(resident(pid)) for name, pid in everybody.items()}, flush=True)


if __name__ == "__main__":
    main()

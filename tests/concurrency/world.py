"""The few dozen memories that everybody works on, and how they stood when all were done."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tests.acceptance.place import Place, got
from tests.concurrency.history import End, Layer, Op, Seen

EVERY_STATE = ["held", "superseded", "archived"]
# Said by everybody again and again, and never put into other words: each must stay one memory.
SENTENCES = (
    "Mara prefers green tea.",
    "The archive of the observatory is kept in Daejeon.",
    "Backups are written at four in the morning.",
    "Hyun plays the cello.",
    "The invoices of the bakery are due within thirty days.",
    "Sven is allergic to walnuts.",
    "The lighthouse was painted by volunteers.",
    "Nobody waters the cactus in winter.",
    "The committee meets on the second floor.",
    "Release notes are translated into Korean.",
    "Otters live below the old mill.",
    "The choir rehearses without a conductor.",
)
# Each has a word of its own, by which it is found whatever else it comes to say.
WORDS = (
    "quokka", "zephyr", "obsidian", "marzipan", "fjord", "tamarind",
    "juniper", "cobalt", "saffron", "walrus", "xylophone", "ember",
)  # fmt: skip
CITIES = (("Mina", "Seoul", "Busan"), ("Tariq", "Oslo", "Bergen"), ("Lena", "Graz", "Linz"), ("Bo", "Lund", "Kiel"))


@dataclass(slots=True)
class World:
    """`said`: by sentence, its memory; `words`: by memory, its own word; `conflicts` that wait at the beginning;
    `first`: the requests that brought all this about."""

    place: Place
    said: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    first: list[Op] = field(default_factory=list)


def furnish(place: Place) -> World:
    world, began = World(place), time.monotonic()

    def first(told: dict[str, Any], outcome: str) -> str:
        assert told["outcome"] == outcome, told
        seen = (Seen(told["id"], told["text"], told["version"]),)
        world.first.append(Op("first", "write", began, time.monotonic(), made=told["id"], seen=seen))
        return str(told["id"])

    for sentence in SENTENCES:
        world.said[sentence] = first(place.fact(sentence), "written")
    for word in WORDS:
        world.words[first(place.write(f"The {word} board shows nothing."), "written")] = word
    for name, was, now in CITIES:
        place.fact(f"{name} lives in {was}.")
        told = place.fact(f"{name} lives in {now}.")
        assert told["conflict"], told
        world.conflicts.append(told["conflict"])
    return world


def end_of(world: World, ops: list[Op]) -> End:
    """As it stands now, asked of the API by one alone."""
    api = world.place.api
    layers = {
        key: _layers(got(api, f"/memories/{key}/history")["items"]) for key in (*world.words, *world.said.values())
    }
    said: dict[str, list[str]] = defaultdict(list)
    everything = world.place.memories(states=EVERY_STATE) | world.place.memories(states=["deleted"])
    for key, memory in everything.items():
        said[memory["text"]].append(key)
    facts = {key: got(api, f"/memories/{key}") for key in world.said.values()}
    new = {memory["text"] for memory in everything.values() if memory["text"].endswith("was left at the gate.")}
    return End(
        layers=layers,
        reinforced={key: fact["trust_parts"]["reinforcements"] for key, fact in facts.items()},
        used={key: fact["usage"]["used"] for key, fact in facts.items()},
        conflicts={key: got(api, f"/conflicts/{key}")["status"] for key in world.conflicts},
        said=said,
        once=frozenset(SENTENCES) | new,
    )


def _layers(items: list[dict[str, Any]]) -> list[Layer]:
    # A version of 0 is of a reference alone, which changes no word.
    kept = [Layer(one["version"], one["act"], one["run"], one["text"], one["state"]) for one in items if one["version"]]
    return kept[::-1]

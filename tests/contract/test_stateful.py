"""Walks through the API in which each request takes its ids from the answers before it: nothing breaks, every answer is
as the document says, and in the end every invariant holds.

MEMORY_TEST_FUZZ=minutes:N walks for N minutes, each time another way; MEMORY_TEST_FUZZ_SEED=S goes the ways of a run
before.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import Phase
from schemathesis.core.transport import Response
from schemathesis.generation.stateful.state_machine import normalize_name

from memoryapp import graph, tree
from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.api.assembly import document
from memoryapp.api.throttle import buckets
from memoryapp.domain.golden import Golden
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.turn import NewTurn
from memoryapp.integrity import check
from memoryapp.remember import append_turns, remember
from memoryapp.spaces import Space, close_space
from memoryapp.store import golden, sessions
from tests.contract.links import NAMED, linked
from tests.contract.wire import BASE, CHECKS, Wire, prepared
from tests.samples import AGENT, NOON, PERSON

SLOWEST = 60.0  # seconds for an answer on a machine that does other things as well: longer is a hang
STEPS = 30
NEW = {"write_memory", "write_fact", "write_batch", "open_session", "make_key", "search", "grow_node"}
FACTS = (
    "Mara Lind lives in Seoul.",
    "Mara Lind lives in Busan.",
    "M. Lind works at Nordwind with Jonas Weber.",
    "Jonas Weber likes tea.",
    "Jonas Weber does not like tea.",
    "The build takes 12 minutes.",
    "배포는 금요일 16시부터 멈춘다.",
)
BANK = {
    "tree-index.json": b'{"nodes": {"values": {"title": "Values"}, "people": {"title": "People"}}}',
    "bank/values.md": b"# Values\n\n- Honesty comes first.\n",
    "bank/people.md": b"# People\n\n- Mara lives in Seoul.\n",
}


def lived_in(space: Space) -> Space:
    """Conflicts that wait, entities that are related, a talk, a tree and a question: what a walk can get hold of."""
    done = [remember(space, [NewMemory(text, kind=Kind.FACT)], actor=AGENT)[0] for text in FACTS]
    sessions.open_session(space.db, sessions.Session("morning", NOON, "heron", {}))
    append_turns(space, "morning", [NewTurn("I prefer green tea.", speaker="Ines", at=NOON)], actor=AGENT)
    tree.bring(space, BANK, actor=PERSON)
    graph.relate(space, actor=PERSON)
    golden.save(space.db, [Golden(new_id(), "who likes tea", (done[3].id,), "", "mara", NOON, NOON)])
    return space


class Walks:
    """What all walks of a run met: how many there were, and what was answered to what."""

    def __init__(self) -> None:
        self.walks = 0
        self.answers: Counter[tuple[str, int]] = Counter()

    def told(self) -> str:
        operations = {label for label, _ in self.answers}
        fine = {label for label, status in self.answers if status < 300}
        by_status = Counter({s: 0 for _, s in self.answers})
        for (_, status), times in self.answers.items():
            by_status[status] += times
        asked = sum(by_status.values())
        answered = ", ".join(f"{status} {times:,} times" for status, times in sorted(by_status.items()))
        return (
            f"{self.walks:,} walks of {asked:,} requests to {len(operations)} operations, of which {len(fine)} did "
            f"what was asked at least once: {answered}."
        )


def a_walk(met: Walks) -> Any:
    """A machine of states out of the document: its rules are the links, and no guesses at some from the names. A walk
    sets out from what is there, or from something new: what wants an id is reached with one."""
    schema = schemathesis.openapi.from_dict(linked(document()))
    schema.config.phases.stateful.inference.algorithms = []
    lists, outset = set(), set()
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]
        name = operation.definition.raw["operationId"]
        if operation.method == "get" and any(name in givers for givers in NAMED.values()):
            lists.add(operation.label)
        if name in NEW or (operation.label in lists and "{" not in operation.path and name != "list_relations"):
            outset.add(operation.label)
    machine: Any = schema.as_state_machine()
    for label in machine._root_labels - outset:
        delattr(machine, normalize_name(f"RANDOM -> {label}"))
    machine._root_labels &= outset
    machine.root_rules = frozenset(normalize_name(f"RANDOM -> {label}") for label in machine._root_labels)

    class Walk(machine):  # type: ignore[misc]
        def setup(self) -> None:
            buckets.clear()
            self.row = create_space(f"walk-{new_id()}")
            self.made, text = create_key("walk", role=Role.ADMIN)
            self.wire = Wire(text, self.row.name)
            lived_in(open_row(self.row))
            met.walks += 1
            self.asked = 0

        def before_call(self, case: Any) -> None:
            """Filters drawn at random find nothing, and nothing leads nowhere: most lists are asked for whole. Nor do
            most requests say conditions, which no random version fulfils."""
            self.asked += 1
            if self.asked % 5:
                case.headers = {}
                if case.operation.label in lists and "{" not in case.operation.path:
                    case.query = {key: said for key, said in (case.query or {}).items() if key == "entity"}

        def call(self, case: Any, **kwargs: Any) -> Response:
            buckets.clear()
            began = time.monotonic()
            answer = self.wire.send(prepared(case.as_transport_kwargs(base_url=BASE)))
            assert time.monotonic() - began < SLOWEST, f"{case.operation.label} hangs"
            met.answers[case.operation.label, answer.status_code] += 1
            return answer

        def validate_response(self, response: Response, case: Any, **kwargs: Any) -> None:
            case.validate_response(response, checks=CHECKS)

        def teardown(self) -> None:
            try:
                broken = check(open_row(self.row)).broken
                assert broken == (), broken
            finally:
                forget(self.row.name)

    return Walk


def forget(name: str) -> None:
    close_space(name)
    Row.objects.filter(name=name).delete()


def rounds() -> Iterator[int]:
    """A seed for each round of walks: one, or as many as the time holds that was asked for."""
    name, _, minutes = os.environ.get("MEMORY_TEST_FUZZ", "").partition(":")
    if name != "minutes":
        yield 1
        return
    draw = random.Random(os.environ.get("MEMORY_TEST_FUZZ_SEED") or None)
    until = time.monotonic() + 60 * float(minutes)
    while time.monotonic() < until:
        yield draw.randrange(2**32)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
def test_no_walk_through_the_interface_breaks_the_server_or_what_it_holds(tmp_path: Path) -> None:
    met = Walks()
    machine = a_walk(met)
    settings = hypothesis.settings(
        max_examples=8,
        stateful_step_count=STEPS,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    for seed in rounds():
        print(f"seed {seed}")
        machine.rule_order_seed = seed
        hypothesis.seed(seed)(machine)
        machine.run(settings=settings)
    print(met.told())
    reached = {label for label, status in met.answers if status < 300}
    assert len(reached) >= 30, met.told()

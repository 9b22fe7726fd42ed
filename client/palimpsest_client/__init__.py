"""The Python client of Palimpsest, a memory for AI agents that a person can see into and correct.

from palimpsest_client import Palimpsest

with Palimpsest() as memory:                     # MEMORY_URL and MEMORY_KEY
    memory.remember("Backups run at 02:00 KST.")
    print(memory.context("When do the backups run?"))
"""

from palimpsest_client.awaited import AsyncPalimpsest, AsyncTalk
from palimpsest_client.blocking import Palimpsest, Talk
from palimpsest_client.calls.searching import Filters
from palimpsest_client.errors import JobFailed, NotReached, NotSetUp, NotUnderstood, PalimpsestError
from palimpsest_client.records import (
    Conflict,
    Decision,
    Entity,
    InRole,
    Job,
    NamedEntity,
    NewEntity,
    Node,
    NodeAct,
    NodeRow,
    Outline,
    Progress,
    Proposal,
    SessionInfo,
    SessionOpened,
    SessionState,
    Space,
    Turn,
    TurnRead,
    Undone,
    WholeEntity,
)
from palimpsest_client.shapes import (
    Act,
    Comparison,
    Context,
    Explanation,
    Found,
    Hit,
    Memory,
    Origin,
    Outcome,
    Page,
    Receipt,
    Weighed,
    WholeMemory,
    Written,
)

__all__ = [
    "Act",
    "AsyncPalimpsest",
    "AsyncTalk",
    "Comparison",
    "Conflict",
    "Context",
    "Decision",
    "Entity",
    "Explanation",
    "Filters",
    "Found",
    "Hit",
    "InRole",
    "Job",
    "JobFailed",
    "Memory",
    "NamedEntity",
    "NewEntity",
    "Node",
    "NodeAct",
    "NodeRow",
    "NotReached",
    "NotSetUp",
    "NotUnderstood",
    "Origin",
    "Outcome",
    "Outline",
    "Page",
    "Palimpsest",
    "PalimpsestError",
    "Progress",
    "Proposal",
    "Receipt",
    "SessionInfo",
    "SessionOpened",
    "SessionState",
    "Space",
    "Talk",
    "Turn",
    "TurnRead",
    "Undone",
    "Weighed",
    "WholeEntity",
    "WholeMemory",
    "Written",
]

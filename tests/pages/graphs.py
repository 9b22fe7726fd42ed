"""A small graph for the pages: who uses what, written through the real rooms."""

from __future__ import annotations

from datetime import timedelta

from memoryapp import spaces
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.entity import EntityType
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.relation import MadeBy, RelationType
from tests.graph.world import World

LONG = "A very long name of a thing that nobody would ever write like that in full"
KOREAN = "아주 긴 이름을 가진 배포 자동화 도구"


def workshop(space: spaces.Space) -> dict[str, Memory]:
    """Jiwon between two tools that are at odds; a project with a run that moved to other hardware; a way from Adam to
    the pipeline; a name as long as names get, and an island that nothing joins to the rest."""
    world, now = World(space), space.clock()
    world.has("Jiwon", "Mina", "Adam", type=EntityType.PERSON)
    world.has("Mac", "Linux", "H100", "A100", "Terraform", "nvim", "Neovim", LONG)
    world.has("Embedding runs", "deployment pipeline", KOREAN, type=EntityType.PROJECT)
    world.has("database", "SurrealDB", type=EntityType.CONCEPT)
    world.has("harbour", type="ritual")
    person = {"relation": {"made_by": MadeBy.PERSON, "confidence": 0.9}}
    said = {
        "mac": world.told("Jiwon uses a Mac for everything.", "Jiwon", RelationType.USES, "Mac", **person),
        "linux": world.told("Jiwon uses Linux at work.", "Jiwon", RelationType.USES, "Linux", **person),
        "works": world.told("Jiwon works on the embedding runs.", "Jiwon", RelationType.WORKS_ON, "Embedding runs"),
        "now": world.told("Embedding runs go to the H100.", "Embedding runs", RelationType.RUNS_ON, "H100", **person),
        "then": world.told("Embedding runs go to the A100s.", "Embedding runs", RelationType.RUNS_ON, "A100"),
        "adam": world.told("Adam uses Terraform.", "Adam", RelationType.USES, "Terraform"),
        "part": world.told(
            "Terraform is part of the deployment pipeline.", "Terraform", RelationType.PART_OF, "deployment pipeline"
        ),
        "knows": world.told("Jiwon knows Adam.", "Jiwon", RelationType.KNOWS, "Adam"),
        "plan": world.told(
            "Mina wants to use Neovim.", "Mina", RelationType.USES, "Neovim", relation={"planned": True}
        ),
        "kind": world.told("SurrealDB is a database.", "SurrealDB", RelationType.IS_A, "database"),
        "long": world.told("배포는 그것을 쓴다.", KOREAN, RelationType.USES, LONG),
        "both": world.said("Mina and Jiwon met at the harbour.", ("Mina", "Jiwon")),
    }
    world.changed(said["then"], state=State.SUPERSEDED, valid_to=now - timedelta(days=3))
    clash = Conflict(new_id(), said["mac"].id, "value", "Both name what Jiwon uses.", now, incoming=said["linux"].id)
    world.write(conflicts=[clash])
    return said

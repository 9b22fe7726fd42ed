"""The graph as a stranger meets it: what is said joins names, questions walk along them, all of it can be undone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.acceptance.place import Place, got, said

PIPELINE = "The deployment pipeline is built with Terraform."
ADAM = "Adam works on Terraform two days a week."
BEACH = "Adam went to the beach with a thermos of tea."
OTHERS = ("Alice spent 400 dollars on bike maintenance.", "Mina moved to Busan.", "The heating knocks at six.")
STAR = 80


def told(place: Place, *texts: str) -> dict[str, str]:
    """Posts facts, and reads them for relations; their ids by their words."""
    ids = {text: place.fact(text)["id"] for text in texts}
    read_up(place)
    return ids


def read_up(place: Place) -> dict[str, Any]:
    """Brings the graph up to date; the job."""
    answer = place.api.post("/heartbeat/graph/run")
    assert answer.status_code == 202, answer.text
    job = place.ended(answer.json()["job"]["id"])
    assert job["status"] == "done" and not job["report"]["problem"], job
    return job


def named(place: Place, name: str) -> dict[str, Any]:
    """The one that stands for this name."""
    found = got(place.api, "/entities", params={"text": name, "limit": 200})["items"]
    cards = [got(place.api, f"/entities/{one['id']}") for one in found]
    card: dict[str, Any]
    (card,) = [card for card in cards if name in {one["name"] for one in (card, *card["merged"])}]
    return card


def joined(place: Place, name: str) -> set[tuple[str, str, str]]:
    """What is said of it, each end by the name it bears itself."""
    found = got(place.api, "/relations", params={"entity": named(place, name)["id"], "limit": 200})["items"]
    return {(one["subject"]["name"], one["type"], one["object"]["name"]) for one in found if one["holds"]}


def recall(place: Place, question: str, **more: Any) -> dict[str, dict[str, Any]]:
    """What comes back, by id, in order."""
    found = place.act("/search", query=question, floor=0, **{"strategy": "recall", **more})
    return {hit["id"]: hit for hit in found["items"]}


def way(hit: dict[str, Any]) -> list[tuple[str, str]]:
    """The entities on the way to a memory, and how each was reached."""
    return [(step["name"], step["by"]) for step in hit["evidence"]["path"] if "entity" in step]


def test_a_question_about_the_pipeline_reaches_adam_through_terraform_and_shows_the_path(place: Place) -> None:
    ids = told(place, PIPELINE, ADAM, BEACH, *OTHERS)
    for n in range(5):
        place.write(f"What do I know about pipeline number {n}?")  # nearer by its words
    hits = recall(place, "What do I know about the deployment pipeline?")
    assert next(iter(hits)) == ids[PIPELINE] and ids[ADAM] in hits
    pipeline, terraform = ("deployment pipeline", "named"), ("Terraform", "uses")
    # No word of it leads there, and nothing else does.
    assert way(hits[ids[BEACH]]) == [pipeline, terraform, ("Adam", "works_on")]
    assert hits[ids[BEACH]]["evidence"]["path"][2]["back"] is True
    steps = got(
        place.api,
        "/graph/path",
        params={"start": named(place, "deployment pipeline")["id"], "end": named(place, "Adam")["id"]},
    )["steps"]
    assert [(one["edge"]["type"], one["node"]["name"]) for one in steps] == [
        ("uses", "Terraform"), ("works_on", "Adam"),
    ]  # fmt: skip
    assert [one["edge"]["text"] for one in steps] == [PIPELINE, ADAM] and all(one["edge"]["hint"] for one in steps)


@pytest.mark.long
def test_asking_for_a_database_reaches_what_is_known_of_surrealdb(place: Place) -> None:
    ids = told(place, "SurrealDB is a multi-model database.", *OTHERS)
    place.note("hangang.md", "## Laptop\n\n[[SurrealDB]] runs embedded on the laptop of Jiwon.\n")
    place.read()
    note = place.titled("Laptop")["id"]
    hits = recall(place, "database")
    assert next(iter(hits)) == ids["SurrealDB is a multi-model database."]
    (begun, by), last = way(hits[note])[0], way(hits[note])[-1]
    assert begun.endswith("database") and by == "named" and last == ("SurrealDB", "is_a")
    assert [one["entity"]["name"] for one in named(place, "multi-model database")["children"]] == ["SurrealDB"]


@pytest.mark.long
def test_a_place_in_the_hierarchy_given_by_hand_leads_there_too_and_is_taken_back(place: Place) -> None:
    told(place, "Jiwon uses SurrealDB.", "Mina uses a database.")
    note = place.write("The engine [[SurrealDB]] died twice.")["id"]
    place.api.post("/entities", json={"name": "storage", "type": "concept"}).raise_for_status()
    low, high = named(place, "SurrealDB")["id"], named(place, "storage")["id"]
    run = place.api.put(f"/entities/{low}/parents/{high}").json()["run"]
    said(place.api.put(f"/entities/{high}/parents/{low}"), 409)
    assert way(recall(place, "storage")[note]) == [("storage", "named"), ("SurrealDB", "is_a")]
    place.act(f"/runs/{run}/undo")
    assert named(place, "storage")["children"] == []


def test_two_names_of_one_thing_are_one_node_and_are_parted_with_every_edge_as_before(place: Place) -> None:
    ids = told(place, "Jiwon uses Neovim every day.", "Adam uses nvim on the laptop.", "Mina prefers nvim.")
    one = named(place, "nvim")
    assert one["name"] == "Neovim" and one["memories_in_all"] == len(ids)
    (short,) = one["merged"]
    all_three = {("Jiwon", "uses", "Neovim"), ("Adam", "uses", "nvim"), ("Mina", "prefers", "nvim")}
    assert joined(place, "nvim") == joined(place, "Neovim") == all_three
    scene = got(place.api, "/graph", params={"start": one["id"], "steps": 1})
    assert {node["name"] for node in scene["nodes"]} == {"Neovim", "Jiwon", "Adam", "Mina"}
    before = place.rows()

    place.act("/entities/unmerge", entity=short["id"])
    assert joined(place, "Neovim") == {("Jiwon", "uses", "Neovim")}
    assert joined(place, "nvim") == all_three - joined(place, "Neovim")
    assert (named(place, "Neovim")["memories_in_all"], named(place, "nvim")["memories_in_all"]) == (1, 2)
    told(place, "Priya uses nvim.")  # once parted they stay two
    assert named(place, "nvim")["id"] == short["id"]
    after = place.rows()
    for table in ("relates", "references"):
        assert before[table] and all(row in after[table] for row in before[table]), table

    merged = place.act("/entities/merge", keep=one["id"], gone=[short["id"]])
    assert merged["preview"]["memories"] == 4 and named(place, "nvim")["id"] == one["id"]
    place.act(f"/runs/{merged['run']}/undo")
    assert named(place, "nvim")["id"] == short["id"]


@pytest.mark.parametrize("strategy", ["recall", "structural", "dual-arm", "bridge"])
@pytest.mark.long
def test_a_name_that_everything_refers_to_does_not_flood_the_results(star: Place, strategy: str) -> None:
    hits = star.search("What does the user feed the quokka?", strategy=strategy, top_k=50)["items"]
    about = [hit for hit in hits if "quokka" in hit["text"].lower()]
    assert len(about) == 2 and about == hits[:2]
    for hit in hits:
        assert "user" not in [name for name, _ in way(hit)] if hit["evidence"].get("path") else True
        assert "user" not in {seed["name"] for seed in hit["evidence"].get("seeds") or ()}
    if strategy == "recall":
        assert len(hits) <= 10, "the nearest, and what they lead to"


@pytest.fixture
def star(place: Place) -> Place:
    items = [{"atoms": f"(visits :subject user :object place{n})"} for n in range(STAR)]
    items += [{"atoms": "(feeds :subject user :object Quokka)"}, {"atoms": "(eats :subject Quokka :object eucalyptus)"}]
    answer = place.api.post("/memories/batch", json={"items": items})
    assert answer.status_code in (200, 201), answer.text
    assert named(place, "user")["links"] == STAR + 1
    return place


ATOMS = {
    "(prefers :subject Alice :object Python :memory_type semantic)": [
        ("Alice", "subject", 1.0), ("Python", "object", 0.9),
    ],
    '(gives :subject Alice :object "the red book" :recipient Bob :source Mina :memory_type episodic)': [
        ("Alice", "subject", 1.0), ("the red book", "object", 0.9), ("Bob", "recipient", 0.8), ("Mina", "source", 0.6),
    ],
    "(deploys :subject Mina :object Hangang :instrument Terraform :locus Seoul :mood planned)": [
        ("Mina", "subject", 1.0), ("Hangang", "object", 0.9), ("Terraform", "instrument", 0.7), ("Seoul", "locus", 0.4),
    ],
    "(plans :subject Mina :object (visits :subject Mina :object Busan))": [
        ("Mina", "subject", 1.0), ("Busan", "object", 0.9),
    ],
}  # fmt: skip


def test_atoms_come_back_as_they_were_written_with_everybody_in_their_role(place: Place) -> None:
    answer = place.api.post("/memories", json={"atoms": "\n".join(ATOMS)})
    assert answer.status_code == 201, answer.text
    first = answer.json()
    assert first["text"] == "Alice prefers Python." and first["memory_type"] == "semantic"
    keys = [first["id"], *(one["id"] for one in first["more"])]
    for key, (atom, parts) in zip(keys, ATOMS.items(), strict=True):
        shown = got(place.api, f"/memories/{key}")
        assert shown["kind"] == "atom" and shown["atom"] == atom
        assert sorted((one["name"], one["role"], one["weight"]) for one in shown["entities"]) == sorted(parts)
    assert ("Alice", "prefers", "Python") in joined(place, "Python")
    again = place.api.post("/memories", json={"atoms": got(place.api, f"/memories/{keys[1]}")["atom"]})
    assert again.status_code == 200 and (again.json()["outcome"], again.json()["id"]) == ("reinforced", keys[1])


@pytest.mark.parametrize(
    ("atoms", "where"),
    [
        ("(prefers :subject Alice :object Python", "Line 1, column 39"),
        ("(prefers :subject Alice :object Python)\n(likes :who Bob)", "Line 2, column 8"),
    ],
)
def test_a_malformed_atom_is_answered_with_its_place_and_stores_nothing(place: Place, atoms: str, where: str) -> None:
    assert where in said(place.api.post("/memories", json={"atoms": atoms}), 422)
    assert place.memories() == {} and got(place.api, "/entities")["items"] == []


def test_a_purged_fact_takes_its_relations_along(place: Place) -> None:
    ids = told(place, PIPELINE, ADAM)
    assert joined(place, "Terraform") == {
        ("deployment pipeline", "uses", "Terraform"),
        ("Adam", "works_on", "Terraform"),
    }
    place.act(f"/memories/{ids[ADAM]}/purge")
    assert joined(place, "Terraform") == {("deployment pipeline", "uses", "Terraform")}
    assert all(row.get("fact") != ids[ADAM] for row in place.rows()["relates"])
    assert got(place.api, "/relations", params={"fact": ids[ADAM]})["items"] == []


@pytest.mark.long
def test_what_is_superseded_joins_nothing_any_more(place: Place) -> None:
    ids = told(place, PIPELINE, ADAM)
    place.act(f"/memories/{ids[ADAM]}/archive")
    assert joined(place, "Terraform") == {("deployment pipeline", "uses", "Terraform")}
    place.act(f"/memories/{ids[ADAM]}/restore")
    assert ("Adam", "works_on", "Terraform") in joined(place, "Terraform")


def test_what_one_reading_found_is_taken_back_in_one_go(place: Place) -> None:
    for text in (PIPELINE, ADAM, *OTHERS):
        place.fact(text)
    before = place.rows()
    job = read_up(place)
    assert (job["report"]["read"], job["report"]["relations"]) == (5, 3)
    assert got(place.api, f"/runs/{job['run']}")["act"] == "relate"
    assert place.act(f"/runs/{job['run']}/undo")["skipped"] == []
    after = place.rows()
    assert after.get("relates", []) == [] and after.get("references", []) == before.get("references", [])
    assert read_up(place)["report"]["relations"] == 0, "what was taken back is not found again unasked"

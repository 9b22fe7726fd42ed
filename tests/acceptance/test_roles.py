"""A reader's key reads. The list of what writes is taken from the running app, so that no operation is forgotten."""

from __future__ import annotations

from typing import Any

import httpx

from tests.acceptance.place import Place, got, said

ASKING = {  # POSTs that only ask
    "/search", "/search/compare", "/search/explain", "/context",
    "/embeddings", "/atoms/preview",
    "/tree/reach", "/tree/export",
}  # fmt: skip
OPEN = {"/health/live", "/health/ready"}


def operations(place: Place) -> list[tuple[str, str, dict[str, Any]]]:
    document = got(place.api, "/openapi.json")
    return [
        (method.upper(), path.removeprefix("/api/v1"), operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def filled(place: Place, address: str) -> str:
    """The address with the id of a real thing in it."""
    for name, value in (("{parent}", "0" * 16), ("{path}", "infra/gpu"), ("{act}", "graph")):
        address = address.replace(name, value)
    if "{name}" in address:
        return address.replace("{name}", place.name)
    kind = address.split("/")[1]
    if kind == "sessions":
        return address.replace("{id}", place.api.post("/sessions", json={"name": "s"}).json()["id"])
    if kind == "runs":
        return address.replace("{id}", got(place.api, "/jobs")["items"][0]["run"])
    if "{" not in address:
        return address
    listed = place.api.get(f"/{kind}")
    items = listed.json()["items"] if listed.status_code == 200 else []
    return address.replace("{id}", str(items[0].get("id", "0" * 16)) if items else "0" * 16)


def body_of(operation: dict[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("example", {})


def test_a_readers_key_cannot_write_by_any_operation(place: Place) -> None:
    text = "## One\n\nThe `surrealdb` engine and [[Redis]].\n\n## Two\n\nOf [[Redis]] again.\n"
    place.note("a.md", text)
    place.read()
    one = place.titled("One")["id"]
    place.api.patch(f"/memories/{one}", json={"text": "In other words."}).raise_for_status()
    place.note("a.md", text.replace("engine", "motor"))
    place.read()
    assert len(got(place.api, "/conflicts")["items"]) == 1
    place.write("A note.")
    reader = place.key("reader")
    tried = [(method, filled(place, path), op) for method, path, op in operations(place) if method != "GET"]
    tried = [one for one in tried if one[1] not in ASKING]
    assert len(tried) > 25
    before = place.rows()
    for method, address, operation in tried:
        answer = reader.request(method, address, json=body_of(operation))
        sentence = said(answer, 403)
        assert "reader" in sentence and answer.json()["type"].endswith("#not-allowed"), (method, address, sentence)
    for address in ("/ingest", "/backups/restore", "/import"):
        said(reader.post(address, files={"upload": ("a.md", b"## X\n\ny\n")}), 403)
    assert place.rows() == before


def test_a_readers_key_reads_everything_that_is_for_readers(place: Place) -> None:
    place.write("The lamp is green.")
    reader = place.key("reader")
    assert reader.post("/search", json={"query": "lamp"}).json()["items"][0]["text"] == "The lamp is green."
    place.api.post("/sessions", json={"name": "standup"}).raise_for_status()
    for address in (
        "/memories", "/sources", "/jobs", "/entities", "/conflicts", "/audit", "/runs",
        "/stats", "/spaces", "/sessions", "/sessions/standup", "/sessions/standup/turns", "/episodes", "/episodes/days",
        "/summaries", "/entities/alike", "/graph", "/graph/export.graphml",
    ):  # fmt: skip
        assert reader.get(address).status_code == 200, address
    given = reader.post("/context", json={"message": "What colour is the lamp?"})
    assert "The lamp is green." in given.json()["text"]


def test_a_writers_key_suggests_and_a_curators_decides(place: Place) -> None:
    writer, curator = place.key("writer"), place.key("curator")
    held = writer.post("/memories", json={"kind": "fact", "text": "Minsu lives in Seoul."}).json()
    told = writer.post("/memories", json={"kind": "fact", "text": "Minsu lives in Busan."}).json()
    address = f"/conflicts/{told['conflict']}"
    suggested = writer.post(f"{address}/resolve", json={"outcome": "replace", "reason": "He said so."})
    assert suggested.status_code == 202 and suggested.json()["status"] == "proposed"
    assert got(place.api, f"/memories/{held['id']}")["state"] == "held"
    for act, body in (("undo", None), ("snooze", {"until": None})):
        assert "writer" in said(writer.post(f"{address}/{act}", json=body), 403)
    assert "writer" in said(writer.post("/conflicts/resolve", json={"all": True, "outcome": "proposal"}), 403)
    decided = curator.post(f"{address}/resolve", json={"outcome": "replace"})
    assert decided.status_code == 200 and decided.json()["status"] == "decided"
    assert got(place.api, f"/memories/{held['id']}")["state"] == "superseded"
    assert curator.post(f"{address}/undo").status_code == 200
    assert got(place.api, f"/memories/{held['id']}")["state"] == "held"


def test_nothing_answers_without_a_key_on_this_machine_either(place: Place) -> None:
    stranger = httpx.Client(base_url=f"{place.live.url}/api/v1", timeout=60, trust_env=False)
    for method, path, _ in operations(place):
        if path in OPEN:
            continue
        answer = stranger.request(
            method, path.replace("{id}", "0" * 16).replace("{parent}", "0" * 16).replace("{name}", "default")
        )
        assert answer.status_code in (401, 429), (method, path, answer.status_code)
    for page in ("/", "/memories/", "/search/?q=x", "/ingest/", "/settings/keys/", "/jobs/"):
        answer = stranger.get(place.live.url + page)
        assert answer.status_code == 302 and answer.headers["location"].startswith("/login/"), page


def test_a_key_of_one_space_sees_nothing_of_another(place: Place) -> None:
    secret = place.write("The lamp is green.")["id"]
    everything = httpx.Client(base_url=f"{place.live.url}/api/v1", timeout=60, trust_env=False)
    made = place.api.post("/spaces", json={"name": f"{place.name}-2"})
    assert made.status_code == 201, made.text
    key = place.api.post("/keys", json={"name": "k", "role": "admin", "space": f"{place.name}-2"}).json()["key"]
    headers = {"Authorization": f"Bearer {key}"}
    said(everything.get(f"/memories/{secret}", headers=headers), 404)
    said(everything.get("/memories", headers=headers | {"X-Space": place.name}), 404)
    assert everything.post("/search", json={"query": "lamp green"}, headers=headers).json()["items"] == []
    said(everything.post("/keys", json={"name": "k", "role": "admin", "space": place.name}, headers=headers), 404)
    said(everything.post("/keys", json={"name": "k", "role": "admin"}, headers=headers), 403)

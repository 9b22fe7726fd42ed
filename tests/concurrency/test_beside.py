"""What goes on for longer, beside people and agents who do not wait for it: ingest, consolidation, purge; and two who
decide or merge the same at one moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest

from tests.acceptance.place import Place, got, said, until

EIGHT = 8
EVERY_STATE = ["held", "superseded", "archived"]


def at_once(*acts: Callable[[], httpx.Response]) -> list[httpx.Response]:
    gate = threading.Barrier(len(acts))

    def one(act: Callable[[], httpx.Response]) -> httpx.Response:
        gate.wait(60)
        return act()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(one, acts))


@contextmanager
def beside(*acts: Callable[[int], httpx.Response]) -> Iterator[list[httpx.Response]]:
    """Each again and again in a thread of its own, given how often it was done before, until the block ends; what they
    were answered."""
    over, answers = threading.Event(), []

    def again(act: Callable[[int], httpx.Response]) -> None:
        for n in range(10_000):
            answers.append(act(n))
            if over.is_set():
                return

    with ThreadPoolExecutor(len(acts)) as threads:
        running = [threads.submit(again, act) for act in acts]
        try:
            yield answers
        finally:
            over.set()
        for one in running:
            one.result(120)


def whole(place: Place) -> None:
    report = got(place.api, "/integrity")
    assert report["sound"], report["broken"]


@pytest.mark.long
def test_two_sources_are_read_at_once_beside_writers(place: Place) -> None:
    for folder in "ab":
        for n in range(12):
            place.note(
                f"{folder}/{n}.md", f"## Redis {folder} {n}\n\nMina measured {n} ms.\n\n## Terraform\n\nRun {n}.\n"
            )

    def writes(who: int) -> Callable[[int], httpx.Response]:
        return lambda n: place.api.post(
            "/memories", json={"kind": "fact", "text": f"Mina counted {n} boats on pier {who}."}
        )

    with beside(*map(writes, range(3))) as answers:
        begun = at_once(
            *(
                lambda folder=folder: place.api.post("/ingest", json={"path": str(place.folder / folder)})  # type: ignore[misc]
                for folder in "ab"
            )
        )
        ended = [place.ended(answer.json()["job"]["id"]) for answer in begun]
    assert [(job["status"], job["report"]["added"]) for job in ended] == [("done", 24), ("done", 24)]
    assert {answer.status_code for answer in answers} <= {200, 201}
    # Every fact that was acknowledged is there, once; both folders name the same things, of which there is one each.
    texts = [memory["text"] for memory in place.memories(states=EVERY_STATE).values()]
    assert {answer.json()["text"] for answer in answers} <= set(texts)
    assert sum(text.startswith("Mina counted") for text in texts) == len({answer.json()["id"] for answer in answers})
    names = [entity["name"] for entity in got(place.api, "/entities", params={"limit": 200})["items"]]
    assert len(names) == len(set(names))
    whole(place)


def test_a_consolidation_beside_writers_loses_none_of_their_edits(place: Place) -> None:
    for day in range(1, 22):
        text = f"- Decided: the restore of day {day} is checked by Mina.\n- Fixed the limit of {day} GB.\n- Lunch.\n"
        place.note(f"daily/2026-03-{day:02}.md", f"## Standup\n\n{text}")
    place.read()
    logs = list(place.memories())

    def edits(who: int) -> Callable[[int], httpx.Response]:
        def one(n: int) -> httpx.Response:
            key = logs[(n * 3 + who) % len(logs)]
            version = got(place.api, f"/memories/{key}")["version"]
            new = {"text": f"- Decided: edited by {who}, for the {n}th time.\n- Fixed it."}
            return place.api.patch(f"/memories/{key}", json=new, headers={"If-Match": f'"{version}"'})

        return one

    with beside(*map(edits, range(3))) as answers:
        until(lambda: len(answers), lambda count: count >= 9)
        begun = place.api.post("/consolidate", json={"dry_run": False})
        job = place.ended(begun.json()["job"]["id"])
    assert job["status"] == "done", job
    assert {answer.status_code for answer in answers} <= {200, 412}
    layers = {key: {one["text"] for one in got(place.api, f"/memories/{key}/history")["items"]} for key in logs}
    done = [answer.json()["memory"] for answer in answers if answer.status_code == 200]
    assert len(done) > 3 and all(memory["text"] in layers[memory["id"]] for memory in done)
    # What a digest was made of is what it was when it was put aside, not what somebody made of it since.
    everything = place.memories(states=EVERY_STATE)
    digests = [memory for memory in everything.values() if memory["kind"] == "digest"]
    assert len(digests) == job["report"]["digests"]
    assert sum(memory["state"] == "archived" for memory in everything.values()) == job["report"]["archived"]
    whole(place)


@pytest.mark.long
def test_a_purge_beside_readers_is_seen_by_all_of_them_at_once(place: Place) -> None:
    word = "quaggaberry"
    keys = [place.write(f"The {word} of shelf {n} is ripe.", tags=["fruit"])["id"] for n in range(6)]
    seen: list[tuple[float, str, httpx.Response]] = []

    def noted(name: str, ask: Callable[[int], httpx.Response]) -> Callable[[int], httpx.Response]:
        def one(n: int) -> httpx.Response:
            began = time.monotonic()
            answer = ask(n)
            seen.append((began, name, answer))
            return answer

        return one

    readers = {
        "search": lambda n: place.api.post("/search", json={"query": f"{word} shelf"}),
        "context": lambda n: place.api.post("/context", json={"message": word}),
        "list": lambda n: place.api.get("/memories", params={"limit": 50}),
        "get": lambda n: place.api.get(f"/memories/{keys[n % 6]}"),
        "neighbours": lambda n: place.api.get(f"/memories/{keys[n % 6]}/neighbours"),
        "history": lambda n: place.api.get(f"/memories/{keys[n % 6]}/history"),
        "keyword": lambda n: place.api.post("/search", json={"query": word, "strategy": "keyword"}),
        "confirm": lambda n: place.api.post(f"/memories/{keys[n % 6]}/confirm"),
    }
    gone: dict[str, float] = {}
    with beside(*(noted(name, ask) for name, ask in readers.items())) as answers:
        for key in keys[:3]:
            count = len(answers)
            until(lambda: len(answers), lambda now, count=count: now >= count + EIGHT)  # type: ignore[misc]
            receipt = place.api.post(f"/memories/{key}/purge", json={"reason": "private"})
            gone[key] = time.monotonic()
            assert receipt.status_code == 200 and receipt.json()["complete"], receipt.text
        count = len(answers)
        until(lambda: len(answers), lambda now: now >= count + EIGHT)
    assert {answer.status_code for answer in answers} <= {200, 404, 409}, [
        a.text for a in answers if a.status_code >= 500
    ]
    late = [
        (name, key)
        for began, name, answer in seen
        for key, at in gone.items()
        if began > at and answer.status_code == 200 and key in answer.text
    ]
    assert late == []
    assert set(place.memories(states=EVERY_STATE)) == set(keys[3:])
    whole(place)


@pytest.mark.long
def test_of_eight_who_decide_one_conflict_at_once_one_does(place: Place) -> None:
    place.fact("Tariq lives in Oslo.")
    conflict = place.fact("Tariq lives in Bergen.")["conflict"]
    outcomes = ["keep", "replace", "both", "neither"] * 2
    answers = at_once(
        *(
            lambda outcome=outcome: place.api.post(f"/conflicts/{conflict}/resolve", json={"outcome": outcome})  # type: ignore[misc]
            for outcome in outcomes
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    for answer in answers:
        if answer.status_code == 409:
            assert "already" in said(answer, 409)
    (won,) = [n for n, answer in enumerate(answers) if answer.status_code == 200]
    told = got(place.api, f"/conflicts/{conflict}")
    assert (told["status"], told["decision"]["outcome"]) == ("decided", outcomes[won])
    whole(place)


@pytest.mark.parametrize("way", ["the same way", "each into the other"])
def test_of_two_people_who_merge_the_same_entities_at_once_one_does(place: Place, way: str) -> None:
    for atom in ("(uses :subject Adam :object Neovim)", "(uses :subject Bela :object nvim)"):
        place.api.post("/memories", json={"atoms": atom}).raise_for_status()
    ids = {one["name"]: one["id"] for one in got(place.api, "/entities", params={"limit": 50})["items"]}
    one, other = ids["Neovim"], ids["nvim"]
    asked = [(one, other), (one, other) if way == "the same way" else (other, one)]
    answers = at_once(
        *(
            lambda keep=keep, gone=gone: place.api.post("/entities/merge", json={"keep": keep, "gone": [gone]})  # type: ignore[misc]
            for keep, gone in asked
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409], [answer.text for answer in answers]
    (lost,) = [answer for answer in answers if answer.status_code == 409]
    assert "one already" in said(lost, 409)
    whole(place)

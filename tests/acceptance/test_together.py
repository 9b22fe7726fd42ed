"""Eight at once on the same thing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import httpx

from tests.acceptance.place import Place, got, said

EIGHT = 8


def at_once(do: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    gate = Barrier(EIGHT)

    def one(n: int) -> httpx.Response:
        gate.wait(30)
        return do(n)

    with ThreadPoolExecutor(EIGHT) as threads:
        return list(threads.map(one, range(EIGHT)))


def test_of_eight_edits_of_one_version_exactly_one_wins(place: Place) -> None:
    key = place.write("The lamp is green.")["id"]
    for version in (1, 2, 3):
        answers = at_once(
            lambda n, v=version: place.api.patch(  # type: ignore[misc]
                f"/memories/{key}", json={"text": f"The lamp is of colour {v}-{n}."}, headers={"If-Match": f'"{v}"'}
            )
        )
        won = [answer for answer in answers if answer.status_code == 200]
        assert len(won) == 1, [answer.status_code for answer in answers]
        for answer in answers:
            if answer.status_code != 200:
                said(answer, 412)
                assert answer.json()["current"] == version + 1
        now = got(place.api, f"/memories/{key}")
        assert (now["version"], now["text"]) == (version + 1, won[0].json()["memory"]["text"])
    assert [layer["version"] for layer in got(place.api, f"/memories/{key}/history")["items"]] == [4, 3, 2, 1]


def test_eight_edits_without_a_version_are_all_done_one_after_the_other(place: Place) -> None:
    key = place.write("The lamp is green.")["id"]
    answers = at_once(lambda n: place.api.patch(f"/memories/{key}", json={"text": f"The lamp is of colour {n}."}))
    assert {answer.status_code for answer in answers} == {200}
    history = got(place.api, f"/memories/{key}/history")["items"]
    assert [layer["version"] for layer in history] == list(range(9, 0, -1))
    assert len({layer["text"] for layer in history}) == 9


def test_one_ref_sent_eight_times_is_one_memory(place: Place) -> None:
    answers = at_once(lambda n: place.api.post("/memories", json={"text": "The lamp is green.", "ref": "lamp"}))
    assert {answer.status_code for answer in answers} <= {200, 201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len(place.memories()) == 1


def test_one_ref_sent_with_eight_texts_is_one_memory_with_all_of_them_in_its_history(place: Place) -> None:
    answers = at_once(lambda n: place.api.post("/memories", json={"text": f"The lamp has colour {n}.", "ref": "lamp"}))
    assert {answer.status_code for answer in answers} <= {200, 201}
    ((key, memory),) = place.memories().items()
    assert memory["version"] == 8
    assert len({layer["text"] for layer in got(place.api, f"/memories/{key}/history")["items"]}) == 8


def test_the_same_fact_said_eight_times_is_reinforced_seven_times(place: Place) -> None:
    sent = {"kind": "fact", "text": "Alice prefers Python.", "category": "preferences"}
    answers = at_once(lambda n: place.api.post("/memories", json=sent | {"session": f"s{n}"}))
    assert {answer.status_code for answer in answers} <= {200, 201}
    (memory,) = place.memories().values()
    assert memory["trust_parts"]["reinforcements"] == 7


def test_one_idempotency_key_sent_eight_times_writes_once(place: Place) -> None:
    sent = {"text": "Tea.", "session": "s"}  # in a session saying it twice is twice
    answers = at_once(lambda n: place.api.post("/memories", json=sent, headers={"Idempotency-Key": "k"}))
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 201}) == 1
    assert len(place.memories()) == 1


def test_one_folder_ingested_eight_times_at_once_is_in_once(place: Place) -> None:
    for n in range(20):
        place.note(f"{n}.md", f"## First\n\nThe {n}th note.\n\n## Second\n\nIt says {n * 7}.\n")
    started = at_once(lambda n: place.api.post("/ingest", json={"path": str(place.folder)}))
    ended = [place.ended(job) for job in {answer.json()["job"]["id"] for answer in started}]
    assert {job["status"] for job in ended} == {"done"}
    assert sum(job["report"]["added"] for job in ended) == 40
    assert len(place.memories()) == 40
    assert {memory["version"] for memory in place.memories().values()} == {1}

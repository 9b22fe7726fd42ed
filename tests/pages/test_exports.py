"""Lists as files: every page of what the address asks for, in CSV and in JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.test import Client

from memoryapp import spaces
from memoryapp.interfaces.transfer import list_exports

NAMES = ("memories", "facts", "episodes", "entities", "sessions", "conflicts", "audit", "jobs", "traces")


def rows(reader: Client, name: str, **asked: str) -> list[dict[str, object]]:
    answer = reader.get(f"/export/{name}.json", asked)
    assert answer.status_code == 200 and answer["Content-Type"].startswith("application/json")
    return list(json.loads(answer.content))


def table(reader: Client, name: str, **asked: str) -> list[dict[str, str]]:
    answer = reader.get(f"/export/{name}.csv", asked)
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_every_page_of_a_list_is_in_its_file(reader: Client, space: spaces.Space, write) -> None:  # type: ignore[no-untyped-def]
    for n in range(45):
        write(f"배포 note number {n}.")
    told = rows(reader, "memories")
    assert len(told) == 45 and len({one["id"] for one in told}) == 45
    assert {one["text"] for one in table(reader, "memories")} == {one["text"] for one in told}
    assert "배포 note number 7." in {one["text"] for one in told}


def test_the_filters_of_the_address_are_kept_and_its_place_is_not(reader: Client, space: spaces.Space, write) -> None:  # type: ignore[no-untyped-def]
    write("Deploys stop on Friday.")
    write("The bucket is in Seoul.")
    assert [one["text"] for one in rows(reader, "memories", q="bucket")] == ["The bucket is in Seoul."]
    assert rows(reader, "memories", kind="episode") == []
    assert table(reader, "memories", kind="episode") == []
    assert reader.get("/export/memories.csv", {"kind": "blue"}).status_code == 422


def test_a_text_that_a_spreadsheet_would_compute_is_text(reader: Client, space: spaces.Space, write) -> None:  # type: ignore[no-untyped-def]
    write('=HYPERLINK("http://example.org")')
    assert table(reader, "memories")[0]["text"].startswith("'=")
    assert str(rows(reader, "memories")[0]["text"]).startswith("=")


@pytest.mark.parametrize("name", NAMES)
def test_every_list_that_is_shown_is_exported(reader: Client, space: spaces.Space, write, name: str) -> None:  # type: ignore[no-untyped-def]
    write("Mina lives in Seoul.")
    told = rows(reader, name)
    assert [set(one) for one in table(reader, name)] == [set(one) for one in told]
    assert f"/export/{name}.csv" in reader.get(f"/{name}/").content.decode() or not told


def test_what_is_too_long_for_a_file_says_what_to_do(
    reader: Client,
    space: spaces.Space,
    write,
    monkeypatch: pytest.MonkeyPatch,  # type: ignore[no-untyped-def]
) -> None:
    monkeypatch.setattr(list_exports, "MOST", 1)
    write("One.")
    write("Two.")
    answer = reader.get("/export/memories.csv")
    assert answer.status_code == 422 and "Import &amp; export" in answer.content.decode()


def test_strangers_are_sent_to_the_login(db: None) -> None:
    assert Client().get("/export/memories.csv").status_code == 302

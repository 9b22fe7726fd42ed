"""Starts under bad conditions: no model, a folder or a port in use, damaged index files, a folder without write."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acceptance.place import Place, got, place_in, until
from tests.live import ROOT, Live, environment, live_app, manage

pytestmark = pytest.mark.slow
NOTES = {"lamp.md": "## Lamp\n\nThe lamp is green.\n", "kettle.md": "## Kettle\n\nDescaled in May, with vinegar.\n"}


def fill(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in NOTES.items():
        (folder / name).write_text(text)
    return folder


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode != 0, done.stdout
    lines = (done.stdout + done.stderr).strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def encoder_is(place: Place, state: str) -> dict[str, Any]:
    """What health says once the model is so."""
    return until(lambda: got(place.api, "/health/ready"), lambda told: told["encoder"] == state)


@pytest.fixture(scope="module")
def without_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    notes = fill(tmp_path_factory.mktemp("notes") / "n")
    data = tmp_path_factory.mktemp("no-model")
    with live_app(data, MEMORY_ENCODER="/nope", MEMORY_INGEST_ROOTS=str(notes)) as app:
        yield place_in(app, notes, space="default")


def test_without_a_model_health_names_it_and_says_what_still_works(without_model: Place) -> None:
    told = encoder_is(without_model, "failed")
    assert "health page" in told["encoder_error"] and "/nope" not in str(told)  # open to everybody: it names no path
    assert "/nope" in got(without_model.api, "/version")["encoder_error"]
    assert any("keyword" in note for note in told["notes"])


def test_without_a_model_search_answers_by_keyword_and_says_so(without_model: Place) -> None:
    api = without_model.api
    written = api.post("/memories", json={"text": "The lamp is green."})
    assert written.status_code == 201, written.text
    found = without_model.search("what colour is the lamp")
    assert found["items"][0]["text"] == "The lamp is green."
    assert found["notes"] and any("words" in note or "keyword" in note for note in found["notes"])
    assert found["items"][0]["arms"]["keyword"]["share"] > 0


def test_without_a_model_every_page_answers(without_model: Place) -> None:
    with httpx.Client(base_url=without_model.live.url, follow_redirects=True, timeout=60, trust_env=False) as browser:
        without_model.live.sign_in(browser)
        for page in ("/", "/memories/", "/search/?q=lamp", "/ingest/", "/jobs/", "/settings/", "/settings/keys/"):
            assert browser.get(page).status_code == 200, page
        assert "/nope" in browser.get("/settings/health/").text


def test_without_a_model_an_ingest_ends_with_a_sentence_that_names_it(without_model: Place) -> None:
    job = without_model.begin(without_model.folder)
    assert job["status"] in ("done", "failed")
    if job["status"] == "failed":
        assert "/nope" in job["error"] and "Unexpected" not in job["error"]


def test_a_port_that_is_none_is_told_plainly(tmp_path: Path) -> None:
    line = one_line(manage("up", "--port", "70000", "--no-browser", data=tmp_path))
    assert "70000" in line and "65535" in line


@pytest.mark.long
def test_damaged_index_files_are_made_again_with_equal_answers(tmp_path: Path) -> None:
    notes, data = fill(tmp_path / "notes"), tmp_path / "data"
    asked = ("the lamp is green", "vinegar", "가치관이 뭐야?")

    def answers(place: Place) -> list[list[tuple[str, float]]]:
        return [[(hit["id"], hit["score"]) for hit in place.search(query)["items"]] for query in asked]

    with live_app(data, MEMORY_INGEST_ROOTS=str(notes)) as app:
        place = place_in(app, notes, space="default")
        place.read()
        place.write("가치관")
        encoder_is(place, "ready")
        before = answers(place)
        assert all(before)
    files = [path for path in (data / "indexes").rglob("*") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with live_app(data, MEMORY_INGEST_ROOTS=str(notes)) as app:
        again = place_in(app, notes, space="default")
        encoder_is(again, "ready")
        assert answers(again) == before
        assert not [line for line in app.output if "Traceback" in line]


def as_one_who_may_not_write(*words: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Root may write anywhere, unless it lays that down."""
    held_back = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root writes everywhere, and there is no setpriv to take that from it")
        held_back = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override"]
    return subprocess.run(
        [*held_back, sys.executable, str(ROOT / "manage.py"), *words],
        env=environment(data),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_data_folder_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert manage("key", data=data).returncode == 0
    data.chmod(0o500)
    try:
        for words in (("up", "--port", "0", "--no-browser"), ("recall", "lamp"), ("key",)):
            line = one_line(as_one_who_may_not_write(*words, data=data))
            assert str(data) in line and "--data" in line
    finally:
        data.chmod(0o700)


@pytest.mark.long
def test_a_file_of_the_data_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """As it is when the app once ran as somebody else."""
    assert manage("key", data=tmp_path).returncode == 0
    for name, words in {"people.sqlite3": ("key",), "lock": ("up", "--port", "0", "--no-browser")}.items():
        file = tmp_path / name
        file.touch()
        file.chmod(0o400)
        assert str(tmp_path) in one_line(as_one_who_may_not_write(*words, data=tmp_path))
        file.chmod(0o600)


def test_a_damaged_people_database_is_told_in_one_line(tmp_path: Path) -> None:
    assert manage("key", data=tmp_path).returncode == 0
    for file in tmp_path.glob("people.sqlite3*"):
        file.write_bytes(b"no database at all " * 500)
    for words in (("up", "--port", "0", "--no-browser"), ("key",)):
        assert str(tmp_path) in one_line(manage(*words, data=tmp_path))


@pytest.mark.long
def test_the_address_that_a_killed_app_left_behind_is_not_believed(app: Live, tmp_path: Path) -> None:
    """Something else may answer there by now: here, the app of another folder."""
    assert manage("key", data=tmp_path).returncode == 0
    told = {"url": app.url, "key": "pal_of_another", "pid": 1}
    (tmp_path / "server.json").write_text(json.dumps(told))
    (tmp_path / "lock").write_text("1")
    done = manage("remember", "The lamp is green.", data=tmp_path)
    assert done.returncode == 0 and f"the store in {tmp_path} directly" in done.stderr

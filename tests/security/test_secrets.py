"""Secrets stay where they are kept: a word is planted in every setting and looked for in all that the app says."""

from __future__ import annotations

import io
import logging
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.test import Client

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.login import make_login_token
from memoryapp.accounts.models import ApiKey, LoginLink, Space
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.domain.identity import new_id
from memoryapp.inference.llm import Endpoint, chat_model
from memoryapp.store.database import Credentials
from tests.api.conftest import Agent
from tests.live import Live, live_app, manage, use_link
from tests.security.conftest import signed_in
from tests.security.doors import API, is_open, operations, pages

PLANTED = {
    "MEMORY_LLM_KEY": "sk-chat-plantedword",
    "MEMORY_EMBEDDINGS_KEY": "sk-embed-plantedword",
    "MEMORY_STORE_PASSWORD": "store-plantedword",
    "MEMORY_KEY": "pal_0badf00d_plantedword",
}
PASSWORD = "passphrase-of-a-person-plantedword"


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """An app whose every secret is known here, that tells as much as it can, and whose chat model is not there."""
    data = tmp_path_factory.mktemp("planted") / "data"
    told = {"MEMORY_LLM_URL": "http://127.0.0.1:9/v1", "MEMORY_LLM_MODEL": "m", "MEMORY_LLM_TIMEOUT": "2"}
    with live_app(data, **PLANTED, **told, MEMORY_LOG_LEVEL="DEBUG") as running:
        yield running


def fill(text: str) -> str:
    for name in ("id", "parent"):
        text = text.replace(f"{{{name}}}", "0" * 16)
    return text.replace("{name}", "default").replace("{path}", "their/own").replace("{act}", "graph")


def everything_told(planted: Live) -> Iterator[tuple[str, bytes]]:
    """(where, what) of all answers to an administrator, of exports and commands, of the log."""
    with planted.client(space="default") as api:
        turns = {"turns": [{"text": "I moved to Busan last week.", "speaker": "Mina"}]}
        session = api.post("/sessions", json={"name": "talk"}).json()["id"]
        api.post(f"/sessions/{session}/turns", json=turns)
        api.post(f"/sessions/{session}/read")
        for one in operations():
            if one.method == "GET" and not one.address.endswith("/events"):
                yield f"GET {one.address}", api.get(fill(one.address).removeprefix(API)).content
        for path in ("/memories", "/search", "/spaces", "/keys", "/jobs/x/retry"):
            yield f"a refusal of {path}", api.post(path, content=b"{", headers={"X-Space": "default"}).content
        yield "a backup", api.post("/backups/export").content
        with zipfile.ZipFile(io.BytesIO(api.post("/export").content)) as archive:
            for name in archive.namelist():
                yield f"an export, {name}", archive.read(name)
        yield "metrics", api.get("/metrics").content
    with httpx.Client(base_url=planted.url, follow_redirects=True, trust_env=False, timeout=60) as browser:
        use_link(browser, planted.link)
        for page in pages():
            if page.method == "GET" and not is_open(page) and "{" not in page.address:
                yield f"the page {page.address}", browser.get(page.address).content
        yield "a failed sign-in", browser.post("/login/", data={"name": "mina", "password": PASSWORD}).content
    ran = manage("doctor", "--json", data=planted.data, **PLANTED)
    yield "the doctor", (ran.stdout + ran.stderr).encode()
    yield "the log", "\n".join(planted.output).replace(planted.link, "").encode()


@pytest.mark.long
def test_nothing_that_the_app_says_holds_a_secret(planted: Live) -> None:
    kept = (planted.data / "secret.key").read_text().strip()
    secrets = [*PLANTED.values(), PASSWORD, kept, planted.key, planted.key.split("_", 2)[2]]
    found, looked = {}, 0
    for where, what in everything_told(planted):
        looked += 1
        if shown := [secret for secret in secrets if secret.encode() in what]:
            found[where] = shown
    assert found == {}
    assert looked > 120


def test_no_file_of_the_data_folder_holds_a_secret_that_is_kept_elsewhere(planted: Live) -> None:
    with planted.client() as api:
        key = api.post("/keys", json={"name": "k", "role": "reader", "space": "default"}).json()["key"]
        assert api.post("/people", json={"name": "nora", "password": PASSWORD}).status_code == 201
        link = api.post("/people/nora/login-link").json()["url"].rsplit("/", 1)[1]
    secrets = [*PLANTED.values(), PASSWORD, key.split("_", 2)[2], link]
    for file in planted.data.rglob("*"):
        if file.is_file():
            held = file.read_bytes()
            assert not [one for one in secrets if one.encode() in held], file


def test_the_data_folder_and_its_keys_are_closed_to_other_users_of_the_machine(planted: Live) -> None:
    assert stat.S_IMODE(planted.data.stat().st_mode) == 0o700
    assert stat.S_IMODE((planted.data / "secret.key").stat().st_mode) == 0o600
    telling = [file for file in planted.data.iterdir() if file.is_file() and planted.key.encode() in file.read_bytes()]
    assert telling, "the commands find the key of this machine somewhere"
    for file in telling:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, f"{file} opens everything on this machine"


def test_what_holds_a_secret_does_not_print_it(row: Space) -> None:
    person = create_person("mina", password=PASSWORD, space=row)
    key, text = create_key("k", role=Role.READER, space=row)
    make_login_token(person)
    held: list[Any] = [
        Endpoint("http://x/v1", "m", "sk-chat-plantedword"),
        chat_model(url="http://x/v1", name="m", key="sk-chat-plantedword"),
        Credentials("root", "store-plantedword"),
        person, key, ApiKey.objects.get(), LoginLink.objects.get(),
    ]  # fmt: skip
    for one in held:
        assert "plantedword" not in repr(one) + str(one) and text.split("_", 2)[2] not in repr(one) + str(one)


def test_an_error_that_nobody_meant_tells_its_number_and_nothing_else(
    row: Space, owner: Agent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any, **more: Any) -> Any:
        password = "store-plantedword"
        raise RuntimeError(f"cannot connect with {password}")

    monkeypatch.setattr("memoryapp.interfaces.health.api.the_space", broken)
    with caplog.at_level(logging.DEBUG):
        answer = owner.get("/stats")
    assert answer.status_code == 500 and "plantedword" not in answer.content.decode()
    assert "Traceback" not in answer.content.decode()
    assert owner.key not in caplog.text and "Authorization" not in caplog.text


def test_a_page_that_fails_shows_no_stack(row: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **more: Any) -> Any:
        raise RuntimeError("cannot connect with store-plantedword")

    monkeypatch.setattr("memoryapp.interfaces.jobs.pages.show", broken)
    client = signed_in(create_person(f"m{new_id()[:6]}", space=row, role=Role.ADMIN))
    client.raise_request_exception = False
    answer = client.get("/jobs/")
    assert answer.status_code == 500
    assert "plantedword" not in answer.content.decode() and "Traceback" not in answer.content.decode()


def test_a_path_cannot_write_a_line_of_the_log(owner: Agent, caplog: pytest.LogCaptureFixture) -> None:
    from django.test import RequestFactory

    from memoryapp.interfaces.api.problems import unexpected_problem

    with caplog.at_level(logging.ERROR):
        unexpected_problem(RequestFactory().get("/api/v1/x%0A2026-01-01 ERROR forged %1B[2J"), RuntimeError("x"))
    assert "\n2026-01-01" not in caplog.messages[0] and "\x1b" not in caplog.messages[0]


@pytest.mark.django_db
def test_a_login_link_is_kept_as_a_hash_and_told_to_no_other_site() -> None:
    token = make_login_token(create_person("mina", admin=True))
    assert token not in str(LoginLink.objects.values().get())
    client = Client()
    page = client.get(f"/login/{token}")
    assert page["Referrer-Policy"] == "same-origin" and "no-store" in page["Cache-Control"]
    answer = client.post(f"/login/{token}")
    assert answer["Location"] == "/" and answer["Referrer-Policy"] == "same-origin"
    assert "no-store" in answer["Cache-Control"]


def test_the_files_of_a_data_folder_that_was_there_before(tmp_path: Path) -> None:
    """A folder that somebody made with their own rights is left to them; what is written in it is not."""
    from memoryapp.accounts.secret import private_folder, secret_key

    folder = tmp_path / "made"
    folder.mkdir(mode=0o755)
    private_folder(folder)
    secret_key(folder / "secret.key")
    assert stat.S_IMODE((folder / "secret.key").stat().st_mode) == 0o600

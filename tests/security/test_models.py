"""Which servers the app calls: the operator's, and none that a person, an agent or a note names."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from memoryapp.accounts.encoders import check_encoder
from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.errors import BadInput, LlmError, ModelMissing
from memoryapp.domain.limits import Tuning
from memoryapp.inference.embedding import load_encoder
from memoryapp.inference.llm import chat_model, write
from tests.api.conftest import Agent

INSIDE = (
    "http://169.254.169.254/latest/meta-data#x",
    "http://[fd00:ec2::254]/v1#x",
    "http://metadata.google.internal/v1#x",
    "http://127.0.0.1:8000/v1#x",
    "http://localhost/v1#x",
    "http://[::1]:6379/v1#x",
    "http://[::ffff:127.0.0.1]/v1#x",
    "http://0.0.0.0:8000/v1#x",
    "http://0177.0.0.1/v1#x",
    "http://2130706433/v1#x",
    "http://127.1/v1#x",
    "http://10.0.0.7/v1#x",
    "http://192.168.1.1/v1#x",
    "http://rebound.example/v1#x",
    "https://evil.example/v1#x",
    "HTTP://127.0.0.1/v1#x",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_INFO",
    "ftp://evil.example/x",
    "unix:///var/run/docker.sock",
    "/etc",
    "/proc/self",
    "~/.ssh",
    "../../etc",
    "a/../../etc",
    ".hidden",
    "models/.hidden",
    "\\\\evil.example\\share",
)


@pytest.mark.parametrize("name", INSIDE, ids=range(len(INSIDE)))
def test_nobody_can_point_a_space_at_a_server_or_a_folder(
    row: Space, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_EMBEDDINGS_KEY", "sk-embeddings")
    root = Agent(create_key("everything", role=Role.ADMIN)[1])
    answer = root.post("/spaces", {"name": "pointed", "encoder": name})
    assert answer.status_code == 422 and answer.json()["field"] == "/encoder", answer.content
    assert not Space.objects.filter(name="pointed").exists()
    with pytest.raises(BadInput):
        create_space("pointed", encoder=name)


@pytest.mark.parametrize("name", ["hashing-64", "all-MiniLM-L6-v2", "intfloat/multilingual-e5-small", "my_model.v2"])
def test_a_models_name_is_free(name: str) -> None:
    check_encoder(name)


ALLOWED = "https://embed.example:8443"


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("https://embed.example:8443/v1#m", True),
        ("https://EMBED.example:8443/other/v1#n", True),
        ("http://embed.example:8443/v1#m", False),
        ("https://embed.example/v1#m", False),
        ("https://embed.example:8443@evil.example/v1#m", False),
        ("https://user:pass@embed.example:8443/v1#m", False),
        ("https://embed.example:8443.evil.example/v1#m", False),
        ("https://evil.example\\@embed.example:8443/v1#m", False),
        ("https://embed.example:99999/v1#m", False),
        ("http://own.example:11434/v1#another", True),
    ],
)
def test_a_server_may_be_named_where_the_operator_allows_it(settings: Any, name: str, may: bool) -> None:
    settings.ENCODER = "http://own.example:11434/v1#nomic"
    settings.ENCODER_SERVERS = [ALLOWED]
    if may:
        check_encoder(name)
    else:
        with pytest.raises(BadInput):
            check_encoder(name)


def test_a_folder_may_be_named_inside_the_models_folder_alone(settings: Any, tmp_path: Path) -> None:
    models = tmp_path / "models"
    (models / "mine").mkdir(parents=True)
    (models / "out").symlink_to(tmp_path)
    settings.MODELS_DIR = models
    check_encoder(str(models / "mine"))
    for name in (str(models), str(models / ".." / "x"), str(models / "out" / "x"), str(tmp_path)):
        with pytest.raises(BadInput):
            check_encoder(name)


@contextmanager
def server(answer: Any) -> Iterator[tuple[str, list[str]]]:
    """(address, the paths it was asked) of a server on this machine; `answer` writes what it says."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer(self)

        do_GET = do_POST  # noqa: N815 - the library's name

        def log_message(self, *args: Any) -> None: ...

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}", asked
    finally:
        running.shutdown()
        running.server_close()


def refuse(handler: http.server.BaseHTTPRequestHandler) -> None:
    handler.send_error(418)


def test_a_redirect_of_a_model_server_is_not_followed() -> None:
    """It would carry the key and everybody's words to where nobody sent them."""
    with server(refuse) as (target, followed):

        def away(handler: http.server.BaseHTTPRequestHandler) -> None:
            handler.send_response(307)
            handler.send_header("Location", f"{target}/taken")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        with server(away) as (url, asked):
            with pytest.raises(ModelMissing):
                load_encoder(f"{url}/v1#m", api_key="sk-embeddings")
            model = chat_model(url=f"{url}/v1", name="m", key="sk-chat", timeout=5.0)
            assert model is not None
            with pytest.raises(LlmError) as caught:
                write(model, "Say it again.", "words", max_tokens=8)
            assert "sk-chat" not in str(caught.value)
        assert asked and not followed


def test_no_setting_of_a_space_names_a_server_or_a_folder() -> None:
    """The chat model, the inference model and the re-ranker are the operator's alone."""
    words = {"url", "path", "dir", "folder", "key", "host", "server", "address"}
    assert not [one.name for one in fields(Tuning) if words & set(one.name.split("_"))]

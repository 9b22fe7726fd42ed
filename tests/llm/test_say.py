"""Endpoints that are down, slow, busy, or do not want us."""

from __future__ import annotations

import logging
import socket
import threading
import time

import pytest

from memoryapp.domain.errors import LlmDown, LlmRefused, LlmSlow
from memoryapp.inference.llm import chat_model, write
from tests.chat_server import KEY, Answer, ChatServer, completion, model_at, refusal


def written(model: object, material: str = "material") -> str:
    return write(model, "Retell it.", material, max_tokens=50)[0]  # type: ignore[arg-type]


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def test_where_nothing_listens_the_model_is_down_after_some_tries(closed_port: int, slept: list[float]) -> None:
    with pytest.raises(LlmDown, match=r"no connection \(ConnectError\). Is it up, and MEMORY_LLM_URL right"):
        written(model_at(f"http://127.0.0.1:{closed_port}/v1", sleep=slept.append))
    assert slept == [0.5, 1.0]


def test_a_name_that_nobody_knows_is_down(slept: list[float]) -> None:
    with pytest.raises(LlmDown, match="no connection"):
        written(model_at("http://nobody.invalid/v1", sleep=slept.append))


def test_an_answer_that_takes_too_long_is_slow_and_is_not_waited_for_again(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: completion("late", after=1.0)
    with pytest.raises(LlmSlow, match="MEMORY_LLM_TIMEOUT"):
        written(model_at(chat_server, timeout=0.2))
    assert len(chat_server.asked) == 1


def test_a_server_that_trickles_is_slow_as_well() -> None:
    """Each byte comes in time; the answer of three seconds does not."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        stop = threading.Event()

        def trickle() -> None:
            line, _ = listening.accept()
            with line:
                line.recv(65536)
                line.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 150\r\n\r\n")
                for _ in range(150):
                    if stop.wait(0.02):
                        return
                    line.sendall(b" ")

        thread = threading.Thread(target=trickle, daemon=True)
        thread.start()
        with pytest.raises(LlmSlow):
            written(model_at(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", timeout=0.3))
        stop.set()
        thread.join(5)


def test_what_may_pass_is_tried_again(chat_server: ChatServer, slept: list[float]) -> None:
    chat_server.answers = [refusal(500), refusal(503), completion("fine")]
    assert written(model_at(chat_server, sleep=slept.append)) == "fine"
    assert slept == [0.5, 1.0]


def test_a_busy_server_says_how_long_to_wait(chat_server: ChatServer, slept: list[float]) -> None:
    later = {"Retry-After": "2"}
    chat_server.answers = [
        refusal(429, **later),
        refusal(429, **{"Retry-After": "Wed, 21 Oct 2065 07:28:00 GMT"}),
        completion("fine"),
    ]
    assert written(model_at(chat_server, sleep=slept.append)) == "fine"
    assert slept == [2.0, 1.0]


def test_a_wait_longer_than_there_is_time_is_not_waited(chat_server: ChatServer, slept: list[float]) -> None:
    chat_server.answers = [refusal(429, "later", **{"Retry-After": "3600"})]
    with pytest.raises(LlmDown, match=r"429 later. It is asked too often"):
        written(model_at(chat_server, sleep=slept.append))
    assert slept == []


@pytest.mark.parametrize(
    ("status", "fix"),
    [
        (401, "MEMORY_LLM_KEY"),
        (403, "MEMORY_LLM_KEY"),
        (404, "MEMORY_LLM_MODEL"),
        (402, "money"),
        (307, "MEMORY_LLM_URL"),
    ],
)
def test_a_server_that_does_not_want_us_is_asked_once_and_what_to_do_is_said(
    chat_server: ChatServer, status: int, fix: str
) -> None:
    headers = {"Location": f"{chat_server.address}/elsewhere"} if status == 307 else {}
    chat_server.answers = [refusal(status, "go\naway", **headers)]
    with pytest.raises(LlmDown, match=f"{status} go away. .*{fix}"):
        written(model_at(chat_server))
    assert len(chat_server.asked) == 1


def test_a_text_that_is_not_taken_is_refused_and_says_nothing_of_the_endpoint(chat_server: ChatServer) -> None:
    chat_server.answers = [
        refusal(413, "too large"),
        Answer(body={"choices": [{"message": {"refusal": "I will not."}}]}),
    ]
    model = model_at(chat_server)
    for complaint in ("413 too large", "declined"):
        with pytest.raises(LlmRefused, match=complaint):
            written(model)
    assert model.state().status == "ok"


def test_the_key_is_sent_as_a_bearer_and_never_told(chat_server: ChatServer, caplog: pytest.LogCaptureFixture) -> None:
    chat_server.answers = [completion("fine"), refusal(401, f"wrong key {KEY}")]
    model = model_at(chat_server, key=KEY)
    with caplog.at_level(logging.DEBUG):
        written(model, "very private words")
        with pytest.raises(LlmDown) as raised:
            written(model, "very private words")
    assert [headers["authorization"] for headers in chat_server.headers] == [f"Bearer {KEY}"] * 2
    told = f"{raised.value} {model.state()} {model.endpoint!r} {caplog.text}"
    assert "wrong key …" in told and KEY not in told and "private" not in told


def test_without_a_key_none_is_sent_whatever_the_environment_holds(
    chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "somebody-elses")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer somebody-elses")
    chat_server.answers = [completion("fine")] * 2
    written(model_at(chat_server))
    written(model_at(chat_server, key=KEY))
    assert "somebody-elses" not in str(chat_server.headers)
    assert [headers.get("authorization") for headers in chat_server.headers] == [None, f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"name": "m"}, "MEMORY_LLM_URL is not set"),
        ({"url": "localhost:8080", "name": "m"}, "http://host:port/v1"),
        ({"url": "http://[::1/v1", "name": "m"}, "http://host:port/v1"),
        ({"url": "http://h:x/v1", "name": "m"}, "http://host:port/v1"),
        ({"url": "http://h/v1"}, "MEMORY_LLM_MODEL"),
        ({"url": f"http://me:{KEY}@h/v1", "name": "m"}, "MEMORY_LLM_KEY"),
        ({"url": "http://h/v1", "name": "m", "key": f"{KEY}\n"}, "MEMORY_LLM_KEY"),
        ({"url": "http://h/v1", "name": "m", "timeout": 0.0}, "MEMORY_LLM_TIMEOUT"),
    ],
)
def test_settings_that_are_half_set_or_wrong_are_told_when_it_is_asked(settings: dict[str, object], says: str) -> None:
    model = chat_model(**settings)  # type: ignore[arg-type]
    assert model is not None and model.state().status == "down"
    with pytest.raises(LlmDown, match=says) as raised:
        written(model)
    assert KEY not in f"{raised.value} {model.state()}"


def test_no_settings_are_no_model_and_the_same_settings_the_same_model() -> None:
    assert chat_model() is None
    assert chat_model(url="http://h/v1", name="m") is chat_model(url="http://h/v1", name="m")


def test_several_threads_may_ask_at_once(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: completion("fine", after=0.05)
    model = model_at(chat_server)
    threads = [threading.Thread(target=written, args=(model,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert model.state().spent.calls == 8 and model.state().spent.tokens_in == 800


def test_the_wait_between_tries_is_part_of_the_time(chat_server: ChatServer) -> None:
    chat_server.judge = lambda body: refusal(500, "broken")
    model = model_at(chat_server, timeout=0.4, sleep=time.sleep)
    with pytest.raises(LlmDown, match="500 broken"):
        written(model)
    assert len(chat_server.asked) == 1  # half a second of waiting would not have fit

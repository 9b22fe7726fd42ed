"""An embedding server that answers, answers late, answers wrongly, or does not answer."""

from __future__ import annotations

import socket
from collections.abc import Callable
from time import sleep
from typing import Any

import numpy as np
import pytest

from memoryapp.domain.errors import EncodingFailed, ModelMissing
from memoryapp.inference.embedding import endpoint
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.inference.embedding.endpoint import EndpointEncoder, load_endpoint
from tests.inference.conftest import EmbeddingServer

KEY = "sk-secret-value"
Connect = Callable[..., EndpointEncoder]


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def connect(server: EmbeddingServer, slept: list[float]) -> Connect:
    def connected(model: str = "some-model", **options: Any) -> EndpointEncoder:
        return load_endpoint(f"{server.address}#{model}", sleep=slept.append, **options)

    return connected


def test_it_asks_as_the_openai_interface_is_asked(server: EmbeddingServer, connect: Connect) -> None:
    connect(api_key=KEY).encode_documents(["one", "two"])
    assert server.asked[-1] == {
        "path": "/v1/embeddings",
        "model": "some-model",
        "input": ["one", "two"],
        "encoding_format": "float",
    }
    assert server.keys[-1] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent(server: EmbeddingServer, connect: Connect) -> None:
    connect()
    assert server.keys == [None]


def test_vectors_are_put_in_order_by_their_index(server: EmbeddingServer, connect: Connect) -> None:
    texts = [f"text {number}" for number in range(5)]
    assert np.allclose(connect().encode_documents(texts), server.encoder.encode_documents(texts), atol=1e-6)


def test_many_texts_go_in_several_requests(server: EmbeddingServer, connect: Connect) -> None:
    assert connect().encode_documents(["x"] * 130).shape == (130, 64)
    assert [len(asked["input"]) for asked in server.asked] == [1, 64, 64, 2]


def test_it_is_named_by_its_whole_address(server: EmbeddingServer, connect: Connect) -> None:
    assert connect().name == f"{server.address}#some-model"
    assert connect().dimension == 64


def test_english_only_models_are_known_by_name(connect: Connect) -> None:
    assert connect("all-MiniLM-L6-v2").languages == {"en"}
    assert connect("bge-m3").languages == {"en", "ko"}


def test_what_may_pass_is_tried_again_with_longer_and_longer_waits(
    server: EmbeddingServer, connect: Connect, slept: list[float]
) -> None:
    encoder = connect()
    server.answers = [(503, {}, {}), (429, {"Retry-After": "7"}, {}), (500, {"Retry-After": "soon"}, {})]
    assert encoder.encode_documents(["a"]).shape == (1, 64)
    assert slept == [0.5, 7.0, 2.0]


def test_a_search_waits_less_than_an_ingest(server: EmbeddingServer, connect: Connect, slept: list[float]) -> None:
    encoder = connect()
    server.answers = [(503, {}, {})] * 2
    with pytest.raises(ModelMissing, match="503"):
        encoder.encode_query("a")
    assert slept == [0.5]


@pytest.mark.parametrize("status", [401, 403, 404, 429, 502, 503])
def test_a_server_that_refuses_us_stops_the_whole_job(server: EmbeddingServer, connect: Connect, status: int) -> None:
    encoder = connect(api_key=KEY)
    server.answers = [(status, {}, {"error": {"message": f"we do\nnot serve you, {KEY}"}})] * 4
    with pytest.raises(ModelMissing, match=f"{status} we do not serve you") as raised:
        encode_in_batches(encoder, ["a", "b", "c"])
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("status", [400, 413, 422, 500])
def test_a_text_the_server_cannot_embed_is_reported_and_the_rest_go_on(
    server: EmbeddingServer, connect: Connect, status: int
) -> None:
    encoder = connect()
    server.judge = lambda texts: (status, {}, {"error": "too odd"}) if "odd" in texts else None
    encoded = encode_in_batches(encoder, ["a", "odd", "b", "c"])
    assert [row for row, _ in encoded.failed] == [1]
    assert f"{status} too odd" in encoded.failed[0][1]


@pytest.mark.parametrize(
    "body",
    [b"<html>", {"data": []}, {"data": [{"index": 0}]}, [], {"data": [{"embedding": "AAAA"}]}, {"data": [{}, 3]}],
    ids=str,
)
def test_an_answer_of_another_form_is_an_error(server: EmbeddingServer, connect: Connect, body: Any) -> None:
    encoder = connect()
    server.answers = [(200, {}, body)]
    with pytest.raises(EncodingFailed):
        encoder.encode_documents(["a"])


def test_vectors_of_another_dimension_are_refused(server: EmbeddingServer, connect: Connect) -> None:
    encoder = connect()
    server.answers = [(200, {}, {"data": [{"index": 0, "embedding": [1.0, 2.0]}]})]
    with pytest.raises(EncodingFailed, match="now gives 2 numbers a text, before it was 64"):
        encoder.encode_documents(["a"])


def test_a_vector_of_nothing_but_nan_is_a_failed_text(server: EmbeddingServer, connect: Connect) -> None:
    encoder = connect()
    server.answers = [(200, {}, {"data": [{"index": 0, "embedding": [float("nan")] * 64}]})] * 2
    assert [row for row, _ in encode_in_batches(encoder, ["a"]).failed] == [0]
    with pytest.raises(EncodingFailed):
        encoder.encode_query("a")


def test_a_server_too_slow_for_many_texts_is_asked_for_fewer(
    server: EmbeddingServer, connect: Connect, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = connect()
    monkeypatch.setattr(endpoint, "_INGEST", endpoint._Patience(tries=4, seconds=0.5))
    server.judge = lambda texts: sleep(1.0) if len(texts) > 2 else None
    encoded = encode_in_batches(encoder, ["a", "b", "c", "d"])
    assert encoded.failed == ()
    assert [len(asked["input"]) for asked in server.asked] == [1, 4, 2, 2]
    assert slept == []


def test_a_server_too_slow_for_one_text_stops_the_whole_job(
    server: EmbeddingServer, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = connect()
    monkeypatch.setattr(endpoint, "_INGEST", endpoint._Patience(tries=4, seconds=0.1))
    server.judge = lambda texts: sleep(0.3)
    with pytest.raises(ModelMissing, match="no answer within"):
        encode_in_batches(encoder, ["a", "b"])
    assert len(server.asked) == 3


def test_a_redirect_is_not_followed(server: EmbeddingServer, connect: Connect) -> None:
    encoder = connect(api_key=KEY)
    before = len(server.asked)
    server.answers = [(307, {"Location": f"{server.address}/elsewhere"}, b"")]
    with pytest.raises(ModelMissing, match="307"):
        encoder.encode_documents(["a"])
    assert len(server.asked) == before + 1


def test_an_overlong_text_is_cut_before_it_is_sent(server: EmbeddingServer, connect: Connect) -> None:
    connect(max_tokens=10).encode_documents(["word " * 1000, ""])
    assert server.asked[-1]["input"] == ["word " * 8, " "]


def test_where_nothing_listens_the_model_is_missing(slept: list[float]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ModelMissing, match="no answer"):
        load_endpoint(f"http://127.0.0.1:{port}/v1#m", sleep=slept.append)
    assert slept == [0.5, 1.0, 2.0]


@pytest.mark.parametrize(
    "name", ["http://", "http://host/v1", "http://host/v1#", "https:///v1#m", "http://[::1/v1#m", "http://h:x/v1#m"]
)
def test_an_incomplete_address_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(ModelMissing, match="http://host:port/v1#model-name"):
        load_endpoint(name)


@pytest.mark.parametrize("key", ["sk-schlüssel", "sk-key\n"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ModelMissing, match="characters no key has") as raised:
        load_endpoint("http://127.0.0.1:1/v1#m", api_key=key)
    assert key not in str(raised.value)


def test_a_key_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ModelMissing, match="MEMORY_EMBEDDINGS_KEY") as raised:
        load_endpoint(f"http://me:{KEY}@host/v1#m")
    assert KEY not in str(raised.value)

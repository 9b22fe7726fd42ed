"""Encoder at an OpenAI-compatible /v1/embeddings endpoint.

What may pass is tried again (no connection, 429, 5xx). EncodingFailed: these texts could not be embedded, fewer of
them may. ModelMissing: the server is gone or refuses us, other texts will fare no better. No message has the key.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np

from memoryapp.domain.errors import EncoderError, EncodingFailed, ModelMissing
from memoryapp.inference.embedding.encoder import Vectors, no_vectors, readable, unit
from memoryapp.inference.embedding.estimate import cut_to_tokens, estimate_tokens
from memoryapp.inference.embedding.recent import RecentQueries

_PER_REQUEST = 64
_LONGEST_WAIT = 30.0  # seconds, whatever the server's Retry-After says
_REFUSALS = {401, 402, 403, 404, 405, 429}  # the key, the bill, the address, the rate: not the texts


@dataclass(frozen=True, slots=True)
class _Patience:
    """How often to try and how many seconds to wait for an answer."""

    tries: int
    seconds: float


_INGEST = _Patience(tries=4, seconds=60.0)  # a large model on a CPU takes its time over a batch
_SEARCH = _Patience(tries=2, seconds=10.0)  # a person is waiting, and the keyword arm can answer without
_ENGLISH_ONLY = ("all-minilm", "all-mpnet", "all-distilroberta", "-en", "gtr-", "english")


class EndpointEncoder:
    """See `Encoder`. Token counts are estimates; texts are cut to `max_tokens` here, as some servers refuse longer."""

    precision = "as the server computes it"

    def __init__(
        self,
        *,
        client: httpx.Client,
        model: str,
        name: str,
        max_tokens: int,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self.max_tokens = max_tokens
        self.languages = _languages(model)
        self._client = client
        self._model = model
        self._sleep = sleep
        self._recent = RecentQueries()
        self.dimension = 0  # until the first answer says
        self.dimension = int(self._request(["dimension"], patience=_INGEST).shape[1])

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`. Raises EncodingFailed, ModelMissing."""
        starts = range(0, len(texts), _PER_REQUEST)
        parts = [self._request(texts[at : at + _PER_REQUEST], patience=_INGEST) for at in starts]
        return unit(np.concatenate([no_vectors(self.dimension), *parts]))

    def encode_query(self, text: str) -> Vectors:
        """See `Encoder`. Raises EncodingFailed, ModelMissing."""
        return self._recent.vector(text, lambda new: unit(self._request([new], patience=_SEARCH))[0])

    def count_tokens(self, text: str) -> int:
        """Return an estimate."""
        return estimate_tokens(text)

    def _request(self, texts: Sequence[str], *, patience: _Patience) -> Vectors:
        # OpenAI refuses the empty string; a space it takes.
        sent = [cut_to_tokens(readable(text), limit=self.max_tokens) or " " for text in texts]
        answer = self._post({"model": self._model, "input": sent, "encoding_format": "float"}, patience=patience)
        vectors = _read(answer, many=len(sent), name=self.name)
        if self.dimension and vectors.shape[1] != self.dimension:
            raise EncodingFailed(
                f"{self.name} now gives {vectors.shape[1]} numbers a text, before it was {self.dimension}. "
                "Another model answers there: name it, and embed the space anew."
            )
        return vectors

    def _post(self, body: dict[str, Any], *, patience: _Patience) -> httpx.Response:
        for attempt in range(1, patience.tries + 1):
            try:
                answer = self._client.post(
                    "embeddings", json=body, timeout=httpx.Timeout(patience.seconds, connect=5.0)
                )
            except httpx.ReadTimeout as error:
                if len(body["input"]) > 1:  # a slow server may manage half as many; asking for all again will not help
                    raise EncodingFailed(f"{self.name} took over {patience.seconds:.0f} s.") from error
                raise self._gone(f"no answer within {patience.seconds:.0f} s") from error
            except httpx.RequestError as error:
                if attempt == patience.tries:
                    raise self._gone(f"no answer ({type(error).__name__})") from error
                self._sleep(_backoff(attempt))
            else:
                if answer.is_success:
                    return answer
                if attempt == patience.tries or not _may_pass(answer):
                    raise self._refusal(answer)
                self._sleep(_wait(answer, otherwise=_backoff(attempt)))
        raise AssertionError("the last attempt returns or raises")

    def _refusal(self, answer: httpx.Response) -> EncoderError:
        key = self._client.headers.get("Authorization", "").removeprefix("Bearer ")
        said = _complaint(answer).replace(key, "…") if key else _complaint(answer)  # some servers repeat it
        if answer.status_code in _REFUSALS or answer.status_code > 500 or answer.is_redirect:
            return self._gone(said)
        return EncodingFailed(f"The embedding server {self.name} could not embed: {said}.")

    def _gone(self, said: str) -> ModelMissing:
        return ModelMissing(f"The embedding server {self.name} does not serve us: {said}. Is it up, and the key right?")


def load_endpoint(
    name: str,
    *,
    api_key: str | None = None,
    max_tokens: int = 512,
    sleep: Callable[[float], None] = time.sleep,
) -> EndpointEncoder:
    """Connect to `name`, "http(s)://host/v1#model", and ask it for one vector. Raises ModelMissing."""
    address, _, model = name.partition("#")
    try:
        url = httpx.URL(address.rstrip("/") + "/")
    except httpx.InvalidURL:
        url = httpx.URL()
    if not url.host or not model:
        raise ModelMissing("That names no embedding server. Write it as http://host:port/v1#model-name.")
    if url.userinfo:
        raise ModelMissing("Leave the key out of the server's address and set MEMORY_EMBEDDINGS_KEY instead.")
    if api_key and not (api_key.isascii() and api_key.isprintable()):
        raise ModelMissing(
            "The key of the embedding server has characters no key has. Copy MEMORY_EMBEDDINGS_KEY anew."
        )
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    # No redirects: one would carry the texts to where nobody sent them.
    client = httpx.Client(base_url=url, headers=headers, follow_redirects=False)
    try:
        return EndpointEncoder(client=client, model=model, name=name, max_tokens=max_tokens, sleep=sleep)
    except EncoderError as error:
        client.close()
        raise ModelMissing(error.detail) from error


def _read(answer: httpx.Response, *, many: int, name: str) -> Vectors:
    try:
        items = sorted(answer.json()["data"], key=lambda item: int(item.get("index", 0)))
        vectors = np.array([item["embedding"] for item in items], dtype=np.float32)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EncodingFailed(
            f"{name} answered, but not in the form of /v1/embeddings ({type(error).__name__})."
        ) from error
    if vectors.ndim != 2 or len(vectors) != many:
        raise EncodingFailed(f"{name} answered {len(vectors)} vector(s) for {many} text(s).")
    return vectors


def _complaint(answer: httpx.Response) -> str:
    """Return the status and what the server says of it, in one line."""
    try:
        said = answer.json()["error"]
        said = said["message"] if isinstance(said, dict) else said
    except (ValueError, KeyError, TypeError):
        said = answer.text
    return f"{answer.status_code} {' '.join(str(said).split())[:200]}".strip()


def _may_pass(answer: httpx.Response) -> bool:
    return answer.status_code == 429 or answer.status_code >= 500


def _backoff(attempt: int) -> float:
    return float(0.5 * 2 ** (attempt - 1))


def _wait(answer: httpx.Response, *, otherwise: float) -> float:
    try:
        return min(max(float(answer.headers.get("Retry-After", otherwise)), 0.0), _LONGEST_WAIT)
    except ValueError:  # a date; our own schedule will do
        return otherwise


def _languages(model: str) -> frozenset[str]:
    """A server does not say; the well-known English-only models are known by their names."""
    english = any(mark in model.lower() for mark in _ENGLISH_ONLY)
    return frozenset({"en"}) if english else frozenset({"en", "ko"})

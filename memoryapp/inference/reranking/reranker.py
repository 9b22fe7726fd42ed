"""A cross-encoder that reads a question beside a text, and says how well it answers.

MEMORY_RERANK_MODEL names its folder; it serves plans that rerank. Nothing is downloaded, and nothing is loaded until it
is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import EncoderError, ModelMissing, ModelUnreadable
from memoryapp.inference.embedding.encoder import readable
from memoryapp.inference.embedding.engine import needs_torch
from memoryapp.inference.embedding.threads import use_available_cores
from memoryapp.inference.reranking.pair_cache import PairCache

VARIABLE = "MEMORY_RERANK_MODEL"
_BATCH = 32


def passage_text(text: str, *, speaker: str | None = None) -> str:
    """As the packaged models see a passage: with who said it."""
    return f"{speaker}: {text}" if speaker else text


class Scorer(Protocol):
    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """(pairs, 1)."""


class Reranker:
    """What it said of a pair is kept (`PairCache`): an explanation asks for the same fifty again with each weight that
    it tries."""

    def __init__(self, model: Scorer, *, name: str) -> None:
        self.name = name
        self._model = model
        self._known = PairCache()

    def logits(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """How well each text answers the query, (len(texts),): above 0 it rather does. A text that is too long is read
        to the model's window. A number that is none counts as very low."""

        def read(pairs: Sequence[tuple[str, str]]) -> list[float]:
            return list(np.nan_to_num(self._model.logits(pairs)[:, 0], nan=-100.0).tolist())

        return np.array(self._known.scores([(query, text) for text in texts], read), dtype=np.float32)

    def worth(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same as a probability, 0 to 1."""
        return np.asarray(1 / (1 + np.exp(-self.logits(query, texts))), dtype=np.float32)


class _Library:
    """A model of sentence-transformers. One call at a time: its tokenizers refuse a second borrower."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._lock = Lock()

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        from torch.nn import Identity

        with self._lock:
            read = self._model.predict(
                [(readable(query), readable(text)) for query, text in pairs],
                batch_size=_BATCH,
                show_progress_bar=False,
                activation_fn=Identity(),
                convert_to_numpy=True,
            )
        return np.asarray(read, dtype=np.float32).reshape(len(pairs), 1)


def load_reranker(path: str | Path) -> Reranker:
    """Load the model in the folder `path`. Raises ModelMissing, ModelUnreadable."""
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise ModelMissing(
            f"{VARIABLE} names {folder}, and there is no such folder. Put the model's folder there, or leave the "
            "variable out: nothing needs it."
        )
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read by the libraries when first imported
    try:
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise needs_torch(f"The model in {folder}, which {VARIABLE} names,") from error
    use_available_cores()
    try:
        model = CrossEncoder(str(folder), local_files_only=True, trust_remote_code=False)
        if model.num_labels != 1:
            raise ValueError(f"it has {model.num_labels} labels")
    except Exception as error:  # the libraries raise OSError, ValueError, KeyError, their own and the readers' errors
        said = (str(error).splitlines() or [""])[0][:300]
        raise ModelUnreadable(
            f"The model in {folder} does not load as a reranker ({type(error).__name__}: {said}). It must be a "
            "cross-encoder with one label, which says how well a text answers a question."
        ) from error
    return Reranker(_Library(model), name=folder.name)


class RerankerSlot:
    """Where a reranker will be. A search asks `ready`, and leaves the order as it is until then."""

    def __init__(self, path: str, load: Callable[[str], Reranker] = load_reranker) -> None:
        self.path = path
        self._load = load
        self._reranker: Reranker | None = None
        self._failure: str | None = None
        self._settled = Event()

    @property
    def ready(self) -> Reranker | None:
        """The reranker, once it is loaded."""
        return self._reranker

    @property
    def error(self) -> str | None:
        """Why there will be none; None while loading and when ready."""
        return self._failure

    def wait(self, timeout: float | None = None) -> bool:
        """Whether loading came to an end, well or badly, within so many seconds."""
        return self._settled.wait(timeout)

    def fill(self) -> None:
        """Load now, in the calling thread; a failure is kept for `error`."""
        try:
            self._reranker = self._load(self.path)
        except EncoderError as error:
            self._failure = error.detail
        except Exception as error:  # a broken library must not leave readers waiting for ever
            self._failure = f"The model in {self.path} does not load ({type(error).__name__}: {error})."
        finally:
            self._settled.set()


_slots: dict[str, RerankerSlot] = {}  # by folder: one model in memory, however many spaces ask for it
_opening = Lock()


def reranker_slot() -> RerankerSlot | None:
    """The slot of the model that MEMORY_RERANK_MODEL names, loading on a thread from the first time this is asked;
    None where the variable is not set."""
    path = os.environ.get(VARIABLE, "").strip()
    return _slot(path) if path else None


def _slot(path: str) -> RerankerSlot:
    with _opening:
        slot = _slots.get(path)
        if slot is None:
            slot = _slots[path] = RerankerSlot(path)
            Thread(target=slot.fill, name=f"load {path}", daemon=True).start()
    return slot

"""Encoder by sentence-transformers: any model, from a folder or the local Hugging Face cache.

On a GPU it runs in bf16, on a CPU that multiplies bf16 under autocast, elsewhere in fp32.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.embedding.encoder import Vectors, no_vectors, readable, unit
from memoryapp.inference.embedding.engine import needs_torch
from memoryapp.inference.embedding.precision import PLAIN, has_bf16
from memoryapp.inference.embedding.recent import RecentQueries
from memoryapp.inference.embedding.threads import use_available_cores

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_BATCH = 32
_KOREAN = "다람쥐 헌 쳇바퀴에 타고파 그는 어제 회의에서 발표했다"
_PIECES_A_SYLLABLE = 1.5  # Korean vocabularies need .5 to 1.1 tokens a syllable; English ones spell it out in 2 or 3


class SentenceEncoder:
    """See `Encoder`. One call at a time: Hugging Face tokenizers refuse a second borrower."""

    def __init__(self, model: SentenceTransformer, *, name: str, precision: str, languages: frozenset[str]) -> None:
        self.name = name
        self.precision = precision
        self.languages = languages
        self.max_tokens = int(model.max_seq_length or 512)
        self._model = model
        self._lock = Lock()
        self._recent = RecentQueries()
        self.dimension = int(model.get_embedding_dimension() or len(self._encode_one("dimension")))

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`; the model's document prompt, where it has one, goes before each text."""
        if not texts:
            return no_vectors(self.dimension)
        return self._run(self._model.encode_document, [readable(text) for text in texts])

    def encode_query(self, text: str) -> Vectors:
        """See `Encoder`; the model's query prompt, where it has one, goes before the text."""
        return self._recent.vector(text, self._encode_one)

    def count_tokens(self, text: str) -> int:
        """See `Encoder`."""
        with self._lock:
            return len(self._model.tokenizer(readable(text), truncation=False, verbose=False)["input_ids"])

    def _encode_one(self, text: str) -> Vectors:
        return np.array(self._run(self._model.encode_query, [readable(text)])[0])

    def _run(self, encode: Any, texts: list[str]) -> Vectors:
        import torch

        autocast = self.precision == "bf16 autocast"
        with self._lock, torch.autocast("cpu", dtype=torch.bfloat16) if autocast else nullcontext():
            made = encode(texts, batch_size=_BATCH, show_progress_bar=False, convert_to_tensor=True)
            vectors: Vectors = made.float().cpu().numpy()
        return unit(vectors)


def load_sentence(
    name: str,
    *,
    models_dir: Path | None = None,
    folder: Path | None = None,
    languages: frozenset[str] | None = None,
    plain: bool = False,
) -> SentenceEncoder:
    """Load the model `name`: a path, a folder of `models_dir`, or a Hugging Face name already in the local cache.

    `folder` says where it is, `languages` what it can do, where that is known; `plain` asks for fp32 on the CPU.
    Nothing is downloaded and no code of the model's folder is run. Raises ModelMissing, ModelUnreadable.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read by the libraries when first imported
    folder = folder or _find(name, models_dir=models_dir)
    if folder is None and name.startswith(("/", "~", ".")):  # a path: nothing that takes seconds to load need look
        raise _missing_model(name)
    try:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging
    except ImportError as error:
        raise needs_torch(f"The model {name}") from error

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    use_available_cores()
    on_gpu = torch.cuda.is_available() and not plain
    options: dict[str, Any] = {"dtype": torch.bfloat16} if on_gpu and torch.cuda.is_bf16_supported() else {}
    try:
        model = SentenceTransformer(
            str(folder or name),
            device="cuda" if on_gpu else "cpu",
            model_kwargs=options,
            local_files_only=True,
            trust_remote_code=False,
        )
        precision = _precision(on_gpu=on_gpu, reduced=bool(options), plain=plain)
        spoken = languages or _languages(model)
        return SentenceEncoder(model, name=name, precision=precision, languages=spoken)
    except Exception as error:  # the libraries raise OSError, ValueError, KeyError, their own and the readers' errors
        raise _load_error(name, folder=folder, error=error) from error


def _find(name: str, *, models_dir: Path | None) -> Path | None:
    """Return the folder of the model, or None where only the Hugging Face cache can have it."""
    places = [Path(name).expanduser()]
    if models_dir is not None:
        places += [models_dir / name, models_dir / name.rsplit("/", 1)[-1]]
    return next((place for place in places if place.is_dir()), None)


def _precision(*, on_gpu: bool, reduced: bool, plain: bool) -> str:
    if on_gpu:
        return "bf16 on the GPU" if reduced else "fp32 on the GPU"
    return "bf16 autocast" if has_bf16() and not plain else PLAIN


def _languages(model: SentenceTransformer) -> frozenset[str]:
    """English, and Korean where the vocabulary knows it: a model cannot have learnt what it must spell out."""
    ids = model.tokenizer(_KOREAN, add_special_tokens=False)["input_ids"]
    syllables = sum(1 for letter in _KOREAN if letter != " ")
    known = model.tokenizer.unk_token_id not in ids and len(ids) <= _PIECES_A_SYLLABLE * syllables
    return frozenset({"en", "ko"}) if known else frozenset({"en"})


def _load_error(name: str, *, folder: Path | None, error: Exception) -> ModelMissing | ModelUnreadable:
    if folder is None:
        return _missing_model(name)
    said = (str(error).splitlines() or [""])[0][:300]
    return ModelUnreadable(f"The model in {folder} does not load ({type(error).__name__}: {said}). Copy it anew.")


def _missing_model(name: str) -> ModelMissing:
    return ModelMissing(
        f"The model {name} is not on this machine. Put its folder into the models folder, or give its path; "
        "nothing is downloaded while the program runs."
    )

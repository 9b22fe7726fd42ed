"""The encoder that a name stands for, loaded."""

from __future__ import annotations

import os
import re
from pathlib import Path

from memoryapp.domain.errors import ModelMissing
from memoryapp.inference.embedding import endpoint, hashing, minilm, sentence, universal
from memoryapp.inference.embedding.encoder import Encoder
from memoryapp.inference.embedding.engine import has_torch

_HASHING = re.compile(r"hashing(?:-(\d{1,4}))?")
_DEFAULT_ALSO = f"sentence-transformers/{minilm.NAME}"  # the same model under its Hugging Face name


def load_encoder(name: str, *, models_dir: Path | None = None, api_key: str | None = None) -> Encoder:
    """Return the encoder `name`, ready to use; seconds for a model, nothing for "hashing".

    Names: "all-MiniLM-L6-v2", "hashing" or "hashing-<dimension>", "universal-sentence-encoder-multilingual",
    "http(s)://host/v1#model", or a sentence-transformers model by path, by its folder in `models_dir`, or by a
    Hugging Face name in the local cache. `api_key` is for the endpoint, by default MEMORY_EMBEDDINGS_KEY.
    Raises ModelMissing, ModelUnreadable.
    """
    hashed = _HASHING.fullmatch(name)
    if hashed:
        return hashing.HashingEncoder(max(8, int(hashed[1] or 384)))
    if name in (minilm.NAME, _DEFAULT_ALSO):
        return _default()
    if name == universal.NAME:
        return universal.load_universal()
    if name.startswith(("http://", "https://")):
        return endpoint.load_endpoint(name, api_key=api_key or os.environ.get("MEMORY_EMBEDDINGS_KEY"))
    return sentence.load_sentence(name, models_dir=models_dir)


def comes_along(name: str) -> bool:
    """Whether it is the model that is installed with the program: it will load, and needs not be tried."""
    try:
        return name in (minilm.NAME, _DEFAULT_ALSO) and minilm.packaged_folder().is_dir()
    except ModelMissing:
        return False


def _default() -> Encoder:
    folder = minilm.packaged_folder()
    if has_torch():
        import torch

        if torch.cuda.is_available():
            return sentence.load_sentence(minilm.NAME, folder=folder, languages=minilm.MiniLM.languages)
    return minilm.load_minilm(folder)

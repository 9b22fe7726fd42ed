"""A cross-encoder for natural language inference, by path: how two texts stand to each other.

Optional: MEMORY_NLI_MODEL names its folder. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.embedding.encoder import readable
from memoryapp.inference.embedding.engine import needs_torch
from memoryapp.inference.embedding.threads import use_available_cores

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

ORDER = ("contradiction", "entailment", "neutral")  # also what an unlabelled model is taken to mean, as is usual
_BATCH = 32


class PairJudge:
    """One call at a time: Hugging Face tokenizers refuse a second borrower."""

    def __init__(self, model: CrossEncoder, *, name: str, columns: Sequence[int]) -> None:
        self.name = name
        self._model = model
        self._columns = list(columns)
        self._lock = Lock()

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return (len(pairs), 3): contradiction, entailment, neutral of (premise, hypothesis); each row sums to 1."""
        if not pairs:
            return np.empty((0, 3), dtype=np.float32)
        with self._lock:
            scores: Any = self._model.predict(
                [(readable(one), readable(other)) for one, other in pairs],
                batch_size=_BATCH,
                show_progress_bar=False,
                apply_softmax=True,
            )
        return np.asarray(scores, dtype=np.float32)[:, self._columns]


def load_pair_judge(path: str | Path) -> PairJudge:
    """Load the model in the folder `path`. Raises ModelMissing, ModelUnreadable."""
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise ModelMissing(
            f"MEMORY_NLI_MODEL names {folder}, and there is no such folder. Put the model's folder there, or leave the "
            "variable out: the rules judge without it."
        )
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read by the libraries when first imported
    try:
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise needs_torch(f"The model in {folder}, which MEMORY_NLI_MODEL names,") from error
    use_available_cores()
    try:
        model = CrossEncoder(str(folder), local_files_only=True, trust_remote_code=False)
        columns = _columns(dict(model.config.id2label))
    except Exception as error:  # the libraries raise OSError, ValueError, KeyError, their own and the readers' errors
        said = (str(error).splitlines() or [""])[0][:300]
        raise ModelUnreadable(
            f"The model in {folder} does not load as a judge of pairs ({type(error).__name__}: {said}). It must be a "
            "cross-encoder with the three labels of natural language inference."
        ) from error
    return PairJudge(model, name=folder.name, columns=columns)


def _columns(labels: dict[int, str]) -> list[int]:
    """Where each of ORDER stands among the model's labels. Raises ValueError for another kind of model."""
    if len(labels) != len(ORDER):
        raise ValueError(f"it has {len(labels)} labels")
    named = {label.casefold(): int(n) for n, label in labels.items()}
    if all(label.startswith("label_") for label in named):
        return [0, 1, 2]
    if missing := [label for label in ORDER if label not in named]:
        raise ValueError(f"none of its labels is “{missing[0]}”")
    return [named[label] for label in ORDER]

"""The packed cross-encoder against the general library, which is the truth about its numbers."""

from __future__ import annotations

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.extraction.facts.select import SELECTOR
from memoryapp.inference.embedding.minilm import packaged_folder
from memoryapp.inference.reranking.cross_encoder import (
    MAX_TOKENS,
    TRAINING,
    PackedCrossEncoder,
    load_cross_encoder,
)
from tests.damaged import DAMAGES, damaged
from tests.inference.texts import NOTES, ODD, QUESTIONS

PAIRS = [
    *((question, note) for question in QUESTIONS[:4] for note in NOTES[:6]),
    *((text, QUESTIONS[0]) for text in ODD),
    ("who moved?", "word " * 400),
    ("word " * 400, "who moved?"),
    ("word " * 400, "other " * 400),
]


@pytest.fixture(scope="module")
def packed() -> PackedCrossEncoder:
    return load_cross_encoder(SELECTOR)


def test_its_numbers_are_those_of_sentence_transformers_with_the_adapter(packed: PackedCrossEncoder) -> None:
    import torch
    from sentence_transformers import CrossEncoder

    from memoryapp.inference.embedding.encoder import readable

    plain = CrossEncoder(str(packaged_folder()), num_labels=packed.labels, max_length=MAX_TOKENS, local_files_only=True)
    plain.load_adapter(str(SELECTOR))
    plain.eval()
    pairs = [(readable(one), readable(other)) for one, other in PAIRS]
    wanted = np.asarray(plain.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False))
    found = packed.logits(PAIRS)
    assert found.shape == (len(PAIRS), packed.labels)
    assert np.abs(found[:, 0] - wanted).max() < 0.25  # bf16, where the CPU has it
    assert np.corrcoef(found[:, 0], wanted)[0, 1] > 0.999


def test_a_pair_is_read_the_same_alone_and_among_others_and_by_threads(packed: PackedCrossEncoder) -> None:
    together = packed.logits(PAIRS)
    assert packed.logits([]).shape == (0, packed.labels)
    with ThreadPoolExecutor(4) as pool:
        alone = np.concatenate(list(pool.map(lambda pair: packed.logits([pair]), PAIRS)))
    assert np.abs(together - alone).max() < 0.25


@pytest.mark.parametrize(
    ("damage", "told"), [(damage, re.escape(told)) for damage, told in DAMAGES.items()], ids=list(DAMAGES)
)
def test_a_missing_file_and_changed_weights_are_named(tmp_path: Path, damage: str, told: str) -> None:
    refused = ModelMissing if damage == "missing" else ModelUnreadable
    with pytest.raises(refused, match=told):
        load_cross_encoder(damaged(SELECTOR, tmp_path, damage=damage))


def test_weights_for_another_base_are_refused_by_name(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SELECTOR, tmp_path / "selector"))
    note = json.loads((folder / TRAINING).read_text(encoding="utf-8"))
    (folder / TRAINING).write_text(json.dumps(note | {"base": "0" * 64}), encoding="utf-8")
    with pytest.raises(ModelUnreadable, match=r"another copy of all-MiniLM-L6-v2 than .*To repair it: "):
        load_cross_encoder(folder)

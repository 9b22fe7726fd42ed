"""Teaches the packaged encoder to read two texts together: a sentence-transformers CrossEncoder with a low-rank update
(Hu et al. 2021, https://arxiv.org/abs/2106.09685), kept in PEFT's form. Shared by the reader and by what is to come.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from numpy.typing import NDArray
from peft import LoraConfig, TaskType
from safetensors.torch import load_file, save_file
from sentence_transformers import CrossEncoder
from sentence_transformers.cross_encoder import CrossEncoderTrainer, CrossEncoderTrainingArguments
from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss
from sentence_transformers.util import batch_to_device
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import sdpa_mask

from memoryapp.inference.embedding.minilm import packaged_folder
from memoryapp.inference.reranking.cross_encoder import ADAPTER, CONFIG, MAX_TOKENS, TRAINING, base_digest

RANK = 32
_PRODUCTS = ["query", "key", "value", "attention.output.dense", "intermediate.dense", "output.dense"]
_BATCH = 32
_RATE = 1e-3
# On a CPU dropout takes three times as long as all else together, and keeps attention from its fast path.
_NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
_SEED = 7


@dataclass(frozen=True, slots=True)
class Pair:
    """`label`: 0 or 1 for one output, for several the class's number, or len(classes) + a group's (see `groups`)."""

    first: str
    second: str
    label: int


@dataclass(frozen=True, slots=True)
class Stage:
    """`pairs` in their own order are shuffled; `epochs` may be a part of one."""

    name: str
    pairs: Sequence[Pair]
    epochs: float = 1.0


class PartialCrossEntropyLoss(nn.Module):
    """Cross entropy where some labels name a group of classes: −log of the sum of its probabilities (Grandvalet 2002,
    "Logistic regression for partial labels"). A label of at least the number of classes is that group."""

    def __init__(self, model: CrossEncoder, groups: Sequence[Sequence[int]] = ()) -> None:
        super().__init__()
        self.model = model
        allowed = torch.full((model.num_labels + len(groups), model.num_labels), -torch.inf)
        allowed[range(model.num_labels), range(model.num_labels)] = 0.0
        for number, group in enumerate(groups, model.num_labels):
            allowed[number, list(group)] = 0.0
        self.register_buffer("allowed", allowed)

    def forward(self, inputs: list[list[str]], labels: Tensor, **_: object) -> Tensor:
        """`inputs`: the two columns of texts. Returns the mean over the batch."""
        tokens = batch_to_device(self.model.preprocess(list(zip(*inputs, strict=True))), self.model.device)
        likely = self.model(tokens)["scores"].float().log_softmax(dim=1)
        return -(likely + self.allowed[labels.long()]).logsumexp(dim=1).mean()


def _attention_fp32(module: nn.Module, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, **_: Any) -> Any:
    """torch's bf16 attention takes six times as long on a CPU as its fp32 one."""
    with torch.autocast(q.device.type, enabled=False):
        x = scaled_dot_product_attention(
            q.float(), k.float(), v.float(), attn_mask=None if mask is None else mask.to(torch.float32)
        )
    return x.transpose(1, 2).contiguous(), None


_ATTENTION = "sdpa_fp32"
AttentionInterface.register(_ATTENTION, _attention_fp32)
AttentionMaskInterface.register(_ATTENTION, sdpa_mask)


def new_model(labels: int) -> CrossEncoder:
    """The packaged encoder with `labels` outputs, all of it frozen but the update, the pooler and the classifier."""
    torch.manual_seed(_SEED)
    model = CrossEncoder(
        str(packaged_folder()),
        num_labels=labels,
        max_length=MAX_TOKENS,
        local_files_only=True,
        model_kwargs={"attn_implementation": _ATTENTION},
        config_kwargs=_NO_DROPOUT,
    )
    model.add_adapter(
        LoraConfig(
            task_type=TaskType.SEQ_CLS,
            r=RANK,
            lora_alpha=RANK,
            target_modules=_PRODUCTS,
            modules_to_save=["pooler", "classifier"],
        )
    )
    return model


def train(model: CrossEncoder, stages: Iterable[Stage], *, groups: Sequence[Sequence[int]] = ()) -> None:
    """One stage after the other, each with a learning rate that falls to nothing. `groups`: see `Pair.label`."""
    loss = BinaryCrossEntropyLoss(model) if model.num_labels == 1 else PartialCrossEntropyLoss(model, groups)
    for stage in stages:
        pairs = list(stage.pairs)
        random.Random(_SEED).shuffle(pairs)
        columns: dict[str, list[Any]] = {
            "first": [pair.first for pair in pairs],
            "second": [pair.second for pair in pairs],
            "label": [float(pair.label) if model.num_labels == 1 else pair.label for pair in pairs],
        }
        with TemporaryDirectory() as folder:
            arguments = CrossEncoderTrainingArguments(
                output_dir=folder,
                num_train_epochs=stage.epochs,
                per_device_train_batch_size=_BATCH,
                learning_rate=_RATE,
                warmup_steps=0.1,
                weight_decay=0.01,
                use_cpu=not torch.cuda.is_available(),
                bf16=True,  # the products; where a CPU has none of its own it is slow, and gives the same
                train_sampling_strategy="group_by_length",
                save_strategy="no",
                report_to="none",
                logging_steps=50,
                seed=_SEED,
                disable_tqdm=not os.isatty(2),
            )
            print(f"{stage.name}: {len(pairs)} pairs, {stage.epochs:g} epochs", flush=True)
            dataset = Dataset.from_dict(columns)
            CrossEncoderTrainer(model=model, args=arguments, train_dataset=dataset, loss=loss).train()


def logits(model: CrossEncoder, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """(pairs,) for one output, else (pairs, labels)."""
    model.eval()
    found = model.predict(list(pairs), batch_size=64, activation_fn=torch.nn.Identity(), show_progress_bar=False)
    return np.asarray(found, dtype=np.float64)


def save(model: CrossEncoder, folder: Path, *, data: str, figures: Mapping[str, object]) -> None:
    """The update in half precision in PEFT's form, with a note of what it was made from: the digests of the base, of
    the weights themselves and of the `data`, and the `figures` on held-back hands."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as made:
        model[0].auto_model.save_pretrained(made)
        tensors = load_file(Path(made) / ADAPTER)
        config = json.loads((Path(made) / CONFIG).read_text(encoding="utf-8"))
    config["base_model_name_or_path"] = None  # a path of this machine
    config["target_modules"] = sorted(config["target_modules"])
    save_file({name: tensor.half().contiguous() for name, tensor in tensors.items()}, folder / ADAPTER)
    (folder / ADAPTER).chmod(0o644)
    (folder / CONFIG).write_text(json.dumps(config, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    note = {
        "base": base_digest(),
        "weights": sha256((folder / ADAPTER).read_bytes()).hexdigest(),
        "data": data,
        "labels": model.num_labels,
        "figures": figures,
    }
    (folder / TRAINING).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")

"""The fastest form of a BERT on this CPU that gives the same vectors, and its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from memoryapp.inference.embedding.bert import Bert, MakeLinear, Shape, build, embed, packed_linear, plain_linear

if TYPE_CHECKING:
    from torch import Tensor

PLAIN = "fp32"
ROWS = 1024  # tokens that travel together: best of 512 to 4096 on two cores, activations still fit the cache
_SAME = 0.999  # cosine to plain fp32 that every probe must reach; measured: .9998 and more
_PROBES = ((101, 7592, 102), (101, 2054, 2003, 1996, 3007, 1997, 4420, 1029, 102), tuple(range(1000, 1130)))


def fastest(weights: Mapping[str, Tensor], *, shape: Shape) -> tuple[Bert, str]:
    """Return the model in its fastest faithful form and that form's name: bf16 packed, fp32 packed or fp32.

    Faster forms are tried, not presumed: one that raises, or whose vectors differ from plain fp32, is passed over.
    What is chosen depends on the CPU alone, never on a timing, so that a restart computes the same numbers.
    """
    plain = build(weights, shape=shape, linear=plain_linear)
    wanted = _probe(plain)
    for name, maker in _faster_forms():
        try:
            bert = build(weights, shape=shape, linear=maker())
            found = _probe(bert)
        except (RuntimeError, AttributeError):
            continue
        if bool(((wanted * found).sum(dim=1) >= _SAME).all()):
            return bert, name
    return plain, PLAIN


def _faster_forms() -> Iterator[tuple[str, Callable[[], MakeLinear]]]:
    import torch

    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return
    if has_bf16():
        yield "bf16 packed", lambda: packed_linear(torch.bfloat16, rows=ROWS)
    yield "fp32 packed", lambda: packed_linear(torch.float32, rows=ROWS)


def has_bf16() -> bool:
    """Whether the CPU multiplies bf16 itself (AVX-512 BF16 or AMX); emulated, it would be slower than fp32."""
    import torch

    asked = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, bool)() for name in asked)


def _probe(bert: Bert) -> Tensor:
    import torch

    longest = max(len(ids) for ids in _PROBES)
    ids = torch.tensor([[*probe, *[0] * (longest - len(probe))] for probe in _PROBES]) % len(bert.words)
    with torch.inference_mode():
        return embed(bert, ids, torch.tensor([len(probe) for probe in _PROBES]))

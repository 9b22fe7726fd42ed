"""Encoders, which turn texts into unit vectors.

Importing this is cheap: torch, where it is installed, and the models come with `load_encoder`, or on a thread with
`background_encoder`.
"""

from __future__ import annotations

from memoryapp.inference.embedding.background import EncoderSlot, background_encoder
from memoryapp.inference.embedding.batch import EncodedBatch, encode_in_batches
from memoryapp.inference.embedding.encoder import Encoder
from memoryapp.inference.embedding.load import load_encoder

__all__ = ["EncodedBatch", "Encoder", "EncoderSlot", "background_encoder", "encode_in_batches", "load_encoder"]

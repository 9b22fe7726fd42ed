from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.vectors import RememberingEncoder
from memoryapp.inference.embedding import Encoder, load_encoder


def refuse(name: str) -> Encoder:
    raise AssertionError(f"{name} was loaded")


def test_what_was_encoded_once_needs_no_model_again(tmp_path: Path) -> None:
    first = RememberingEncoder("hashing-384", folder=tmp_path)
    documents, query = first.encode_documents(["one", "two", "one"]), first.encode_query("one")
    first.save()
    again = RememberingEncoder("hashing-384", folder=tmp_path, load=refuse)
    assert np.array_equal(again.encode_documents(["two", "one"]), documents[[1, 0]])
    assert np.array_equal(again.encode_query("one"), query)
    assert again.dimension == 384


def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    first = RememberingEncoder("hashing-384", folder=tmp_path)
    first.encode_documents(["one"])
    first.save()
    other = RememberingEncoder("hashing-128", folder=tmp_path, load=load_encoder)
    assert other.encode_documents(["one"]).shape == (1, 128)

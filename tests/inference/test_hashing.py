"""The encoder without a model."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from memoryapp.inference.embedding.hashing import HashingEncoder


def _cosine(one: str, other: str) -> float:
    first, second = HashingEncoder().encode_documents([one, other])
    return float(first @ second)


def test_texts_that_share_words_are_nearer_than_texts_that_do_not() -> None:
    assert _cosine("the red bicycle in the shed", "a red bicycle stood outside") > 0.3
    assert abs(_cosine("the red bicycle in the shed", "quarterly tax returns")) < 0.2


def test_inflected_words_are_near_by_their_letters() -> None:
    assert _cosine("deploying", "deployed") > _cosine("deploying", "painting") + 0.1


def test_a_korean_particle_does_not_hide_the_noun() -> None:
    assert _cosine("데이터베이스를", "데이터베이스가") > 0.3


def test_order_and_case_do_not_matter() -> None:
    assert _cosine("Blue Whale", "whale BLUE") > 0.999


def test_another_process_makes_the_same_vector() -> None:
    code = (
        "from memoryapp.inference.embedding.hashing import HashingEncoder as H; "
        "print(H(32).encode_query('same words').tolist())"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] == f"{HashingEncoder(32).encode_query('same words').tolist()}\n"


def test_ten_thousand_notes_take_no_time() -> None:
    texts = [f"note {number} about the weekly build of module {number % 40}" for number in range(10_000)]
    assert np.isfinite(HashingEncoder().encode_documents(texts)).all()

"""The weights in use are the ones the project's own pairs give, and they hold on sets left out of the learning."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from memoryapp.detect.weighed import WEIGHTS
from memoryapp.management.bench.fit_weights import MODEL, fit, left_out, line_of, sample, shown_of
from memoryapp.management.bench.vectors import RememberingEncoder


def test_a_sign_that_tells_gets_a_weight_and_one_that_does_not_gets_none() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 2))
    fitted = fit(rows, rows[:, 0] > 0, np.ones(400))
    assert fitted.weights[0] > 1 > 5 * abs(fitted.weights[1])
    chances = fitted.probabilities(np.array([[2.0, 0.0], [-2.0, 0.0]]))
    assert chances[0] > 0.9 and chances[1] < 0.1


def test_a_sign_that_never_varies_does_no_harm() -> None:
    fitted = fit(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([False, True]), np.ones(2))
    assert np.isfinite(fitted.weights).all() and fitted.weights[0] == pytest.approx(0)


@pytest.mark.slow
def test_the_pairs_give_the_weights_in_use_and_left_out_sets_hold(tmp_path: Path) -> None:
    data = sample(RememberingEncoder(MODEL, folder=tmp_path))
    held = json.loads(WEIGHTS.read_text("utf-8"))
    fitted = fit(data.rows, data.clash, data.weight)
    assert list(held["signs"]) == list(data.names)
    weights = [one["weight"] for one in held["signs"].values()]
    assert weights == pytest.approx(fitted.weights.tolist(), abs=0.05)  # the encoder's last digits vary by machine
    chances = left_out(data)
    line = line_of(data, chances)
    assert held["line"] == pytest.approx(line, abs=0.03)
    shown = shown_of(data, chances, line)
    clash, other = data.written & data.clash, data.written & ~data.clash
    assert shown[clash].sum() / shown[data.written].sum() >= 0.95
    assert shown[clash].mean() >= 0.6 and shown[other].mean() <= 0.03

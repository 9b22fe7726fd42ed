"""What the chat model that is set up is fit for, as the last test found it: kept in the data folder, for every process
and every space."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from django.conf import settings

from memoryapp.domain.clock import utc_now
from memoryapp.extract.facts.fitness import Fitness, fitness_of
from memoryapp.llm import ChatModel


def kept_fitness(model: ChatModel) -> Fitness | None:
    """None where this model was not tested, or the file cannot be read."""
    try:
        told = json.loads(_file().read_text(encoding="utf-8"))
        fit = Fitness(**told)
    except (OSError, ValueError, TypeError):
        return None
    return fit if fit.model == model.endpoint.label else None


def tested(model: ChatModel, *, advance: Callable[[int, int], None] = lambda done, total: None) -> Fitness:
    """Tests the model, and keeps what came of it unless the test did not come to its end."""
    fit = replace(fitness_of(model, advance=advance), at=utc_now().isoformat(timespec="seconds"))
    if not fit.problem:
        beside = _file().with_suffix(".new")
        beside.write_text(json.dumps(asdict(fit), indent=2) + "\n", encoding="utf-8")
        os.replace(beside, _file())
    return fit


def _file() -> Path:
    return Path(settings.DATA_DIR) / "chat-model.json"

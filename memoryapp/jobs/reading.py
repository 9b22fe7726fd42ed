"""Turns that wait for a reader become a job: asked for by whoever appended them, and by the tick for what was left. And
who reads the turns of a space and who judges its facts, as its own setting and the app's settings say: for the job, and
for whoever asks at once: a preview, a fact posted ready-made.

What the chat model that is set up is fit for, as the last test found it, is kept in the data folder, for every process
and every space.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.contradictions import Judge, Reads, pair_judge
from memoryapp.contradictions.model_judges import model_judge, nli_judge
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.clock import utc_now
from memoryapp.domain.errors import EncoderError, PalimpsestError
from memoryapp.domain.fact import Cost
from memoryapp.extraction.facts.choose import Reader, reader_of
from memoryapp.extraction.facts.fitness import Fitness, fitness_of
from memoryapp.extraction.relations.choose import RelationReader, relation_reader_of
from memoryapp.inference.llm import ChatModel, chat_model
from memoryapp.inference.reranking.pairs import load_pair_judge
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.pipeline import submit
from memoryapp.remember import Judges
from memoryapp.spaces import Space
from memoryapp.store import turns

log = logging.getLogger(__name__)

EXTRACTION = Actor(ActorKind.MACHINE, "extraction")
KEPT = 20  # ended reading jobs of a space: there may be one for every turn, and what they learned stands in their runs
_unusable: dict[str, str] = {}  # folders of inference models that did not load, and why


def submit_reading(space: str, *, actor: Actor) -> Job:
    """The job that reads all waiting turns of a space. However many ask, one waits and one runs."""
    return submit("read", space=space, arguments={}, actor=actor, subject=f"read:{space}")


def submit_left_over(rows: Iterable[Row] | None = None) -> list[Job]:
    """Jobs for those of these spaces, or of all, whose turns wait and for whom nobody is on the way: their job was
    lost, or never written."""
    jobs = []
    for row in Row.objects.select_related("parent") if rows is None else rows:
        if _reading(row.name).filter(status__in=OPEN).exists():
            continue
        try:
            db = open_row(row, passing=True).db
            if turns.count_waiting(db) or not turns.all_remembered(db):
                jobs.append(submit_reading(row.name, actor=EXTRACTION))
        except PalimpsestError as error:
            log.warning("Turns of space %s cannot be looked for: %s", row.name, error.detail)
    return jobs


def clear_old_readings(space: str) -> None:
    """Drops ended reading jobs: those that found nothing to read, and all but the last KEPT."""
    ended = _reading(space).exclude(status__in=OPEN)
    ended.filter(report__turns=0, report__given_up=0, report__skipped=0).delete()
    old = list(ended.order_by("-created_at", "-id").values_list("pk", flat=True)[KEPT:])
    Job.objects.filter(pk__in=old).delete()


def _reading(space: str) -> QuerySet[Job]:
    return Job.objects.filter(kind="read", space=space)


def kept_fitness(model: ChatModel) -> Fitness | None:
    """None where this model was not tested, or the file cannot be read."""
    try:
        told = json.loads(_file().read_text(encoding="utf-8"))
        fit = Fitness(**told)
    except (OSError, ValueError, TypeError):
        return None
    return fit if fit.model == model.endpoint.label else None


def measure_fitness(model: ChatModel, *, advance: Callable[[int, int], None] = lambda done, total: None) -> Fitness:
    """Tests the model, and keeps what came of it unless the test did not come to its end."""
    fit = replace(fitness_of(model, advance=advance), at=utc_now().isoformat(timespec="seconds"))
    if not fit.problem:
        beside = _file().with_suffix(".new")
        beside.write_text(json.dumps(asdict(fit), indent=2) + "\n", encoding="utf-8")
        os.replace(beside, _file())
    return fit


def _file() -> Path:
    return Path(settings.DATA_DIR) / "chat-model.json"


def reader_for(space: Space, *, extractor: str = "") -> Reader:
    """By rules, by rules and the chat model as far as it is fit for that, or nobody. `extractor` in place of the
    space's own choice. Raises BadInput for one that is none."""
    model = configured_chat_model()
    fit = kept_fitness(model) if model is not None else None
    # Vectors of words tell no meanings apart.
    means = space.encoder.ready and not space.encoder.name.startswith("hashing")
    return reader_of(
        extractor or space.tuning.extractor,
        model=model,
        worth=space.tuning.fact_worth,
        rewords=fit is None or fit.may_reword,
        extracts=fit is not None and fit.may_extract,
        encode=space.encoder.get().encode_documents if means else None,
    )


def relation_reader_for(space: Space) -> RelationReader:
    """The same for relations. A label that no synonym covers finds its type by the model of the space, once loaded."""
    encode = space.encoder.get().encode_documents if space.encoder.ready else None
    return relation_reader_of(space.tuning.extractor, model=configured_chat_model(), encode=encode)


def judges_for(space: Space, *, chat: bool) -> Judges:
    """Who is asked after the rules. `chat`: the chat model as well, where the space's extractor may be one; it takes a
    second or more for a fact, so nobody waits for it at a door."""
    spent: list[Cost] = []
    model = configured_chat_model() if chat and space.tuning.extractor in ("auto", "llm") else None
    asked = model_judge(model, spend=spent.append) if model is not None else None
    return Judges(reads=reader_of_pairs(space), nli=_pair_judge(settings.NLI_MODEL), model=asked, spent=spent)


def reader_of_pairs(space: Space) -> Reads | None:
    """The network that comes with the app, as MEMORY_JUDGE says; where it says nothing, wherever the space's encoder is
    a model: who chose hashing wants none loaded."""
    chosen = settings.JUDGE or ("off" if space.encoder.name.startswith("hashing") else "on")
    return pair_judge.later if chosen == "on" else None


@lru_cache(maxsize=1)
def _pair_judge(path: str) -> Judge | None:
    """Loaded once. Where it does not load the rules judge alone; the health check says why."""
    if not path:
        return None
    try:
        return nli_judge(load_pair_judge(path).probabilities)
    except EncoderError as error:
        log.warning("Facts are judged without the inference model: %s", error.detail)
        _unusable[path] = error.detail
        return None


def inference_problem() -> str:
    """Why the inference model that is set up does not judge; empty where it does, was not needed yet, or none is."""
    return _unusable.get(settings.NLI_MODEL, "")


def configured_chat_model() -> ChatModel | None:
    """None where none is set up."""
    return chat_model(**settings.LLM)

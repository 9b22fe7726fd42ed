"""The test of the chat model as a job, and what it decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space
from memoryapp.extraction.facts.choose import ModelReads
from memoryapp.inference.llm import chat_model
from memoryapp.jobs import reading, run
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.reading import kept_fitness
from tests.chat_server import ChatServer, completion
from tests.extraction.facts.test_fitness import able
from tests.jobs.conftest import ADA

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued")]


@pytest.fixture
def set_up(settings: Any, tmp_path: Path, chat_server: ChatServer) -> ChatServer:
    settings.DATA_DIR = tmp_path
    settings.LLM = {"url": chat_server.address, "name": "small-model"}
    chat_server.judge = able
    return chat_server


def done() -> Job:
    job = submit("chat-model", space=DEFAULT, arguments={}, actor=ADA, subject="chat-model")
    run.run(job.pk)
    job.refresh_from_db()
    return job


def reader() -> ModelReads:
    found = reading.reader_for(open_space(DEFAULT))
    close_spaces()
    assert isinstance(found, ModelReads)
    return found


def test_an_able_model_is_used_for_more_once_it_was_tested(set_up: ChatServer) -> None:
    assert (reader().rewords, reader().extracts) == (True, False)
    job = done()
    assert job.status == Status.DONE and job.report["told"].startswith("rewrites facts: ")
    assert (reader().rewords, reader().extracts) == (True, True)


def test_one_that_is_no_good_is_not_asked_again(set_up: ChatServer) -> None:
    set_up.judge = lambda body: completion({"turns": []} if "response_format" in body else "Hm?")
    done()
    assert (reader().rewords, reader().extracts) == (False, False)


def test_what_was_found_is_of_that_model_alone(set_up: ChatServer, settings: Any) -> None:
    done()
    other = chat_model(**{**settings.LLM, "name": "another"})
    assert other is not None and kept_fitness(other) is None
    (settings.DATA_DIR / "chat-model.json").write_text("{")
    mine = chat_model(**settings.LLM)
    assert mine is not None and kept_fitness(mine) is None


def test_without_a_model_there_is_nothing_to_test(settings: Any) -> None:
    settings.LLM = {}
    job = done()
    assert job.status == Status.FAILED and "MEMORY_LLM_URL" in job.error

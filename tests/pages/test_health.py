from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp import spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.spaces import set_settings
from memoryapp.contradictions import pair_judge
from memoryapp.domain.errors import LlmError
from memoryapp.domain.memory import Memory
from memoryapp.inference.llm import ChatModel, Endpoint, chat_model, write
from memoryapp.integrity import INVARIANTS
from memoryapp.jobs import reading
from memoryapp.jobs.models import Job
from memoryapp.jobs.reading import measure_fitness as fitness_of
from tests.chat_server import ChatServer, model_at, refusal
from tests.extraction.facts.test_fitness import able
from tests.pages.talking import say


def health(client: Client) -> str:
    return client.get("/settings/health/").content.decode()


def test_without_a_model_the_rules_read_and_that_is_well(reader: Client, space: spaces.Space) -> None:
    page = health(reader)
    assert "none configured; rules extract and write" in page
    assert "all well" in page


def test_a_space_that_asks_for_a_model_which_is_not_there_is_told_so(reader: Client, row: Space) -> None:
    set_settings(row, {"extractor": "llm"})
    assert "this space requires one" in health(reader)


def test_a_model_that_fails_is_told_with_its_problem(
    reader: Client, space: spaces.Space, chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_at(chat_server)
    monkeypatch.setattr("memoryapp.interfaces.health.presenter.configured_chat_model", lambda: model)
    assert "not used since startup" in health(reader)
    chat_server.judge = lambda body: refusal(401, "wrong key")
    with pytest.raises(LlmError):
        write(model, "Say yes.", "Nothing.", max_tokens=10)
    page = health(reader)
    assert "Rules are used instead." in page
    assert "all well" not in page


def test_a_model_is_tested_by_a_button_and_the_page_says_what_it_is_fit_for(
    admin: Client, reader: Client, space: spaces.Space, chat_server: ChatServer, settings: Any, tmp_path: Path
) -> None:
    assert "Fourteen known turns" not in health(admin), "nothing to test"
    settings.DATA_DIR, settings.LLM = tmp_path, {"url": chat_server.address, "name": "small-model"}
    chat_server.judge = able
    assert "Not tested yet" in health(admin) and "Fourteen known turns" not in health(reader)
    answer = admin.post("/settings/chat-model/")
    assert answer.status_code in (302, 303) and "/jobs/" in answer["Location"]
    model = chat_model(**settings.LLM)
    assert model is not None
    fitness_of(model)
    assert "Rewrites facts: 11 of 12 right; extraction: 12 of 14; " in health(reader)


@pytest.mark.long
def test_an_inference_model_that_does_not_load_is_told(
    reader: Client, space: spaces.Space, settings: Any, tmp_path: Path
) -> None:
    assert "the rules alone judge" in health(reader)
    settings.NLI_MODEL = str(tmp_path / "gone")
    assert "which does not exist. The rules judge without it." in health(reader)
    settings.NLI_MODEL = str(tmp_path)
    assert f"{tmp_path.name}, used where the rules are not certain" in health(reader)
    assert reading.judges_for(space, chat=False).nli is None
    page = health(reader)
    assert "does not load as a judge of pairs" in page and "all well" not in page


def test_it_tells_who_judges_pairs_of_facts(
    reader: Client, space: spaces.Space, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "the rules alone judge pairs of facts" in health(reader)
    settings.JUDGE = "on"
    assert "reads facts together" in health(reader)
    monkeypatch.setattr(pair_judge, "JUDGE", tmp_path)
    page = health(reader)
    assert "is missing. Reinstall Palimpsest. The rules alone judge pairs of facts." in page


def test_turns_that_nobody_reads_are_told(reader: Client, space: spaces.Space) -> None:
    assert ">processed<" in health(reader)
    say(space, "I live in Busan.", "I work at Hangang Labs.")
    assert "2 turns wait to be processed" in health(reader)
    Job.objects.create(kind="read", space=space.name)
    assert "2 turns to process, a job is running" in health(reader)


def test_what_the_space_last_did_by_itself_is_told(reader: Client, space: spaces.Space) -> None:
    assert health(reader).count("not yet") >= 3
    at = timezone.now() - timedelta(hours=3)
    for kind, report in (
        ("read", {"turns": 7, "facts": 2, "reinforced": 1, "conflicts": 1}),
        ("summaries", {"written": ["work"]}),
        ("expire", {"archived": 4}),
    ):
        Job.objects.create(kind=kind, space=space.name, status="done", finished_at=at, report=report)
    Job.objects.create(kind="read", space=space.name, status="done", finished_at=timezone.now(), report={"turns": 0})
    page = health(reader)
    assert "3 hours ago: 7 turns: 2 learned, 1 said again, 1 conflict." in page
    assert "3 hours ago: work rewritten." in page
    assert "3 hours ago: 4 memories archived." in page


def test_writes_that_met_are_told_and_what_to_do_where_they_are_many(
    reader: Client, space: spaces.Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "none since startup" in health(reader)
    monkeypatch.setattr(space.db, "written", 5_000)
    monkeypatch.setattr(space.db, "conflicts_retried", 1)
    page = health(reader)
    assert "1 conflicting write retried since startup; none was lost" in page
    assert "all well" in page
    monkeypatch.setattr(space.db, "conflicts_retried", 900)
    page = health(reader)
    assert "of 5,000 writes. None was lost. Send facts in batches" in page and "one thing needs attention" in page
    monkeypatch.setattr(space.db, "conflicts_given_up", 2)
    page = health(reader)
    assert "2 writes conflicted 8 times in a row and were rejected. Send facts in batches" in page


def test_a_store_that_had_to_be_opened_again_is_told(
    reader: Client, space: spaces.Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space.db, "reconnected", 2)
    page = health(reader)
    assert "reopened 2 times since startup" in page and "all well" in page
    monkeypatch.setattr(space.db, "reconnected", 7)
    page = health(reader)
    assert "was reopened 7 times since startup. Check the disk." in page and "all well" not in page


def test_a_model_with_a_wrong_address_is_down(
    reader: Client, space: spaces.Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ChatModel(Endpoint(url="ftp://nowhere", name="m"))
    monkeypatch.setattr("memoryapp.interfaces.health.presenter.configured_chat_model", lambda: model)
    assert "m is down" in health(reader)


def test_everything_is_checked_by_a_button_that_only_an_administrator_has(
    admin: Client, reader: Client, space: spaces.Space, write: Callable[..., Memory]
) -> None:
    write("The heron stands in the reeds.")
    assert "Run check" in admin.get("/settings/health/").content.decode()
    assert "Run check" not in reader.get("/settings/health/").content.decode()
    assert reader.get("/settings/health/whole/").status_code == 403
    space.db.query("UPDATE memory SET ended_at = time::now() RETURN NONE")
    found = admin.get("/settings/health/whole/").content.decode()
    assert "Integrity check failed" in found and "is held and says since when it is not" in found
    space.db.query("UPDATE memory SET ended_at = NONE RETURN NONE")
    found = admin.get("/settings/health/whole/").content.decode()
    assert found.count("passed</span>") >= len(INVARIANTS) - 1  # the fixture writes no vectors

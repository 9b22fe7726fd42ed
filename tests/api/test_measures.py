"""What /metrics tells, after each thing was made to happen."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.domain.identity import new_id
from memoryapp.jobs import run
from memoryapp.jobs.models import Job
from memoryapp.observability.counts import listen
from tests.api.conftest import Agent


def numbers(agent: Agent) -> dict[str, float]:
    lines = agent.get("/metrics").content.decode().splitlines()
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines if not line.startswith("#")}


def grown(before: dict[str, float], after: dict[str, float], name: str) -> float:
    return after.get(name, 0.0) - before.get(name, 0.0)


def test_a_search_is_timed_whole_and_by_arm_and_the_second_one_comes_from_the_cache(root: Agent) -> None:
    root.write("The heron stands in the reeds.")
    before = numbers(root)
    for _ in range(2):
        assert root.post("/search", {"query": "where is the heron?"}).status_code == 200
    after = numbers(root)
    assert grown(before, after, 'palimpsest_search_seconds_count{answer="computed"}') == 1
    assert grown(before, after, 'palimpsest_search_seconds_count{answer="recalled"}') == 1
    assert grown(before, after, 'palimpsest_cache_total{cache="answers",outcome="hit"}') == 1
    assert grown(before, after, 'palimpsest_arm_seconds_count{arm="keyword"}') == 1
    assert grown(before, after, 'palimpsest_store_seconds_count{does="read"}') > 0
    assert after["process_resident_memory_bytes"] > 1_000_000


def test_memories_are_counted_by_kind_and_state_and_embedded_texts_by_model(root: Agent) -> None:
    before = numbers(root)
    root.write("A note.")
    root.post("/memories", {"kind": "fact", "text": "I live in Busan."})
    after = numbers(root)
    where = f'space="{root.space}",state="held"'
    assert after[f'palimpsest_memories{{kind="fact",{where}}}'] == 1
    assert sum(value for name, value in after.items() if name.startswith("palimpsest_memories{") and where in name) == 2
    assert grown(before, after, 'palimpsest_store_seconds_count{does="write"}') >= 2


def test_a_job_is_timed_by_kind_and_outcome_and_one_that_waits_has_an_age(root: Agent) -> None:
    before = numbers(root)
    job = Job.objects.create(kind="expire", space="no-such-space")
    Job.objects.create(kind="golden", space=root.space, created_at=timezone.now() - timedelta(minutes=5))
    run.run(job.pk)
    after = numbers(root)
    assert grown(before, after, 'palimpsest_job_seconds_count{kind="expire",outcome="failed"}') == 1
    assert after['palimpsest_queue_length{kind="golden",status="queued"}'] == 1
    assert 299 < after['palimpsest_queue_age_seconds{kind="golden"}'] < 400


def test_no_label_is_an_id_an_address_or_a_word_that_somebody_wrote(root: Agent) -> None:
    made = root.write("Zebrafish are kept secret.")
    root.get(f"/memories/{made['id']}")
    root.get(f"/memories/{new_id()}")
    text = root.get("/metrics").content.decode()
    assert "Zebrafish" not in text and made["id"] not in text
    assert not re.search(r'="[0-9a-f]{16}"', text)
    assert 'route="api/v1/memories/<str:' in text or 'route="api/v1/memories/<' in text


def test_a_workers_address_is_checked() -> None:
    with pytest.raises(ValueError, match="MEMORY_METRICS_LISTEN"):
        listen("everywhere")

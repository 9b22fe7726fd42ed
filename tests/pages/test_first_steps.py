"""The first steps on Home: shown while a space is new, ticked by what is there, hidden and brought back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from memoryapp import spaces
from memoryapp.accounts.keys import authenticate_key, create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.memory import Memory
from memoryapp.interfaces.home.first_steps import questions_about
from memoryapp.jobs import pipeline
from memoryapp.jobs.models import Job

HTMX = {"HX-Request": "true"}
CARD = 'id="first-steps"'
Write = Callable[..., Memory]


@pytest.fixture(autouse=True)
def unqueued(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Jobs stay where they are: no worker runs beside these tests."""
    monkeypatch.setattr(pipeline, "queue", lambda job_id: None)
    yield


def home(client: Client) -> str:
    return client.get("/").content.decode()


def done(page: str) -> list[str]:
    """The steps that are ticked."""
    return re.findall(r'id="step-([a-z]+)"[^>]*data-done', page)


def test_an_empty_space_shows_four_steps_and_what_the_first_begins_with(admin: Client, space: spaces.Space) -> None:
    page = home(admin)
    assert "Nothing is remembered here yet." in page and "0 of 4 done" in page and done(page) == []
    names = ("Bring something to remember", "Watch it being read", "Ask a question about it", "Connect an agent")
    assert all(name in page for name in names)
    for begin in ('action="/ingest/start/"', 'role="combobox"', 'popovertarget="write"', 'hx-post="/demo/"'):
        assert begin in page
    assert f"connect claude-code --space {space.name}" in page and "Waiting for the first call" in page


def test_each_role_is_offered_what_it_may_do(enter: Callable[[Role], Client], space: spaces.Space) -> None:
    offered = {
        role: [part for part in ("/ingest/start/", 'popovertarget="write"', '"/demo/"', "Hide these steps")
               if part in home(enter(role)).partition("<main")[2]]
        for role in Role
    }  # fmt: skip
    assert offered[Role.READER] == [] and "somebody who may write begins" in home(enter(Role.READER))
    assert offered[Role.WRITER] == ['popovertarget="write"']
    assert offered[Role.CURATOR] == ["/ingest/start/", 'popovertarget="write"']
    assert len(offered[Role.ADMIN]) == 4


def test_an_ingest_that_was_asked_for_here_is_watched_here(
    curator: Client, row: Space, space: spaces.Space, tmp_path: Path, settings: Any
) -> None:
    settings.INGEST_ROOTS = (tmp_path,)
    (tmp_path / "a.md").write_text("## One\n\nText.\n")
    answer = curator.post("/ingest/start/", {"path": str(tmp_path), "home": "1"}, headers=HTMX)
    assert answer["HX-Redirect"] == "/"
    page = home(curator)
    assert done(page) == ["start"] and "/first-steps/?part=fill" in page and page.count("progressbar") == 1
    live = curator.get("/first-steps/?part=fill", headers=HTMX)
    assert live.status_code == 200 and tmp_path.name in live.content.decode()
    Job.objects.filter(space=row.name).update(status="done")
    assert curator.get("/first-steps/?part=fill", headers=HTMX)["HX-Refresh"] == "true"


def test_an_ingest_that_failed_is_told_and_another_may_be_begun(curator: Client, row: Space) -> None:
    job = Job.objects.create(kind="ingest", space=row.name, status="failed", error="The disk is gone.")
    page = home(curator)
    assert "The disk is gone." in page and f"/jobs/{job.pk}/" in page and 'action="/ingest/start/"' in page
    assert done(page) == []


def test_a_dry_run_is_no_step(curator: Client, row: Space) -> None:
    Job.objects.create(kind="ingest", space=row.name, status="running", arguments={"dry_run": True})
    assert done(home(curator)) == []


def test_a_note_written_here_leads_back_here(writer: Client, space: spaces.Space) -> None:
    assert 'name="home"' in home(writer)
    refused = writer.post("/memories/write/", {"text": " ", "home": "1"}, headers=HTMX)
    assert refused.status_code == 422 and 'name="home"' in refused.content.decode()
    answer = writer.post("/memories/write/", {"text": "Deploys stop on Friday.", "home": "1"}, headers=HTMX)
    assert answer["HX-Redirect"] == "/"
    page = home(writer)
    assert done(page) == ["start", "fill"] and "2 of 4 done" in page


def test_questions_are_offered_by_what_was_ingested_and_answered_in_place(
    reader: Client, row: Space, space: spaces.Space, section: Memory
) -> None:
    page = home(reader)
    assert "What about Backup?" in page and "What about Deploy freeze?" in page
    answer = reader.get("/first-steps/ask/", {"q": "What about Backup?"}, headers=HTMX)
    html = answer.content.decode()
    assert f"/memories/{section.id}/" in html and "/search/?q=What%20about%20Backup%3F" in html
    assert 'id="mark-ask" hx-swap-oob="true"' in html and "3 of 4 done" in html
    assert done(home(reader)) == ["start", "fill", "ask"] and "What about Backup?" not in home(reader)
    assert reader.get("/first-steps/ask/", {"q": " "}, headers=HTMX).status_code == 422


def test_what_nothing_answers_is_told(reader: Client, space: spaces.Space, section: Memory) -> None:
    html = reader.get("/first-steps/ask/", {"q": "what is the dentist's invoice?"}, headers=HTMX).content.decode()
    assert "Nothing here is likely to answer it." in html
    html = reader.get("/first-steps/ask/", {"q": "backup"}, headers=HTMX).content.decode()
    assert "Nothing here is likely to answer it." not in html


def test_where_nothing_is_held_nothing_answers(reader: Client, space: spaces.Space) -> None:
    html = reader.get("/first-steps/ask/", {"q": "<i>zzqx"}, headers=HTMX).content.decode()
    assert "<i>zzqx" not in html and "&lt;i&gt;zzqx" in html and "Nothing held answers" in html


def test_a_question_asked_on_the_search_page_is_one(reader: Client, space: spaces.Space, section: Memory) -> None:
    reader.get("/search/", {"q": "backup"})
    assert "ask" in done(home(reader))


def test_questions_are_made_of_titles_that_name_something(space: spaces.Space, write: Write) -> None:
    for title in ("2026-11-20", "Notes", "x", "Week 3", "Who owns the Terraform modules", "배포 동결", "Restore drill"):
        write(f"{title}: it happened on a Tuesday.", title=title)
    assert set(questions_about(space)) == {
        "Who owns the Terraform modules?", "배포 동결?", "What about Restore drill?",
    }  # fmt: skip


def test_an_agent_is_waited_for_until_its_key_is_used_here(admin: Client, row: Space, space: spaces.Space) -> None:
    assert admin.get("/first-steps/?part=agent", headers=HTMX).status_code == 204
    _, text = create_key("atlas on the laptop", role=Role.WRITER, space=row, agent="atlas")
    other = Space.objects.create(name=f"{row.name[:30]}-other")
    _, elsewhere = create_key("another", role=Role.WRITER, space=other)
    authenticate_key(elsewhere)
    assert admin.get("/first-steps/?part=agent", headers=HTMX).status_code == 204
    authenticate_key(text)
    answer = admin.get("/first-steps/?part=agent", headers=HTMX)
    assert answer.status_code == 286 and re.search(r"Connected:\s*<a[^>]*>atlas</a>", answer.content.decode())
    assert done(home(admin)) == ["agent"]


def test_the_steps_are_hidden_and_brought_back(admin: Client, curator: Client, row: Space, space: spaces.Space) -> None:
    assert curator.post("/first-steps/hide/", headers=HTMX).status_code == 403
    assert admin.post("/first-steps/hide/", {"space": row.name}).status_code == 302
    page = home(admin)
    assert CARD not in page and "Nothing is remembered here yet." in page and "/first-steps/show/" in page
    assert "bring them back" in page and 'data-undo="/first-steps/show/"' in page
    assert "Show the first steps" in admin.get("/palette/", headers=HTMX).content.decode()
    assert "/first-steps/show/" in admin.get("/settings/").content.decode()
    admin.post("/first-steps/show/", {"space": row.name})
    assert CARD in home(admin) and "/first-steps/hide/" in admin.get("/settings/").content.decode()
    assert "Show the first steps" not in admin.get("/palette/", headers=HTMX).content.decode()


def test_a_space_that_is_a_week_old_and_holds_something_shows_none_unless_somebody_wants_them(
    admin: Client, row: Space, write: Write
) -> None:
    write("Deploys stop on Friday.")
    assert CARD in home(admin)
    Space.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(days=8))
    assert CARD not in home(admin)
    admin.post("/first-steps/show/", {"space": row.name})
    assert CARD in home(admin)


def test_steps_that_are_all_done_are_shown_no_more(admin: Client, row: Space, write: Write) -> None:
    write("Deploys stop on Friday.")
    admin.get("/search/", {"q": "deploys"})
    authenticate_key(create_key("atlas", role=Role.WRITER, space=row)[1])
    assert CARD not in home(admin)


def test_the_sample_is_loaded_into_a_new_space_by_who_may_make_one(
    admin: Client, row: Space, space: spaces.Space, people: dict[Role, User]
) -> None:
    new = f"s-{row.name[2:]}"
    assert "into a new space" not in home(admin) and f"Load the sample into {row.name}" in home(admin)
    assert admin.post("/demo/", {"space": row.name, "new": new}).status_code == 403
    person = people[Role.ADMIN]
    person.is_superuser = True
    person.save()
    page = home(admin)
    assert "Load the sample into a new space" in page and 'name="new" value="sample' in page
    answer = admin.post("/demo/", {"space": row.name, "new": new}, headers=HTMX)
    assert answer["HX-Redirect"] == f"/?space={new}"
    assert [job.space for job in Job.objects.filter(kind="demo", space__in=(row.name, new))] == [new]
    watched = admin.get(f"/?space={new}").content.decode()
    assert done(watched) == ["start"] and "Loading the sample" in watched
    taken = admin.post("/demo/", {"space": row.name, "new": new}, headers=HTMX)
    assert taken.status_code == 409 and "already a space called" in taken["HX-Trigger"]
    assert admin.post("/demo/", {"space": row.name, "new": "Not A Name"}, headers=HTMX).status_code == 422

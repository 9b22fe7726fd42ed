"""Every address, every role: who is let in, and what everybody else is told."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.memory import Memory
from memoryapp.interfaces.pages import urls
from memoryapp.jobs.models import Job
from tests.sampling import every

ID = "0123456789abcdef"
ARGUMENTS: dict[str, list[object]] = {
    "login-link": ["token"],
    "graph-community": [1],
    "list-export": ["memories", "json"],
    "profile-delete": ["careful"],
    "lab-take": [0],
    "profile-undo": ["careful"],
    "memory-restore": [ID, ID],
    "memory-act": [ID, "archive"],
    "conflict-decide": [ID, "keep"],
    "revision-undo": [ID],
    "entity-decide": [ID, "refuse"],
    "job-act": [ID, "cancel"],
    "settings-heartbeat-run": ["index"],
    "settings-heartbeat-set": ["index"],
    "settings-person": ["nobody"],
    "settings-backup": ["default-20261122-040000.palimpsest.gz"],
    "settings-backup-ask": ["default-20261122-040000.palimpsest.gz", "remove"],
    "settings-backup-remove": ["default-20261122-040000.palimpsest.gz"],
    "settings-backup-restore": ["default-20261122-040000.palimpsest.gz"],
    "settings-key-revoke": [1],
    "settings-key-rotate": [1],
    "tree-node": ["infra/gpu"],
    "tree-waiting": ["infra/gpu"],
    "tree-edit": ["infra/gpu"],
    "tree-preview": ["infra/gpu"],
    "tree-move": ["infra/gpu"],
    "tree-merge": ["infra/gpu"],
    "tree-remove": ["infra/gpu"],
    "tree-keywords": ["infra/gpu"],
    "tree-weight": ["infra/gpu"],
    "tree-split": ["infra/gpu"],
    "tree-freshen": ["infra/gpu"],
}
OPEN = {"login", "login-link", "logout"}
# What each role needs at least, by the address's name: (to look, to act). None: there is no such thing there.
NEEDS: dict[str, tuple[Role | None, Role | None]] = {
    "home": (Role.READER, None),
    "palette": (Role.READER, None),
    "home-running": (Role.READER, None),
    "home-demo": (None, Role.ADMIN),
    "home-steps": (Role.READER, None),
    "home-steps-ask": (Role.READER, None),
    "home-steps-show": (None, Role.ADMIN),
    "home-steps-hide": (None, Role.ADMIN),
    "home-housekeeping": (None, Role.ADMIN),
    "memories": (Role.READER, None),
    "memories-bulk": (None, Role.CURATOR),
    "memories-write": (None, Role.WRITER),
    "memory": (Role.READER, None),
    "memory-row": (Role.READER, None),
    "memory-line": (Role.CURATOR, Role.CURATOR),
    "memory-trust": (Role.READER, None),
    "memory-words": (Role.READER, None),
    "memory-edit": (Role.CURATOR, Role.CURATOR),
    "memory-purge": (Role.CURATOR, Role.CURATOR),
    "memory-restore": (None, Role.CURATOR),
    "memory-act": (None, Role.CURATOR),
    "facts": (Role.READER, None),
    "facts-bulk": (None, Role.CURATOR),
    "inbox": (Role.READER, None),
    "inbox-act": (None, Role.CURATOR),
    "inbox-seen": (None, Role.CURATOR),
    "inbox-edit": (Role.CURATOR, Role.CURATOR),
    "inbox-never": (None, Role.CURATOR),
    "exclusion-set": (None, Role.CURATOR),
    "exclusion-remove": (None, Role.CURATOR),
    "conflicts": (Role.READER, None),
    "conflicts-accept": (Role.CURATOR, Role.CURATOR),
    "conflict": (Role.READER, None),
    "conflict-changes": (Role.READER, None),
    "conflict-decide": (None, Role.WRITER),
    "conflict-snooze": (None, Role.CURATOR),
    "conflict-undo": (None, Role.CURATOR),
    "audit": (Role.READER, None),
    "revision-undo": (None, Role.CURATOR),
    "traces": (Role.READER, None),
    "trace": (Role.READER, None),
    "trace-delete": (None, Role.CURATOR),
    "document": (Role.READER, None),
    "run-undo": (None, Role.CURATOR),
    "search": (Role.READER, None),
    "lab": (Role.READER, None),
    "lab-why": (Role.READER, None),
    "lab-exact": (Role.READER, None),
    "lab-take": (Role.READER, None),
    "profiles": (Role.READER, None),
    "profile-form": (Role.CURATOR, None),
    "profile-save": (None, Role.CURATOR),
    "profile-delete": (None, Role.CURATOR),
    "profile-undo": (None, Role.CURATOR),
    "golden": (Role.READER, None),
    "golden-form": (Role.CURATOR, None),
    "golden-candidates": (Role.CURATOR, None),
    "golden-add": (None, Role.CURATOR),
    "golden-change": (None, Role.CURATOR),
    "golden-delete": (None, Role.CURATOR),
    "golden-undo": (None, Role.CURATOR),
    "golden-import": (None, Role.CURATOR),
    "golden-import-undo": (None, Role.CURATOR),
    "golden-export": (Role.READER, None),
    "golden-run": (None, Role.CURATOR),
    "golden-run-form": (Role.CURATOR, None),
    "golden-runs": (Role.READER, None),
    "golden-run-page": (Role.READER, None),
    "golden-running": (Role.READER, None),
    "benchmarks": (Role.READER, None),
    "sessions": (Role.READER, None),
    "session-begin": (None, Role.WRITER),
    "session": (Role.READER, None),
    "session-said": (Role.READER, None),
    "session-say": (None, Role.WRITER),
    "session-read": (None, Role.WRITER),
    "session-tell": (None, Role.WRITER),
    "session-private": (None, Role.WRITER),
    "session-erase": (None, Role.CURATOR),
    "session-end": (None, Role.WRITER),
    "episodes": (Role.READER, None),
    "graph": (Role.READER, None),
    "graph-beside": (Role.READER, None),
    "graph-community": (Role.READER, None),
    "graph-export": (Role.READER, None),
    "list-export": (Role.READER, None),
    "graph-find": (Role.READER, None),
    "graph-find-path": (Role.READER, None),
    "graph-names": (Role.READER, None),
    "graph-panel": (Role.READER, None),
    "graph-scene": (Role.READER, None),
    "entities": (Role.READER, None),
    "entities-bulk": (None, Role.CURATOR),
    "entities-suggest": (Role.READER, None),
    "entity": (Role.READER, None),
    "entity-alike-again": (None, Role.CURATOR),
    "entity-add": (None, Role.CURATOR),
    "entity-edit": (Role.CURATOR, Role.CURATOR),
    "entity-merge": (Role.CURATOR, Role.CURATOR),
    "entity-not-alike": (None, Role.CURATOR),
    "entity-not-under": (None, Role.CURATOR),
    "entity-part": (None, Role.CURATOR),
    "entity-state": (None, Role.CURATOR),
    "entity-under": (None, Role.CURATOR),
    "relation": (Role.READER, None),
    "relation-add": (None, Role.CURATOR),
    "relation-change": (None, Role.CURATOR),
    "relation-hold": (None, Role.CURATOR),
    "relation-refuse": (None, Role.CURATOR),
    "tree": (Role.READER, None),
    "tree-node": (Role.READER, None),
    "tree-branch": (Role.READER, None),
    "tree-reach": (Role.READER, None),
    "tree-paths": (Role.READER, None),
    "tree-waiting": (Role.READER, None),
    "tree-waiting-all": (Role.READER, None),
    "tree-export": (Role.READER, Role.READER),
    "tree-import": (None, Role.CURATOR),
    "tree-new": (Role.CURATOR, Role.CURATOR),
    "tree-edit": (Role.CURATOR, Role.CURATOR),
    "tree-preview": (None, Role.CURATOR),
    "tree-move": (Role.CURATOR, Role.CURATOR),
    "tree-merge": (Role.CURATOR, Role.CURATOR),
    "tree-remove": (None, Role.CURATOR),
    "tree-keywords": (Role.CURATOR, Role.CURATOR),
    "tree-weight": (None, Role.CURATOR),
    "tree-split": (Role.CURATOR, Role.CURATOR),
    "tree-freshen": (None, Role.CURATOR),
    "tree-take-in": (None, Role.CURATOR),
    "tree-leave-out": (None, Role.CURATOR),
    "tree-undo": (None, Role.CURATOR),
    "summaries": (Role.READER, None),
    "summaries-refresh": (None, Role.WRITER),
    "context": (Role.READER, None),
    "preview": (Role.READER, Role.READER),
    "preview-keep": (None, Role.WRITER),
    "ingest": (Role.READER, None),
    "ingest-folders": (Role.CURATOR, None),
    "ingest-start": (None, Role.CURATOR),
    "ingest-upload": (None, Role.CURATOR),
    "source-read": (None, Role.CURATOR),
    "source-schedule": (None, Role.CURATOR),
    "source-forget": (None, Role.CURATOR),
    "entity-decide": (None, Role.CURATOR),
    "consolidate": (Role.READER, None),
    "consolidate-digest": (Role.READER, None),
    "consolidate-marks": (Role.READER, Role.ADMIN),
    "consolidate-pick": (None, Role.CURATOR),
    "consolidate-roll-back": (None, Role.CURATOR),
    "consolidate-runs": (Role.READER, None),
    "consolidate-swap": (None, Role.CURATOR),
    "consolidate-working": (Role.READER, None),
    "consolidate-write": (None, Role.CURATOR),
    "feedback": (Role.READER, None),
    "feedback-reset": (None, Role.CURATOR),
    "feedback-undo": (None, Role.CURATOR),
    "jobs": (Role.READER, None),
    "job": (Role.READER, None),
    "job-progress": (Role.READER, None),
    "job-files": (Role.READER, None),
    "job-act": (None, Role.CURATOR),
    "settings": (Role.READER, Role.ADMIN),
    "settings-spaces": (Role.READER, Role.ADMIN),
    "settings-people": (Role.ADMIN, Role.ADMIN),
    "settings-person": (None, Role.ADMIN),
    "settings-keys": (Role.ADMIN, Role.ADMIN),
    "settings-key-revoke": (None, Role.ADMIN),
    "settings-key-rotate": (None, Role.ADMIN),
    "settings-health": (Role.READER, None),
    "settings-backups": (Role.ADMIN, None),
    "settings-backups-take": (None, Role.ADMIN),
    "settings-backups-purged": (None, Role.ADMIN),
    "settings-backup": (Role.ADMIN, None),
    "settings-backup-ask": (Role.ADMIN, None),
    "settings-backup-remove": (None, Role.ADMIN),
    "settings-backup-restore": (None, Role.ADMIN),
    "settings-move": (Role.ADMIN, None),
    "settings-move-export": (None, Role.ADMIN),
    "settings-move-import": (None, Role.ADMIN),
    "settings-move-again": (None, Role.ADMIN),
    "settings-whole": (Role.ADMIN, None),
    "settings-heartbeat": (Role.READER, None),
    "settings-heartbeat-run": (None, Role.CURATOR),
    "settings-heartbeat-set": (None, Role.ADMIN),
    "settings-embed": (None, Role.CURATOR),
    "settings-chat-model": (None, Role.ADMIN),
    "settings-encoder": (None, Role.ADMIN),
    "settings-reset": (None, Role.ADMIN),
    "settings-undo": (None, Role.ADMIN),
    "settings-cards": (Role.READER, None),
    "settings-me": (Role.READER, Role.READER),
}


def at(name: str) -> str:
    needs_id = {"key", "run"} & set(
        get_resolver("memoryapp.interfaces.pages.urls").reverse_dict.getlist(name)[0][0][0][1]
    )
    return reverse(name, args=ARGUMENTS.get(name, [ID] if needs_id else []))


def test_every_address_is_in_the_table() -> None:
    names = {pattern.name for pattern in urls.urlpatterns}
    assert names - OPEN == set(NEEDS)


@pytest.mark.django_db
def test_nobody_gets_in_without_signing_in() -> None:
    for name in sorted(NEEDS):
        for answer in (Client().get(at(name)), Client().post(at(name))):
            assert answer.status_code in (302, 405), name
            if answer.status_code == 302:
                assert answer["Location"].startswith("/login/"), name


@pytest.mark.parametrize("name", every(5, sorted(NEEDS)))
def test_a_role_reaches_what_it_may_and_nothing_else(enter: Callable[[Role], Client], name: str) -> None:
    look, act = NEEDS[name]
    for role in Role:
        client = enter(role)
        for needs, answer in ((look, client.get(at(name))), (act, client.post(at(name)))):
            if needs is None:
                assert answer.status_code == 405, role
            elif role.allows(needs):
                assert answer.status_code not in (403, 405) or b"every space" in answer.content, role
            else:
                assert answer.status_code == 403, role
                assert needs.value.encode() in answer.content or b"administrator" in answer.content


def test_a_reader_sees_no_control_that_writes(reader: Client, curator: Client, section: Memory) -> None:
    for address in (
        "/", "/facts/", "/memories/", f"/memories/{section.id}/", "/conflicts/", "/audit/", "/ingest/", "/jobs/",
        "/search/?q=backup", "/sessions/", "/episodes/", "/summaries/", "/context/?m=backup", "/tree/",
        "/consolidate/", "/consolidate/runs/", "/consolidate/marks/", "/feedback/", "/settings/heartbeat/",
        "/search/profiles/", "/search/golden/", "/search/golden/runs/", "/search/compare/?q=backup", "/benchmarks/",
    ):  # fmt: skip
        assert b"hx-post" not in reader.get(address).content, address
        assert b"Write a memory" not in reader.get(address).content
    assert b"hx-post" in curator.get(f"/memories/{section.id}/").content


def test_a_change_without_its_csrf_token_is_refused(people: dict[Role, object], section: Memory) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people[Role.ADMIN])  # type: ignore[arg-type]
    answer = client.post(f"/memories/{section.id}/archive/")
    assert answer.status_code == 403
    assert b"has expired" in answer.content


def test_another_space_is_as_if_it_were_not_there(reader: Client, row: Space, section: Memory) -> None:
    from memoryapp.accounts.spaces import create_space

    create_space("elsewhere")
    for name in ("elsewhere", "no-such-space"):
        answer = reader.get("/memories/", {"space": name})
        assert answer.status_code == 404
        assert f"There is no space called “{name}”, or it is not open to you." in answer.content.decode()


def test_what_is_not_in_this_space_is_offered_in_the_others_that_are_open(
    admin: Client, people: dict[Role, object], row: Space, section: Memory
) -> None:
    from memoryapp.accounts.people import set_role
    from memoryapp.accounts.spaces import create_space
    from memoryapp.domain.identity import new_id
    from memoryapp.spaces import close_space

    other, closed = create_space(f"w-{new_id()}"), create_space(f"w-{new_id()}")
    set_role(people[Role.ADMIN], other, Role.READER)  # type: ignore[arg-type]
    missed = admin.get(f"/memories/{section.id}/", {"space": other.name})
    there = f"/memories/{section.id}/?space={row.name}"
    assert missed.status_code == 404 and f'href="{there}"' in missed.content.decode()
    assert closed.name not in missed.content.decode()
    assert admin.get(there).status_code == 200
    close_space(other.name)


def test_a_job_of_another_space_is_not_shown(admin: Client) -> None:
    job = Job.objects.create(kind="ingest", space="elsewhere")
    assert admin.get(f"/jobs/{job.pk}/").status_code == 404


def test_the_space_of_a_form_is_the_one_it_was_drawn_for(admin: Client, people: dict[Role, object], row: Space) -> None:
    """Another tab may meanwhile have gone to another space: what is written goes where the reader saw it would."""
    from memoryapp.accounts.people import set_role
    from memoryapp.accounts.spaces import create_space, open_space
    from memoryapp.domain.identity import new_id
    from memoryapp.spaces import close_space

    other = create_space(f"w-{new_id()}")
    set_role(people[Role.ADMIN], other, Role.ADMIN)  # type: ignore[arg-type]
    admin.get("/", {"space": other.name})
    answer = admin.post("/memories/write/", {"text": "Kept where it was written."}, headers={"X-Space": row.name})
    assert answer.status_code in (204, 302)
    open_space(row.name).index.refresh()
    assert open_space(row.name).index.roster.alive.sum() == 1
    assert open_space(other.name).index.roster.alive.sum() == 0
    close_space(other.name)


def test_a_person_without_any_space_is_told_so(db: None) -> None:
    from memoryapp.accounts.people import create_person

    client = Client()
    client.force_login(create_person("stranger"))
    answer = client.get("/")
    assert answer.status_code == 403
    assert b"no role in any space" in answer.content


def test_an_htmx_request_after_the_session_ended_goes_to_the_door(db: None) -> None:
    answer = Client().get("/running/", headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == "/login/"
    here = {"HX-Request": "true", "HX-Current-URL": "http://testserver/facts/?sort=trust"}
    assert Client().get("/running/", headers=here)["HX-Redirect"] == "/login/?next=%2Ffacts%2F%3Fsort%3Dtrust"
    there = here | {"HX-Current-URL": "http://elsewhere/facts/"}
    assert Client().get("/running/", headers=there)["HX-Redirect"] == "/login/"


def test_a_change_after_the_session_ended_leaves_the_page_where_it_is(db: None) -> None:
    here = {"HX-Request": "true", "HX-Current-URL": "http://testserver/facts/?sort=trust"}
    answer = Client().post("/conflicts/accept/", headers=here)
    assert answer.status_code == 401 and "HX-Redirect" not in answer and answer["HX-Reswap"] == "none"
    assert json.loads(answer["HX-Trigger"]) == {"session-ended": {"login": "/login/?next=%2Ffacts%2F%3Fsort%3Dtrust"}}

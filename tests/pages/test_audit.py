"""The audit: who did what and why, its filters, its pages, taking back a change or a run."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.test import Client
from django.utils import timezone

from memoryapp import review, spaces
from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.store import audit, memories, revisions
from tests.markup import PageClient
from tests.samples import a_memory, written

HTMX = {"HX-Request": "true"}
MINA = Actor(ActorKind.PERSON, "mina")
Write = Callable[..., Memory]


def acts(page: str) -> list[str]:
    """The sentences of the page, markup taken off."""
    found = re.findall(r'<p class="act-told">(.*?)</p>', page)
    return [re.sub(r"<[^>]+>", "", one).strip() for one in found]


def test_each_act_tells_who_what_and_why(reader: Client, space: spaces.Space, write: Write) -> None:
    memory = write("Deploys stop at 18:00.")
    review.edit(space, memory.id, {"text": "Deploys stop at 16:00."}, actor=MINA, reason="moved in October")
    page = reader.get("/audit/").content.decode()
    assert acts(page) == ["mina edited 1 memory “moved in October”", "atlas remembered 1 memory"]
    assert "<del>18:00.</del> <ins>16:00.</ins>" in page
    assert f'href="/memories/{memory.id}/"' in page


def test_the_audit_is_narrowed_by_who_what_record_and_day(reader: Client, space: spaces.Space, write: Write) -> None:
    one, two = write("One."), write("Two.")
    review.archive(space, [two.id], actor=MINA, reason="old")
    today = timezone.localdate()
    for query, told in (
        ("actor=mina", ["mina archived 1 memory “old”"]),
        ("act=remember", ["atlas remembered 1 memory"] * 2),
        (f"record={one.id}", ["atlas remembered 1 memory"]),
        (f"actor=atlas&record={two.id}", ["atlas remembered 1 memory"]),
        ("until=2001-01-01", []),
        (f"since={today}&actor=mina", ["mina archived 1 memory “old”"]),
    ):
        assert acts(reader.get(f"/audit/?{query}").content.decode()) == told, query
    assert "No matching changes." in reader.get("/audit/?actor=nobody").content.decode()
    assert reader.get("/audit/?since=yesterday").status_code == 422


def test_a_day_is_shown_where_the_filter_begins_and_a_damaged_address_is_told(
    reader: Client, space: spaces.Space, write: Write
) -> None:
    write("One.")
    assert "Today" in reader.get("/audit/").content.decode()
    answer = reader.get("/audit/?after=nonsense")
    assert answer.status_code == 422
    assert "address is invalid" in answer.content.decode()


def test_pages_of_the_audit_follow_each_other(reader: Client, space: spaces.Space, write: Write) -> None:
    memory = write("One.")
    for n in range(55):
        review.edit(space, memory.id, {"text": f"Wording {n}."}, actor=MINA, reason=f"try {n}.")
    seen: list[str] = []
    address = "/audit/"
    for _ in range(5):
        page = reader.get(address).content.decode()
        seen += re.findall(r"try (\d+)\.", "".join(acts(page)))
        older = re.search(r'rel="next" href="([^"]+)"', page)
        if older is None:
            break
        address = "/audit/" + older[1].replace("&amp;", "&")
    assert seen == [str(n) for n in reversed(range(55))]


def test_one_change_of_a_run_is_taken_back_and_the_others_stay(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    one, two = write("One."), write("Two.")
    done = review.archive(space, [one.id, two.id], actor=MINA)
    page = curator.get("/audit/").content.decode()
    assert "Undo this one" in page
    change = next(r for r in revisions.of_run(space.db, done.run.id) if r.record_id == one.id)
    answer = curator.post(f"/audit/{change.id}/undo/", headers=HTMX)
    assert answer.status_code == 204
    assert memories.get(space.db, one.id).state == State.HELD
    assert memories.get(space.db, two.id).state == State.ARCHIVED


def test_a_run_that_was_taken_back_says_so_and_offers_no_undo(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    memory = write("One.")
    done = review.archive(space, [memory.id], actor=MINA)
    assert f"/runs/{done.run.id}/undo/" in curator.get("/audit/").content.decode()
    curator.post(f"/runs/{done.run.id}/undo/", headers=HTMX)
    page = curator.get("/audit/").content.decode()
    assert f"/runs/{done.run.id}/undo/" not in page
    assert ">undone<" in page


def test_a_large_run_shows_a_few_changes_and_all_of_them_on_its_own_page(
    reader: PageClient, space: spaces.Space, write: Write
) -> None:
    every = [write(f"Memory number {n}.").id for n in range(70)]
    done = review.archive(space, every, actor=MINA)
    page = reader.get("/audit/?act=archive").content.decode()
    assert "all 70 changes" in page
    assert page.count('lang="en"><a href="/memories/') == 3
    seen: list[str] = []
    address = f"/audit/?run={done.run.id}"
    for _ in range(3):
        shown = reader.get(address).content.decode()
        assert reader.weight < 25_000
        seen += re.findall(r'<p class="words clamp" lang="en"><a href="/memories/([0-9a-f]{16})/', shown)
        older = re.search(r'rel="next" href="([^"]+)"', shown)
        if older is None:
            break
        address = "/audit/" + older[1].replace("&amp;", "&")
    assert sorted(seen) == sorted(every)


def test_what_was_purged_leaves_only_its_id(admin: Client, space: spaces.Space, write: Write) -> None:
    memory = write("A secret that nobody should have said.")
    review.archive(space, [memory.id], actor=MINA)
    review.purge(space, memory.id, actor=MINA)
    page = admin.get("/audit/").content.decode()
    assert "secret that nobody" not in page
    assert acts(page)[0].startswith("mina purged")


def test_a_story_is_told_by_its_title_and_its_first_line(reader: Client, space: spaces.Space, write: Write) -> None:
    told = "Minsu moved the deploy freeze to 16:00.\nNobody objected."
    written(space.db, a_memory(told, kind=Kind.EPISODE, title="Fridays"))
    write("A freeze is a freeze.\nNo more.", title="Freezes")
    page = reader.get("/audit/").content.decode()
    assert ">Fridays: Minsu moved the deploy freeze to 16:00.</a>" in page and "Nobody objected" not in page
    assert ">Freezes</a>" in page


def test_an_empty_audit_says_what_will_come(reader: Client, space: spaces.Space) -> None:
    assert "Nothing has been done in this space yet." in reader.get("/audit/").content.decode()
    assert audit.acts(space.db) == ()


def test_the_audit_is_narrowed_to_a_key_and_to_an_agent_that_says_who_it_is(
    reader: Client, admin: Client, space: spaces.Space, write: Write
) -> None:
    row = Space.objects.get(name=space.name)
    key, _ = create_key("Planner", role=Role.WRITER, space=row, agent="planner")
    for name in ("planner", "planner/scout", "night/scout"):
        review.archive(space, [write(name).id], actor=Actor(ActorKind.AGENT, name), reason=name)
    told = admin.get("/audit/?act=archive").content.decode()
    assert f'value="pal_{key.prefix}"> Planner, pal_{key.prefix}</label>' in told
    assert 'name="agent" value="scout"> scout</label>' in told
    assert f"pal_{key.prefix}" not in reader.get("/audit/").content.decode()  # keys are an administrator's
    by_key = acts(reader.get(f"/audit/?act=archive&key=pal_{key.prefix}").content.decode())
    assert [one.rpartition(" ")[2] for one in by_key] == ["“planner/scout”", "“planner”"]
    by_agent = acts(reader.get("/audit/?act=archive&agent=scout").content.decode())
    assert [one.rpartition(" ")[2] for one in by_agent] == ["“night/scout”", "“planner/scout”"]
    assert reader.get("/audit/?key=pal_00000000").status_code == 404

"""Consolidate: the preview with its sentences to take and leave, writing, runs rolled back, the words that mark."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client

from memoryapp import consolidate, spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.spaces import set_settings
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.entity import Reference
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.sentences import MARKERS, markers_in
from memoryapp.interfaces.consolidate import presenter as consolidate_presenter
from memoryapp.interfaces.consolidate.presenter import LEFT, PAGE
from memoryapp.jobs import pipeline, run
from memoryapp.jobs.models import Job
from memoryapp.store import memories
from memoryapp.store.write import Batch, commit, new_run
from tests.consolidate.logs import a_section, an_entity, kept, two_topics
from tests.markup import PageClient
from tests.pages.talking import HTMX
from tests.samples import AGENT, NOON, a_memory

URL = "/consolidate/"


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "queue", lambda job: None)
    monkeypatch.setattr(run, "queue", lambda job: None)


@pytest.fixture
def logs(space: spaces.Space) -> tuple[Memory, ...]:
    """Two topics; of the one, a section says more than is kept."""
    talk = a_section(
        "Decided: the H100 runs at night. Fixed the queue of the H100. Learned how the H100 bills its hours. "
        "The H100 was slow on Monday. Somebody painted the door. 미나와 점심을 먹었다.",
        days=9,
        title="Talk",
    )
    made = two_topics(space)
    kept(space, talk, names={"H100": (talk,)})
    return made


def preview(space: spaces.Space) -> consolidate.Preview:
    return consolidate.preview(space)


def seen(page: str) -> str:
    return re.search(r'name="seen" value="([^"]+)"', page)[1]  # type: ignore[index]


def leaf(page: str, digest: str) -> str:
    found = re.search(rf'<section class="leaf fold[^>]*id="d-{digest}".*?</form></section>', page, re.DOTALL)
    assert found, page[:2000]
    return found[0]


def taken(page: str) -> list[str]:
    return re.findall(r'name="take" value="([^"]+)" autocomplete="off" checked', page)


def write(client: Client, which: str = "all", **more: str) -> Job:
    answer = client.post(f"{URL}write/", {"which": which, "seen": seen(client.get(URL).content.decode()), **more})
    assert answer.status_code == 302, answer.content
    job = Job.objects.get(pk=answer["Location"].partition("job=")[2])
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == "done", job.error
    return job


def test_without_old_logs_the_page_says_what_a_daily_log_is(reader: Client, space: spaces.Space) -> None:
    page = reader.get(URL).content.decode()
    assert "No daily log is older than three days." in page and "2026-11-17.md" in page
    assert 'value="all"' not in page


def test_a_preview_shows_what_is_taken_and_left_with_score_and_reason(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    page = curator.get(URL).content.decode()
    found = preview(space)
    assert f"Write {len(found.due)} digests" in page
    for digest in found.digests:
        part = leaf(page, digest.id)
        assert digest.title in part
        assert taken(part) == [one.id for one in digest.taken]
        for one in (*digest.taken, *digest.left[:LEFT]):
            assert f'id="t-{one.id}"' in part and f">{one.score:.2f}<" in part
            assert ", ".join(one.why).replace('"', "&quot;") in part
        assert all(f"/memories/{original.id}/" in part for original in digest.originals)
    sums = re.search(r'id="sums".*?</section>', page, re.DOTALL)[0]  # type: ignore[index]
    assert f"{found.taken} of {found.sentences}" in sums and f">{found.archives}<" in sums
    assert all(memories.get(space.db, one.id).state is State.HELD for one in logs)  # looking wrote nothing


def test_sentences_are_swapped_and_the_sums_follow(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    digest = next(one for one in preview(space).digests if one.left)
    wanted = [digest.left[0].id, *(one.id for one in digest.taken[1:])]
    shown = [one.id for one in digest.sentences]
    asked = {"digest": digest.id, "take": wanted, "shown": shown, "ranker": "marks", "days": "3"}
    answer = curator.post(f"{URL}swap/", asked, headers=HTMX).content.decode()
    assert set(taken(leaf(answer, digest.id))) == set(wanted)
    assert "added by hand" in answer and "dropped by hand" in answer and "edited by hand" in answer
    assert 'id="sums" hx-swap-oob="true"' in answer
    again = curator.get(URL).content.decode()  # it is kept while one looks around
    assert set(taken(leaf(again, digest.id))) == set(wanted)
    job = write(curator, ranker="marks", days="3")
    made = memories.get(space.db, digest.id)
    assert digest.left[0].text in made.text and digest.taken[0].text not in made.text
    assert job.report["digests"] == 2
    assert "edited by hand" not in curator.get(URL).content.decode()


def test_a_choice_is_given_back_to_the_ranker(curator: Client, space: spaces.Space, logs: tuple[Memory, ...]) -> None:
    digest = next(one for one in preview(space).digests if one.left)
    shown = [one.id for one in digest.sentences]
    asked = {"digest": digest.id, "take": [digest.left[0].id], "shown": shown}
    curator.post(f"{URL}swap/", asked, headers=HTMX)
    answer = curator.post(f"{URL}swap/", {"digest": digest.id, "reset": "1"}, headers=HTMX).content.decode()
    assert taken(leaf(answer, digest.id)) == [one.id for one in digest.taken]
    assert "edited by hand" not in answer


def test_what_is_no_sentence_of_it_and_none_at_all_are_refused(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    digest = preview(space).digests[0]
    shown = [one.id for one in digest.sentences]
    for take in ([], [new_id()]):
        answer = curator.post(f"{URL}swap/", {"digest": digest.id, "take": take, "shown": shown}, headers=HTMX)
        assert answer.status_code == 422 and answer["HX-Reswap"] == "none"
    assert curator.post(f"{URL}swap/", {"digest": new_id(), "take": shown}, headers=HTMX).status_code == 404
    assert taken(leaf(curator.get(URL).content.decode(), digest.id)) == [one.id for one in digest.taken]


def test_a_digest_is_left_out_and_only_the_picked_are_written(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    one, other = preview(space).digests
    answer = curator.post(f"{URL}pick/", {"digest": other.id}, headers=HTMX).content.decode()
    assert "with the 1 selected" in answer and "Only the 1 selected" in answer and 'hx-swap-oob="true"' in answer
    job = write(curator, "picked")
    assert (job.report["digests"], job.report["archived"]) == (1, len(one.originals))
    assert [digest.id for digest in preview(space).digests] == [other.id]
    curator.post(f"{URL}pick/", {"digest": other.id}, headers=HTMX)
    nothing = curator.post(f"{URL}write/", {"which": "picked", "seen": f"{other.id}:{other.print}"})
    assert nothing.status_code == 422
    back = curator.post(f"{URL}pick/", {"digest": other.id, "on": "1"}, headers=HTMX).content.decode()
    assert "Only the selected" in back


def test_what_changed_since_the_page_was_loaded_is_left_out_and_said(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    from memoryapp.review import edit
    from tests.pages.talking import ATLAS

    page = curator.get(URL).content.decode()
    changed = next(one for one in preview(space).digests if logs[0].id in {o.id for o in one.originals})
    edit(space, logs[0].id, {"text": "Decided: the H100 is otherwise now."}, actor=ATLAS)
    answer = curator.post(f"{URL}write/", {"which": "all", "seen": seen(page)})
    job = Job.objects.get(pk=answer["Location"].partition("job=")[2])
    run.run(job.pk)
    told = curator.get(f"{URL}?job={job.pk}").content.decode()
    assert changed.title in told and "changed since the preview" in told
    assert "1 digest written" in told


def test_the_page_waits_for_the_job_and_then_shows_what_it_did(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    answer = curator.post(f"{URL}write/", {"which": "all", "seen": seen(curator.get(URL).content.decode())})
    job = Job.objects.get(space=space.name, kind="consolidate")
    page = curator.get(answer["Location"]).content.decode()
    assert "Writing digests" in page and 'hx-trigger="every 1s"' in page and ">Write 2 digests<" not in page
    assert curator.get(f"{URL}working/{job.pk}/", headers=HTMX).status_code == 200
    run.run(job.pk)
    over = curator.get(f"{URL}working/{job.pk}/", headers=HTMX)
    assert over.status_code == 286 and over["HX-Refresh"] == "true"
    told = curator.get(answer["Location"]).content.decode()
    assert "2 digests written" in told and "Roll back" in told
    assert curator.get(f"{URL}working/{new_id()}/").status_code == 404


def test_a_run_is_rolled_back_and_that_is_undone(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    job = write(curator)
    page = curator.get(f"{URL}runs/").content.decode()
    assert f"/consolidate/runs/{job.run}/roll-back/" in page and "2 digests" in page
    back = curator.post(f"{URL}runs/{job.run}/roll-back/", headers=HTMX)
    assert back.status_code == 204
    assert all(memories.get(space.db, one.id).state is State.HELD for one in logs)
    page = curator.get(URL).content.decode()
    undo = re.search(r'data-undo="([^"]+)"', page)
    assert undo and "Rolled back:" in page and page.count(">rolled back<") >= 3  # two digests and the run
    assert "Write 2 digests" not in page
    curator.post(undo[1], headers=HTMX)
    assert memories.get(space.db, logs[0].id).state is State.ARCHIVED


def test_what_was_rolled_back_is_written_again_only_when_it_is_picked(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    job = write(curator)
    curator.post(f"{URL}runs/{job.run}/roll-back/", headers=HTMX)
    one, other = preview(space).digests
    prints = f"{one.id}:{one.print} {other.id}:{other.print}"
    assert curator.post(f"{URL}write/", {"which": "all", "seen": prints}).status_code == 422
    curator.post(f"{URL}pick/", {"digest": one.id, "on": "1"}, headers=HTMX)
    assert write(curator, "picked").report["digests"] == 1
    assert memories.get(space.db, one.id).state is State.HELD


def test_another_act_is_not_rolled_back_here(
    curator: Client, space: spaces.Space, write: Callable[..., Memory]
) -> None:
    from tests.samples import runs_of

    write("A note.")
    assert curator.post(f"{URL}runs/{runs_of(space.db)[0].id}/roll-back/").status_code == 409
    assert curator.post(f"{URL}runs/{new_id()}/roll-back/").status_code == 404


def many(space: spaces.Space, groups: int) -> None:
    """So many groups of two sections, each with long sentences in English and Korean."""
    names: dict[str, tuple[Memory, ...]] = {}
    for n in range(groups):
        said = [
            a_section(
                " ".join(
                    f"Decided in meeting {n}-{k}-{i} that unit{n}x{k}x{i} moves to rack {n * 31 + i}." for i in range(9)
                )
                + f" {n}번 장비의 {k}번째 점검은 "
                + "아주 " * 60
                + "길었다.",
                days=6 + k,
                title=f"Standup {n}",
            )
            for k in range(2)
        ]
        names[f"Rack{n}"] = tuple(said)
    kept(space, *(one for some in names.values() for one in some), names=names)


def test_many_digests_are_paged_and_a_page_stays_small(curator: PageClient, space: spaces.Space) -> None:
    many(space, 3 * PAGE)
    met: list[str] = []
    address = URL
    while address:
        answer = curator.get(address)
        page = answer.content.decode()
        assert curator.weight < 25_000
        met += re.findall(r'data-digest="([0-9a-f]{16})"', page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = URL + older[1].replace("&amp;", "&") if older else ""
    assert met == [one.id for one in preview(space).digests] and len(set(met)) == len(met)
    first = curator.get(URL).content.decode()
    assert f"{len(met) - PAGE} more digests" in first


def test_every_sentence_that_is_left_can_be_shown(curator: Client, space: spaces.Space) -> None:
    many(space, 1)
    (digest,) = preview(space).digests
    page = curator.get(URL).content.decode()
    assert f"Show {len(digest.left) - LEFT} more" in page
    whole = curator.get(f"{URL}digests/{digest.id}/", headers=HTMX).content.decode()
    assert len(re.findall(r'<li class="sentence', whole)) == len(digest.sentences) and "Show " not in whole
    # A swap on the short list keeps what is not on it.
    shown = [one.id for one in (*digest.taken, *digest.left[:LEFT])]
    take = [one.id for one in digest.taken][1:]
    answer = curator.post(f"{URL}swap/", {"digest": digest.id, "take": take, "shown": shown}, headers=HTMX)
    assert set(taken(answer.content.decode())) == set(take)


def test_the_ranker_and_the_age_are_chosen_in_the_address(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...]
) -> None:
    page = curator.get(f"{URL}?ranker=central&days=5").content.decode()
    assert '<option value="central" selected>' in page and 'value="5"' in page and "as the space has it" in page
    assert curator.get(f"{URL}?ranker=dice").status_code == 422
    assert curator.get(f"{URL}?days=many").status_code == 422
    assert "No daily log is older than 3,000 days." in curator.get(f"{URL}?days=3000").content.decode()


def test_many_logs_are_worked_out_aside_while_the_page_waits(
    curator: Client, space: spaces.Space, logs: tuple[Memory, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Callable[[], None]] = []
    monkeypatch.setattr(consolidate_presenter, "AT_ONCE", 1)
    monkeypatch.setattr(consolidate_presenter, "_aside", lambda do, *args: begun.append(lambda: do(*args)))
    consolidate_presenter._kept.clear()
    page = curator.get(URL).content.decode()
    assert "Computing the preview" in page and 'value="all"' not in page
    waiting = curator.get(URL, headers={**HTMX, "HX-Target": "waiting"})
    assert b"Computing the preview" in waiting.content and "HX-Refresh" not in waiting
    assert curator.post(f"{URL}write/", {"which": "all"}, headers=HTMX).status_code == 409
    begun[0]()
    assert len(begun) == 1
    assert curator.get(URL, headers={**HTMX, "HX-Target": "waiting"})["HX-Refresh"] == "true"
    assert "Write 2 digests" in curator.get(URL).content.decode()


def edited(space: spaces.Space, section: Memory) -> Batch:
    return Batch(updated=[(section, replace(section, text=f"{section.text} Decided: more of it."))])


def pinned(space: spaces.Space, section: Memory) -> Batch:
    return Batch(updated=[(section, replace(section, pinned=True))])


def renamed(space: spaces.Space, section: Memory) -> Batch:
    h100 = an_entity("H100")
    return Batch(entities=[(h100, replace(h100, name="H200"))])


def named_too(space: spaces.Space, section: Memory) -> Batch:
    return Batch(references_added=[Reference(section.id, an_entity("Hangang").id)])


def disputed(space: spaces.Space, section: Memory) -> Batch:
    return Batch(conflicts=[Conflict(new_id(), section.id, "rules", "It says otherwise.", NOON, incoming_text="No.")])


def another_section(space: spaces.Space, section: Memory) -> Batch:
    return Batch(created=[a_section("Decided: the H100 goes.", days=8, title="More")])


@pytest.mark.parametrize("change", [edited, pinned, renamed, named_too, disputed, another_section])
def test_only_what_a_preview_is_made_from_has_it_worked_out_anew(
    reader: Client,
    space: spaces.Space,
    logs: tuple[Memory, ...],
    change: Callable[[spaces.Space, Memory], Batch],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[consolidate.Preview] = []
    work_out = consolidate.preview
    monkeypatch.setattr(consolidate, "preview", lambda *of, **how: made.append(work_out(*of, **how)) or made[-1])
    reader.get(URL)
    note = a_memory("The H100 was mentioned in passing.")
    beside = Batch(created=[note], references_added=[Reference(note.id, an_entity("H100").id)])
    commit(space.db, new_run("remember", AGENT, now=NOON), beside, now=NOON)
    reader.get(URL)
    assert len(made) == 1
    commit(space.db, new_run("edit", AGENT, now=NOON), change(space, logs[0]), now=NOON)
    reader.get(URL)
    assert len(made) == 2 and made[0] != made[1]


def test_readers_look_and_only_curators_act(reader: Client, writer: Client, logs: tuple[Memory, ...]) -> None:
    page = reader.get(URL).content.decode()
    assert "Kept" in page and 'name="take"' not in page and "Write 2" not in page and "Roll back" not in page
    for address in ("pick/", "swap/", "write/", f"runs/{new_id()}/roll-back/"):
        assert writer.post(URL + address).status_code == 403


def test_what_else_is_due_is_named_with_the_way_there(
    curator: Client, row: Space, space: spaces.Space, write: Callable[..., Memory]
) -> None:
    from datetime import timedelta

    from memoryapp.domain.node import MOST_BYTES, new_node
    from memoryapp.store.write import Batch, commit, new_run
    from tests.pages.talking import ATLAS
    from tests.samples import a_memory, written

    set_settings(row, {"trust_floor": 0.3})
    old = space.clock() - timedelta(days=900)
    written(space.db, a_memory("Mara owns a canoe.", kind=Kind.FACT, created_at=old, updated_at=old))
    big = new_node("identity/values", title="Values", text="long line\n" * (MOST_BYTES // 8), now=space.clock())
    commit(space.db, new_run("grow", ATLAS, now=space.clock()), Batch(created=[big]), now=space.clock())
    page = curator.get(URL).content.decode()
    assert "1 fact fell below trust 0.3" in page and "Mara owns a canoe." in page and "#beat-expire" in page
    assert "1 node is over 10 KB" in page
    assert "look the same" not in page


def test_marks_are_added_dropped_reset_and_undone(admin: Client, row: Space, space: spaces.Space) -> None:
    def words() -> list[str]:
        row.refresh_from_db()
        return list(markers_in(str(row.settings.get("marker_words", MARKERS))))

    before = words()
    answer = admin.post(f"{URL}marks/", {"word": "Measured, 측정"}, headers=HTMX)
    assert words() == [*before, "measured", "측정"]
    assert "Added: measured, " in answer["HX-Trigger"] and '<span lang="ko">측정</span>' in answer.content.decode()
    undo = json.loads(answer["HX-Trigger"])["toast"]["undo"]
    assert admin.post(undo, headers=HTMX).status_code == 204
    assert words() == before and "marker_words" not in row.settings
    admin.post(f"{URL}marks/", {"drop": "bug"}, headers=HTMX)
    assert "bug" not in words()
    admin.post(f"{URL}marks/", {"reset": "1"}, headers=HTMX)
    assert words() == before
    again = admin.post(f"{URL}marks/", {"word": "fixed"}, headers=HTMX)
    assert "That is already a mark." in again["HX-Trigger"]


@pytest.mark.parametrize("word", ["", " , ", "x" * 41, ", ".join(f"w{n}" for n in range(100))], ids=len)
def test_a_mark_that_is_none_is_refused_beside_the_field(admin: Client, row: Space, word: str) -> None:
    before = row.settings
    page = admin.post(f"{URL}marks/", {"word": word}, headers=HTMX).content.decode()
    assert 'role="alert"' in page and 'aria-invalid="true"' in page
    row.refresh_from_db()
    assert row.settings == before


def test_only_an_administrator_changes_the_marks(curator: Client, row: Space) -> None:
    assert "Only an administrator" in curator.get(f"{URL}marks/").content.decode()
    assert curator.post(f"{URL}marks/", {"word": "measured"}).status_code == 403


def test_a_mark_changes_what_is_taken(admin: Client, space: spaces.Space, row: Space, logs: tuple[Memory, ...]) -> None:
    before = admin.get(URL).content.decode()
    admin.post(f"{URL}marks/", {"word": "the"}, headers=HTMX)
    assert "marker “the”" in admin.get(URL).content.decode() and "marker “the”" not in before


def test_an_entity_named_like_markup_does_no_harm(curator: Client, space: spaces.Space) -> None:
    said = tuple(a_section(f"Decided <b>{n}</b> about it.", days=6, title="<i>x</i>") for n in range(2))
    kept(space, *said, names={"<script>alert(1)</script>": said})
    page = curator.get(URL).content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;" in page
    assert an_entity("x").name == "x"

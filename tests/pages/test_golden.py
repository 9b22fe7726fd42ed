"""Golden queries: the list, what is added, changed, deleted and undone; files in and out; runs, and what moved."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from memoryapp import lab, spaces
from memoryapp.accounts.models import Space
from memoryapp.domain.filters import Filters
from memoryapp.domain.golden import MEASURES, Golden, GoldenRun, Outcome
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Mood, State
from memoryapp.interfaces.golden.presenter import typed_of
from memoryapp.interfaces.golden.runs import charts_of, warnings_of
from memoryapp.interfaces.pages.filters import filters_of
from memoryapp.jobs import pipeline, run
from memoryapp.jobs.models import Job
from memoryapp.lab.evaluate import means, measure_ranks
from memoryapp.review import archive, delete
from memoryapp.store import golden
from tests.markup import PageClient
from tests.pages.talking import ATLAS, HTMX

URL = "/search/golden/"
HERE = {**HTMX, "HX-Current-URL": f"http://testserver{URL}"}
Write = Callable[..., Memory]
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "queue", lambda job: None)
    monkeypatch.setattr(run, "queue", lambda job: None)


@pytest.fixture
def birds(write: Write) -> list[Memory]:
    names = ("heron", "bittern", "egret")
    return [write(f"The {name} stands in the reeds at dawn.", ref=f"bird-{name}") for name in names]


@pytest.fixture
def one(space: spaces.Space, birds: list[Memory]) -> Golden:
    """“where is the heron” of notes, which means the heron and the bittern."""
    kinds = Filters(kinds=(Kind.NOTE,))
    return lab.add_golden(space, "where is the heron", [birds[0].id, birds[1].id], kinds, "why so", actor=ATLAS).golden


def every(space: spaces.Space) -> tuple[Golden, ...]:
    return golden.every(space.db)


def a_run(space: spaces.Space, *, days: int = 0, plan: str = "hybrid", k: int = 10, **ranks: int | None) -> GoldenRun:
    """A kept run; of each golden query named, the rank of what it means, whose id is the query's own name."""
    outcomes = [Outcome(key, f"Q {key}", {key: rank}, measure_ranks({key: rank}, k)) for key, rank in ranks.items()]
    conditions: dict[str, Any] = {
        "encoder": "hashing",
        "memories": 3 + days,
        "digests": 0,
        "numbers": {"date_weight": 0.6},
        "strategy": {"weights": {"vector": 1.1}, "k": 60, "factors": ["feedback"]},
        "left_out": [],
        "notes": {},
    }
    at = NOON + timedelta(days=days)
    made = GoldenRun(
        new_id(), at, "atlas", plan, k, means([each.measures for each in outcomes]), tuple(outcomes), conditions, 3.0
    )
    golden.keep_run(space.db, made)
    return made


def test_before_there_is_one_the_page_says_what_one_is_for(reader: Client, space: spaces.Space) -> None:
    page = reader.get(URL).content.decode()
    assert "No golden queries yet." in page and 'href="/search/compare/"' in page
    assert "Run all" not in page and "Export" not in page
    assert "No runs yet." in reader.get(f"{URL}runs/").content.decode()


def test_a_golden_query_stands_with_what_it_means_and_leads_to_the_comparison(
    reader: Client, one: Golden, birds: list[Memory]
) -> None:
    page = html.unescape(reader.get(URL).content.decode())
    row = re.search(rf'id="g-{one.id}".*?</tr>', page, re.DOTALL)[0]  # type: ignore[index]
    assert "where is the heron" in row and "kind note" in row and "why so" in row
    assert f"/memories/{birds[0].id}/" in row and "The bittern stands in the reeds" in row
    assert "/search/compare/?q=where+is+the+heron&column=hybrid&column=rrf&kind=note&rel=" in row
    assert "Delete" not in page


def test_what_is_gone_or_archived_is_told_and_can_be_looked_for(
    reader: Client, space: spaces.Space, one: Golden, birds: list[Memory]
) -> None:
    assert "Nothing here." in reader.get(f"{URL}?which=gone").content.decode()
    delete(space, [birds[0].id], actor=ATLAS)
    archive(space, [birds[1].id], actor=ATLAS)
    page = reader.get(f"{URL}?which=gone").content.decode()
    assert "1 of 2 is gone" in page and "1 of 2 is archived" in page and f"g-{one.id}" in page
    assert reader.get(f"{URL}?which=lost").status_code == 422
    assert "Nothing here." in reader.get(f"{URL}?words=bittern").content.decode()
    assert f"g-{one.id}" in reader.get(f"{URL}?words=HERON").content.decode()


def test_adding_goes_back_with_an_undo_that_takes_it_away(
    curator: Client, space: spaces.Space, birds: list[Memory]
) -> None:
    sent = {"query": "백로는 어디에?", "relevant": [birds[0].id], "more": "bird-egret\n", "kind": "note", "note": "n"}
    answer = curator.post(f"{URL}add/", sent, headers=HERE)
    assert (answer.status_code, answer["HX-Redirect"]) == (204, URL)
    added = every(space)[0]
    assert added.relevant == (birds[0].id, birds[2].id) and added.filters.kinds == (Kind.NOTE,)
    page = curator.get(URL).content.decode()
    assert f'data-undo="{URL}{added.id}/undo/"' in page and 'lang="ko">백로는 어디에?' in page
    assert curator.post(f"{URL}{added.id}/undo/", headers=HTMX).status_code == 204
    assert every(space) == ()


def test_added_from_the_comparison_one_stays_there(curator: Client, space: spaces.Space, one: Golden) -> None:
    meant = list(one.relevant)
    sent = {"query": one.query, "relevant": meant, "kind": "note"}
    headers = {**HTMX, "HX-Current-URL": "http://testserver/search/compare/?q=x"}
    answer = curator.post(f"{URL}add/", sent, headers=headers)
    told = json.loads(answer["HX-Trigger"])
    assert answer.status_code == 204 and "golden-changed" in told
    assert told["toast"]["text"] == "Merged with the existing golden query: it is now for 2 memories."
    refused = curator.post(f"{URL}add/", {"query": "nothing meant"}, headers=headers)
    assert refused.status_code == 422 and refused["HX-Reswap"] == "none"
    assert len(every(space)) == 1


def test_what_is_joined_is_parted_again(curator: Client, space: spaces.Space, one: Golden, birds: list[Memory]) -> None:
    curator.post(f"{URL}add/", {"query": one.query, "relevant": [birds[2].id], "kind": "note"}, headers=HERE)
    assert len(every(space)[0].relevant) == 3
    assert curator.post(f"{URL}{one.id}/undo/", headers=HTMX).status_code == 204
    assert every(space)[0].relevant == one.relevant


def test_a_refused_form_keeps_what_was_typed(curator: Client, space: spaces.Space, birds: list[Memory]) -> None:
    sent = {"query": "where?", "relevant": [birds[0].id], "more": "no-such", "note": "kept words", "tag": "wet"}
    answer = curator.post(f"{URL}add/", sent, headers=HERE)
    page = answer.content.decode()
    assert answer.status_code == 422 and "no memory “no-such”" in page
    assert "kept words" in page and 'value="wet"' in page and "no-such</textarea>" in page
    assert f'value="{birds[0].id}" checked' in page
    assert every(space) == ()


def test_the_form_offers_what_the_question_finds(curator: Client, one: Golden, birds: list[Memory]) -> None:
    form = curator.get(f"{URL}form/?edit={one.id}", headers=HTMX).content.decode()
    assert re.findall(r'name="relevant" value="(\w+)" checked', form) == list(one.relevant)
    assert re.search(r'name="kind" value="note" checked', form)
    asked = {"query": "egret in the reeds", "relevant": [birds[0].id]}
    offered = curator.get(f"{URL}candidates/", asked, headers=HTMX).content.decode()
    assert f'value="{birds[0].id}" checked' in offered and f'value="{birds[2].id}">' in offered
    assert offered.count(f'value="{birds[0].id}"') == 1
    narrowed = curator.get(f"{URL}candidates/", {"query": "egret", "kind": "fact"}, headers=HTMX).content.decode()
    assert "No memories match this question." in narrowed


def test_a_change_is_saved_and_undone(curator: Client, space: spaces.Space, one: Golden, birds: list[Memory]) -> None:
    sent = {"query": "where is it", "relevant": [birds[2].id], "note": "", "version": "1"}
    assert curator.post(f"{URL}{one.id}/change/", sent, headers=HERE).status_code == 204
    after = every(space)[0]
    assert (after.query, after.relevant, after.filters) == ("where is it", (birds[2].id,), Filters())
    stale = curator.post(f"{URL}{one.id}/change/", sent, headers=HERE)
    assert stale.status_code == 409 and "changed since you read it" in stale.content.decode()
    assert curator.post(f"{URL}{one.id}/undo/", headers=HTMX).status_code == 204
    back = every(space)[0]
    assert (back.query, back.relevant, back.filters, back.note) == (one.query, one.relevant, one.filters, one.note)


def test_a_filter_that_the_form_has_no_field_for_outlives_an_edit(
    curator: Client, space: spaces.Space, birds: list[Memory]
) -> None:
    strong = Filters(min_strength=0.2)
    made = lab.add_golden(space, "where", [birds[0].id], strong, actor=ATLAS).golden
    assert "strength at least 0.2" in curator.get(URL).content.decode()
    sent = {"query": "where now", "relevant": [birds[0].id], "version": "1"}
    curator.post(f"{URL}{made.id}/change/", sent, headers=HERE)
    assert every(space)[0].filters == strong


def test_the_form_sends_every_filter_back_as_it_was(curator: Client, space: spaces.Space, birds: list[Memory]) -> None:
    odd = NOON.replace(second=7)
    filters = Filters(tags=("dry", "wet"), speakers=("Ada", "민아"), since=NOON, until=odd, as_of=odd, min_trust=0.3)
    made = lab.add_golden(space, "where", [birds[0].id], filters, actor=ATLAS).golden
    form = html.unescape(curator.get(f"{URL}form/?edit={made.id}", headers=HTMX).content.decode())
    sent = QueryDict(mutable=True)
    for tag in re.findall(r"<input [^>]*>", form):
        told = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        if told.get("type") == "date" and told["value"]:
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", told["value"])  # a browser shows nothing else in it
        if told.get("type") != "checkbox" or " checked" in tag:
            sent.appendlist(told["name"], told.get("value", ""))
    sent["note"] = "seen"
    lists = dict(sent.lists())
    assert curator.post(f"{URL}{made.id}/change/", lists, headers=HERE).status_code == 204
    after = every(space)[0]
    assert (after.filters, after.note, after.relevant) == (made.filters, "seen", made.relevant)


def test_a_deleted_one_comes_back_under_its_id(curator: Client, space: spaces.Space, one: Golden) -> None:
    assert curator.post(f"{URL}{one.id}/delete/", headers=HERE).status_code == 204
    assert every(space) == ()
    assert curator.post(f"{URL}{one.id}/undo/", headers=HTMX).status_code == 204
    back = every(space)[0]
    assert (back.id, back.query, back.relevant, back.filters) == (one.id, one.query, one.relevant, one.filters)


def test_a_reader_changes_nothing(reader: Client, one: Golden, space: spaces.Space) -> None:
    for address in ("add/", f"{one.id}/change/", f"{one.id}/delete/", f"{one.id}/undo/", "import/", "run/"):
        assert reader.post(URL + address, {"query": "x"}).status_code == 403
    assert every(space) == (one,)


moments = st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))
words = st.text("abc가나 ", min_size=1, max_size=6).map(str.strip).filter(bool)


@given(
    st.builds(
        Filters,
        kinds=st.lists(st.sampled_from(Kind), unique=True, max_size=2).map(tuple),
        states=st.lists(st.sampled_from(State), unique=True, min_size=1, max_size=3).map(tuple),
        tags=st.lists(words, max_size=2).map(tuple),
        categories=st.lists(st.sampled_from(Category), unique=True, max_size=2).map(tuple),
        memory_types=st.lists(st.sampled_from(MemoryType), unique=True, max_size=2).map(tuple),
        moods=st.lists(st.sampled_from(Mood), unique=True, max_size=2).map(tuple),
        sources=st.lists(words, max_size=2).map(tuple),
        speakers=st.lists(words, max_size=2).map(tuple),
        min_trust=st.none() | st.sampled_from([0.0, 0.5, 1.25]),
        since=st.none() | moments,
        until=st.none() | moments,
        as_of=st.none() | moments,
    )
)
def test_filters_go_into_an_address_and_come_back(filters: Filters) -> None:
    assert filters_of(QueryDict(typed_of(filters).urlencode())) == filters


def test_the_export_is_what_an_import_takes(
    curator: Client, reader: Client, space: spaces.Space, one: Golden, birds: list[Memory]
) -> None:
    answer = reader.get(f"{URL}export.jsonl")
    assert answer["Content-Type"].startswith("application/x-ndjson") and "attachment" in answer["Content-Disposition"]
    assert json.loads(answer.content)["refs"] == ["bird-heron", "bird-bittern"]
    lab.delete_golden(space, one.id)
    file = SimpleUploadedFile("golden.jsonl", answer.content)
    dry = curator.post(f"{URL}import/", {"file": file, "dry_run": "1"}, headers=HERE).content.decode()
    assert "Import 1 line" in dry and "Nothing has been imported yet." in dry and every(space) == ()
    done = curator.post(f"{URL}import/", {"file": SimpleUploadedFile("g.jsonl", answer.content)}, headers=HERE)
    assert done.status_code == 204
    assert every(space)[0].relevant == one.relevant


def test_an_import_tells_each_line_and_is_taken_back_as_a_whole(
    curator: Client, space: spaces.Space, one: Golden, birds: list[Memory]
) -> None:
    lines = [
        {"query": "new one", "refs": ["bird-egret"]},
        {"query": one.query, "refs": ["bird-egret"], "filters": {"kinds": ["note"]}},
        {"query": "bad", "refs": ["nobody"]},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    dry = curator.post(f"{URL}import/", {"lines": text, "dry_run": "1"}, headers=HERE).content.decode()
    assert "<b>Line 3</b>" in dry and "no memory “nobody”" in dry and "Import 2 lines" in dry
    strict = curator.post(f"{URL}import/", {"lines": text, "strict": "1"}, headers=HERE).content.decode()
    assert "Nothing was imported" in strict and every(space) == (one,)
    assert curator.post(f"{URL}import/", {"lines": text}, headers=HERE).status_code == 204
    page = curator.get(URL).content.decode()
    assert "Imported: 1 added, 1 joined, 1 left out." in page and f'data-undo="{URL}import/undo/"' in page
    assert sorted(len(each.relevant) for each in every(space)) == [1, 3]
    curator.post(f"{URL}import/undo/", headers=HTMX)
    assert [(each.id, each.relevant) for each in every(space)] == [(one.id, one.relevant)]


@pytest.mark.parametrize("sent", [{}, {"lines": " "}, {"file": SimpleUploadedFile("g", b"\xff\xfe")}])
def test_what_is_no_file_of_lines_is_refused_where_one_looks(
    curator: Client, space: spaces.Space, sent: dict[str, Any]
) -> None:
    answer = curator.post(f"{URL}import/", sent, headers=HERE)
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()


def test_all_are_asked_by_the_ticked_plans_and_the_job_is_watched(
    curator: Client, space: spaces.Space, row: Space, one: Golden
) -> None:
    lab.save_profile(space, "careful", "hybrid;vector=2", actor=ATLAS)
    form = curator.get(f"{URL}run/form/", headers=HTMX).content.decode()
    assert 'value="hybrid" checked' in form and 'value="careful">' in form and "hybrid with vector 2" in form
    answer = curator.post(f"{URL}run/", {"plan": ["rrf", "careful"], "k": "5"}, headers=HERE)
    job = Job.objects.get(pk=answer["HX-Redirect"].partition("job=")[2])
    waiting = curator.get(f"{URL}?job={job.pk}").content.decode()
    assert f'hx-get="{URL}running/{job.pk}/"' in waiting and "Cancel" in waiting
    run.run(job.pk)
    ended = curator.get(f"{URL}running/{job.pk}/", headers=HTMX)
    assert ended.status_code == 286 and ended["HX-Refresh"] == "true"
    assert {(each.plan, each.k) for each in golden.runs(space.db)} == {("rrf", 5), ("careful", 5)}
    page = curator.get(f"{URL}runs/").content.decode()
    assert page.count('id="r-') == 2 and "Recall@5" in page and page.count("<figure>") == len(MEASURES)
    again = curator.get(f"{URL}run/form/", headers=HTMX).content.decode()
    assert 'value="hybrid">' in again and 'value="careful" checked' in again and 'value="5"' in again


def test_a_run_that_cannot_be_begun_is_refused(curator: Client, space: spaces.Space, one: Golden) -> None:
    for wrong in ({}, {"plan": "nothing"}, {"plan": "rrf", "k": "0"}, {"plan": "rrf", "k": "many"}):
        assert curator.post(f"{URL}run/", wrong, headers=HERE).status_code == 422
    lab.delete_golden(space, one.id)
    assert curator.post(f"{URL}run/", {"plan": "rrf"}, headers=HERE).status_code == 422
    assert "No golden queries yet" in curator.get(f"{URL}run/form/", headers=HTMX).content.decode()
    assert not Job.objects.exists()


def test_a_run_tells_what_moved_and_what_had_changed(reader: Client, space: spaces.Space) -> None:
    before = a_run(space, a=1, b=4, c=2)
    after = a_run(space, days=1, a=3, b=1, c=None)
    page = html.unescape(reader.get(f"{URL}runs/{after.id}/").content.decode())
    assert "Worse" in page and "1 more memory" in page
    worse = re.search(r"Got worse</h2>.*?</section>", page, re.DOTALL)[0]  # type: ignore[index]
    better = re.search(r"Got better</h2>.*?</section>", page, re.DOTALL)[0]  # type: ignore[index]
    assert re.findall(r">([^<]*→[^<]*)</span>", worse) == ["2 → not found", "1 → 3"]
    assert re.findall(r">([^<]*→[^<]*)</span>", better) == ["4 → 1"]
    assert f"/search/golden/runs/{before.id}/" in page and "not in 20" in page
    assert page.index("Q c") < page.index("Q b")
    assert "Q b" not in re.search(r"All queries of the run.*", reader.get(  # type: ignore[index]
        f"{URL}runs/{after.id}/?which=missed").content.decode(), re.DOTALL)[0]  # fmt: skip
    first = reader.get(f"{URL}runs/{before.id}/").content.decode()
    assert "The first run of this plan" in first
    assert reader.get(f"{URL}runs/0123456789abcdef/").status_code == 404
    for wrong in ("which=x", "after=x"):
        assert reader.get(f"{URL}runs/{after.id}/?{wrong}").status_code == 422


def test_a_plan_that_got_worse_is_warned_of_until_it_is_mended(
    reader: Client, space: spaces.Space, one: Golden
) -> None:
    assert warnings_of(space) == []
    a_run(space, a=1)
    assert warnings_of(space) == []
    fell = a_run(space, days=1, a=5)
    told = warnings_of(space)[0]
    assert told.plan == "hybrid" and "MRR fell by 0.800" in told.fell and fell.id in told.href
    page = reader.get(URL).content.decode()
    assert "<b>hybrid got worse</b>" in page and fell.id in page
    a_run(space, days=2, a=1)
    assert warnings_of(space) == [] and "hybrid got worse" not in reader.get(URL).content.decode()


def test_charts_have_a_line_a_plan_and_stay_on_their_scale(space: spaces.Space) -> None:
    runs = [a_run(space, days=n, plan=plan, a=rank) for n, rank in enumerate((1, 2, 3)) for plan in ("rrf", "hybrid")]
    charts = charts_of(golden.runs(space.db))
    assert [chart.name for chart in charts] == ["Recall@10", "MRR", "nDCG@10", "Precision@10"]
    assert [line.plan for line in charts[1].lines] == ["hybrid", "rrf"]
    for chart in charts:
        for line in chart.lines:
            xs = [x for x, _, _ in line.dots]
            assert len(xs) == 3 and xs == sorted(xs) and xs[0] == 32 and xs[-1] == 252
            assert all(10 <= y <= 96 for _, y, _ in line.dots)
    falling = [y for _, y, _ in charts[1].lines[0].dots]
    assert falling == sorted(falling) and falling[0] < falling[-1]  # lower on the page is less
    assert charts_of([]) == [] and len(charts_of(runs[:1])[0].lines[0].dots) == 1


def test_charts_of_one_k_only_and_a_list_of_one_plan(reader: Client, space: spaces.Space) -> None:
    a_run(space, a=1, k=5)
    a_run(space, days=1, a=1, k=10, plan="rrf")
    page = reader.get(f"{URL}runs/").content.decode()
    assert "k = 10;" in page and page.count('id="r-') == 2
    assert "k = 5;" in reader.get(f"{URL}runs/?k=5").content.decode()
    assert reader.get(f"{URL}runs/?plan=rrf").content.decode().count('id="r-') == 1
    assert "has never been run" in reader.get(f"{URL}runs/?plan=bridge").content.decode()
    assert reader.get(f"{URL}runs/?k=7").status_code == 422


def test_many_long_ones_are_paged_each_once_and_fit(reader: PageClient, space: spaces.Space, write: Write) -> None:
    meant = [write(f"Engine {n} was painted {'very ' * 40} blue.").id for n in range(10)]
    for n in range(50):
        text = f"엔진 {n} " + "longword" * 20 + " why " * 60
        lab.add_golden(space, text, meant, Filters(tags=("t" * 60, "u" * 60)), "note " * 80, actor=ATLAS)
    met: list[str] = []
    address: str = URL
    while address:
        answer = reader.get(address)
        assert reader.weight < 25_000
        page = answer.content.decode()
        met += re.findall(r'id="g-([0-9a-f]{16})"', page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = URL + html.unescape(older[1]) if older else ""
    assert len(met) == 50 == len(set(met))


def test_many_outcomes_and_runs_are_paged_and_fit(reader: PageClient, space: spaces.Space) -> None:
    ranks = {f"q{n:03}": (n % 30) + 1 for n in range(130)}
    a_run(space, **ranks)
    last = a_run(space, days=1, **{key: rank + 1 for key, rank in ranks.items()})
    for n in range(2, 40):
        a_run(space, days=n, plan=f"hybrid;vector={n / 10}", a=1)
    for address, expected in ((f"{URL}runs/{last.id}/", 130), (f"{URL}runs/", 40)):
        seen: list[str] = []
        path: str = address
        while path:
            answer = reader.get(path)
            assert reader.weight < 25_000
            page = answer.content.decode()
            found = re.findall(r'id="r-(\w+)"', page) or re.findall(
                r">Q (q\d+)<", page.partition("All queries of the run")[2]
            )
            seen += found
            older = re.search(r'rel="next" href="([^"]+)"', page)
            path = address + html.unescape(older[1]) if older else ""
        assert len(seen) == expected == len(set(seen))

"""The search lab: columns side by side, what is wrong with one of them, marks, dials, and what may be taken along."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memoryapp import lab, spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.people import set_role
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.plan import read_plan
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import STRATEGIES
from memoryapp.interfaces.lab.columns import dials_of
from memoryapp.interfaces.lab.explanation import exact_of
from memoryapp.interfaces.lab.hits import ordinal, standing
from memoryapp.interfaces.lab.query import asked_of, body_of, copies_of
from memoryapp.search import search, strategy_of
from memoryapp.store import usage
from tests.markup import PageClient

Write = Callable[..., Memory]
MINA = Actor(ActorKind.PERSON, "mina")


def page(client: Client, **asked: object) -> str:
    answer = client.get("/search/compare/", asked)
    assert answer.status_code == 200, answer.content.decode()[:2000]
    return answer.content.decode()


def lane(html: str, n: int) -> str:
    return html.split(f'id="lane-{n}"')[1].split("</section>")[0]


def ids(html: str, n: int) -> list[str]:
    return re.findall(r'data-memory="([0-9a-f]{16})"', lane(html, n))


def rows(html: str, n: int) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(lane(html, n).split('type="application/json">')[1].split("</script>")[0])
    return told


@pytest.fixture
def several(write: Write) -> list[Memory]:
    texts = (
        "The staging bucket lives in Seoul.",
        "Alice moved the bucket to Globex in Berlin.",
        "Deploys stop on Friday at 16:00.",
        "The bucket is emptied every Monday by Alice.",
    )
    return [write(text) for text in texts]


def test_each_column_answers_by_its_own_plan(reader: Client, space: spaces.Space, several: list[Memory]) -> None:
    html = page(reader, q="the staging bucket", column=["keyword", "rrf;vector=0;graph=0"])
    for n, plan in enumerate(("keyword", "rrf;vector=0;graph=0")):
        expected = search(space, Query("the staging bucket", strategy=plan))
        assert ids(html, n) == [hit.memory.id for hit in expected.hits]
    assert ids(html, 0)[0] == several[0].id
    assert "1/61" in lane(html, 1) and "BM25" in lane(html, 0)
    assert html.count('class="lane"') == 2


def test_without_columns_the_asked_strategy_stands_beside_another(reader: Client, several: list[Memory]) -> None:
    for asked, names in (({}, ("hybrid", "rrf")), ({"strategy": "keyword"}, ("keyword", "hybrid"))):
        html = page(reader, q="bucket", **asked)
        assert re.findall(r'data-name="([^"]+)"', html) == list(names)


def test_a_column_that_cannot_be_read_says_so_and_the_others_answer(reader: Client, several: list[Memory]) -> None:
    html = page(reader, q="bucket", column=["nonsense", "keyword", "hybrid;vector=much"])
    assert "There is no strategy “nonsense”." in lane(html, 0)
    assert "“vector” takes a number" in lane(html, 2)
    assert not ids(html, 0) and not ids(html, 2) and len(ids(html, 1)) == 3
    assert "nothing to compare" in html
    assert "No column found anything." in page(reader, q="bucket", column="nonsense")  # where no column is left


def test_what_the_page_itself_cannot_be_asked_is_told(reader: Client, space: spaces.Space) -> None:
    for asked, words in (
        ({"column": ["hybrid"] * 5}, "room for 4 columns"),
        ({"top": "900"}, "1 to 20 results"),
        ({"top": "²"}, "1 to 20 results"),
        ({"rel": "not-an-id"}, "“rel” takes memory ids"),
        ({"kind": "blue"}, "is not a kind"),
    ):
        answer = reader.get("/search/compare/", {"q": "x", **asked})
        assert answer.status_code == 422, asked
        assert words in answer.content.decode(), asked


def test_a_question_in_markup_stays_a_question(reader: Client, write: Write) -> None:
    bad = '"></script><script>alert(1)</script>'
    write(f"A bucket {bad}")
    html = page(reader, q=f"bucket {bad}", column=["keyword", f"hybrid;{bad}"], memory=bad)
    assert "<script>alert" not in html


def test_a_profile_is_a_column_and_an_entry_of_the_picker(
    reader: Client, space: spaces.Space, several: list[Memory]
) -> None:
    lab.save_profile(space, "careful", "rrf;k=30", "", actor=MINA)
    html = page(reader, q="bucket", column=["careful", "careful;k=10"])
    assert '<optgroup label="Profiles"><option selected>careful</option>' in lane(html, 0)
    assert '<option value="careful;k=10" selected data-own>careful, changed</option>' in lane(html, 1)
    assert "1/31" in lane(html, 0) and "1/11" in lane(html, 1)
    assert re.findall(r'data-name="([^"]+)"', html) == ["careful A", "careful B"]
    assert 'name="k" min="1" max="120" step="1" value="10" data-was="30"' in lane(html, 1)


def test_agreement_is_told_in_words_and_numbers(reader: Client, several: list[Memory]) -> None:
    html = page(reader, q="bucket", column=["keyword", "keyword", "keyword"])
    strip = html.split('id="agreed"')[1].split('id="lab"')[0]
    assert "Three of 3 results in all three" in strip
    assert strip.count("<b>3 in common</b>") == 3
    assert strip.count("nearly the same order · Jaccard 1.00 · RBO 1.00") == 3


def test_where_a_result_stood_beside_is_said_in_words() -> None:
    stands = standing(["a", "b"], [["x", "y", "z", "w"], ["z", "x", "q", "w"]], top=3)
    told = {key: stands.moved(1, key) for key in ("z", "x", "q", "w")}
    assert (told["z"].before, told["z"].step, told["z"].place) == ("was 3rd in a", "↑2", "in both")
    assert (told["x"].before, told["x"].step) == ("was 1st in a", "↓1")
    assert (told["q"].before, told["q"].step, told["q"].place) == ("not in a", "", "only here")
    assert (told["w"].before, told["w"].place) == ("4th in a too", "")  # below what is shown, and known all the same
    assert stands.moved(0, "x").before == "2nd in b"
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip


def test_a_score_taken_apart_adds_up_to_its_last_digit(
    reader: Client, space: spaces.Space, several: list[Memory]
) -> None:
    for plan in ("hybrid;factors=trust+strength+feedback", "rrf", "dual-arm", "keyword"):
        for hit in search(space, Query("the bucket of Alice", strategy=plan)).hits:
            exact = exact_of(hit)
            total = sum(float(share) for _, _, _, share in exact.parts)
            assert repr(total) == exact.total
            assert repr(total * math.prod(float(value) for _, value in exact.factors)) == exact.score == repr(hit.score)
    first = search(space, Query("bucket", strategy="rrf")).hits[0]
    asked = {"q": "bucket", "column": ["keyword", "rrf"], "at": "1", "id": first.memory.id}
    assert repr(first.score) in reader.get("/search/compare/exact/", asked).content.decode()
    for wrong in ({"at": "2"}, {"at": "0", "id": several[2].id}, {"q": ""}):
        assert reader.get("/search/compare/exact/", asked | wrong).status_code == 404, wrong


def test_the_numbers_of_a_column_give_its_order_again(reader: Client, several: list[Memory]) -> None:
    html = page(reader, q="bucket of Alice", column=["hybrid", "rrf", "keyword"], top="5")
    for n in range(3):
        told = rows(html, n)
        feedback = told["known"].index("feedback")
        scores = [math.fsum(shares) * factors[feedback] for _, shares, _, factors in told["rows"]]
        assert told["factors"] == ["feedback"]
        assert scores == sorted(scores, reverse=True)
        assert [row[0] for row in told["rows"]][:5] == ids(html, n)
    for key, shares, ranks, _ in rows(html, 1)["rows"]:
        weights = [rows(html, 1)["weights"][part] for part in rows(html, 1)["parts"]]
        again = [w / (60 + rank) if rank else 0 for w, rank in zip(weights, ranks, strict=True)]
        assert again == pytest.approx(shares, rel=1e-6), key


def test_results_below_the_shown_ones_come_along_to_rise(reader: Client, write: Write) -> None:
    for n in range(15):
        write(f"The bucket of number {n} is full.")
    html = page(reader, q="bucket", column=["keyword", "vector"], top="5")
    assert len(ids(html, 0)) == 5 and len(rows(html, 0)["rows"]) == 15
    titles = json.loads(html.split('id="lab-titles"')[1].split(">", 1)[1].split("</script>")[0])
    shown = {*ids(html, 0), *ids(html, 1)}
    known = {row[0] for n in (0, 1) for row in rows(html, n)["rows"]}
    assert set(titles) == known - shown
    assert "5 of 15 found" in lane(html, 0)


def test_the_dials_of_every_strategy_write_a_plan_that_can_be_read(space: spaces.Space) -> None:
    for name, strategy in STRATEGIES.items():
        plan = read_plan(f"{name};keyword_window=0.2;factors=trust")
        dials = dials_of(plan, strategy_of(space, str(plan)), strategy_of(space, name), space.tuning)
        assert dials.base == name and dials.rest == "keyword_window=0.2"
        assert [switch.name for switch in dials.switches if switch.on] == ["trust"]
        assert dials.factors == "+".join(f for f in ("trust", "strength", "feedback") if f in strategy.factors)
        written = ";".join([name, *(f"{dial.name}={dial.most}" for dial in dials.sliders), "factors=none", dials.rest])
        assert strategy_of(space, written).factors == ()
        weights = {dial.name for dial in dials.sliders} & {arm.value for arm in strategy.arms}
        assert weights == (set() if strategy.fusion == "single" else {arm.value for arm in strategy.arms})


def test_marks_measure_the_columns(reader: Client, several: list[Memory]) -> None:
    bare = page(reader, q="bucket", column=["keyword", "vector"])
    assert "0 right answers" in bare and "data-figures hidden" in bare
    first, second = ids(bare, 0)[:2]
    html = page(reader, q="bucket", column=["keyword", "vector"], rel=[first, several[2].id], top="2")
    assert "2 right answers" in html and "data-figures hidden" not in html
    assert lane(html, 0).count('aria-pressed="true"') == 1
    (row,) = re.findall(r'data-measured="0".*?</tr>', html, re.S)
    figures = [float(value) for value in re.findall(r'<td class="num">([\d.]+)</td>', row)]
    ndcg = 1 / (1 + 1 / math.log2(3))
    assert figures == [0.5, 0.5, 1.0, pytest.approx(ndcg, abs=0.005)]
    assert f'name="relevant" value="{first}"' not in html  # a reader saves no golden queries
    assert second in html


def test_who_may_save_finds_the_forms(curator: Client, reader: Client, several: list[Memory]) -> None:
    asked = {"q": "bucket", "column": ["keyword", "rrf;k=9"], "rel": several[0].id, "tag": "infra"}
    html = page(curator, **asked)
    form = html.split('id="golden"')[1].split("</form>")[0]
    for name, value in (("query", "bucket"), ("relevant", several[0].id), ("tag", "infra")):
        assert f'<input type="hidden" name="{name}" value="{value}">' in form
    assert 'id="keep"' in html and "Save as profile" in html
    html = page(reader, **asked)
    assert 'id="keep"' not in html and 'id="golden"' not in html and "Save as" not in html


def test_what_the_forms_post_is_kept(curator: Client, space: spaces.Space, several: list[Memory]) -> None:
    posted = {"name": "mine", "plan": "rrf;k=9", "note": "from the lab"}
    assert curator.post("/search/profiles/save/", posted, headers={"HX-Request": "true"}).status_code < 300
    assert strategy_of(space, "mine").k == 9
    posted = {"query": "bucket", "relevant": [several[0].id, several[1].id], "note": "", "kind": "note"}
    assert curator.post("/search/golden/add/", posted, headers={"HX-Request": "true"}).status_code < 300
    (standing_,) = lab.golden_of(space)
    assert standing_.golden.relevant == (several[0].id, several[1].id)
    assert standing_.golden.filters.kinds == (Kind.NOTE,)


def test_an_expected_memory_is_found_by_id_reference_or_words(
    reader: Client, space: spaces.Space, several: list[Memory], write: Write
) -> None:
    known = write("Deploys wait for a green build.", ref="D1:3")
    asked = {"q": "the staging bucket", "column": ["keyword", "nonsense", "rrf"]}
    for expected in (known.id, "D1:3"):
        answer = reader.get("/search/compare/why/", {**asked, "memory": expected}, headers={"HX-Request": "true"})
        html = answer.content.decode()
        assert "Deploys wait for a green build." in html and "<html" not in html
        assert html.count('class="expects"') == 2  # the column that cannot be read has no place for it
        assert "memory=" in answer.headers["HX-Push-Url"]
    assert 'class="expects"' in page(reader, **asked, memory=known.id)
    html = page(reader, **asked, memory="green build")
    assert f"memory={known.id}" in html and "Which one do you mean?" in html and 'class="expects"' not in html
    assert "No memory here has the id" in page(reader, **asked, memory="zzzqqq")
    assert reader.get("/search/compare/", {**asked, "memory": "0" * 16}).status_code == 404


def test_a_memory_that_was_put_away_can_be_expected(curator: Client, write: Write) -> None:
    gone = write("The old bucket was in Tokyo.")
    curator.post(f"/memories/{gone.id}/archive/", {"version": gone.version})
    html = page(curator, q="bucket", memory="Tokyo")
    assert f"memory={gone.id}" in html and "archived" in html


def test_what_a_parent_space_holds_can_be_expected_too(
    reader: Client, people: dict[Role, User], row: Space, several: list[Memory]
) -> None:
    child = create_space(f"w-{new_id()}", parent=row)
    set_role(people[Role.READER], child, Role.READER)
    html = page(reader, q="bucket", column=["keyword", "rrf"], space=child.name, memory=several[0].id)
    assert html.count('class="expects"') == 2
    assert f"/memories/{several[0].id}/?space={row.name}" in html and f"↳ from {row.name}" in html
    assert f"memory={several[0].id}" in page(reader, q="bucket", space=child.name, memory="staging Seoul")
    spaces.close_space(child.name)


def test_a_column_is_taken_along_as_curl_python_and_command(reader: Client, several: list[Memory]) -> None:
    asked = {"q": "it's 배포", "column": ["rrf;k=30", "keyword"], "kind": "note", "as_of": "2020-01-01T00:00"}
    html = unescape(reader.get("/search/compare/0/take/", asked).content.decode())
    assert "curl http://testserver/api/v1/search" in html
    assert """'{"query": "it'"'"'s 배포", "strategy": "rrf;k=30", "top_k": 10,""" in html
    assert "manage.py recall" in html and "takes no filters" in html
    assert reader.get("/search/compare/3/take/", asked).status_code == 404
    filters = asked_of(reader.get("/search/compare/", asked).wsgi_request.GET).filters
    body = body_of(text="x", plan="rrf", top=5, filters=filters)
    assert body["filters"] == {"kinds": ["note"]} and body["as_of"].startswith("2020-01-01")
    python = copies_of("http://h/", space="s'p", text="x", plan="rrf", top=5, filters=filters).python
    compile(python, "copied", "exec")


def test_filters_and_the_number_of_results_reach_every_column(reader: Client, write: Write) -> None:
    write("The staging bucket lives in Seoul.")
    fact = write("The bucket is encrypted.", kind=Kind.FACT)
    html = page(reader, q="bucket", column=["keyword", "hybrid"], kind="fact")
    assert ids(html, 0) == ids(html, 1) == [fact.id]
    assert "Kind <b>fact</b>" in html
    html = page(reader, q="zzzqqq", column=["keyword", "tree"], kind="fact")
    assert "Nothing matches <mark>zzzqqq</mark> with kind fact." in html


def test_columns_are_added_and_removed_by_links(reader: Client, several: list[Memory]) -> None:
    html = page(reader, q="bucket", column=["hybrid", "rrf", "keyword"])
    added = unescape(re.findall(r'<a href="(\?[^"]*)">Add a column', html)[0])
    assert added.endswith("column=hybrid&column=rrf&column=keyword&column=vector")
    removed = [unescape(one) for one in re.findall(r'href="(\?[^"]*)" aria-label="Remove column', html)]
    assert [one.count("column=") for one in removed] == [2, 2, 2]
    assert "column=hybrid&" not in removed[0]
    assert "Add a column" not in page(reader, q="bucket", column=["hybrid"] * 4)
    assert "Remove column" not in page(reader, q="bucket", column=["hybrid", "rrf"])


def test_looking_in_the_lab_is_no_recall(reader: Client, space: spaces.Space, several: list[Memory]) -> None:
    page(reader, q="bucket", column=["keyword", "hybrid"], memory=several[0].id)
    assert usage.get_many(space.db, [one.id for one in several]) == {}


def test_before_the_first_question_the_page_says_what_it_is_for(reader: Client, space: spaces.Space) -> None:
    html = page(reader, column=["rrf", "careful"])
    assert "Compare search strategies." in html
    assert html.count('<input type="hidden" name="column"') >= 2
    assert "This space holds no memories yet." in page(reader, q="anything")


def test_search_leads_to_the_lab_with_all_it_was_asked(reader: Client, several: list[Memory]) -> None:
    html = reader.get("/search/?q=bucket&strategy=keyword&kind=note").content.decode()
    link = unescape(re.findall(r'href="(/search/compare/\?[^"]*)"', html)[0])
    shown = reader.get(link).content.decode()
    assert re.findall(r'data-name="([^"]+)"', shown) == ["keyword", "hybrid"]
    assert "Kind <b>note</b>" in shown


def test_four_columns_of_ten_fit_into_a_page(curator: PageClient, write: Write) -> None:
    long = "that Alice of Globex in Berlin and Nora of Hangang in Seoul empty it, 창고가 비싸서 아무도 내고 싶지 않다"
    for n in range(30):
        write(f"Number {n}: the bucket of the staging environment is emptied by hand {n}, so {long}.")
    asked = ["hybrid;factors=trust+strength+feedback", "rrf", "keyword;factors=trust+feedback", "hybrid;vector=2"]
    answer = curator.get("/search/compare/", {"q": "who empties the staging bucket of Alice", "column": asked})
    assert answer.content.decode().count('<article class="hit"') == 40
    assert curator.weight < 25_000

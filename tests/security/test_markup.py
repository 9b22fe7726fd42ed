"""Nothing that anybody writes runs in the browser of whoever reads it: every field that holds words, on every page."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from memoryapp.accounts.models import ApiKey, Space
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.domain.identity import new_id
from memoryapp.interfaces.pages.markdown import render_markdown
from memoryapp.jobs.models import Job, JobLine
from tests.api.conftest import Agent
from tests.security.conftest import signed_in
from tests.security.doors import is_open, pages
from tests.security.looked import Looked
from tests.security.payloads import MARKDOWN, OUT_OF_A_PLACE, SHAPES
from tests.security.test_matrix import arguments
from tests.security.world import Theirs

_FOREIGN = re.compile(
    r"<(?!/?(?:p|br|hr|h[2-6]|ul|ol|li|blockquote|pre|code|em|strong|del|s|a|table|thead|tbody|tr|th|td)[\s>/])"
)
SHORT = [shape for shape in SHAPES if len(shape) < 90 and shape.isprintable()]


def test_there_are_many_shapes_and_each_is_another() -> None:
    assert len(set(SHAPES)) == len(SHAPES) >= 150


def test_what_a_shape_becomes_as_markdown_is_words() -> None:
    for shape in SHAPES:
        alone = (shape, shape.replace("\n", " "))
        among = (
            f"Before.\n\n{shape}\n\nAfter.",
            f"- {shape}\n- more",
            f"> {shape}",
            f"**{shape}**",
            f"| a |\n|---|\n| {shape} |",
        )
        for text in (*alone, *among):
            html = str(render_markdown(text))
            assert Looked(html).faults == [] and not _FOREIGN.search(html), html


def test_two_shapes_together_make_nothing_that_neither_is() -> None:
    for first, second in zip(SHAPES, reversed(SHAPES), strict=True):
        assert Looked(str(render_markdown(f"{first}{second}"))).faults == []
        assert Looked(str(render_markdown(f"{first}\n{second}"))).faults == []


def planted(agent: Agent, row: Space) -> Theirs:
    """A space every field of which is a shape: texts, titles, tags, names, talks, queries, reasons, notes, files."""
    ids: dict[str, str] = {"profiles": "their-own", "nodes": "their/own"}

    def sent(path: str, body: Any, method: str = "POST") -> Any:
        answer = agent.ask(method, path, body)
        assert answer.status_code < 300, (path, body, answer.content)
        return answer.json() if answer.content else {}

    every = "\n\n".join(SHAPES)
    items = [
        {"text": f"{shape} {n}", "title": shape[:150], "tags": [shape[:100], f"t{n}"], "ref": f"r{n} {shape[:80]}"}
        for n, shape in enumerate(SHORT[::3])
    ]
    sent("/memories/batch", {"items": items})
    ids["memories"] = sent("/memories", {"text": every, "title": OUT_OF_A_PLACE[0]})["id"]
    names = [shape.replace("[", "(").replace("]", ")").replace("|", "/")[:60] for shape in OUT_OF_A_PLACE[:9]]
    sent("/memories", {"text": " ".join(f"[[{name}]]" for name in names)})
    for n, shape in enumerate(OUT_OF_A_PLACE[:4]):
        sent("/memories", {"kind": "fact", "text": f"Minsu lives in Seoul{n}{shape}."})
        told = sent("/memories", {"kind": "fact", "text": f"Minsu lives in Busan{n}{shape}."})
        ids["facts"] = told["id"]
        if told.get("conflict"):
            ids["conflicts"] = told["conflict"]
            sent(f"/conflicts/{told['conflict']}/resolve", {"outcome": "keep", "reason": shape, "propose": True})
    talk = sent("/sessions", {"name": OUT_OF_A_PLACE[0], "agent": OUT_OF_A_PLACE[1]})
    ids["sessions"] = talk["id"]
    turns = [{"text": shape, "speaker": OUT_OF_A_PLACE[n % 9]} for n, shape in enumerate(SHORT[:40])]
    sent(f"/sessions/{ids['sessions']}/turns", {"turns": turns})
    entities = agent.get("/entities").json()["items"]
    ids["entities"] = next(one["id"] for one in entities if "<" in one["name"])
    sent(f"/entities/{ids['entities']}", {"aliases": [f"also {OUT_OF_A_PLACE[0]}"]}, "PATCH")
    other = next(one["id"] for one in entities if one["id"] != ids["entities"])
    told = sent("/relations", {"subject": ids["entities"], "type": "uses", "object": other})
    ids["relations"] = told.get("id") or told["relation"]["id"]
    sent("/golden", {"query": OUT_OF_A_PLACE[0], "relevant": [ids["memories"]], "note": OUT_OF_A_PLACE[1]})
    ids["golden"] = agent.get("/golden").json()["items"][0]["id"]
    sent("/profiles/their-own", {"plan": "hybrid", "note": OUT_OF_A_PLACE[0]}, "PUT")
    sent(
        "/tree", {"path": "their/own", "title": OUT_OF_A_PLACE[0], "text": every, "keywords": list(OUT_OF_A_PLACE[:5])}
    )
    for kind in ("runs", "audit"):
        ids[kind] = agent.get(f"/{kind}").json()["items"][0]["id"]
    job = Job.objects.create(
        id=new_id(), kind="ingest", space=row.name, status="failed", message=OUT_OF_A_PLACE[0],
        error=OUT_OF_A_PLACE[1], created_by=OUT_OF_A_PLACE[6], arguments={"source": {"name": OUT_OF_A_PLACE[0]}},
    )  # fmt: skip
    JobLine.objects.create(job=job, n=1, path=OUT_OF_A_PLACE[0], outcome="not read", note=OUT_OF_A_PLACE[6])
    ids["jobs"] = job.pk
    Space.objects.filter(pk=row.pk).update(title=OUT_OF_A_PLACE[0])
    ApiKey.objects.filter(space=row).update(name=OUT_OF_A_PLACE[6][:100], agent=OUT_OF_A_PLACE[0])
    return Theirs(row, ids)


def test_a_space_full_of_them_holds_nothing_that_runs(row: Space, owner: Agent) -> None:
    """One space for all of it: to plant it takes longer than to look."""
    theirs = planted(owner, row)
    reader = signed_in(create_person("mina", space=row, role=Role.ADMIN))
    _no_page_holds_any(reader, theirs)
    _what_is_not_html_is_not_taken_for_it(owner)
    _json_in_a_page_cannot_close_its_script(reader)


def _no_page_holds_any(reader: Client, theirs: Theirs) -> None:
    faults, spelled = {}, 0
    queries = {"q": OUT_OF_A_PLACE[0], "m": OUT_OF_A_PLACE[6], "sort": OUT_OF_A_PLACE[0], "tag": OUT_OF_A_PLACE[1],
               "after": OUT_OF_A_PLACE[0], "from": OUT_OF_A_PLACE[1], "to": OUT_OF_A_PLACE[0],
               "entity": OUT_OF_A_PLACE[0], "contains": OUT_OF_A_PLACE[6], "next": OUT_OF_A_PLACE[0]}  # fmt: skip
    for page in pages():
        if page.method != "GET" or is_open(page):
            continue
        address = reverse(page.name, args=arguments(page.name, theirs) if "{" in page.address else [])
        # A filter that holds a shape may leave a list empty, so each list is looked at without one first.
        for asked, headers in (({}, {}), *(() if "{" in page.address else ((queries, {"HX-Request": "true"}),))):
            answer = reader.get(address, asked, headers=headers)
            assert answer.status_code < 500, (page, asked)
            if answer.streaming or not answer["Content-Type"].startswith("text/html"):
                continue
            html = answer.content.decode()
            spelled += "hit()" in html
            if found := Looked(html).faults:
                faults[f"{address} {bool(asked)} {headers}"] = found[:3]
    assert faults == {}
    assert spelled > 60, "the shapes do stand there, as words"


def _what_is_not_html_is_not_taken_for_it(owner: Agent) -> None:
    drawn = owner.get("/graph/export.graphml")
    assert ElementTree.fromstring(drawn.content) is not None and b"<svg" not in drawn.content
    assert "attachment" in drawn["Content-Disposition"]
    for path in ("/memories", "/graph", "/golden", "/golden/export", "/audit", "/context"):
        answer = owner.post(path, {"message": "<b>"}) if path == "/context" else owner.get(path)
        assert not answer["Content-Type"].startswith("text/html") and answer["X-Content-Type-Options"] == "nosniff"
    refused = owner.get("/<script>hit()</script>?<svg onload=hit()>=1")
    assert refused["Content-Type"] == "application/problem+json"


def _json_in_a_page_cannot_close_its_script(reader: Client) -> None:
    seen = 0
    for address in ("/graph/", "/search/compare/?q=Minsu", "/graph/scene/"):
        html = reader.get(address).content.decode()
        for inner in re.findall(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', html, re.DOTALL):
            json.loads(inner)
            assert "<" not in inner and ">" not in inner and "&" not in inner.replace("&amp;", "")
            seen += 1
    assert seen > 0


@pytest.mark.django_db
def test_no_refusal_says_a_shape_back_as_html() -> None:
    client = Client()
    for shape in (*OUT_OF_A_PLACE, *MARKDOWN[:9]):
        for answer in (
            client.get(f"/{quote(shape)}"),
            client.get(f"/login/{quote(shape, safe='')}"),
            client.get("/login/", {"next": shape}),
            client.post("/login/", {"name": shape, "password": "wrong", "next": shape}),
        ):
            assert Looked(answer.content.decode()).faults == []

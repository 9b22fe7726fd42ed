"""The page of the Context Tree: what it shows, what a person does there, and that all of it can be taken back."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from memoryapp import review, spaces, tree
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import Node, new_node
from memoryapp.interfaces.tree.outline import beside_name
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree.write import write as write_nodes
from tests.markup import PageClient

MINA = Actor(ActorKind.PERSON, "mina")
HTMX = {"HX-Request": "true"}
GPU = """# GPU: what runs where

## What runs where

- The MacBook runs MiniLM only; anything larger swaps.

## Renting

```
rent h100 --hours 2
```
"""
SECTION = "The nightly run of this part wrote a line, and then another, for as long as anybody can remember.\n"


def grow(space: spaces.Space, path: str, **more: Any) -> Node:
    return tree.grow(space, path, **{"text": f"# {path}\n\n- A line of {path}.\n", **more}, actor=MINA)[0]


@pytest.fixture
def grown(space: spaces.Space) -> spaces.Space:
    """infra with two nodes beneath it, one of them over the limit; identity; something at the top."""
    grow(space, "identity/values", title="가치관", keywords=["가치관", "원칙"], text="- 먼저 듣고 나서 말한다.\n")
    grow(space, "infra/gpu", title="GPU: what runs where", keywords=["gpu", "H100", "임베딩"], text=GPU, weight=1.4)
    large = "".join(f"## Part {n}\n\n{SECTION * 25}\n" for n in range(6))
    grow(space, "infra/surrealdb", title="SurrealDB", keywords=["surrealdb"], text=large)
    grow(space, "cron", keywords=["cron"])
    return space


def page(client: Client, path: str = "", **asked: Any) -> str:
    answer = client.get(f"/tree/{path}", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def act(client: Client, verb: str, path: str = "", /, on: str = "", **sent: Any) -> HttpResponse:
    """What a button of the page at `on` sends."""
    where = f"/tree/_/{verb}/{path}"
    return client.post(where, sent, headers={**HTMX, "HX-Current-URL": f"http://testserver/tree/{on or path}"})  # type: ignore[return-value]


def told(answer: HttpResponse) -> dict[str, str]:
    return dict(json.loads(answer["HX-Trigger"])["toast"])


def changed(answer: HttpResponse) -> bool:
    return "tree-changed" in json.loads(answer["HX-Trigger"])


def take_back(client: Client, undo: str, on: str = "") -> HttpResponse:
    return client.post(undo, headers={**HTMX, "HX-Current-URL": f"http://testserver/tree/{on}"})  # type: ignore[return-value]


def messages(client: Client) -> tuple[str, str]:
    """The message of the page one was sent on to, and its undo."""
    shown = client.get("/tree/").content.decode()
    text = re.search(r"<div class=\"toast\" data-toast\s*><span>(.*?)</span>", shown)
    undo = re.search(r'data-undo="([^"]+)"', shown)
    assert text is not None
    return text[1], undo[1] if undo else ""


def lines_of(html: str) -> list[str]:
    """The paths of the lines of the tree, in their order."""
    return [
        unquote(one)
        for one in re.findall(r'<a class="twig[^"]*" role="treeitem" tabindex="-1" href="/tree/([^"_]*)"', html)
    ]


# What it shows


def test_without_nodes_it_says_what_a_tree_is_and_how_one_begins(reader: Client, curator: Client) -> None:
    read, acted = page(reader), page(curator)
    assert "No Context Tree yet." in read
    assert "Import a tree" in acted and "New node" in acted
    assert "Import a tree" not in read and "New node" not in read
    assert 'href="/tree/" aria-current="page"' in read


def test_the_tree_holds_every_node_with_its_size(reader: Client, grown: spaces.Space) -> None:
    html = page(reader)
    assert lines_of(html) == ["identity", "identity/values", "infra", "infra/gpu", "infra/surrealdb", "cron"]
    assert "6 nodes, " in html and "one over 10 KB" in html
    assert "<b>values</b> · 가치관" in html
    assert "<b>gpu</b></span>" in html, "a long title has no room beside the name"
    assert len(re.findall('class="over-limit"', html)) == 1
    assert re.search(r"<span>Context Tree</span><span class=\"n\">6</span>", html)


def test_a_node_is_read_as_the_markdown_it_is(reader: Client, grown: spaces.Space) -> None:
    html = page(reader, "infra/gpu")
    assert '<h2 class="words own" lang="en">GPU: what runs where</h2>' in html
    assert "<h2>What runs where</h2>" in html and "<code>rent h100" in html
    assert html.count("GPU: what runs where") < 6, "its first heading is not said twice"
    assert '<span class="tag" lang="ko">임베딩</span>' in html
    assert re.search(r'href="/tree/infra/gpu"[^>]* aria-current="true"', html)
    assert '<li><a href="/tree/">bank</a></li><li><a href="/tree/infra">infra</a></li><li>gpu</li>' in html
    assert "History, 1 layer" in html


def test_nothing_in_a_node_can_run(reader: Client, space: spaces.Space) -> None:
    grow(
        space,
        "odd",
        title="<script>t</script>",
        text='<script>alert(1)</script> [x](javascript:1) <img src=x onerror="1">',
    )
    html = page(reader, "odd")
    assert "<script>alert" not in html and "<script>t" not in html
    assert 'href="javascript' not in html and "<img" not in html


def test_a_reader_sees_no_control_that_writes(reader: Client, curator: Client, grown: spaces.Space) -> None:
    assert "hx-post" not in page(reader, "infra/gpu") and "hx-post" not in page(reader)
    assert "hx-post" in page(curator, "infra/gpu")


def test_where_no_node_is_it_says_so_and_offers_to_make_one(curator: Client, grown: spaces.Space) -> None:
    answer = curator.get("/tree/infra/none")
    assert answer.status_code == 404
    assert "Nothing is here." in answer.content.decode() and "New node here" in answer.content.decode()


def test_over_a_boosted_link_only_the_node_is_drawn(reader: Client, grown: spaces.Space) -> None:
    answer = reader.get("/tree/infra/gpu", headers={**HTMX, "HX-Boosted": "true"})
    html = answer.content.decode()
    assert "<title>GPU: what runs where · Context Tree" in html
    assert "<article" in html and "twig" not in html and "<nav" not in html
    assert "HX-Boosted" in answer["Vary"]


def test_a_node_called_like_an_act_can_be_read(reader: Client, space: spaces.Space) -> None:
    for name in ("new", "reach", "import", "branch"):
        grow(space, name, title=f"The page {name}")
        assert f"The page {name}</h2>" in page(reader, name)


def test_a_path_of_any_letters_has_an_address(reader: Client, space: spaces.Space) -> None:
    for path in ("프로젝트/기억 도구", "a (b) c/d & e+f", "it's/1.5"):
        grow(space, path)
        html = page(reader)
        assert path in lines_of(html.replace("&amp;", "&").replace("&#x27;", "'"))
        assert reader.get(f"/tree/{path}").status_code == 200


# Lines and the memories behind them


def test_a_line_leads_to_the_memory_behind_it(reader: Client, grown: spaces.Space, write: Any) -> None:
    fact = write("Embedding runs go to the rented H100.", kind=Kind.FACT)
    tree.retain(grown, [fact.id], path="infra/gpu", actor=MINA)
    html = page(reader, "infra/gpu")
    assert re.search(rf'rented H100\. <a href="/memories/{fact.id}/"[^>]*><small>\d+ [A-Z][a-z]+</small>', html)
    assert "<dt>Memories</dt><dd>1</dd>" in html


def test_a_line_whose_memory_holds_no_more_is_struck_and_can_be_freshened(
    reader: Client, curator: Client, grown: spaces.Space, write: Any
) -> None:
    fact = write("Embedding runs go to the two A100s in Seoul.", kind=Kind.FACT)
    tree.retain(grown, [fact.id], path="infra/gpu", actor=MINA)
    review.archive(grown, [fact.id], actor=MINA)
    html = page(reader, "infra/gpu")
    assert re.search(r'<span class="was">Embedding runs[^<]*</span> <a [^>]*><small>until \d+ ', html)
    assert "Its memory was put aside." in html and "Update" not in html
    assert "Update" in page(curator, "infra/gpu")
    answer = act(curator, "freshen", "infra/gpu")
    assert changed(answer)
    assert "two A100s" not in page(reader, "infra/gpu")
    take_back(curator, told(answer)["undo"])
    assert "two A100s" in page(reader, "infra/gpu")


def test_a_memory_tells_where_it_stands_in_the_tree(reader: Client, grown: spaces.Space, write: Any) -> None:
    fact = write("The H100 price rises by 4 % in January.", kind=Kind.FACT)
    assert 'id="in-tree"' not in reader.get(f"/memories/{fact.id}/").content.decode()
    tree.retain(grown, [fact.id], path="infra/gpu", actor=MINA)
    html = reader.get(f"/memories/{fact.id}/").content.decode()
    assert re.search(
        r'href="/tree/infra/gpu">infra/gpu</a>, line \d+</span> <span class="words"[^>]*>The H100 price', html
    )
    node = nodes.at(grown.db, "infra/gpu")
    assert node is not None
    assert 'href="/tree/infra/gpu">infra/gpu</a>' in reader.get(f"/memories/{node.id}/").content.decode()


def test_what_waits_is_taken_in_or_left_out(curator: Client, grown: spaces.Space, write: Any) -> None:
    taken, left = write("The gpu idles at 22 W.", kind=Kind.FACT), write("A gpu is loud.", kind=Kind.FACT)
    html = curator.get("/tree/_/waiting/infra/gpu").content.decode()
    assert taken.id in html and left.id in html and "routed by keyword gpu" in html
    answer = act(curator, "take-in", on="infra/gpu", ids=[taken.id], path="infra/gpu")
    assert told(answer)["text"] == "Added to infra/gpu." and changed(answer)
    node = nodes.at(grown.db, "infra/gpu")
    assert node is not None and "- The gpu idles at 22 W." in node.text
    answer = act(curator, "leave-out", on="infra/gpu", ids=[left.id])
    html = curator.get("/tree/_/waiting/infra/gpu").content.decode()
    assert taken.id not in html and left.id not in html and "Nothing pending." in html
    take_back(curator, told(answer)["undo"], "infra/gpu")
    assert left.id in curator.get("/tree/_/waiting/infra/gpu").content.decode()


def test_an_empty_tree_begins_with_what_is_known(curator: Client, space: spaces.Space, write: Any) -> None:
    fact = write("Deploys stop on Friday at 16:00.", kind=Kind.FACT)
    assert fact.id in curator.get("/tree/_/waiting/").content.decode()
    answer = act(curator, "take-in", ids=[fact.id])
    assert answer["HX-Redirect"] == "/tree/"
    assert "Added to" in messages(curator)[0]
    assert "Deploys stop on Friday" in page(curator, "inbox")


# What a question reaches


def test_a_question_tells_which_nodes_it_reaches_and_why(reader: Client, grown: spaces.Space) -> None:
    answer = reader.get(
        "/tree/_/reach/",
        {"q": "임베딩은 어디서 돌려?"},
        headers={**HTMX, "HX-Current-URL": "http://testserver/tree/cron?q=old"},
    )
    html = answer.content.decode()
    assert 'data-reached="infra/gpu"' in html and "1 node, " in html
    assert re.search(r"<b lang=\"ko\">임베딩</b> was found inside\s+<span lang=\"ko\">임베딩은</span>", html)
    assert unquote(answer["HX-Replace-Url"]) == "/tree/cron?q=임베딩은+어디서+돌려?"
    assert "None: the question" in reader.get("/tree/_/reach/", {"q": "zzqq"}, headers=HTMX).content.decode()


def test_a_question_in_the_address_marks_the_lines(reader: Client, grown: spaces.Space) -> None:
    html = page(reader, "cron", q="H100?")
    assert re.findall(r'class="twig reached"[^>]*href="([^"]+)"', html) == ["/tree/infra/gpu"]
    assert "An agent that asks this gets" in html


# What a person does


def test_an_edit_is_saved_and_taken_back(curator: Client, grown: spaces.Space) -> None:
    form = curator.get("/tree/_/edit/infra/gpu", headers=HTMX).content.decode()
    version = re.search(r'name="version" value="(\d+)"', form)
    assert version is not None and "anything larger swaps." in form
    answer = act(curator, "edit", "infra/gpu", title="GPU", text="# GPU\r\n\r\n- One line.\r\n", version=version[1])
    assert told(answer)["text"] == "Saved." and changed(answer)
    node = nodes.at(grown.db, "infra/gpu")
    assert node is not None and (node.title, node.text) == ("GPU", "# GPU\n\n- One line.\n")
    assert take_back(curator, told(answer)["undo"]).status_code == 204
    node = nodes.at(grown.db, "infra/gpu")
    assert node is not None and node.text == GPU


def test_words_are_kept_where_the_node_was_changed_meanwhile(curator: Client, grown: spaces.Space) -> None:
    form = curator.get("/tree/_/edit/cron", headers=HTMX).content.decode()
    version = re.search(r'name="version" value="(\d+)"', form)
    assert version is not None
    tree.change(grown, "cron", text="- Somebody else was here.\n", actor=MINA)
    answer = act(curator, "edit", "cron", title="cron", text="- Mine.\n", version=version[1])
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "changed while you were editing" in html and "- Mine.\n</textarea>" in html and "Somebody" in html
    newer = re.search(r'name="version" value="(\d+)"', html)
    assert newer is not None and newer[1] != version[1]
    answer = act(curator, "edit", "cron", title="cron", text="- Mine.\n", version=newer[1])
    assert told(answer)["text"] == "Saved."


def test_an_edit_that_cannot_be_keeps_what_was_typed(curator: Client, grown: spaces.Space) -> None:
    answer = act(curator, "edit", "cron", title=" ", text="- Mine.\n")
    assert answer.status_code == 422
    assert "- Mine.\n</textarea>" in answer.content.decode() and 'role="alert"' in answer.content.decode()


def test_the_preview_is_what_the_page_will_show(curator: Client, grown: spaces.Space) -> None:
    answer = act(curator, "preview", "cron", title="cron", text="# cron\n\n- **bold** <script>x</script>")
    html = answer.content.decode()
    assert "<strong>bold</strong>" in html and "<script>" not in html and "<h2>cron" not in html


def test_keywords_are_replaced_as_a_whole(curator: Client, grown: spaces.Space) -> None:
    form = curator.get("/tree/_/keywords/infra/gpu", headers=HTMX).content.decode()
    assert re.findall(r'name="keywords" value="([^"]+)"', form) == ["gpu", "H100", "임베딩"]
    answer = act(curator, "keywords", "infra/gpu", keywords=["gpu", "비용", "GPU "])
    assert told(answer)["text"] == "2 keywords now."
    node = nodes.at(grown.db, "infra/gpu")
    assert node is not None and node.keywords == ("gpu", "비용")
    assert act(curator, "keywords", "infra/gpu", keywords=["x" * 70]).status_code == 422


def test_a_weight_is_saved_when_it_is_moved(curator: Client, grown: spaces.Space) -> None:
    answer = act(curator, "weight", "infra/gpu", weight="0.7")
    assert told(answer)["text"] == "gpu now has weight 0.7."
    assert act(curator, "weight", "infra/gpu", weight="9").status_code == 422
    assert act(curator, "weight", "infra/gpu", weight="much").status_code == 422
    node = nodes.at(grown.db, "infra/gpu")
    assert node is not None and node.weight == 0.7


def test_a_new_node_is_made_and_shown(curator: Client, grown: spaces.Space) -> None:
    form = curator.get("/tree/_/new/", {"under": "infra"}, headers=HTMX).content.decode()
    assert 'value="infra/"' in form
    answer = act(
        curator, "new", on="infra", path="people/mina", title="Mina", keywords="Mina, 미나", text="- Mornings.\n"
    )
    assert answer["HX-Redirect"] == "/tree/people/mina"
    said, undo = messages(curator)
    assert said == "people/mina was created."
    assert lines_of(page(curator))[-2:] == ["people", "people/mina"]
    taken = act(curator, "new", on="infra", path="people/mina", title="Again", text="")
    assert taken.status_code == 422 and 'value="Again"' in taken.content.decode()
    assert act(curator, "new", path="a//..", title="").status_code == 422
    assert take_back(curator, undo, "people/mina")["HX-Redirect"] == "/tree/people"
    assert nodes.at(grown.db, "people/mina") is None


def test_a_node_is_moved_with_what_lies_beneath_it(curator: Client, grown: spaces.Space) -> None:
    form = curator.get("/tree/_/move/infra", headers=HTMX).content.decode()
    assert "2 nodes go along." in form
    answer = act(curator, "move", "infra", on="infra/gpu", under="project", name="machines")
    assert answer["HX-Redirect"] == "/tree/project/machines/gpu"
    said, undo = messages(curator)
    assert said == "infra is now project/machines."
    assert nodes.at(grown.db, "project/machines/surrealdb") is not None
    assert take_back(curator, undo, "project/machines/gpu")["HX-Redirect"] == "/tree/infra/gpu"
    assert nodes.at(grown.db, "infra/gpu") is not None


def test_a_drag_moves_without_a_form(curator: Client, grown: spaces.Space) -> None:
    answer = act(curator, "move", "cron", on="infra/gpu", under="infra", position="0")
    assert answer.status_code == 204 and changed(answer)
    assert lines_of(page(curator)) == [
        "identity", "identity/values", "infra", "infra/cron", "infra/gpu", "infra/surrealdb",
    ]  # fmt: skip
    refused = act(curator, "move", "infra", on="infra/gpu", under="infra/gpu")
    assert refused.status_code == 422 and refused["HX-Reswap"] == "none"
    reordered = act(curator, "move", "infra/gpu", under="infra", position="2")
    assert reordered.status_code == 204 and told(reordered)["text"] == "gpu was moved."
    assert lines_of(page(curator))[3:] == ["infra/cron", "infra/surrealdb", "infra/gpu"]


def test_a_move_that_cannot_be_is_said_in_its_form(curator: Client, grown: spaces.Space) -> None:
    answer = act(curator, "move", "cron", under="infra", name="gpu")
    assert answer.status_code == 422
    assert "already" in answer.content.decode() and 'value="infra"' in answer.content.decode()


def test_a_merge_tells_what_it_would_make_and_makes_it(curator: Client, grown: spaces.Space) -> None:
    look = curator.get("/tree/_/merge/cron", {"into": "infra/gpu"}, headers=HTMX).content.decode()
    assert re.search(r"\d+ lines? go(es)? in", look)
    assert "no node at" in curator.get("/tree/_/merge/cron", {"into": "nowhere"}, headers=HTMX).content.decode()
    answer = act(curator, "merge", "cron", into="infra/gpu")
    assert answer["HX-Redirect"] == "/tree/infra/gpu"
    assert messages(curator)[0] == "cron was merged into infra/gpu."
    assert "A line of cron." in page(curator, "infra/gpu") and nodes.at(grown.db, "cron") is None


def test_a_branch_is_deleted_with_its_nodes_and_comes_back(curator: Client, grown: spaces.Space) -> None:
    answer = act(curator, "remove", "infra", on="infra/gpu")
    assert answer["HX-Redirect"] == "/tree/"
    said, undo = messages(curator)
    assert said == "infra was deleted, with 2 nodes below it."
    assert curator.get("/tree/infra/gpu").status_code == 404
    take_back(curator, undo)
    assert page(curator, "infra/gpu")


def test_a_split_is_looked_at_before_it_is_made(curator: Client, grown: spaces.Space) -> None:
    assert "Preview the split" in page(curator)
    html = curator.get("/tree/_/split/infra/surrealdb", headers=HTMX).content.decode()
    paths = re.findall(r"<td>(infra/surrealdb/[^<]+)</td>", html)
    assert len(paths) >= 2 and "Part 0" in html
    version = re.search(r'name="version" value="(\d+)"', html)
    assert version is not None
    answer = act(curator, "split", "infra/surrealdb", version=version[1])
    assert told(answer)["text"] == f"infra/surrealdb became {len(paths)} nodes." and changed(answer)
    assert set(paths) <= set(lines_of(page(curator)))
    stale = act(curator, "split", "infra/surrealdb", version=version[1])
    assert stale.status_code in (409, 412, 422)
    assert "Preview the split" in page(curator, "infra/surrealdb", split="1") or "over 10 KB" not in page(curator)


# In and out


def bank() -> bytes:
    packed = io.BytesIO()
    index = {
        "nodes": {"identity": {"title": "나", "keywords": ["나"]}, "cron": {"title": "Cron", "keywords": ["cron"]}}
    }
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mine/tree-index.json", json.dumps(index))
        archive.writestr("mine/bank/identity.md", "- 서울.\n")
        archive.writestr("mine/bank/cron.md", "- 03:00 backup.\n")
    return packed.getvalue()


def bring(client: Client, *files: tuple[str, bytes], **sent: Any) -> HttpResponse:
    some = [SimpleUploadedFile(name, data) for name, data in files]
    return act(client, "import", files=some, **sent)


def test_an_import_is_shown_before_it_is_made(curator: Client, space: spaces.Space) -> None:
    look = bring(curator, ("bank.zip", bank()), dry_run="1").content.decode()
    assert re.search(r'Added</span><b class="num">2</b>', look) and "identity" in look
    assert nodes.outline(space.db) == ()
    assert bring(curator, ("bank.zip", bank()))["HX-Redirect"] == "/tree/"
    said, undo = messages(curator)
    assert said == "Imported: 2 added."
    assert set(lines_of(page(curator))) == {"identity", "cron"}
    again = bring(curator, ("bank.zip", bank()), dry_run="1").content.decode()
    assert "no changes" in again
    take_back(curator, undo)
    assert "No Context Tree yet." in page(curator)


def test_a_folder_is_imported_by_the_paths_its_files_had(curator: Client, space: spaces.Space) -> None:
    files = (("values.md", b"# Values\n\n- Honest.\n"), ("gpu.md", b"- H100.\n"))
    paths = json.dumps(["notes/bank/identity/values.md", "notes/bank/infra/gpu.md"])
    bring(curator, *files, paths=paths)
    assert {"identity/values", "infra/gpu"} <= set(lines_of(page(curator)))


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [("x.zip", b"no zip", "zip"), ("x.png", b"\x89PNG", "markdown"), ("tree-index.json", b"{", "JSON")],
    ids=["zip", "picture", "index"],
)
def test_what_cannot_be_imported_is_said_in_words(
    curator: Client, space: spaces.Space, name: str, data: bytes, says: str
) -> None:
    answer = bring(curator, (name, data), dry_run="1")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode() and says in answer.content.decode()


def test_nothing_chosen_is_said(curator: Client, space: spaces.Space) -> None:
    assert "No file was chosen." in act(curator, "import", dry_run="1").content.decode()


def test_an_export_is_a_zip_of_the_bank(reader: Client, curator: Client, grown: spaces.Space) -> None:
    for answer in (reader.get("/tree/_/export/"), curator.post("/tree/_/export/")):
        assert "-tree.zip" in answer["Content-Disposition"]
        with zipfile.ZipFile(io.BytesIO(b"".join(answer) if answer.streaming else answer.content)) as archive:
            assert archive.read("bank/infra/gpu.md").decode() == GPU
            assert "tree-index.json" in archive.namelist()


# Large and old


def many(space: spaces.Space, paths: list[str]) -> None:
    now = space.clock()
    made = [new_node(path, title=path, text=f"# {path}\n", now=now, position=n) for n, path in enumerate(paths)]
    for start in range(0, len(made), 300):
        write_nodes(space, new_run("import", MINA, now=now), created=made[start : start + 300])


@pytest.mark.long
def test_a_page_of_two_thousand_nodes_stays_small(reader: PageClient, curator: PageClient, space: spaces.Space) -> None:
    words = "정체성과 가치관에 대한 아주 긴 이름"
    paths = [f"{words} {a}/{words} {b}/{c}" for a in range(10) for b in range(10) for c in range(19)]
    above = {f"{words} {a}" for a in range(10)} | {f"{words} {a}/{words} {b}" for a in range(10) for b in range(10)}
    many(space, [*sorted(above), *paths])
    tree.change(space, paths[-1], text="- a\n" * 49_000, actor=MINA)
    for client, path in ((reader, ""), (curator, paths[0]), (curator, paths[-1])):
        html = page(client, path)
        assert client.weight < 25_000
        if path:
            assert path in lines_of(html)
    deep = reader.get("/tree/_/branch/", {"of": f"{words} 3/{words} 4"}).content.decode()
    assert len(lines_of(deep)) == 19


def test_a_wide_branch_comes_in_parts(reader: Client, space: spaces.Space) -> None:
    many(space, [f"day-{n:04d}" for n in range(260)])
    html = page(reader, "day-0200")
    assert 60 < len(lines_of(html)) < 110 and "day-0200" in lines_of(html), "where one stands is there at once"
    seen = set(lines_of(html))
    more = re.search(r'href="(/tree/_/branch/[^"]+)" data-more', html)
    while more:
        html = reader.get(more[1].replace("&amp;", "&")).content.decode()
        seen |= set(lines_of(html))
        more = re.search(r'href="(/tree/_/branch/[^"]+)" data-more', html)
    assert len(seen) == 260


def test_another_day_is_read_only_and_in_its_own_words(curator: Client, grown: spaces.Space) -> None:
    node = nodes.at(grown.db, "cron")
    assert node is not None
    then = (node.memory.updated_at + timedelta(milliseconds=1)).isoformat()
    tree.change(grown, "cron", text="- Newer words.\n", title="Newer", actor=MINA)
    grow(grown, "later")
    now, was = page(curator, "cron"), page(curator, "cron", as_of=then)
    assert "Newer words." in now and "later" in lines_of(now)
    assert "A line of cron." in was and "Newer words" not in was and "later" not in lines_of(was)
    assert '<h2 class="words own" lang="en">cron</h2>' in was
    assert "what was believed then" in was and "hx-post" not in was and "Back to now" in was


def test_a_deleted_node_is_no_part_of_the_count(reader: Client, curator: Client, grown: spaces.Space) -> None:
    act(curator, "remove", "cron", on="infra/gpu")
    assert "5 nodes, " in page(reader)
    held: Memory | None = nodes.whatever_at(grown.db, "cron")
    assert held is not None and held.state is State.DELETED


@pytest.mark.parametrize(
    ("name", "title", "told"),
    [("values", "가치관", "가치관"), ("values", "values · 가치관", "가치관"), ("gpu", "GPU", ""), ("a", "A" * 200, "")],
    ids=["other", "both", "same", "long"],
)
def test_beside_a_name_stands_what_its_title_says_else(name: str, title: str, told: str) -> None:
    assert beside_name(name, title) == told

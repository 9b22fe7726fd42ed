"""Two web processes on one store: what is done through one holds at the next request to the other, which had asked
before and keeps answers, indexes and settings of its own in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from memoryapp.domain.identity import new_id
from tests.live import use_link
from tests.server.cluster import Cluster, Web

pytestmark = [pytest.mark.server, pytest.mark.long]


@pytest.fixture
def webs(cluster: Cluster) -> Iterator[tuple[Web, Web]]:
    """Both, in a new space."""
    one, two = cluster.webs
    space = f"a-{new_id()}"
    assert one.api.post("/spaces", json={"name": space}).status_code == 201
    for web in (one, two):
        web.api.headers["X-Space"] = space
    yield one, two
    for web in (one, two):
        del web.api.headers["X-Space"]


def sent(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


def write(web: Web, text: str, **more: Any) -> str:
    key: str = sent(web.api.post("/memories", json={"text": text, **more}))["id"]
    return key


def test_what_is_written_edited_deleted_and_restored_is_so_at_the_next_query(webs: tuple[Web, Web]) -> None:
    for here, there in (webs, webs[::-1]):
        assert not any("otter" in text for text in there.found("otter towpath"))
        key = write(here, "An otter crossed the towpath.")
        assert there.found("otter towpath") == ["An otter crossed the towpath."]
        sent(here.api.patch(f"/memories/{key}", json={"text": "A badger crossed the towpath."}))
        assert there.found("otter towpath") == ["A badger crossed the towpath."]
        assert sent(there.api.get(f"/memories/{key}"))["text"] == "A badger crossed the towpath."
        sent(here.api.delete(f"/memories/{key}"))
        assert there.found("otter towpath") == []
        sent(here.api.post(f"/memories/{key}/restore"))
        assert there.found("otter towpath") == ["A badger crossed the towpath."]
        sent(here.api.delete(f"/memories/{key}"))


def test_what_is_purged_through_one_is_shown_by_neither(webs: tuple[Web, Web]) -> None:
    one, _two = webs
    key = write(one, "The heronry password is lapwing.", title="Lapwing")
    for web in webs:
        assert web.found("heronry password") == web.found("heronry password") != []
        assert "lapwing" in web.api.get("/memories").text
    sent(one.api.post(f"/memories/{key}/purge", json={"reason": "asked to"}))
    for web in webs:
        assert web.found("heronry password") == []
        assert web.api.get(f"/memories/{key}").status_code == 404
        for address in ("/memories", "/entities", "/audit", f"/memories/{key}/revisions"):
            assert "lapwing" not in web.api.get(address).text.lower()


def test_a_change_of_what_was_changed_meanwhile_through_the_other_is_refused(webs: tuple[Web, Web]) -> None:
    one, two = webs
    key = write(one, "The weir opens at six.")
    read = two.api.get(f"/memories/{key}").headers["ETag"]
    sent(one.api.patch(f"/memories/{key}", json={"text": "The weir opens at seven."}))
    late = two.api.patch(f"/memories/{key}", json={"text": "The weir opens at five."}, headers={"If-Match": read})
    assert late.status_code == 412
    assert two.found("weir opens") == ["The weir opens at seven."]


def test_one_idempotency_key_sent_to_both_writes_once(webs: tuple[Web, Web]) -> None:
    once = {"Idempotency-Key": new_id()}
    keys = [sent(web.api.post("/memories", json={"text": "Seven swans."}, headers=once))["id"] for web in webs]
    assert keys[0] == keys[1]
    assert webs[0].found("seven swans") == ["Seven swans."]


def test_a_node_grown_and_moved_in_the_tree_is_where_it_was_put(webs: tuple[Web, Web]) -> None:
    one, two = webs
    assert sent(two.api.get("/tree"))["items"] == []
    sent(one.api.post("/tree", json={"path": "river/locks", "text": "# Locks\nThe upper lock is manned.\n"}))
    assert "manned" in two.found("upper lock", strategy="context-tree")[0]
    sent(one.api.post("/tree/move", json={"path": "river/locks", "to": "canal/locks"}))
    assert two.api.get("/tree/nodes/river/locks").status_code == 404
    assert sent(two.api.get("/tree/nodes/canal/locks"))["text"].startswith("# Locks")


def test_entities_renamed_and_merged_are_so_to_both(webs: tuple[Web, Web]) -> None:
    one, two = webs
    atoms = "(prefers :subject Alice :object Vim)\n(prefers :subject Bob :object Neovim)"
    sent(one.api.post("/memories", json={"atoms": atoms}))
    names = {item["name"]: item["id"] for item in sent(two.api.get("/entities"))["items"]}
    sent(one.api.patch(f"/entities/{names['Alice']}", json={"name": "Alicia"}))
    assert sent(two.api.get(f"/entities/{names['Alice']}"))["name"] == "Alicia"
    merged = {"keep": names["Vim"], "gone": [names["Neovim"]]}
    sent(one.api.post("/entities/merge", json=merged))
    assert [item["name"] for item in sent(two.api.get(f"/entities/{names['Vim']}"))["merged"]] == ["Neovim"]
    assert two.api.post("/entities/merge", json=merged).status_code in (200, 409)  # done already, not done again
    assert len(sent(two.api.get(f"/entities/{names['Vim']}"))["merged"]) == 1


def test_settings_of_the_space_hold_for_the_next_query_of_the_other(webs: tuple[Web, Web]) -> None:
    one, two = webs
    write(one, "The ferry leaves at noon.")
    asked = {"query": "When does the ferry leave?"}
    (before,) = sent(two.api.post("/search", json=asked))["items"]
    space = one.api.headers["X-Space"]
    sent(one.api.patch(f"/spaces/{space}", json={"settings": {"vector_weight": 0.0}}))
    (after,) = sent(two.api.post("/search", json=asked))["items"]
    assert before["arms"]["vector"]["share"] > 0
    assert after["arms"].get("vector", {"share": 0})["share"] == 0
    (told,) = [item for item in sent(two.api.get("/spaces"))["items"] if item["name"] == space]
    assert told["settings"] == {"vector_weight": 0.0}


def test_profiles_and_golden_queries_are_shared(webs: tuple[Web, Web]) -> None:
    one, two = webs
    key = write(one, "The queue moved to Redis.")
    asked = {"query": "queue", "strategy": "careful"}
    assert two.api.post("/search", json=asked).status_code == 422
    sent(one.api.put("/profiles/careful", json={"plan": "hybrid;factors=trust"}))
    assert set(sent(two.api.post("/search", json=asked))["items"][0]["factors"]) == {"trust"}
    sent(one.api.put("/profiles/careful", json={"plan": "hybrid;factors=feedback"}))
    assert set(sent(two.api.post("/search", json=asked))["items"][0]["factors"]) == {"feedback"}
    golden = sent(one.api.post("/golden", json={"query": "Where is the queue?", "relevant": [key]}))["golden"]
    assert [item["id"] for item in sent(two.api.get("/golden"))["items"]] == [golden["id"]]


def test_a_key_and_a_login_made_through_one_open_the_other_until_they_are_taken_back(webs: tuple[Web, Web]) -> None:
    one, two = webs
    made = sent(one.api.post("/keys", json={"name": "a reader", "role": "reader"}))
    with httpx.Client(headers={"Authorization": f"Bearer {made['key']}"}, trust_env=False, timeout=30) as other:
        assert other.get(f"{two.url}/api/v1/stats").status_code == 200
        sent(one.api.delete(f"/keys/{made['id']}"))
        assert other.get(f"{two.url}/api/v1/stats").status_code == 401
    people = sent(one.api.get("/people"))["items"]
    link = httpx.URL(sent(one.api.post(f"/people/{people[0]['name']}/login-link"))["url"])
    with httpx.Client(trust_env=False, timeout=30) as browser:
        assert use_link(browser, f"{one.url}{link.path}").is_redirect
        cookies = dict(browser.cookies)
        assert browser.get(f"{one.url}/").status_code == 200
    with httpx.Client(cookies=cookies, trust_env=False, timeout=30) as browser:
        assert browser.get(f"{two.url}/").status_code == 200

from __future__ import annotations

import pytest

from memoryapp.domain.clock import utc_now
from memoryapp.domain.identity import new_id
from memoryapp.domain.node import new_node
from memoryapp.spaces import Space
from memoryapp.store.write import Batch, commit, new_run
from tests.api.conftest import Agent
from tests.samples import AGENT

TEXT = "# 가치관\n\n- 정직하게 말한다.\n"


@pytest.fixture
def node(memory: Space) -> str:
    """The id of identity/values, in a tree of three."""
    now = utc_now()
    made = [
        new_node("identity", title="Identity", text=None, now=now),
        new_node("identity/values", title="가치관", text=TEXT, now=now, keywords=["가치관", "values"]),
        new_node("infra/gpu", title="GPU", text="# GPU\n", now=now, keywords=["gpu"]),
    ]
    commit(memory.db, new_run("import", AGENT, now=now), Batch(created=made), now=now)
    return made[1].id


def test_the_nodes_reached_come_with_their_matches_and_what_would_be_loaded(reader: Agent, node: str) -> None:
    answer = reader.post("/tree/reach", {"question": "가치관이 뭐야?"})
    assert answer.status_code == 200
    told = answer.json()
    assert told["items"] == [
        {
            "id": node,
            "path": "identity/values",
            "title": "가치관",
            "score": 1.0,
            "own": True,
            "via": "identity/values",
            "matches": [{"word": "가치관이", "keyword": "가치관", "how": "equal", "grade": 1.0}],
            "size": len(TEXT.encode()),
            "loaded": True,
        }
    ]
    assert told["lit"] == ["identity", "identity/values"]
    assert (told["bytes_loaded"], told["bytes_bank"]) == (len(TEXT.encode()), len(TEXT.encode()) + len("# GPU\n"))


def test_a_question_that_reaches_nothing_and_a_space_without_a_tree(reader: Agent, node: str) -> None:
    told = reader.post("/tree/reach", {"question": "kettles"}).json()
    assert (told["items"], told["lit"], told["bytes_loaded"]) == ([], [], 0)


@pytest.mark.parametrize("body", [{}, {"question": ""}, {"question": " \n"}, {"question": "x", "top_k": 3}])
def test_a_question_that_is_none_is_refused(reader: Agent, body: dict[str, str]) -> None:
    assert reader.post("/tree/reach", body).status_code == 422


def test_a_hit_that_is_a_node_says_where_it_stands(reader: Agent, node: str) -> None:
    (hit,) = reader.post("/search", {"query": "가치관이 뭐야?", "strategy": "context-tree"}).json()["items"]
    assert hit["node"] == {"path": "identity/values", "size": len(TEXT.encode()), "keywords": ["가치관", "values"]}
    assert hit["evidence"]["reached"]["matches"][0]["how"] == "equal"
    assert hit["text"] == TEXT


def test_a_hit_of_another_kind_has_no_node(writer: Agent) -> None:
    writer.write(f"We moved the queue {new_id()}.")
    assert writer.post("/search", {"query": "queue"}).json()["items"][0]["node"] is None

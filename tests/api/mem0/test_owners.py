"""What one owner says stays its own, however alike another's words are: by mem0's client, in one space."""

from __future__ import annotations

from typing import Any

from tests.api.mem0.conftest import Place


def test_owners_who_say_the_same_each_keep_it_and_contradict_nobody_but_themselves(client: Any, place: Place) -> None:
    place.ask("PATCH", f"/spaces/{place.space}", json={"settings": {"conflict_policy": "auto"}})
    said = [{"role": "user", "name": "Sam", "content": "I live in Seoul. I like tea."}]
    other = [{"role": "user", "name": "Sam", "content": "I live in Busan. I like tea."}]
    owners = (
        {"user_id": "u1"},
        {"user_id": "u2"},
        {"user_id": "u1", "agent_id": "planner"},
        {"user_id": "u1", "run_id": "7"},
    )
    for n, owner in enumerate(owners):
        events = [one["event"] for one in client.add(other if n % 2 else said, **owner)["results"]]
        assert events == ["ADD", "ADD"], owner
    for owner in owners:
        alone = {"AND": [owner, *({name: None} for name in ("agent_id", "run_id") if name not in owner)]}
        assert client.get_all(filters=alone)["count"] == 2, owner
    assert place.ask("GET", "/conflicts?status=automatic")["items"] == []
    assert [one["event"] for one in client.add(said, user_id="u1")["results"]] == ["NONE", "NONE"]
    assert "DELETE" in [one["event"] for one in client.add(other, user_id="u1")["results"]]
    assert client.get_all(filters={"user_id": "u2"})["count"] == 2

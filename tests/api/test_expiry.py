"""`expires_at` and `review_at` over HTTP."""

from __future__ import annotations

from tests.api.conftest import Agent

PAST, FAR = "2020-01-31T00:00:00Z", "2099-01-31T00:00:00Z"


def test_what_has_expired_is_written_and_not_found(writer: Agent) -> None:
    over = writer.write(text="The guest password was on the fridge.", expires_at=PAST)
    good = writer.write(text="The guest book is on the fridge.", expires_at=FAR, review_at=PAST)
    assert (over["expires_at"], over["review_at"]) == (PAST, None)
    hits = writer.post("/search", {"query": "on the fridge"}).json()["items"]
    assert [one["id"] for one in hits] == [good["id"]]
    why = writer.post("/search/explain", {"query": "on the fridge", "id": over["id"]}).json()["items"][0]
    assert ("It expired 31 Jan 2020.", False) in [(step["told"], step["passed"]) for step in why["steps"]]


def test_due_reviews_are_listed_and_an_edit_moves_them(writer: Agent, curator: Agent) -> None:
    one = writer.write(text="The rent is 900.", review_at=PAST)
    writer.write(text="The lease ends in 2030.", review_at=FAR)
    due = "/memories?review_before=2026-01-01T00:00:00Z"
    assert [item["id"] for item in writer.get(due).json()["items"]] == [one["id"]]
    curator.patch(f"/memories/{one['id']}", {"review_at": None})
    assert writer.get(due).json()["items"] == []
    assert writer.post("/memories", {"text": "x", "expires_at": "soon"}).status_code == 422

from __future__ import annotations

from typing import Any

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.integrity import INVARIANTS


def test_a_whole_space_says_so_with_every_invariant(admin: Any, space: Space) -> None:
    admin.post("/memories", {"text": "Mara likes tea.", "kind": "fact"})
    answer = admin.get("/integrity")
    assert answer.status_code == 200
    told = answer.json()
    assert told["sound"] and told["broken"] == [] and told["memories"] == 1
    assert [one["name"] for one in told["invariants"]] == [one.name for one in INVARIANTS]
    assert all(one["holds"] for one in told["invariants"])


def test_what_is_broken_is_named(admin: Any, space: Space) -> None:
    key = admin.post("/memories", {"text": "Mara likes tea.", "kind": "fact"}).json()["id"]
    open_row(space).db.query("DELETE embedding RETURN NONE")
    told = admin.get("/integrity?only=vectors,standing").json()
    assert not told["sound"]
    assert {one["name"]: one["holds"] for one in told["invariants"]} == {"vectors": False, "standing": True}
    assert [(one["invariant"], one["record"]) for one in told["broken"]] == [("vectors", f"memory:{key}")]


def test_an_invariant_that_is_none_is_named_in_the_refusal(admin: Any, space: Space) -> None:
    answer = admin.get("/integrity?only=beauty")
    assert answer.status_code == 422 and "beauty" in answer.json()["detail"] and answer.json()["field"] == "only"


def test_only_an_administrator_may_ask(curator: Any, space: Space) -> None:
    assert curator.get("/integrity").status_code == 403

"""What mem0's client is told where something cannot be: in the exceptions it knows, with a sentence that helps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from mem0 import MemoryClient
from mem0.exceptions import AuthenticationError, MemoryError, MemoryNotFoundError, ValidationError

from tests.api.mem0.conftest import Place, a_place
from tests.live import Live


@pytest.fixture(scope="module")
def refused(live: Live) -> Any:
    """One client for all that is refused: nothing of it changes anything."""
    return a_place(live).client()


def test_a_key_that_is_not_valid_is_refused_when_the_client_is_made(live: Live) -> None:
    with pytest.raises(ValueError, match="This key is not valid"):
        MemoryClient(api_key="m0-wrong", host=live.url)


def test_each_role_does_what_it_may(place: Place) -> None:
    reader, writer = place.client("reader"), place.client("writer")
    with pytest.raises(AuthenticationError, match="role of a writer"):
        reader.add("I like tea.", user_id="mina")
    (one,) = writer.add("I like tea.", user_id="mina")["results"]
    assert reader.get(one["id"])["memory"] == "Mina likes tea."
    for act in (
        lambda: writer.update(one["id"], text="Mina likes coffee."),
        lambda: writer.delete(one["id"]),
        lambda: writer.delete_all(user_id="mina"),
        lambda: writer.delete_users(user_id="mina"),
        lambda: writer.batch_delete([{"memory_id": one["id"]}]),
    ):
        with pytest.raises(AuthenticationError, match="role of a curator"):
            act()
    assert reader.get(one["id"])["memory"] == "Mina likes tea."


@pytest.mark.parametrize(
    ("ask", "error", "said"),
    [
        (lambda c: c.get_all(), ValidationError, "Say whose memories"),
        (lambda c: c.search("tea"), ValidationError, "Say whose memories"),
        (lambda c: c.search("tea", filters={"metadata": {"a": 1}}), ValidationError, "Say whose memories"),
        (lambda c: c.delete_all(), ValidationError, "Say whose memories"),
        (lambda c: c.add("I like tea."), ValidationError, "Say whose memory"),
        (lambda c: c.add("I like tea.", user_id="*"), ValidationError, "nobody is called so"),
        (lambda c: c.add("", user_id="mina"), ValidationError, "no text"),
        (lambda c: c.add("I like tea.", user_id="m", metadata={"a": [2**64]}), ValidationError, "64 bits"),
        (lambda c: c.add("Tea.", user_id="mina", expiration_date="soon"), ValidationError, "is a date such as"),
        (lambda c: c.get_all(filters={"userid": "mina"}), ValidationError, "no filter “userid”"),
        (lambda c: c.get_all(filters={"user_id": {"like": "m"}}), ValidationError, "not by “like”"),
        (lambda c: c.get_all(filters={"user_id": "m", "created_at": {"gt": "x"}}), ValidationError, "cannot be asked"),
        (lambda c: c.get_all(filters={"user_id": "m"}, page=0), ValidationError, "page"),
        (lambda c: c.get("0" * 16), MemoryNotFoundError, "no memory"),
        (lambda c: c.get("no such id"), MemoryNotFoundError, "no memory"),
        (lambda c: c.history("0" * 16), MemoryNotFoundError, "no memory"),
        (lambda c: c.update("0" * 16, text="x"), MemoryNotFoundError, "no memory"),
        (lambda c: c.delete("0" * 16), MemoryNotFoundError, "no memory"),
        (lambda c: c.delete_users(user_id="nobody"), MemoryNotFoundError, "no user called"),
        (lambda c: c.feedback("0" * 16, feedback="POSITIVE"), MemoryNotFoundError, "no memory"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_sentence(
    refused: Any, ask: Callable[[Any], Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said) as raised:
        ask(refused)
    assert not str(raised.value).startswith("{")  # the sentence, not the body


@pytest.mark.parametrize(
    ("ask", "instead"),
    [
        (lambda c: c.create_memory_export(schema="{}"), "/api/v1/export"),
        (lambda c: c.get_memory_export(), "/api/v1/export"),
        (lambda c: c.get_summary(), "/api/v1/summaries"),
        (lambda c: c.get_profile("mina"), "/api/v1/context"),
        (lambda c: c.generate_profile("mina"), "/api/v1/context"),
        (lambda c: c.get_profile_settings(), "/api/v1/context"),
        (lambda c: c.update_profile_settings(enabled=True), "/api/v1/context"),
        (lambda c: c.sample_profiles(), "/api/v1/context"),
        (lambda c: c.get_profile_job("1"), "/api/v1/context"),
        (lambda c: c.get_project(), "/api/v1/spaces"),
        (lambda c: c.update_project(custom_instructions="x"), "/api/v1/spaces"),
        (lambda c: c.project.get(), "/api/v1/spaces"),
        (lambda c: c.project.update(custom_instructions="x"), "/api/v1/spaces"),
        (lambda c: c.project.get_members(), "/api/v1/spaces"),
        (lambda c: c.get_webhooks("p"), "/api/v1/audit"),
        (lambda c: c.create_webhook("http://x", "x", "p", ["memory_add"]), "/api/v1/audit"),
        (lambda c: c.update_webhook(1, name="x"), "/api/v1/audit"),
        (lambda c: c.delete_webhook(1), "/api/v1/audit"),
    ],
)  # fmt: skip
def test_what_has_no_place_here_names_what_to_use_instead(
    refused: Any, ask: Callable[[Any], Any], instead: str
) -> None:
    with pytest.raises(MemoryError, match=instead) as raised:
        ask(refused)
    assert raised.value.error_code == "HTTP_501"


def test_openais_shape_beside_it_still_answers(live: Live) -> None:
    headers = {"Authorization": f"Token {live.key}"}
    with httpx.Client(base_url=live.url, headers=headers, trust_env=False) as asked:
        assert asked.post("/v1/embeddings", json={"input": "tea"}).status_code == 200
        unknown = asked.get("/v1/nothing")
    assert unknown.status_code == 404
    assert unknown.json()["error"]["type"] == "invalid_request_error"

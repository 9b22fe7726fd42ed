from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from memoryapp import spaces
from memoryapp.context import prompt_context
from memoryapp.domain.memory import Kind, Memory
from memoryapp.store import usage
from tests.pages.talking import HTMX, told

PART = {**HTMX, "HX-Target": "given"}

Write = Callable[..., Memory]


def given(page: str) -> str:
    """The text as a reader would copy it."""
    (shown,) = re.findall(r'id="given-text"[^>]*>(.*?)</pre>', page, re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", shown))


def test_before_a_message_the_page_tells_what_an_agent_is_given(reader: Client, space: spaces.Space) -> None:
    page = reader.get("/context/").content.decode()
    assert "Type a message" in page
    assert "1,500 tokens" in page


def test_the_text_is_letter_by_letter_what_an_agent_gets(reader: Client, space: spaces.Space, write: Write) -> None:
    fact = write("Deploys stop on Friday at 16:00 & start <again> on Monday.", kind=Kind.FACT)
    told(space, "We decided to move the database to Postgres 16.", "I live in Busan.")
    page = reader.get("/context/", {"m": "When do deploys stop?"}).content.decode()
    found = prompt_context(space, "When do deploys stop?")
    assert given(page) == found.text
    assert f'<a href="/memories/{fact.id}/">[' in page
    assert f"{found.tokens} of 1,500" in page
    for layer in found.layers:
        assert f'<td class="num">{layer.tokens}</td>' in page


def test_looking_does_not_count_as_a_recall(reader: Client, space: spaces.Space, write: Write) -> None:
    fact = write("Deploys stop on Friday at 16:00.", kind=Kind.FACT)
    reader.get("/context/", {"m": "When do deploys stop?"})
    assert not usage.get_many(space.db, [fact.id]).get(fact.id)


def test_a_smaller_budget_leaves_out_and_says_so(reader: Client, space: spaces.Space, write: Write) -> None:
    for name in ("billing", "search", "mail", "login", "maps"):
        write(f"Deploys of the {name} service stop on Friday because nobody is there.", kind=Kind.FACT)
    budget = str(prompt_context(space, "When do deploys stop?").tokens - 1)
    page = reader.get("/context/", {"m": "When do deploys stop?", "budget": budget}, headers=PART).content.decode()
    assert "1 left out for lack of room" in page
    assert len(re.findall(r"^\[\d\]", given(page), re.MULTILINE)) == 4
    assert "<html" not in page
    nothing = reader.get("/context/", {"m": "When do deploys stop?", "budget": "5"}, headers=HTMX).content.decode()
    assert "The context would be empty." in nothing
    assert "The budget of 5 tokens" in nothing
    assert "<html" in nothing  # what is asked for when a reader goes back


def test_layers_and_the_number_of_facts_are_chosen(reader: Client, space: spaces.Space, write: Write) -> None:
    for n in range(4):
        write(f"Deploys of service number {n} stop on Friday.", kind=Kind.FACT)
    one = reader.get("/context/", {"m": "deploys", "facts": "1", "layer": "facts"}).content.decode()
    assert given(one).count("Deploys of service") == 1
    assert "Experiences</h2>" not in one


def test_as_of_tells_what_was_believed_then(reader: Client, space: spaces.Space, write: Write) -> None:
    write("Deploys stop on Friday.", kind=Kind.FACT)
    then = (timezone.localtime() - timedelta(days=30)).strftime("%Y-%m-%dT%H:%M")
    page = reader.get("/context/", {"m": "When do deploys stop?", "as_of": then}).content.decode()
    assert "what was believed then" in page
    assert "The context would be empty." in page


def test_the_call_is_quoted_for_a_shell(reader: Client, space: spaces.Space) -> None:
    page = reader.get("/context/", {"m": "Mina's $HOME `id`?", "budget": "300"}).content.decode()
    (call,) = re.findall(r'id="given-curl"[^>]*>(.*?)</pre>', page, re.DOTALL)
    import json
    import shlex

    words = shlex.split(html.unescape(call).replace("\\\n", " "))
    assert words[1].endswith("/api/v1/context")
    assert json.loads(words[-1]) == {"message": "Mina's $HOME `id`?", "budget": 300}
    assert f"X-Space: {space.name}" in words


def test_what_cannot_be_is_refused(reader: Client, space: spaces.Space) -> None:
    for asked in ({"budget": "-1"}, {"budget": "much"}, {"facts": "1000"}, {"layer": "gossip"}, {"as_of": "then"}):
        assert reader.get("/context/", {"m": "x", **asked}).status_code == 422

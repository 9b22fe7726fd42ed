"""Settings → API keys shows how an agent is connected, with the new key where there is one."""

from __future__ import annotations

import html
import json
import re

from django.test import Client

from memoryapp.accounts.models import Space


def shown(page: str, name: str) -> str:
    found = re.search(rf'<code id="{name}">(.*?)</code>', page)
    assert found
    return html.unescape(found[1])


def test_what_is_shown_can_be_pasted(admin: Client, row: Space) -> None:
    page = admin.get("/settings/keys/").content.decode()
    command = "claude mcp add --transport http palimpsest http://testserver/mcp --header "
    assert shown(page, "connect-code") == command + '"Authorization: Bearer pal_…"'
    server = json.loads(shown(page, "connect-json"))["mcpServers"]["palimpsest"]
    assert server == {"url": "http://testserver/mcp", "headers": {"Authorization": "Bearer pal_…"}}
    assert f"http://testserver/mcp/{row.name}" in page


def test_a_new_key_is_put_in_once(admin: Client, row: Space) -> None:
    page = admin.post("/settings/keys/", {"name": "atlas", "role": "curator"}).content.decode()
    key = shown(page, "secret")
    assert f"Bearer {key}" in shown(page, "connect-code") and f"Bearer {key}" in shown(page, "connect-json")
    assert page.count('id="connect-code"') == 1
    assert key not in admin.get("/settings/keys/").content.decode()

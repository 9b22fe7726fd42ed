"""What stands around every page."""

from __future__ import annotations

import re

from django.test import Client

from memoryapp.accounts.models import Membership, Space
from memoryapp.domain.identity import new_id


def switcher(client: Client, space: Space) -> tuple[list[str], str]:
    html = client.get("/summaries/", {"space": space.name}).content.decode()
    menu = html[html.index('id="spaces"') :].partition("</ul>")[0]
    return re.findall(r"\?space=([^\"]+)\"", menu), menu


def test_the_switcher_names_the_present_space_however_many_there_are(admin: Client, row: Space) -> None:
    named, _ = switcher(admin, row)
    assert named == [row.name]


def test_with_many_spaces_the_present_one_comes_first_and_the_rest_are_counted(
    admin: Client, row: Space, people: object
) -> None:
    person = Membership.objects.filter(space=row, role="admin").get().user
    for n in range(60):
        made = Space.objects.create(name=f"0-{n:02}-{new_id()[:6]}")
        Membership.objects.create(user=person, space=made, role="reader")
    named, menu = switcher(admin, row)
    assert len(named) == 50 and named[0] == row.name
    assert "11 more spaces" in menu

"""The command palette's answers: what is offered, what is found, and what each role may do."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from memoryapp import spaces
from memoryapp.accounts.models import Membership, Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.interfaces.pages.navigation import sections
from memoryapp.review import delete
from tests.pages.conftest import ATLAS

HTMX = {"HX-Request": "true"}
Write = Callable[..., Memory]


def groups(client: Client, **asked: object) -> dict[str, list[tuple[str, str]]]:
    """By heading: (words, address or act) of each option."""
    html = client.get("/palette/", asked, headers=HTMX).content.decode()
    found = {}
    for group in html.split('role="group"')[1:]:
        name = re.search(r"<h3[^>]*>([^<]*)</h3>", group)
        assert name is not None
        options = re.findall(
            r'<(?:a|button)\s[^>]*?(?:href|data-does)="([^"]*)"[^>]*>(.*?)</(?:a|button)>', group, re.S
        )
        plain = [(" ".join(re.sub(r"<[^>]+>", "", words).split()), to) for to, words in options]
        found[name[1].replace("&amp;", "&")] = plain
    return found


def test_while_nothing_is_typed_what_was_opened_and_learned_last_comes_first(curator: Client, write: Write) -> None:
    old, new = write("The heron stands in the reeds."), write("Deploys stop on Friday.", kind=Kind.FACT)
    found = groups(curator, recent=[f"memory:{old.id}", "memory:0123456789abcdef", "memory:nonsense"])
    assert list(found) == ["Opened lately", "Learned last", "Actions", "Pages"]
    assert [to for _, to in found["Opened lately"]] == [f"/memories/{old.id}/"]
    assert [to for _, to in found["Learned last"]] == [f"/memories/{new.id}/"], "what was opened stands once"


def test_what_is_deleted_is_no_longer_offered(curator: Client, space: spaces.Space, write: Write) -> None:
    gone = write("The heron stands in the reeds.")
    write("Deploys stop on Friday.")
    delete(space, [gone.id], actor=ATLAS)
    assert "heron" not in str(groups(curator, recent=[f"memory:{gone.id}"]))


def test_facts_memories_and_entities_are_found_while_one_types(curator: Client, write: Write) -> None:
    fact = write("Mina keeps the staging bucket in Seoul.", kind=Kind.FACT)
    note = write("The staging bucket is emptied on Mondays.")
    found = groups(curator, q="staging bucket")
    assert found["Search"] == [("Search for “staging bucket”", "/search/?q=staging+bucket")]
    assert fact.id in str(found["Facts"]) and note.id in str(found["Memories"])
    entity = curator.post("/entities/add/", {"name": "Vega", "type": "project"}, headers=HTMX)["HX-Redirect"]
    assert entity in [to for _, to in groups(curator, q="veg")["Entities"]]


def test_pages_and_acts_are_found_by_their_names_and_other_words(curator: Client, write: Write) -> None:
    write("Something.")
    assert ("Consolidate Ingest", "/consolidate/") in groups(curator, q="digests")["Go to"]
    assert groups(curator, q="theme")["Go to"] == [("Switch light and dark", "theme")]
    assert groups(curator, q="new fact")["Go to"][0] == ("New fact", "/facts/#write")
    ingest = [to for _, to in groups(curator, q="ingest")["Go to"]]
    assert ingest[0] == "/ingest/" and len(ingest) == len(set(ingest)), "an act that leads to a page stands once"
    assert "Go to" not in groups(curator, q="zzqx")


@pytest.mark.parametrize(
    ("role", "may", "may_not"),
    [
        (Role.READER, ["theme", "keys", "sign-out"], ["/facts/#write", "/ingest/", "/settings/keys/"]),
        (Role.WRITER, ["/facts/#write", "/sessions/#begin"], ["/ingest/", "/conflicts/", "/settings/keys/"]),
        (Role.CURATOR, ["/facts/#write", "/ingest/", "/consolidate/"], ["/settings/keys/", "/demo/"]),
        (Role.ADMIN, ["/settings/keys/", "/settings/backups/"], []),
    ],
)
def test_each_role_is_offered_what_it_may_do(
    enter: Callable[[Role], Client], write: Write, role: Role, may: list[str], may_not: list[str]
) -> None:
    write("Something.")
    client = enter(role)
    acts = [to for _, to in groups(client)["Actions"]]
    assert set(may) <= set(acts) and not set(may_not) & set(acts)
    pages = [to for _, to in groups(client)["Pages"]]
    assert ("/settings/people/" in pages) is (role is Role.ADMIN)
    assert all(client.get(to).status_code == 200 for to in pages[:4])


def test_an_empty_space_says_so_and_offers_the_example(admin: Client, reader: Client, space: spaces.Space) -> None:
    html = admin.get("/palette/", headers=HTMX).content.decode()
    assert f"Nothing is remembered in {space.name} yet." in html and 'data-address="/demo/"' in html
    assert "/demo/" not in reader.get("/palette/", headers=HTMX).content.decode()
    assert "Search for “heron”" in reader.get("/palette/", {"q": "heron"}, headers=HTMX).content.decode()


def test_other_spaces_are_switched_to_by_name(admin: Client, row: Space, write: Write) -> None:
    write("Something.")
    person = Membership.objects.filter(space=row, role="admin").get().user
    other = Space.objects.create(name=f"vega-{new_id()[:6]}")
    Membership.objects.create(user=person, space=other, role="reader")
    closed = Space.objects.create(name=f"vega-{new_id()[:6]}")
    found = groups(admin, q="switch vega", space=row.name)["Go to"]
    assert [to for _, to in found] == [f"/?space={other.name}"] and closed.name not in str(found)


def test_where_nothing_is_clearly_relevant_it_says_so(curator: Client, write: Write) -> None:
    write("The heron stands in the reeds.")
    found = groups(curator, q="invoice for the dentist")
    assert "Nothing clearly relevant; the closest are" in found and "Memories" not in found


def test_whoever_is_signed_out_is_sent_to_sign_in(db: None) -> None:
    answer = Client().get("/palette/", headers=HTMX)
    assert answer.status_code == 204 and answer["HX-Redirect"].startswith("/login/")


def test_it_stands_on_every_page_with_what_a_screen_reader_needs(reader: Client, space: spaces.Space) -> None:
    page = reader.get("/summaries/").content.decode()
    for part in ('role="combobox"', 'aria-controls="palette-list"', 'role="listbox"', "data-palette"):
        assert page.count(part) >= 1, part
    assert 'id="palette"' not in Client().get("/login/").content.decode()


def test_the_side_bar_is_short_and_its_tabs_lead_to_every_page(admin: Client, space: spaces.Space) -> None:
    assert len(sections()) == 12
    keys = [place.key for section in sections() for place in section.places]
    assert len(keys) == len(set(keys))
    page = admin.get("/sessions/").content.decode()
    tabs = page.partition('aria-label="History"')[2].partition("</nav>")[0]
    assert re.findall(r'href="([^"]*)"', tabs) == ["/episodes/", "/sessions/", "/summaries/", "/audit/"]
    assert re.search(r'href="/sessions/"\s+aria-current="page"', tabs)
    assert re.search(r'href="/episodes/"\s+aria-current="true"', page.partition("</nav>")[0])


def test_a_tab_that_the_role_may_not_open_is_not_shown(admin: Client, reader: Client, space: spaces.Space) -> None:
    assert "/settings/keys/" in admin.get("/settings/").content.decode()
    main = reader.get("/settings/").content.decode().partition("<main")[2].partition("</main>")[0]
    assert "/settings/keys/" not in main and "/settings/health/" in main

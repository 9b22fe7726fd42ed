from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from memoryapp.accounts.keys import authenticate_key, create_key
from memoryapp.accounts.models import ApiKey, Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.people import create_person, role_in
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import set_settings
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import EncodingFailed
from memoryapp.domain.remembering import NewMemory
from memoryapp.inference.embedding import universal
from memoryapp.interfaces.settings.fields import GROUPS
from memoryapp.jobs import run
from memoryapp.jobs.models import Job
from memoryapp.remember import remember
from memoryapp.spaces import languages
from tests.markup import PageClient
from tests.samples import REVIEW

PASSWORD = "a long enough one"


@pytest.fixture
def root(row: Space) -> PageClient:
    """An administrator of every space, in the test's own one."""
    client = PageClient()
    client.force_login(create_person("root-of-all", password=PASSWORD, admin=True))
    client.get("/", {"space": row.name})
    return client


def test_settings_are_saved_and_shown_again_with_their_defaults(admin: Client, row: Space) -> None:
    answer = admin.post("/settings/", {"title": "Workshop", "rrf_k": "30", "vector_weight": "0,5"})
    assert answer.status_code == 302
    row.refresh_from_db()
    assert (row.title, row.settings) == ("Workshop", {**REVIEW, "rrf_k": 30, "vector_weight": 0.5})
    page = admin.get("/settings/").content.decode()
    assert re.search(r'name="rrf_k"[^>]* value="30"[^>]* data-saved="30"[^>]* data-default="60"', page)
    assert "Default: 60." in page and ">2 changed<" not in page and ">1 changed<" in page


def test_what_is_not_sent_stays_so_that_two_who_save_at_once_lose_nothing(admin: Client, row: Space) -> None:
    admin.post("/settings/", {"title": "Workshop", "rrf_k": "30"})
    admin.post("/settings/", {"neighbours": "4"})
    row.refresh_from_db()
    assert (row.title, row.settings) == ("Workshop", {**REVIEW, "rrf_k": 30, "neighbours": 4})
    admin.post("/settings/", {"rrf_k": "60"})
    row.refresh_from_db()
    assert row.settings == {**REVIEW, "neighbours": 4}


def test_a_save_and_a_reset_of_all_can_be_undone(admin: Client, row: Space) -> None:
    admin.post("/settings/", {"title": "Workshop", "rrf_k": "30", "conflict_policy": "auto"})
    answer = admin.post("/settings/reset/", headers={"HX-Request": "true"})
    assert "2 settings reset." in answer["HX-Trigger"] and "/settings/undo/" in answer["HX-Trigger"]
    row.refresh_from_db()
    assert (row.title, row.settings) == ("Workshop", {})
    assert admin.post("/settings/undo/").status_code == 302
    row.refresh_from_db()
    assert (row.title, row.settings) == ("Workshop", {"rrf_k": 30, "conflict_policy": "auto"})
    assert admin.post("/settings/undo/").status_code == 404, "once"
    admin.post("/settings/", {"title": "", "rrf_k": "20"})
    admin.post("/settings/undo/")
    row.refresh_from_db()
    assert (row.title, row.settings["rrf_k"]) == ("Workshop", 30)


def test_an_undo_takes_nothing_back_that_others_changed_since(admin: Client, row: Space) -> None:
    admin.post("/settings/", {"rrf_k": "30"})
    set_settings(Space.objects.get(pk=row.pk), {"rrf_k": 30, "neighbours": 5})
    assert admin.post("/settings/undo/").status_code == 409
    row.refresh_from_db()
    assert row.settings == {"rrf_k": 30, "neighbours": 5}


def test_general_comes_first_and_all_else_is_folded_by_group(admin: Client, row: Space) -> None:
    set_settings(row, {"rrf_k": 30})
    page = admin.get("/settings/").content.decode()
    general, _, advanced = page.partition('id="advanced"')
    assert page.index('id="cards"') < page.index('id="general"')
    assert 'name="conflict_policy"' in general and 'name="private_turns"' in general
    assert 'name="rrf_k"' in advanced and "<details" in advanced and "<details open" not in advanced
    assert len(re.findall(r'<(?:input|select)[^>]* id="(?:t-|title|parent)', general)) <= 12
    assert len(re.findall("<details", advanced)) == len(GROUPS) - 1


def test_a_wrong_number_is_told_beside_its_field_and_nothing_is_saved(admin: Client, row: Space) -> None:
    answer = admin.post("/settings/", {"title": "Changed", "rrf_k": "many", "neighbours": "3"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'class="wrong" id="w-rrf_k">Enter a whole number from 1 to 10,000.' in page
    assert 'value="many"' in page and "Nothing was saved." in page and 'href="#t-rrf_k"' in page
    (group,) = re.findall(r"<details[^>]* open>(.*?)</details>", page, re.DOTALL)
    assert 'name="rrf_k"' in group, "what is wrong is not folded away"
    before = (row.title, row.settings)
    row.refresh_from_db()
    assert (row.title, row.settings) == before


def test_a_reader_sees_the_numbers_and_cannot_change_them(reader: Client, row: Space) -> None:
    page = reader.get("/settings/").content.decode()
    assert "disabled" in page and ">Save<" not in page and "hx-post" not in page and 'id="backup"' not in page
    assert reader.post("/settings/", {"rrf_k": "30"}).status_code == 403


def test_the_encoder_is_tested_by_a_button_and_its_card_tells_what_came_of_it(admin: Client, row: Space) -> None:
    open_row(row).encoder.get(30)
    assert "Test:" not in admin.get("/settings/cards/").content.decode()
    begun = admin.post("/settings/encoder/", headers={"HX-Request": "true", "HX-Target": "cards"})
    assert 'hx-trigger="every 1s"' in begun.content.decode() and "Test encoder" in begun.content.decode()
    (job,) = Job.objects.filter(kind="encoder", space=row.name)
    admin.post("/settings/encoder/")
    assert Job.objects.filter(kind="encoder", space=row.name).count() == 1, "one at a time"
    run.run(job.pk)
    shown = admin.get("/settings/cards/", headers={"HX-Request": "true"})
    assert shown.status_code == 286, "nothing runs any more"
    page = shown.content.decode()
    assert "384 dimensions" in page and "texts a second" in page and "ms for a question" in page


def test_an_encoder_that_cannot_be_tested_says_why(admin: Client, row: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    open_row(row).encoder.get(30)

    def broken(*args: object, **more: object) -> None:
        raise EncodingFailed("The model gives no usable vectors.")

    monkeypatch.setattr("memoryapp.jobs.handlers.encoder.trial_of", broken)
    admin.post("/settings/encoder/")
    run.run(Job.objects.get(kind="encoder").pk)
    assert "The last test failed: The model gives no usable vectors." in admin.get("/settings/").content.decode()


def test_without_a_language_model_the_card_says_how_to_use_one(admin: Client, row: Space, settings: Any) -> None:
    settings.LLM = {}
    page = admin.get("/settings/").content.decode()
    assert "Nothing leaves this machine." in page and "MEMORY_LLM_URL=" in page
    set_settings(row, {"extractor": "llm"})
    assert "asks for a language model; rules are used instead" in admin.get("/settings/").content.decode()


def test_a_backup_is_made_from_its_card(admin: Client, row: Space) -> None:
    assert "No backup yet." in admin.get("/settings/").content.decode()
    begun = admin.post("/settings/backups/take/", headers={"HX-Request": "true", "HX-Target": "cards"})
    assert 'id="cards"' in begun.content.decode() and Job.objects.filter(kind="backup", space=row.name).count() == 1


def test_a_space_that_is_not_in_english_is_offered_the_multilingual_model(
    admin: Client, curator: Client, row: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "reads_only_english", lambda slot: True)
    monkeypatch.setattr(universal, "is_installed", lambda: True)
    memory = open_row(row)
    notes = [NewMemory(f"Das blaue Fahrrad Nummer {n} steht im Hof hinter dem Haus.") for n in range(12)]
    remember(memory, notes, actor=Actor(ActorKind.PERSON, "alice"))
    page = admin.get("/settings/").content.decode()
    assert "100% of this space is German" in page and "Switch to the multilingual model" in page
    assert "100% of this space is German" in admin.get("/settings/health/").content.decode()
    assert "Switch to" not in curator.get("/settings/").content.decode()
    assert curator.post("/settings/embed/", {"model": "hashing-48"}).status_code == 403
    assert admin.post("/settings/embed/", {"model": "hashing-48"}).status_code == 302
    assert Job.objects.get(kind="embed").arguments == {"model": "hashing-48"}
    Space.objects.filter(pk=row.pk).update(encoder="hashing-48")
    monkeypatch.undo()
    assert f"Switch to {settings.ENCODER}" in admin.get("/settings/").content.decode()


def test_a_space_cannot_read_itself(admin: Client, row: Space) -> None:
    answer = admin.post("/settings/", {"title": "", "parent": row.name})
    assert answer.status_code == 422
    assert "below itself" in answer.content.decode()


def test_a_key_is_shown_once_and_works(admin: Client, row: Space) -> None:
    answer = admin.post("/settings/keys/", {"name": "atlas", "agent": "atlas", "role": "writer"})
    shown = re.search(r'id="secret">(pal_[^<]+)<', answer.content.decode())
    assert shown
    assert "no-store" in answer["Cache-Control"]
    key = authenticate_key(shown[1])
    assert key is not None
    assert (key.role, key.space) == ("writer", row)
    again = admin.get("/settings/keys/").content.decode()
    assert shown[1] not in again and f"pal_{key.prefix}_" in again
    turned = admin.post(f"/settings/keys/{key.pk}/rotate/")
    new = re.search(r'id="secret">(pal_[^<]+)<', turned.content.decode())
    assert new
    assert "no-store" in turned["Cache-Control"]
    assert authenticate_key(shown[1]) is None
    other = authenticate_key(new[1])
    assert other is not None
    assert (other.name, other.agent, other.role, other.space) == ("atlas", "atlas", "writer", row)
    assert admin.post(f"/settings/keys/{key.pk}/rotate/").status_code == 409
    admin.post(f"/settings/keys/{other.pk}/revoke/")
    assert authenticate_key(new[1]) is None


def test_an_administrator_of_one_space_makes_no_key_for_every_space(admin: Client, row: Space) -> None:
    answer = admin.post("/settings/keys/", {"name": "all", "role": "admin", "scope": ""})
    assert answer.status_code == 422
    assert "Only an administrator can make a key for every space" in answer.content.decode()
    other = ApiKey.objects.create(name="elsewhere", prefix="ffffffff", secret_hash="0" * 64)
    assert admin.post(f"/settings/keys/{other.pk}/revoke/").status_code == 404
    assert admin.post(f"/settings/keys/{other.pk}/rotate/").status_code == 404
    assert "elsewhere" not in admin.get("/settings/keys/").content.decode()


def test_people_are_added_given_roles_and_shut_out(root: Client, row: Space) -> None:
    root.post("/settings/people/", {"name": "mina", "password": PASSWORD, "role": "writer"})
    mina = User.objects.get(username="mina")
    assert role_in(mina, row) == Role.WRITER
    root.post("/settings/people/mina/", {"act": "role", "role": "curator"})
    assert role_in(mina, row) == Role.CURATOR
    root.post("/settings/people/mina/", {"act": "password", "password": "one of her own choice"})
    mina.refresh_from_db()
    assert mina.check_password("one of her own choice")
    root.post("/settings/people/mina/", {"act": "disable"})
    mina.refresh_from_db()
    assert not mina.is_active


def test_a_login_link_is_shown_and_works_once(root: Client, row: Space) -> None:
    create_person("visitor", space=row)
    page = root.post("/settings/people/visitor/", {"act": "link"}).content.decode()
    link = re.search(r'id="link">http://testserver(/login/[^<]+)<', page)
    assert link
    assert Client().post(link[1])["Location"] == "/"


def test_the_last_administrator_cannot_be_shut_out(root: Client) -> None:
    answer = root.post("/settings/people/root-of-all/", {"act": "disable"})
    assert answer.status_code == 409
    assert "only administrator left" in answer.content.decode()


def test_an_administrator_of_one_space_cannot_reach_beyond_it(admin: Client, row: Space) -> None:
    create_person("outsider")
    create_person("chief", admin=True)
    for name, act in (
        ("outsider", "role"),
        ("chief", "link"),
        ("outsider", "link"),
        ("chief", "disable"),
        ("outsider", "password"),
    ):
        assert admin.post(f"/settings/people/{name}/", {"act": act, "role": "admin"}).status_code == 403
    assert "outsider" not in admin.get("/settings/people/").content.decode()


def test_a_weak_password_is_refused_with_the_reason(root: Client) -> None:
    answer = root.post("/settings/people/", {"name": "weak", "password": "short", "role": "reader"})
    assert answer.status_code == 422
    assert "at least 10 characters" in answer.content.decode()
    assert not User.objects.filter(username="weak").exists()


def test_only_an_administrator_of_every_space_makes_spaces(root: Client, admin: Client) -> None:
    assert admin.post("/settings/spaces/", {"name": "mine"}).status_code == 403
    assert root.post("/settings/spaces/", {"name": "Not Good"}).status_code == 422
    answer = root.post("/settings/spaces/", {"name": "fresh", "title": "Fresh"})
    assert answer["Location"] == "/?space=fresh"


def test_a_password_is_changed_by_who_knows_the_old_one(reader: Client, people: dict[Role, User]) -> None:
    wrong = reader.post("/settings/me/", {"old": "not it", "new": "another long one"})
    assert wrong.status_code == 422
    assert reader.post("/settings/me/", {"old": PASSWORD, "new": "another long one"}).status_code == 302
    person = people[Role.READER]
    person.refresh_from_db()
    assert person.check_password("another long one")
    assert reader.get("/").status_code == 200  # and one stays signed in


def test_health_names_each_part_and_what_is_wrong(admin: Client, row: Space) -> None:
    page = admin.get("/settings/health/").content.decode()
    for part in ("Store", "Search index", "Encoder", "Queue", "Disk"):
        assert f"<span>{part}</span>" in page
    assert "all well" in page or "to look at" in page


def test_many_people_and_keys_are_paged(root: PageClient, row: Space) -> None:
    for n in range(35):
        create_person(f"person-{n:02}", space=row)
        create_key(f"key {n:02}", role=Role.READER, space=row)
    for address in ("/settings/people/", "/settings/keys/"):
        first = root.get(address).content.decode()
        assert root.weight < 25_000
        older = re.search(r'rel="next" href="([^"]+)"', first)
        assert older
        second = root.get(address + older[1].replace("&amp;", "&")).content.decode()
        names = [set(re.findall(r"(?:person-|key )\d\d", page)) for page in (first, second)]
        assert len(names[0] | names[1]) == 35
        assert not names[0] & names[1]

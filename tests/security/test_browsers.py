"""What keeps a page of somebody else from acting in a person's name: tokens, names of hosts, headers, cookies."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from memoryapp.accounts.models import Space
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from tests.security.conftest import signed_in
from tests.security.doors import UNSAFE, operations, pages
from tests.security.test_matrix import arguments, filled
from tests.security.world import Theirs

PAGES = ("/", "/memories/", "/facts/", "/settings/keys/", "/search/?q=word", "/graph/", "/tree/", "/login/")


@pytest.fixture
def careful(row: Space) -> Client:
    return signed_in(create_person("mina", space=row, role=Role.ADMIN), careful=True)


def test_no_page_changes_anything_without_the_token_of_its_form(theirs: Theirs, careful: Client) -> None:
    before = theirs.rows()
    posts = [page for page in pages() if page.method == "POST"]
    assert len(posts) > 70
    for page in posts:
        answer = careful.post(reverse(page.name, args=arguments(page.name, theirs) if "{" in page.address else []))
        assert answer.status_code == 403, page
    assert careful.get("/").status_code == 200, "nor does it sign anybody out"
    assert theirs.rows() == before


def test_no_operation_is_done_for_a_browser_without_its_token(theirs: Theirs, careful: Client) -> None:
    before = theirs.rows()
    for one in operations():
        if one.method in UNSAFE:
            answer = careful.generic(one.method, filled(one.address, theirs), b"{}", content_type="application/json")
            assert answer.status_code == 403 and "CSRF" in answer.json()["detail"], one
    assert theirs.rows() == before


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver:3000", "http://localhost"])
def test_a_token_does_not_help_a_page_of_another_origin(careful: Client, origin: str) -> None:
    """Another port of this machine is the same site to a browser: it sends the cookies, and can even set them."""
    token = "t" * 32
    careful.cookies[settings.CSRF_COOKIE_NAME] = token
    headers = {"X-CSRFToken": token}
    body = b'{"text": "Planted."}'
    for there in ({"Origin": origin}, {"Origin": origin, "Referer": f"{origin}/x"}):
        for path in ("/memories/write/", "/api/v1/memories", "/logout/", "/login/"):
            answer = careful.post(path, body, content_type="application/json", headers=headers | there)
            assert answer.status_code == 403, (path, there)
    own = careful.post("/api/v1/memories", body, content_type="application/json", headers=headers)
    assert own.status_code == 201


@pytest.mark.parametrize("host", ["rebound.example", "127.0.0.1.rebound.example", "localhost.evil", "169.254.169.254"])
@pytest.mark.django_db
def test_a_name_pointed_at_this_machine_reaches_no_door(host: str) -> None:
    for path in ("/", "/login/", "/api/v1/memories", "/api/v1/health/live", "/llms.txt", "/v1/memories/", "/v1/models"):
        assert Client().get(path, headers={"host": host}).status_code == 400, path
        forwarded = Client().get(path, headers={"host": host, "X-Forwarded-Host": "localhost"})
        assert forwarded.status_code == 400, "a header that anybody can send makes no name good"


def test_every_page_is_closed_to_scripts_frames_and_other_origins(theirs: Theirs, admin: Client, in_full: bool) -> None:
    for page in list(pages())[:: 1 if in_full else 5]:  # one piece of code writes these headers for all of them
        if page.method != "GET":
            continue
        answer = admin.get(reverse(page.name, args=arguments(page.name, theirs) if "{" in page.address else []))
        policy = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'self'" and "unsafe" not in str(policy), page
        assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
        assert policy["form-action"] == "'self'" and "http" not in answer["Content-Security-Policy"]
        assert "script-src" not in policy and "style-src" not in policy, "they follow default-src"
        assert answer["X-Frame-Options"] == "DENY" and answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Referrer-Policy"] == "same-origin"
        assert answer["Cross-Origin-Opener-Policy"] == answer["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in answer
        assert "no-store" in answer["Cache-Control"], f"{page} would stay in a browser for whoever comes after"


def test_htmx_keeps_nothing_of_what_it_swapped_either(admin: Client) -> None:
    assert '"historyCacheSize": 0' in admin.get("/").content.decode(), "nor does htmx keep what it swapped"


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_a_script_or_a_style_in_its_own_words(path: str, admin: Client) -> None:
    html = admin.get(path).content.decode()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+\s*=|javascript:", html, re.IGNORECASE)
    assert not re.search(r"<script(?![^>]*\ssrc=)(?![^>]*type=\"application/json\")", html)


@pytest.mark.parametrize("secure", [False, True])
def test_cookies_are_out_of_reach_of_scripts_other_sites_and_plain_http(row: Space, secure: bool) -> None:
    person = create_person("mina", password="a long enough one", space=row)
    client = Client()
    answer = client.post("/login/", {"name": person.username, "password": "a long enough one"}, secure=secure)
    cookies = answer.cookies
    assert {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME} <= set(cookies)
    for cookie in cookies.values():
        assert cookie["httponly"] and cookie["samesite"] == "Lax" and bool(cookie["secure"]) is secure
        assert not cookie["domain"], "no other name of the domain is sent it"


def test_a_proxys_word_for_https_counts_only_where_there_is_a_proxy(row: Space) -> None:
    answer = Client().get("/login/", headers={"X-Forwarded-Proto": "https"})
    assert not any(cookie["secure"] for cookie in answer.cookies.values())


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example/", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example",
        "http:evil.example", "javascript:alert(1)", "data:text/html,x", " https://evil.example",
        "\thttps://evil.example", "/\t/evil.example",
        "http://testserver@evil.example/", "http://testserver.evil.example/", "https:///evil.example", "/%0d%0aX-A: b",
    ],
)  # fmt: skip
def test_signing_in_leads_nowhere_else(row: Space, to: str) -> None:
    create_person("mina", password="a long enough one", space=row)
    signed = Client().post("/login/", {"name": "mina", "password": "a long enough one", "next": to})
    again = signed_in(create_person("nora", space=row)).get("/login/", {"next": to})
    for answer in (signed, again):
        assert answer.status_code == 302
        assert answer["Location"] == "/" or answer["Location"].startswith("/%0d%0a"), answer["Location"]
        assert "X-A" not in answer.headers


def test_where_an_act_came_from_is_a_page_of_this_app(theirs: Theirs, admin: Client) -> None:
    for said in ("https://evil.example/x", "http://testserver.evil.example/", "//evil.example/", "javascript:alert(1)"):
        headers = {"Referer": said, "HX-Current-URL": said}
        answer = admin.post(f"/memories/{theirs.ids['memories']}/pin/", headers=headers)
        assert "evil.example" not in answer.get("Location", "") + answer.get("HX-Redirect", "")
        assert not answer.get("Location", "/").startswith("javascript")

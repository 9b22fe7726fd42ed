"""Whatever a page can show or do, the API can: each address of the pages has the operations that do the same."""

from __future__ import annotations

from pathlib import Path

from django.test import RequestFactory
from django.urls import URLPattern, get_resolver

from memoryapp.interfaces.api.assembly import document
from memoryapp.interfaces.pages import urls

TABLE = Path(__file__).with_name("parity.txt")
OWN = "own: "
# Operations that no page stands behind, each with why.
WITHOUT_A_PAGE = {
    "GET /health/live": "for whoever watches the process",
    "GET /models": "in OpenAI's shape, for other tools",
    "POST /embeddings": "in OpenAI's shape, for other tools",
    "POST /memories/{id}/feedback": "an agent says what was of use; a person's reading says nothing",
    "POST /sources/session-start": "an agent begins a session; a person reads a source again by its button",
    "GET /relations": "the page of an entity lists them",
}


def table() -> dict[str, str]:
    """By "METHOD name": the operations, or why there is none."""
    found: dict[str, str] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        asked, told = line.split(" = ", 1)
        key = " ".join(asked.split())
        assert key not in found, f"{key} stands twice in {TABLE.name}"
        found[key] = told
    return found


def operations_of(told: str) -> list[str]:
    return [] if told.startswith(OWN) else [one.strip() for one in told.split(";")]


def there() -> set[str]:
    return {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in document()["paths"].items()
        for method in methods
    }


def allowed(pattern: URLPattern) -> list[str]:
    """The methods of a page, as it says itself when it is asked by one that none has."""
    refused = pattern.callback(RequestFactory().generic("TRACE", "/"))
    assert refused.status_code == 405, f"{pattern.name} takes any method: name those it takes"
    return [method.strip() for method in refused["Allow"].split(",")]


def pages() -> set[str]:
    return {f"{method} {pattern.name}" for pattern in urls.urlpatterns for method in allowed(pattern)}


def test_the_pages_are_all_the_addresses_that_are_not_the_apis() -> None:
    assert len(urls.urlpatterns) > 100
    others = [one for one in get_resolver().url_patterns if getattr(one, "urlconf_module", None) is not urls]
    assert all("api" in str(getattr(one, "urlconf_module", one)) or "mcp" in str(one) for one in others), others


def test_whatever_a_page_shows_or_does_has_its_operations() -> None:
    missing = sorted(pages() - set(table()))
    assert missing == [], f"tests/contract/{TABLE.name} says nothing of {missing}: name the operations that do the same"


def test_the_table_names_only_pages_and_operations_that_are_there() -> None:
    assert sorted(set(table()) - pages()) == []
    named = {one for told in table().values() for one in operations_of(told)}
    assert sorted(named - there()) == []


def test_what_changes_something_by_a_page_changes_it_by_an_operation_that_is_no_get() -> None:
    for key, told in table().items():
        if key.startswith("POST ") and not told.startswith(OWN):
            assert any(not one.startswith("GET ") for one in operations_of(told)), key


def test_what_is_a_persons_own_is_told_with_its_reason_and_is_little() -> None:
    own = {key: told.removeprefix(OWN) for key, told in table().items() if told.startswith(OWN)}
    assert all(len(why) > 10 for why in own.values())
    assert len(own) <= 13, own


def test_every_operation_has_a_page_or_a_reason_to_have_none() -> None:
    named = {one for told in table().values() for one in operations_of(told)}
    assert sorted(there() - named - set(WITHOUT_A_PAGE)) == []
    assert sorted(set(WITHOUT_A_PAGE) - there()) == []


def test_every_operation_has_an_example_of_what_is_sent_and_of_what_comes_back() -> None:
    """Whether they fit their shapes is asked in test_openapi."""
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            bodies = operation.get("requestBody", {}).get("content", {}).values()
            assert all("example" in body for body in bodies), f"{method} {path}"
            answers = [one for status, one in operation["responses"].items() if status < "300"]
            assert answers and all("example" in c for one in answers for c in one["content"].values()), path

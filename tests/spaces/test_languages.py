"""The languages of a space, and the model that is offered where the one in use does not read them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.remembering import NewMemory
from memoryapp.inference.embedding import universal
from memoryapp.remember import remember
from memoryapp.spaces import Space, languages
from memoryapp.spaces.languages import languages_of

ENGLISH = "We repaired the blue bicycle number {} in the yard behind the house."
GERMAN = "Wir haben das blaue Fahrrad Nummer {} im Hof hinter dem Haus repariert."
ME = Actor(ActorKind.PERSON, "alice")


def write(space: Space, *, english: int = 0, german: int = 0) -> None:
    texts = [ENGLISH.format(n) for n in range(english)] + [GERMAN.format(n) for n in range(german)]
    remember(space, [NewMemory(text) for text in texts], actor=ME)


@pytest.fixture
def _bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the space's encoder were the bundled one, which reads English alone."""
    monkeypatch.setattr(languages, "reads_only_english", lambda slot: True)


def test_the_shares_of_a_space_are_those_of_its_texts(space: Space) -> None:
    write(space, english=9, german=3)
    found = languages_of(space)
    assert [(one.name, one.texts, one.share) for one in found.shares] == [("English", 9, 0.75), ("German", 3, 0.25)]
    assert found.sampled == 12


def test_what_is_written_later_changes_the_shares(space: Space) -> None:
    write(space, english=3)
    assert [one.code for one in languages_of(space).shares] == ["en"]
    write(space, german=5)
    assert [one.code for one in languages_of(space).shares] == ["de", "en"]


@pytest.mark.usefixtures("_bundled")
def test_the_multilingual_model_is_offered_from_a_tenth_on(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    write(space, english=19, german=2)
    assert languages_of(space).suggested_model == ""
    write(space, german=3)
    monkeypatch.setattr(universal, "is_installed", lambda: False)
    told = languages_of(space)
    assert told.suggested_model == universal.NAME
    assert told.advice.startswith(f"{told.model} does not read German, and 14% of this space is German: ")
    assert told.advice.endswith(f"Install it first: {universal.INSTALL}")
    monkeypatch.setattr(universal, "is_installed", lambda: True)
    assert "Install" not in languages_of(space).advice


@pytest.mark.usefixtures("_bundled")
def test_a_few_texts_are_no_reason_to_change_the_model(space: Space) -> None:
    write(space, german=5)
    assert languages_of(space).suggested_model == ""


def test_a_model_that_reads_more_than_english_is_left_alone() -> None:
    encoder = SimpleNamespace(languages=frozenset({"en", "ko"}))
    assert not languages.reads_only_english(SimpleNamespace(ready=True, get=lambda _: encoder))  # type: ignore[arg-type]
    loading = SimpleNamespace(ready=False, name="http://localhost/v1#some-model")
    assert not languages.reads_only_english(loading)  # type: ignore[arg-type]
    bundled = SimpleNamespace(ready=False, name="all-MiniLM-L6-v2")
    assert languages.reads_only_english(bundled)  # type: ignore[arg-type]

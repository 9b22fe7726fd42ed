"""The strategies context-tree and tree: nodes reached by keywords, on the real engine."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import new_node, with_description
from memoryapp.domain.results import Answer, Query
from memoryapp.domain.strategies import STRATEGIES
from memoryapp.index import open_index
from memoryapp.search import explain, reaching, search
from memoryapp.search.arms.run import NO_KEYWORD, NO_TREE
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import Batch, commit, new_run
from tests.search.conftest import ACTOR, NOW, MakeSpace, memory, write

ASKED = "가치관이 뭐야?"


def a_node(path: str, text: str | None, *keywords: str, **more: object) -> Memory:
    title = path.rpartition("/")[2]
    return new_node(path, title=title, text=text, now=NOW, keywords=keywords, **more)  # type: ignore[arg-type]


@pytest.fixture
def bank(space: Space) -> dict[str, Memory]:
    made = [
        a_node("identity", None, "정체성"),
        a_node("identity/values", "# 가치관\n\n- 정직하게 말한다.\n", "가치관", "values"),
        a_node("identity/voice", "# 말과 글\n\n- 짧게 쓴다. 가치관이 드러나게.\n", "말투"),
        a_node("infra/gpu", "# GPU\n\n- Embedding runs go to the rented H100.\n", "gpu", "임베딩", "H100"),
    ]
    write(space, *made, memory("가치관이 삶을 이끈다."))
    return {one.detail["path"]: one for one in made}


def paths(answer: Answer) -> list[str]:
    return [hit.memory.detail["path"] for hit in answer.hits]


def test_the_worked_example_is_four_tenths_by_keyword_and_six_by_words(space: Space, bank: dict[str, Memory]) -> None:
    answer = search(space, Query(ASKED, strategy="context-tree"))
    assert paths(answer) == ["identity/values", "identity/voice"]
    first, second = answer.hits
    best = max(hit.arms["keyword"].score for hit in answer.hits)
    assert first.arms["tree"].share == 0.4 * 1.0
    assert (first.arms["tree"].rank, first.arms["tree"].score) == (1, 1.0)
    assert first.arms["keyword"].share == pytest.approx(0.6 * first.arms["keyword"].score / best, rel=1e-6)
    assert second.arms["tree"].share == 0 and second.arms["tree"].rank is None
    assert second.arms["keyword"].share > 0
    assert first.evidence["reached"] == {
        "own": True,
        "via": "identity/values",
        "matches": [{"word": "가치관이", "keyword": "가치관", "how": "equal"}],
    }
    assert "reached" not in second.evidence
    for hit in answer.hits:
        assert hit.score == sum(arm.share for arm in hit.arms.values()) * math.prod(hit.factors.values())


def test_a_node_is_returned_whole(space: Space, bank: dict[str, Memory]) -> None:
    hit = search(space, Query("어떤 GPU에서 돌려?", strategy="context-tree")).hits[0]
    assert hit.memory.text == bank["infra/gpu"].text


def test_what_a_node_above_is_reached_by_fades_and_says_so(space: Space, bank: dict[str, Memory]) -> None:
    hits = search(space, Query("정체성", strategy="tree")).hits
    assert {hit.memory.detail["path"]: hit.score for hit in hits} == {"identity/values": 0.5, "identity/voice": 0.5}
    assert {hit.evidence["reached"]["via"] for hit in hits} == {"identity"}
    assert not any(hit.evidence["reached"]["own"] for hit in hits)


def test_only_nodes_are_looked_for_until_other_kinds_are_named(space: Space, bank: dict[str, Memory]) -> None:
    named = Query(ASKED, strategy="context-tree", filters=Filters(kinds=(Kind.NOTE,)))
    assert [hit.memory.text for hit in search(space, named).hits] == ["가치관이 삶을 이끈다."]
    assert search(space, replace(named, strategy="tree")).hits == ()


@pytest.mark.parametrize("strategy", ["hybrid", "keyword", "vector", "rrf"])
def test_the_default_search_finds_nodes_beside_everything_else(
    space: Space, bank: dict[str, Memory], strategy: str
) -> None:
    kinds = {hit.memory.kind for hit in search(space, Query(ASKED, strategy=strategy)).hits}
    assert kinds == {Kind.NODE, Kind.NOTE}
    alone = search(space, Query(ASKED, strategy=strategy, filters=Filters(kinds=(Kind.NODE,))))
    assert "identity/values" in paths(alone) and {hit.memory.kind for hit in alone.hits} == {Kind.NODE}


def test_a_branch_and_an_empty_page_answer_nothing_whatever_the_strategy(space: Space, bank: dict[str, Memory]) -> None:
    write(space, a_node("identity/empty", "", "정체성"))
    for strategy in STRATEGIES:
        for question in ("정체성", "identity empty"):
            found = {hit.memory.detail.get("path") for hit in search(space, Query(question, strategy=strategy)).hits}
            assert not found & {"identity", "identity/empty"}, strategy


def test_a_state_and_an_instant_bind_the_tree(space: Space, bank: dict[str, Memory]) -> None:
    later = NOW + timedelta(days=1)
    gone = replace(bank["identity/values"], state=State.ARCHIVED)
    commit(space.db, new_run("edit", ACTOR, now=later), Batch(updated=[(bank["identity/values"], gone)]), now=later)
    space.clock.now = later + timedelta(days=1)  # type: ignore[attr-defined]
    query = Query("values", strategy="tree")
    assert search(space, query).hits == ()
    assert paths(search(space, replace(query, filters=Filters(states=(State.ARCHIVED,))))) == ["identity/values"]
    assert paths(search(space, replace(query, filters=Filters(as_of=NOW + timedelta(hours=1))))) == ["identity/values"]


def test_a_filter_narrows_what_is_returned_and_not_what_hands_down(space: Space) -> None:
    above = a_node("team", "# Team\n\n- Mina.\n", "team")
    beneath = replace(a_node("team/mina", "# Mina\n\n- She paints.\n"), tags=("people",))
    write(space, above, beneath)
    answer = search(space, Query("the team", strategy="tree", filters=Filters(tags=("people",))))
    assert [(hit.memory.detail["path"], hit.evidence["reached"]["via"]) for hit in answer.hits] == [
        ("team/mina", "team")
    ]


def test_a_keyword_that_was_given_or_taken_counts_at_the_next_question(space: Space, bank: dict[str, Memory]) -> None:
    assert search(space, Query("kettle", strategy="tree")).notes == (NO_KEYWORD,)
    later = NOW + timedelta(minutes=1)
    after = with_description(bank["infra/gpu"], keywords=["kettle"])
    commit(space.db, new_run("edit", ACTOR, now=later), Batch(updated=[(bank["infra/gpu"], after)]), now=later)
    assert paths(search(space, Query("kettle", strategy="tree"))) == ["infra/gpu"]
    assert search(space, Query("임베딩", strategy="tree")).hits == ()


def test_the_outline_is_read_once_until_a_node_is_written(
    space: Space, bank: dict[str, Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    real = nodes.outline
    monkeypatch.setattr(nodes, "outline", lambda db, **more: read.append(1) or real(db, **more))
    for question in (ASKED, "임베딩", "말투"):
        search(space, Query(question, strategy="tree"))
    write(space, memory("Something else."))
    assert search(space, Query("H100", strategy="tree")).hits
    assert len(read) == 1
    write(space, a_node("new", "# New\n\n- Tea.\n", "kettle"))
    assert paths(search(space, Query("kettle", strategy="tree"))) == ["new"]
    assert len(read) == 2


def test_a_space_without_nodes_says_so(space: Space) -> None:
    write(space, memory("가치관이 삶을 이끈다."))
    answer = search(space, Query(ASKED, strategy="context-tree"))
    assert (answer.hits, answer.notes) == ((), (NO_TREE,))


def test_the_same_question_comes_from_the_recall_layer(space: Space, bank: dict[str, Memory]) -> None:
    assert not search(space, Query(ASKED, strategy="context-tree")).cached
    assert search(space, Query(ASKED, strategy="context-tree")).cached


def test_explain_says_why_a_memory_is_not_among_the_nodes(space: Space, bank: dict[str, Memory]) -> None:
    write(space, note := memory("A note of something."), heavy := a_node("heavy", "- x\n", "가치관", weight=0.0))

    def why(key: str, question: str = ASKED, strategy: str = "tree") -> tuple[str, str]:
        told = explain(space, Query(question, strategy=strategy), key)
        return told.stage, told.reason

    assert why(note.id) == ("filter", "It is no node, and tree looks for nothing else unless kinds are named.")
    assert why(bank["identity"].id)[1].startswith("It is a node without words of its own")
    assert why(bank["infra/gpu"].id) == (
        "arms",
        "No arm reached it. No keyword of it, or of a node above it, answers to a word of the question.",
    )
    assert why(heavy.id)[1].endswith("Its weight of 0 keeps it out of reach of keywords.")
    assert why(bank["identity/values"].id) == ("found", "It is result 1.")
    named = Query(ASKED, strategy="tree", filters=Filters(kinds=(Kind.NOTE,)))
    assert explain(space, named, note.id).reason.endswith("It is no node of the Context Tree.")


def test_a_parents_tree_is_read_along(make_space: MakeSpace) -> None:
    parent = make_space("above")
    child = make_space("below", parent=parent)
    write(parent, a_node("identity/values", "# 가치관\n\n- 정직.\n", "가치관"))
    hits = search(child, Query(ASKED, strategy="context-tree")).hits
    assert [(hit.memory.detail["path"], hit.inherited_from) for hit in hits] == [("identity/values", "above")]


def test_the_surreal_engine_reaches_the_same_nodes(space: Space, bank: dict[str, Memory]) -> None:
    engine = open_index(space.db, model=space.encoder.name, engine="surreal")
    other = replace(space, name=f"{space.name}-surreal", index=engine)
    for strategy in ("context-tree", "tree"):
        assert paths(search(other, Query(ASKED, strategy=strategy)))[:1] == ["identity/values"]


def test_a_long_node_does_not_stand_before_the_fact_that_answers(space: Space) -> None:
    said = [f"Mina's {thing} is kept in room {n}." for n, thing in enumerate(("kiln", "loom", "press", "lathe"))]
    facts = [memory(text, kind=Kind.FACT) for text in said]
    write(space, *facts, a_node("people/mina", "# Mina\n\n" + "".join(f"- {text}\n" for text in said * 15), "mina"))
    for fact, thing in zip(facts, ("kiln", "loom", "press", "lathe"), strict=True):
        assert search(space, Query(f"In which room is Mina's {thing}?")).hits[0].memory.id == fact.id


def test_reaching_tells_what_is_lit_and_how_little_is_loaded(space: Space, bank: dict[str, Memory]) -> None:
    found = reaching(space, "  임베딩은   어디서 돌려? ")
    assert [one.node.path for one in found.nodes] == ["infra/gpu"]
    assert found.lit == ("infra", "infra/gpu")
    sizes = [len(one.text.encode()) for path, one in bank.items() if path != "identity"]
    assert (found.loaded, found.bank) == (len(bank["infra/gpu"].text.encode()), sum(sizes))
    assert reaching(space, "nothing of it").nodes == ()
    with pytest.raises(BadInput, match="empty"):
        reaching(space, " ")


def test_reaching_in_a_space_without_a_tree_reaches_nothing(space: Space) -> None:
    found = reaching(space, ASKED)
    assert (found.nodes, found.lit, found.loaded, found.bank) == ((), (), 0, 0)

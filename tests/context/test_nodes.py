"""The layer of the Context Tree: pages that a message reaches by their own keywords, within the budget."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.context import PromptContext, prompt_context
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.node import new_node, rewritten
from memoryapp.spaces import Space
from memoryapp.spaces.embed import embed
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, HandClock, a_memory, written

LONG = "# GPU\n\n" + "".join(f"- Embedding run {n} went to the rented H100 in Seoul.\n" for n in range(200))


def a_node(path: str, text: str | None, *keywords: str) -> Memory:
    return new_node(path, title=path.rpartition("/")[2], text=text, now=NOON, keywords=keywords)


def remembered(space: Space, *given: Memory) -> tuple[Memory, ...]:
    return written(space.db, *given, embeddings=embed(space, given))


def given(context: PromptContext, name: str) -> list[str]:
    return [item.text for layer in context.layers if layer.name == name for item in layer.items]


def test_a_page_comes_after_the_summaries_with_its_path_and_its_reason(space: Space) -> None:
    gpu = a_node("infra/gpu", "# GPU\n\n- Embedding runs go to the H100.\n- It costs 3 dollars.\n", "gpu", "임베딩")
    remembered(space, gpu, a_memory("임베딩은 비싸다.", kind=Kind.FACT))
    context = prompt_context(space, "임베딩은 어디서 돌려?")
    assert given(context, "tree") == ["[1] infra/gpu: GPU Embedding runs go to the H100. It costs 3 dollars."]
    assert context.citations["1"] == gpu.id
    item = next(item for layer in context.layers if layer.name == "tree" for item in layer.items)
    assert item.why == "reached by 임베딩"
    assert context.text.index("Pages of the Context Tree:") < context.text.index("Facts, and what was said:")


def test_what_only_words_or_a_node_above_lead_to_is_left_out(space: Space) -> None:
    remembered(
        space,
        a_node("infra", None, "infrastructure"),
        a_node("infra/gpu", "# GPU\n\n- Kettles are not infrastructure.\n", "gpu"),
    )
    context = prompt_context(space, "What of the kettles and the infrastructure?")
    assert "tree" not in [layer.name for layer in context.layers]
    assert prompt_context(space, "What of the kettles and the infrastructure?", layers=["tree"]).text == ""


def test_a_space_without_a_tree_is_given_what_it_always_was(space: Space) -> None:
    remembered(space, a_memory("Embedding runs are dear.", kind=Kind.FACT))
    context = prompt_context(space, "Where do embedding runs go?")
    assert [layer.name for layer in context.layers] == ["facts"]
    assert context.notes == ()


def test_two_pages_at_most_the_best_first_and_none_where_a_space_wants_none(space: Space) -> None:
    remembered(space, *(a_node(f"tea/{n}", f"# {n}\n\n- Tea {n}.\n", "tea", *["green"] * (n == 2)) for n in range(4)))
    texts = given(prompt_context(space, "green tea"), "tree")
    assert len(texts) == 2 and texts[0].startswith("[1] tea/2: ")
    without = replace(space, tuning=Tuning(context_nodes=0))
    assert given(prompt_context(without, "green tea"), "tree") == []


@pytest.mark.parametrize("budget", [0, 60, 150, 400, 1_500])
def test_a_long_page_is_cut_and_never_breaks_the_budget(space: Space, budget: int) -> None:
    facts = [a_memory(f"Mina runs embedding job number {n} on the H100.", kind=Kind.FACT) for n in range(12)]
    remembered(space, a_node("infra/gpu", LONG, "H100"), *facts)
    context = prompt_context(space, "Which embedding jobs run on the H100?", budget=budget)
    assert context.tokens <= budget
    if budget >= 400:  # the page is cut, and leaves the facts their room
        (page,) = [item for layer in context.layers if layer.name == "tree" for item in layer.items]
        assert page.cut and page.text.endswith("…")
        assert given(context, "facts")


def test_the_share_of_the_tree_is_what_the_other_layers_leave_it(space: Space) -> None:
    facts = [a_memory(f"Mina runs embedding job number {n} on the H100.", kind=Kind.FACT) for n in range(60)]
    remembered(space, a_node("infra/gpu", LONG, "H100"), *facts)

    def tokens(share: float) -> int:
        tuned = replace(space, tuning=Tuning(context_tree_share=share, context_facts=60))
        context = prompt_context(tuned, "Which embedding jobs run on the H100?", budget=600)
        return sum(layer.tokens for layer in context.layers if layer.name == "tree")

    assert tokens(0.3) < tokens(0.8)


def test_a_page_is_told_as_it_stood_at_the_instant_asked_about(space: Space, clock: HandClock) -> None:
    (node,) = remembered(space, a_node("infra/gpu", "# GPU\n\n- Runs go to the A100.\n", "gpu"))
    then = clock()
    clock.move(days=1)
    after = rewritten(node, "# GPU\n\n- Runs go to the H100.\n")
    commit(space.db, new_run("edit", AGENT, now=clock()), Batch(updated=[(node, after)]), now=clock())
    assert "H100" in given(prompt_context(space, "which gpu?"), "tree")[0]
    assert "A100" in given(prompt_context(space, "which gpu?", as_of=then), "tree")[0]

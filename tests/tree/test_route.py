from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import Tuning
from memoryapp.spaces import Space, open_space
from memoryapp.tree import route
from tests.samples import open_spaces
from tests.tree.fed import pages, put

ROUTED = Tuning(tree_routing="W=values, B=technical/cron")


@pytest.fixture
def tree(space: Space) -> Space:
    put(space, "identity/values", "# Values\n\n- 정직을 먼저 둔다.\n", "가치관", "values")
    put(space, "infra/gpu", "# GPU\n\n- Embedding runs go to the rented H100.\n", "gpu", "H100", "임베딩")
    put(space, "infra", None, "infra")
    put(space, "infra/backup", "# Backup\n\n- Restic copies the data folder every night.\n", "backup", "restic")
    return space


def test_a_tag_goes_before_every_keyword_and_to_a_node_that_need_not_be_there(tree: Space) -> None:
    tree = replace(tree, tuning=ROUTED)
    (by_tag,) = route(tree, ["The gpu is loud."], tags=[["b"]])
    assert (by_tag.path, by_tag.by, by_tag.why, by_tag.certain) == ("technical/cron", "tag", "routed by tag B", True)
    (marked,) = route(tree, ["[W] The gpu is loud."])
    assert (marked.path, marked.by) == ("values", "tag")


def test_without_a_table_a_tag_means_nothing(tree: Space) -> None:
    (found,) = route(tree, ["[W] The gpu is loud."], tags=[["B"]])
    assert (found.path, found.by) == ("infra/gpu", "keyword")


@pytest.mark.parametrize(
    ("text", "path", "certain"),
    [
        ("The H100 price rises in January.", "infra/gpu", True),
        ("가치관이 뭐야?", "identity/values", True),
        ("임베딩은 밤에 돌린다.", "infra/gpu", True),
        ("Backups of the GPU", "infra/backup", False),
    ],
)
def test_a_keyword_that_stands_in_the_words_is_certain_unless_two_nodes_are_as_good(
    tree: Space, text: str, path: str, certain: bool
) -> None:
    (found,) = route(tree, [text])
    assert (found.by, found.certain) == ("keyword", certain)
    assert path in (found.path, *found.others)
    assert found.why.startswith("routed by keyword")


def test_what_no_keyword_names_goes_to_the_nearest_page_and_else_to_the_inbox(tree: Space) -> None:
    near, far = route(tree, ["Copies of the data folder are made every night.", "Zwölf Boxkämpfer jagen Viktor."])
    assert (near.path, near.by, near.certain) == ("infra/backup", "near", False)
    assert near.why == f"near, {near.score:.2f}"
    assert (far.path, far.by, far.score) == ("inbox", "inbox", 0.0)


def test_asking_changes_nothing_and_an_empty_tree_has_only_an_inbox_to_offer(space: Space) -> None:
    (found,) = route(space, ["The gpu is loud."])
    assert found.path == "inbox"
    assert pages(space) == {}


def test_a_table_that_cannot_be_read_is_told(tree: Space) -> None:
    with pytest.raises(BadInput, match="no entry"):
        route(replace(tree, tuning=Tuning(tree_routing="W")), ["x"])


def test_a_model_that_reads_no_korean_is_not_asked_for_korean_words() -> None:
    with open_spaces(encoder="all-MiniLM-L6-v2"):
        space = open_space("reeds")
        space.encoder.get(60)
        put(space, "infra/gpu", "# GPU\n\n- 임베딩은 밤에 서울의 서버에서 돌린다.\n")
        put(
            space, "infra/backup", "# Backup\n\nRestic copies the data folder every night, and Sunday's copy is kept.\n"
        )
        korean, english, far = route(
            space,
            ["밤에는 서울의 서버를 쓴다.", "The nightly copy of our files is made by Restic.", "Mina likes green tea."],
        )
        assert korean.by == "inbox"
        assert (english.path, english.by) == ("infra/backup", "near")
        assert far.by == "inbox"

"""What tests of the tree share: a tree as it stands, a markdown large enough to be split, random markdown."""

from __future__ import annotations

from hypothesis import strategies as st

from memoryapp.domain.memory import Memory
from memoryapp.domain.node import Node
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.tree import grow
from tests.samples import PERSON

TOPICS = {
    "Storage": "rocksdb surrealkv checkpoint compaction disk folder write-ahead log snapshot restart",
    "Search": "full text posting vector cosine index ranking bm25 token stem query",
    "Changefeed": "changefeed versionstamp tail follower replay cursor lag event stream table",
    "백업과 복구": "백업 복구 스냅숏 디스크 압축 보관 주기 점검 경로 서버",
}
_ROWS = [
    *(
        "",
        "",
        "# One",
        "## Two",
        "## 두 번째",
        "### Three",
        "Title",
        "=====",
        "-----",
        "- item",
        "  - inner",
        "1. first",
    ),
    *(
        "```",
        "```py",
        "~~~",
        "    code",
        "> quote",
        "> # in it",
        "| a | b |",
        "[x]: y.com",
        "<div>",
        "---",
        "***",
        "\t",
    ),
]
FENCE = "```sh\n# not a heading\npalimpsest backup --to /mnt/nas\n\n## nor this\n```\n"


def a_large_page(newline: str = "\n") -> str:
    """23 KB in four topics of three sections each, English and Korean, with code and lists."""
    parts = ["# SurrealDB\n\nWhat we know of it, 그리고 배운 것.\n\n"]
    for topic, words in TOPICS.items():
        parts.append(f"## {topic}\n\n")
        for n in range(1, 4):
            parts.append(f"### {topic} {n}\n\n")
            some = words.split()
            for line in range(9):
                said = " ".join(some[(line + n + k) % len(some)] for k in range(7))
                parts.append(f"- {topic} {n}.{line}: {said}.\n" if line % 3 else f"{said}: {said}, {line}.\n\n")
            parts.append("\n" + FENCE + "\n")
            parts.append(f"Not unlike {some[n]} it was seen, tried and written down. " * 12 + "\n\n")
    return "".join(parts).replace("\n", newline)


def held(space: Space) -> dict[str, Memory]:
    """Every held node by its path, as a memory."""
    return {one.path: one.memory for one in nodes.every(space.db)}


def said(space: Space) -> dict[str, tuple[str, str, tuple[str, ...], float, int, object]]:
    """What an undo must bring back, by path."""
    return {
        one.path: (one.id, one.text, one.keywords, one.weight, one.position, one.memory.detail)
        for one in nodes.every(space.db)
    }


def plant(space: Space, *paths: str, **texts: str) -> dict[str, Node]:
    """Nodes at these paths, in this order; each says its path unless told otherwise by its last part."""
    return {
        path: grow(
            space,
            path,
            text=texts.get(path.rpartition("/")[2], f"# {path}\n\nOn {path}.\n"),
            keywords=[path],
            actor=PERSON,
        )[0]
        for path in paths
    }


def markdowns() -> st.SearchStrategy[str]:
    """Markdown of many shapes: headings of all levels, lists, fences that are closed or not, quotes, any line end."""
    line = st.one_of(
        st.sampled_from(_ROWS),
        st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40),
        st.text("가나다 abc.", min_size=200, max_size=900),
    )
    ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
    return st.builds(
        lambda pairs, last: "".join(line + end for line, end in pairs) + last,
        st.lists(st.tuples(line, ends), max_size=60),
        st.sampled_from(["", "end", "## End"]),
    )

"""docs/GLOSSARY.md names what the doors speak of, in words that the code has too."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from memoryapp.interfaces.api.assembly import document

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (\*\*.+?) \| (.+?) \| `([^`]+)` \|$")
# What all subjects share, and doors in the shapes of others.
NO_SUBJECTS = {"pages", "api", "mcp", "mem0"}
NO_TAGS = {"mem0"}
# A tag or a folder that says the same in another form of the word.
FORMS = {
    "golden": "golden query",
    "lab": "search lab",
    "tree": "context tree",
    "moving": "transfer",
    "consolidation": "consolidate",
    "entities": "entity",
    "summaries": "summary",
}


@cache
def rows() -> list[tuple[tuple[str, ...], str, str]]:
    """(words, what they mean, the name in the code) of each line of the tables."""
    lines = (ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf-8").splitlines()
    found = [match for line in lines if (match := ROW.match(line))]
    assert len(found) == sum(line.startswith("| **") for line in lines), "a line that is no row"
    return [(tuple(re.findall(r"\*\*(.+?)\*\*", match[1])), match[2], match[3]) for match in found]


def words() -> set[str]:
    return {word.lower() for names, _, _ in rows() for word in names}


def named(name: str) -> bool:
    """Whether the glossary has this name of a folder or tag, in the plural or the singular."""
    name = FORMS.get(name.lower(), name.lower())
    return bool({name, name.removesuffix("s"), name.removesuffix("ies") + "y"} & words())


def test_no_word_stands_twice() -> None:
    every = [word.lower() for names, _, _ in rows() for word in names]
    assert sorted({word for word in every if every.count(word) > 1}) == []


def test_each_subject_of_the_doors_is_in_it() -> None:
    folders = {path.parent.name for path in (ROOT / "memoryapp" / "interfaces").glob("*/__init__.py")}
    assert len(folders) > 20
    assert sorted(name for name in folders - NO_SUBJECTS if not named(name)) == []


def test_each_tag_of_the_api_is_in_it() -> None:
    operations = [one for path in document()["paths"].values() for one in path.values()]
    tags = {tag for one in operations for tag in one.get("tags", ())}
    assert len(tags) > 15
    assert sorted(tag for tag in tags - NO_TAGS if not named(tag)) == []


@pytest.mark.parametrize("name", sorted({name for _, _, name in rows()}))
def test_the_code_has_the_name(name: str) -> None:
    if "/" in name or name == "benchmarks":
        assert (ROOT / name).exists()
        return
    first, _, second = name.partition(".")
    pattern = rf"\bclass {first}\b" if first[0].isupper() else rf"\b{first}\b"
    searched = ["git", "grep", "-lwE", pattern, "--", "memoryapp", "schema"]
    files = subprocess.run(searched, cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    assert files, f"nothing in the code is called {name}"
    if second:
        assert any(re.search(rf"^    {second} = ", (ROOT / file).read_text(encoding="utf-8"), re.M) for file in files)

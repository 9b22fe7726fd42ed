"""What the pages say is there: commands with their options, addresses of the API, links, and a place in the site."""

from __future__ import annotations

import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands, load_command_class
from markdown_it import MarkdownIt
from markdown_it.token import Token

from memoryapp.interfaces.api.assembly import document

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "AGENTS.md"]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
COMMAND = re.compile(r"(?:manage\.py|(?<!exec )\bpalimpsest) ([a-z][a-z0-9-]*)\b(?!:)((?:(?!  |[|#`&]).)*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
CALL = re.compile(r"(?<![|\w])(GET|POST|PUT|PATCH|DELETE)\s+(/[\w{}/.…-]*)")  # not GET|POST: several addresses in one
NOT_OF_THE_API = re.compile(r"/(v\d|mcp|api/docs|login)\b")  # other makers' shapes, MCP, pages
OF_OTHER_PROGRAMS = "MOVING-IN.md"  # tells how one gets one's memories out of them, by their own addresses


def code_of(page: Path) -> Iterator[str]:
    """Every line of code: of blocks, and between backticks."""
    for token in _tokens(page):
        if token.type in ("fence", "code_block"):
            yield from token.content.splitlines()
        yield from (one.content for one in token.children or () if one.type == "code_inline")


def links_of(page: Path) -> Iterator[str]:
    for token in _tokens(page):
        for one in token.children or ():
            link = one.attrGet("href") or one.attrGet("src")
            if link and not re.match(r"[a-z]+:", str(link)):
                yield str(link)


def anchors_of(page: Path) -> set[str]:
    """What a link to a heading says, as GitHub and the site make it."""
    tokens = _tokens(page)
    titles = [tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open"]
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", title.strip().lower())) for title in titles}


def _tokens(page: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def options_of(parser: ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action.choices, dict):
            for inner in action.choices.values():
                yield from options_of(inner)


@pytest.mark.parametrize("file", PAGES, ids=NAMES)
class TestEveryPage:
    def test_its_commands_are_there_with_their_options(self, file: Path) -> None:
        ours = {name for name, app in get_commands().items() if app == "memoryapp"} | {"help", "test"}
        for line in code_of(file):
            for name, rest in COMMAND.findall(line):
                assert name in ours, line
                said = set(OPTION.findall(rest))
                if said:
                    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
                    assert said <= {*options_of(parser)}, line

    def test_its_addresses_are_in_the_openapi_document(self, file: Path) -> None:
        if file.name == OF_OTHER_PROGRAMS:
            return
        known = [(path.removeprefix("/api/v1"), methods) for path, methods in document()["paths"].items()]
        for line in code_of(file):
            for method, path in CALL.findall(line):
                if NOT_OF_THE_API.match(path) or "…" in path:
                    continue
                path = path.removeprefix("/api/v1").rstrip("./")
                assert any(method.lower() in methods and _is(path, there) for there, methods in known), line

    def test_its_links_lead_somewhere(self, file: Path) -> None:
        for link in links_of(file):
            name, _, anchor = link.partition("#")
            target = (file.parent / name).resolve() if name else file
            assert target.exists(), link
            if anchor and target.suffix == ".md":
                assert anchor in anchors_of(target), link


def _is(path: str, there: str) -> bool:
    """/sessions/standup-42/end is /sessions/{id}/end; a node's path may have slashes of its own."""
    pattern = ""
    for part in filter(None, re.split(r"(\{\w+\})", there)):
        pattern += ".+" if part == "{path}" else "[^/]+" if part[0] == "{" else re.escape(part)
    return re.fullmatch(pattern, path) is not None


def test_every_page_has_a_place_in_the_site() -> None:
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    placed = [*_leaves(site["nav"])]
    assert sorted(placed) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))
    assert site["theme"]["font"] is False, "nothing is fetched from elsewhere"


def test_what_agents_are_told_of_the_tree_is_there() -> None:
    path_alone = re.compile(r"[\w/.-]+(?:/|\.py|\.md|\.css|\.toml)")
    named = [code for code in code_of(ROOT / "AGENTS.md") if path_alone.fullmatch(code)]
    assert len(named) > 15
    for path in named:
        inside = any((ROOT / "memoryapp").rglob(path.rstrip("/")))
        assert inside or (ROOT / path).exists(), path


@pytest.mark.long
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason='pip install -e ".[docs]"')
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")]
    built = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert built.returncode == 0, built.stderr
    start = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "What becomes of the files" in (tmp_path / "site" / "recipes" / "workspace" / "index.html").read_text()
    assert not re.search(r'(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)', start), (
        "something is fetched from elsewhere"
    )


def _leaves(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for inner in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from _leaves(inner)

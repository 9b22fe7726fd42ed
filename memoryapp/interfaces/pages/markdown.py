"""A section's markdown as HTML for its page: rendered by CommonMark's rules, sanitised, and without pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

_BLOCKS = {"p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre"}
_TAGS = _BLOCKS | {"code", "em", "strong", "del", "s", "a", "table", "thead", "tbody", "tr", "th", "td"}
Beside = Callable[[str], tuple[str, str]]  # a row → (HTML before it, HTML after it)
LONGEST = 40_000  # characters; the document's page shows the rest
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False, "maxNesting": 40}).enable(["table", "strikethrough"]).disable("image")
)


def render_markdown(text: str, *, title: str = "", beside: Beside | None = None) -> SafeString:
    """`text` as safe HTML. A heading at its top that only repeats `title` is left out; h1 becomes h2, because the page
    has its own. `beside` is asked for the first row of each paragraph, item or heading, as it stands in the text,
    and may put HTML of the page's own before and after all of it."""
    shown = _strip_title(text, title)[:LONGEST]
    tokens = _MARKDOWN.parse(shown)
    if beside is not None:
        _annotate(tokens, shown.splitlines(), beside)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    html = html.replace("<h1>", "<h2>").replace("</h1>", "</h2>")
    clean = nh3.clean(
        html,
        tags=_TAGS if beside is None else _TAGS | {"small", "span"},
        attributes={"a": {"href", "title"}, "ol": {"start"}} | ({"span": {"class"}} if beside is not None else {}),
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(clean)


def _annotate(tokens: Sequence[Token], lines: Sequence[str], beside: Beside) -> None:
    for opening, token in pairwise(tokens):
        if token.type == "inline" and opening.type in {"paragraph_open", "heading_open"} and token.map is not None:
            before, after = beside(lines[token.map[0]])
            token.children = [*_html(before), *(token.children or ()), *_html(after)]


def _html(content: str) -> list[Token]:
    return [Token("html_inline", "", 0, content=content)] if content else []


def _strip_title(text: str, title: str) -> str:
    first, _, rest = text.lstrip().partition("\n")
    return (
        rest.lstrip("\n")
        if title and first.lstrip("# ").rstrip("# ").strip() == title.strip() and rest.strip()
        else text
    )

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.interfaces.pages.markdown import render_markdown


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,AAAA)",
        "<a href='javascript:alert(1)'>x</a>",
        "![x](https://example.org/track.png)",
        "<iframe src='//example.org'></iframe>",
        "<p style='position:fixed'>x</p>",
    ],
)
def test_nothing_in_a_note_can_run_or_load_anything(text: str) -> None:
    html = str(render_markdown(text)).lower()
    for bad in ("<script", "<img", "<iframe", 'href="javascript', 'href="data', "<p style"):
        assert bad not in html


@settings(deadline=None)  # a busy machine is no failure
@given(st.text(max_size=400))
def test_any_text_can_be_rendered(text: str) -> None:
    html = str(render_markdown(text))
    assert "<script" not in html
    assert " style=" not in html.replace("&quot;", "") or " style=" in text


def test_a_heading_that_repeats_the_title_is_left_out() -> None:
    assert render_markdown("## Backup\n\nStarts at three.", title="Backup") == "<p>Starts at three.</p>\n"
    assert "<h2>Backup</h2>" in render_markdown("## Backup\n\nStarts at three.", title="Other")


def test_a_link_in_a_note_does_not_pass_on_where_it_was_clicked() -> None:
    assert 'rel="noopener noreferrer nofollow"' in render_markdown("[docs](https://example.org)")


def test_deeply_nested_markdown_neither_hangs_nor_fails() -> None:
    assert render_markdown("> " * 5000 + "deep")
    assert render_markdown("- " * 5000 + "deep")


def test_what_stands_beside_a_row_is_put_there_and_nothing_else_of_its_kind() -> None:
    text = "# One\n\n- two <small>x</small>\n- three\n  goes on\n\n<span class='was'>four</span>\n"

    def beside(row: str) -> tuple[str, str]:
        return (
            ('<span class="was">', '</span> <a href="/memories/1/"><small>18 Nov</small></a>')
            if "three" in row
            else ("", "")
        )

    html = str(render_markdown(text, beside=beside))
    assert html.count('<span class="was">') == 1 and html.count("<small>") == 1
    assert "three\ngoes on</span> <a href=" in html, "an item of several rows is known by its first"
    assert "&lt;small&gt;x" in html and "&lt;span" in html
    assert "<small>" not in render_markdown(text) and "<span" not in render_markdown("<span class='was'>x</span>")

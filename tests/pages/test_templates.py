"""What holds for every template: no inline style or script, no stray colour, no link that leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template.loader import get_template

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
CSS = sorted((ROOT / "static" / "css").glob("*.css"))
JS = sorted((ROOT / "static" / "js").glob("*.js"))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda p: str(p.relative_to(ROOT / "templates")))
def test_a_template_loads_and_keeps_to_the_content_policy(template: Path) -> None:
    get_template(str(template.relative_to(ROOT / "templates")))
    text = template.read_text()
    assert not re.search(r"\sstyle=", text)
    assert not re.search(r"\son[a-z]+=", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"hx-on|hx-vals='js:", text)
    assert 'href="#"' not in text
    assert not re.search(r"https?://(?!www\.w3\.org)", text)


@pytest.mark.parametrize("sheet", [s for s in CSS if s.name != "tokens.css"], ids=lambda p: p.name)
def test_colours_are_named_in_the_tokens_alone(sheet: Path) -> None:
    text = sheet.read_text()
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?![-\w])(?=[;\s])", text)
    assert not re.findall(r"\b(?:rgb|hsl|oklch)a?\(", text)


@pytest.mark.parametrize("script", JS, ids=lambda p: p.name)
def test_a_script_is_small_and_evaluates_no_text(script: Path) -> None:
    text = script.read_text()
    assert len(text.splitlines()) <= 600  # as oxfmt sets it, which gives short things lines of their own
    for bad in ("eval(", "innerHTML", "document.write", "new Function", "http://", "https://"):
        assert bad not in text


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda p: str(p.relative_to(ROOT / "templates")))
def test_dates_have_the_formats_of_the_filters_alone(template: Path) -> None:
    """What machines read aside: `datetime` attributes and addresses."""
    formats = set(re.findall(r"\|date:([\"'][^\"']*[\"'])", template.read_text()))
    assert formats <= {"'c'", "'Y-m-d'"}


@pytest.mark.parametrize("source", [*TEMPLATES, *CSS, *JS], ids=lambda p: str(p.relative_to(ROOT)))
def test_no_line_is_longer_than_120_columns(source: Path) -> None:
    """The formatters leave a word or an attribute that they cannot break as long as it is."""
    lines = source.read_text(encoding="utf-8").splitlines()
    assert not [f"line {number} has {len(line)}" for number, line in enumerate(lines, 1) if len(line) > 120]

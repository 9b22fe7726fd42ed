"""Tags for the look's small pieces: icons, entity shapes, trust bars, waterfalls, progress, links that keep a state."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from django import template
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from memoryapp.domain.trust import Trust
from memoryapp.interfaces.pages import charts, wording
from memoryapp.program import program_line, program_name

register = template.Library()
register.simple_tag(program_name, name="program")  # what is typed before a command
register.simple_tag(program_line)

# Drawn for this product on a 16-unit grid, stroke 1.5.
_ICONS = {
    "home": '<path d="M2.5 7.2 8 2.8l5.5 4.4v6.3h-11z"/>',
    "memories": '<path d="M2.5 4h11M2.5 8h11M2.5 12h7"/>',
    "facts": '<path d="M2.5 3.5h11v9h-11zM5 6.3h6M5 9.2h3.5"/>',
    "audit": '<path d="M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2"/>',
    "undo": '<path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.7 3.5 2.7 6.5l3 3"/>',
    "episodes": '<path d="M4 2.5v11M4 4.5h9M4 8h5M4 11.5h7"/>',
    "graph": '<circle cx="4" cy="4.5" r="2"/><circle cx="12.2" cy="6" r="2"/><circle cx="6.2" cy="12.2" r="2"/>'
    '<path d="m6 4.9 4.2.7M4.6 6.4l1 3.9M10.8 7.4l-3.2 3.4"/>',
    "tree": '<path d="M3.5 2.5v9.2h4.5M3.5 6h4.5M10 4.5h3.5v3H10zM10 10.2h3.5v3H10z"/>',
    "inbox": '<path d="M2.5 9.5 4.5 3h7l2 6.5v4h-11zM2.5 9.5H6a2 2 0 0 0 4 0h3.5"/>',
    "conflicts": '<path d="M3 6h10M3 10h10M10.6 3 5.4 13"/>',
    "ingest": '<path d="M8 2.5v7.5M5 7.2l3 3 3-3M2.5 13.5h11"/>',
    "consolidate": '<path d="M2.5 3h11L9.7 8v4.8L6.3 11V8z"/>',
    "clock": '<circle cx="8" cy="8" r="5.5"/><path d="M8 5v3.2l2.2 1.6"/>',
    "lab": '<path d="M3 13.5V7M8 13.5v-11M13 13.5V9"/>',
    "preview": '<path d="M3 2.5h10v11H3zM5.5 6h5M5.5 8.5h5M5.5 11h2.5"/>',
    "sessions": '<path d="M2.5 3h8v5.5h-5L3.5 10.5v-2h-1zM12 5.5h1.5v5.5h-1v2l-2-2H7"/>',
    "summaries": '<path d="M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5"/><path d="M5.5 10.7h2.5" stroke-width="2"/>',
    "traces": '<path d="M2.5 4h3M2.5 8h3M2.5 12h3M7.5 4h6M7.5 8h4M7.5 12h5"/>',
    "feedback": '<path d="M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5"/>',
    "learn": '<path d="M2.5 3.5h7M2.5 6.5h5M2.5 9.5h4M9 11.2l1.8 1.8 3-4"/>',
    "settings": '<path d="M2.5 5h5.8M12 5h1.5M2.5 11H4M7.7 11h5.8"/><circle cx="10.1" cy="5" r="1.7"/>'
    '<circle cx="5.9" cy="11" r="1.7"/>',
    "search": '<circle cx="7" cy="7" r="4.3"/><path d="m10.3 10.3 3.2 3.2"/>',
    "theme": '<circle cx="8" cy="8" r="5.3"/><path d="M8 2.7v10.6a5.3 5.3 0 0 0 0-10.6" fill="currentColor"/>',
    "plus": '<path d="M8 3v10M3 8h10"/>',
    "minus": '<path d="M3 8h10"/>',
    "check": '<path d="m3 8.5 3.2 3.2L13 4.8"/>',
    "more": '<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.4" stroke-linecap="round"/>',
    "right": '<path d="m6 4 4 4-4 4"/>',
    "down": '<path d="m4.5 6.5 3.5 3.5 3.5-3.5"/>',
    "pin": '<path d="M5.5 2.5h5M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5"/>',
    "upload": '<path d="M5 8.5 8 5.5l3 3M8 5.5V13M3 3h10"/>',
    "copy": '<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"/>',
    "out": '<path d="M6.5 2.5h-4v11h4M6.5 8h7M10.7 5l3 3-3 3"/>',
    "edit": '<path d="m10.5 3 2.5 2.5L6 12.5l-3.3.8.8-3.3z"/>',
    "folder": '<path d="M2.5 4h4l1.3 1.5h5.7v7h-11z"/>',
    "fit": '<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"/>',
    "full": '<path d="M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9"/>',
    "play": '<path d="M5 3.2v9.6L12.5 8z" fill="currentColor"/>',
    "pause": '<path d="M5.5 3.5v9M10.5 3.5v9" stroke-width="2.4"/>',
    "key": '<circle cx="5" cy="11" r="2.5"/><path d="m6.8 9.2 6-6M10.5 5.5l2 2"/>',
}
_SHAPES = {
    "person": '<circle cx="7" cy="7" r="6" class="d1"/>',
    "tool": '<rect x="1.7" y="1.7" width="10.6" height="10.6" rx="1.5" class="d2"/>',
    "concept": '<path d="M7 .1 13.9 7 7 13.9.1 7z" class="d3"/>',
    "place": '<path d="M7 .4 13.6 12.4H.4z" class="d4"/>',
    "organization": '<path d="M1 7 4 1.6h6L13 7l-3 5.4H4z" class="d5"/>',
    "project": '<path d="M1 2.5h7.2L13 7l-4.8 4.5H1z" class="d6"/>',
    "unknown": '<circle cx="7" cy="7" r="5.2" class="faint" fill="none" stroke="currentColor" stroke-width="1.6"/>',
}
_OTHER = '<circle cx="7" cy="7" r="6" class="faint" fill="currentColor"/>'  # a type of a space's own
_SVG = (
    '<svg class="icon" width="{0}" height="{0}" viewBox="0 0 16 16" fill="none" stroke="currentColor" '
    'stroke-width="1.5" aria-hidden="true">{1}</svg>'
)
# Arms keep their hue everywhere; the order is also the order of a stacked share bar.
ARM_HUES = {
    "vector": 1, "keyword": 2, "graph": 3, "structural": 4, "semantic": 5, "tree": 6, "recall": 6,
    "speaker": 4, "date": 5, "quoted": 3, "syllables": 6,
}  # fmt: skip


@register.simple_tag
@cache
def icon(name: str, size: int = 16) -> SafeString:
    """An icon by name; hidden from screen readers, so its button needs a label."""
    return format_html(_SVG, size, mark_safe(_ICONS[name]))


@register.simple_tag
@lru_cache(maxsize=256)  # a space names types of its own
def shape(kind: str) -> SafeString:
    """The shape and hue of an entity type, named for a screen reader."""
    drawn = mark_safe(_SHAPES.get(kind, _OTHER))
    return format_html(
        '<svg width="14" height="14" viewBox="0 0 14 14" role="img" aria-label="{}">{}</svg>', kind, drawn
    )


def _bar(value: float) -> SafeString:
    return format_html(
        '<svg viewBox="0 0 135 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="135" height="6"/>'
        '<rect class="t{}" width="{}" height="6"/><rect class="tick" x="100" width="1.5" height="6"/></svg>'
        '<b>{}</b><span class="sr"> trust, {}</span>',
        charts.step(value),
        charts.width(value),
        f"{value:.2f}",
        charts.word(value),
    )


@register.simple_tag
def trust_bar(value: float, kind: str = "") -> SafeString:
    """The bar and the number; kind="small" in lists."""
    return format_html('<span class="trust {}">{}</span>', kind, _bar(value))


@register.simple_tag
def trust_button(value: float, href: str) -> SafeString:
    """The bar as a button: it opens the one popover of the page (#why) and fills it with the waterfall from `href`."""
    return format_html(
        '<button class="trust" type="button" popovertarget="why" hx-get="{}" hx-target="#why" '
        'aria-label="Trust {}, show why">'
        "{}</button>",
        href,
        f"{value:.2f}",
        _bar(value),
    )


@register.inclusion_tag("parts/waterfall.html")
def waterfall(trust: Trust) -> dict[str, Any]:
    return {
        "bars": charts.waterfall(trust),
        "trust": trust,
        "width": charts.width(trust.value),
        "formula": _product(trust),
    }


def _product(trust: Trust) -> str:
    product = f"{trust.confidence:.2f} × {trust.recency:.2f} × {trust.boost:.2f}"
    if trust.ceiling is not None and trust.ceiling < trust.confidence * trust.recency * trust.boost:
        product = f"min({product}, {trust.ceiling:.2f})"
    return f"{product} = {trust.value:.2f}"


@register.simple_tag
def progress(done: int, total: int, label: str) -> SafeString:
    """A bar of `done` out of `total`; without a total it stands empty."""
    share = min(100.0, 100 * done / total) if total else 0.0
    return format_html(
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="progressbar" aria-label="{}" '
        'aria-valuemin="0" aria-valuemax="{}" aria-valuenow="{}"><rect class="track" width="100" height="8"/>'
        '<rect class="fill" width="{}" height="8"/></svg>',
        label,
        total or 1,
        min(done, total) if total else 0,
        f"{share:.1f}",
    )


@register.simple_tag
def marked(text: str, terms: Iterable[str] = ()) -> SafeString:
    return wording.mark_terms(text, terms)


@register.filter
def hue(arm: str) -> int:
    """The data hue of an arm: 1 vector … 6 tree."""
    return ARM_HUES.get(arm, 6)


@register.simple_tag(takes_context=True)
def query(context: template.Context, **changes: Any) -> str:
    """The page's query string with some parameters replaced; None or "" drops one. It starts at the first page."""
    asked: QueryDict = context["request"].GET.copy()
    for moving in ("after", "before"):
        if moving not in changes:
            asked.pop(moving, None)
    for name, value in changes.items():
        if value in (None, ""):
            asked.pop(name, None)
        elif isinstance(value, (list, tuple)):
            asked.setlist(name, [str(v) for v in value])
        else:
            asked[name] = str(value)
    told = asked.urlencode()
    return f"?{told}" if told else "?"

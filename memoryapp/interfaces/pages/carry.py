"""What every page of the past has in common, put into it when it is drawn: its links and the forms that only ask carry
the clock on, and what would write is off. One place, so that no template can forget it.

Templates are ours and escaped, so that a tag ends at its first ">" outside of quotes. `data-now` on a link or a form
leaves it as it is: those that set the clock, and signing out.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.utils.html import escape

from memoryapp.interfaces.pages.clock import NAMES, PageClock

_TAG = re.compile(r"""<(/?)([a-z][a-z0-9]*)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>""", re.I)
_LEADS = re.compile(r'\s(?:href|hx-get)="([^"]*)"')
_ASKED = re.compile(r'\sname="as_of"')
_WRITES = re.compile(r"\shx-(?:post|put|patch|delete)=")
_POSTS = re.compile(r'\smethod="?post', re.I)
_OFF = re.compile(r"\sdisabled\b")
_NOW = re.compile(r"\sdata-now\b")
_CONTROLS = {"button", "input", "select", "textarea"}
_ELSEWHERE = ("/api/", "/login", "/logout", settings.STATIC_URL)


def carry(html: str, clock: PageClock) -> str:
    """The page with the clock in its links, and nothing in it that writes."""
    writing = False  # whether one is inside a form that writes

    def put(found: re.Match[str]) -> str:
        nonlocal writing
        tag, closing, name, said = found[0], found[1], found[2].lower(), found[3]
        if closing:
            writing = writing and name != "form"
            return tag
        if name == "form":
            writing = not _NOW.search(said) and bool(_POSTS.search(said) or _WRITES.search(said))
            if writing or _NOW.search(said) or _ASKED.search(html, found.end(), html.find("</form>", found.end())):
                return tag
            return tag + "".join(
                f'<input type="hidden" name="{one}" value="{escape(value)}">' for one, value in clock.parameters.items()
            )
        if name in _CONTROLS and (writing or _WRITES.search(said)):
            return tag if _OFF.search(said) or 'type="hidden"' in said else f"{tag[:-1].rstrip(' /')} disabled>"
        if _NOW.search(said) or name == "link":
            return tag
        return _LEADS.sub(lambda lead: lead[0].replace(lead[1], carried(lead[1], clock)), tag)

    return _TAG.sub(put, html)


def carried(address: str, clock: PageClock) -> str:
    """An address of a page, as it stands in one ("&amp;" between parameters), with the clock in it; any other, and one
    that says its own instant, as it is."""
    if not address.startswith(("/", "?")) or address.startswith(("//", *_ELSEWHERE)):
        return address
    parts = urlsplit(address.replace("&amp;", "&"))
    asked = parse_qsl(parts.query, keep_blank_values=True)
    if any(name in NAMES for name, _ in asked):
        return address
    query = "&".join(filter(None, (parts.query, urlencode(clock.parameters, safe=":"))))
    return urlunsplit(parts._replace(query=query)).replace("&", "&amp;")

"""HTML read as a browser would begin to: which elements and attributes there are that could run or fetch something."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urlsplit

# What the templates of the app are made of. Anything else came out of somebody's words.
_OURS = (
    "html head meta title link script body a abbr article aside b blockquote br button canvas code col colgroup dd "
    "del details dialog div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i input ins "
    "kbd label legend li main mark menu meter nav noscript ol optgroup option output p pre progress q s search "
    "section select small span strong sub summary sup table tbody td textarea tfoot th thead time tr u ul var "
    "datalist caption symbol template svg defs pattern rect line circle path polyline polygon ellipse g text tspan use"
)
KNOWN = frozenset(_OURS.split())
ADDRESSES = {"href", "src", "action", "formaction", "hx-get", "hx-post", "data-href", "xlink:href", "poster", "data"}


class Looked(HTMLParser):
    """`faults`: a sentence for each thing that must not be there."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in KNOWN:
            self.faults.append(f"<{tag}> is none of ours")
        for name, value in given.items():
            if name.startswith(("on", "hx-on", "data-hx-on")) or name in ("style", "srcdoc", "ping", "background"):
                self.faults.append(f"<{tag} {name}={value!r}>")
            if name in ADDRESSES:
                self._address(tag, name, value)
        if tag == "script" and not (
            given.get("src", "").startswith("/static/") or given.get("type") == "application/json"
        ):
            self.faults.append(f"a script in the page: {given}")
        if tag == "meta" and "http-equiv" in given:
            self.faults.append("a <meta http-equiv>")

    def _address(self, tag: str, name: str, value: str) -> None:
        plain = "".join(letter for letter in value if letter > " " and letter != "\x7f")
        scheme = urlsplit(plain).scheme.lower() if ":" in plain.split("/")[0] else ""
        if scheme not in ("", "http", "https", "mailto"):
            self.faults.append(f"<{tag} {name}={value!r}>")
        elsewhere = scheme or plain.startswith(("//", "/\\", "\\"))
        if elsewhere and not (tag == "a" and name == "href"):
            self.faults.append(f"<{tag} {name}={value!r}> asks another server")

"""What is not to be stored, of every text that comes in: what its author marked as private, and what people paste by
mistake: keys, tokens, passwords, numbers of cards.

Of those, exact forms only (an issuer's prefix and length, a check digit, a word for “password” with its value behind
it): a mask over something that is no secret would lose what was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_MARK = "[secret: {}]"
_TOKEN = r"[A-Za-z0-9_-]"
_BEFORE, _BEHIND = r"(?<![A-Za-z0-9_-])", r"(?![A-Za-z0-9_-])"

# Prefixes and lengths as the issuers document them.
_KEYS = rf"""
    (?:AKIA|ASIA)[A-Z0-9]{{16}}
    gh[pousr]_[A-Za-z0-9]{{36,255}}    github_pat_[A-Za-z0-9_]{{60,255}}    glpat-{_TOKEN}{{20,64}}
    xox[abeoprs]-[A-Za-z0-9-]{{10,250}}    sk-ant-{_TOKEN}{{24,250}}    sk-(?:proj-|svcacct-)?{_TOKEN}{{32,250}}
    [sr]k_(?:live|test)_[A-Za-z0-9]{{16,250}}    AIza{_TOKEN}{{35}}    ya29\.{_TOKEN}{{20,500}}
    npm_[A-Za-z0-9]{{36}}    pypi-{_TOKEN}{{50,500}}    hf_[A-Za-z0-9]{{30,64}}    SK[0-9a-f]{{32}}
    SG\.{_TOKEN}{{16,64}}\.{_TOKEN}{{16,128}}    dop_v1_[0-9a-f]{{64}}    shpat_[0-9a-fA-F]{{32}}
    eyJ{_TOKEN}{{8,2000}}\.eyJ{_TOKEN}{{8,4000}}\.{_TOKEN}{{8,2000}}    [0-9]{{8,10}}:AA{_TOKEN}{{33}}
    pal_[0-9a-z]{{6,16}}_{_TOKEN}{{20,80}}
"""
_KEY = re.compile(_BEFORE + "(?:" + "|".join(_KEYS.split()) + ")" + _BEHIND)
_PEM = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY)-----(?:[^-]|-(?!----END))*(?:-----END \1-----)?")
_CARD = re.compile(r"(?<![\w.,-])\d(?:[ -]?\d){12,18}(?![\w-]|[.,]\d)")
_ISSUED = re.compile(r"4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[68])|6(?:011|5|4[4-9])|35")
_ADDRESS = re.compile(r"\b([a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,64}:)([^\s:/@]{1,200})(?=@)", re.IGNORECASE)
_BEARER = re.compile(r"\b((?:Bearer|Basic|Token)[ \t]+)([A-Za-z0-9._~+/=-]{16,4000})")
_ASSIGNED = re.compile(
    r"""((?<![A-Za-z0-9])(?!(?<=\[)secret:[ ][a-z A-Z]{1,20}\])  # a mark is no secret
        (?:[A-Za-z0-9]{1,32}[_.-]){0,4}
        (?:passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|token|client[_-]?secret)
        (?:[_-](?:key|token|value)){0,2}["']?[ \t]{0,4}(?:=|:)[ \t]{0,4}["']?)
        ([^\s"',;]{6,300})""",
    re.IGNORECASE | re.VERBOSE,
)
_SAID = re.compile(
    r"""(\b(?:password|passphrase|passcode|pin|pw|pwd|passwort|kennwort|contraseña|mot[ ]de[ ]passe|senha)\b
        (?:[ ](?:for|of|to|für|de|del|du)[ ][\w.'’-]{1,40}(?:[ ][\w.'’-]{1,40}){0,3})?
        [ \t]{0,4}(?:is|ist|es|est|é|=|:)(?:[ ](?:now|jetzt|ahora))?[ \t]{0,4}[:=]?[ \t]{0,4}["'“”‘’`«]{0,2})
        ([^\s"'“”‘’`«»]{4,128})""",
    re.IGNORECASE | re.VERBOSE,
)
_SAID_UNSPACED = re.compile(
    r"((?:비밀번호|비번|パスワード|暗証番号|密码|密碼)(?:는|은|가|は|が|是|为)?[ \t]{0,4}[:：=]?[ \t]{0,4}[\"'“「]?)"
    r"([!-~]{4,128})"
)
_PLACEHOLDER = re.compile(
    r"[<$%{\[(].*|.*(?:your|example|placeholder|changeme|redacted|secret:).*|[x*.•_-]+|\W*|(?:os|process|env|ENV)[.\[].*"
    r"|(?:none|null|true|false|undefined|string|str|required|optional|hidden|wrong|correct|empty|unknown|missing|stored)",
    re.IGNORECASE,
)


_TAG = re.compile(r"<(/?)private>", re.IGNORECASE)
PRIVATE = "[private]"
_MASKS = re.compile(r"\[(?:private|secret: [a-z A-Z]{1,20})\]")


def mask(text: str) -> str:
    """The text as it may be stored: marks in place of what is private and of secrets. Masking twice is masking once."""
    return mask_secrets(mask_private(text))[0]


def mask_private(text: str) -> str:
    """The text with a mark in place of what stands between <private> and its </private>, or behind one that is never
    closed. Tags within tags belong to what is around them."""
    closed, opened = _stretches(text)
    if opened is not None:
        closed = [one for one in closed if one[0] < opened] + [(opened, len(text))]
    return _mask_stretches(text, closed)


def mask_private_lines(text: str) -> str:
    """As `mask_private`, of a file: the number of its lines stays, and a tag that is never closed means nothing."""
    return _mask_stretches(text, _stretches(text)[0], lines=True)


def _stretches(text: str) -> tuple[list[tuple[int, int]], int | None]:
    """(start, end) of what stands between a tag and the one that closes it, without those within another, in order;
    and where the first tag stands that is never closed."""
    closed: list[tuple[int, int]] = []
    opened: list[int] = []
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            start = opened.pop()
            while closed and closed[-1][0] > start:
                closed.pop()
            closed.append((start, tag.end()))
    return closed, opened[0] if opened else None


def _mask_stretches(text: str, stretches: Sequence[tuple[int, int]], *, lines: bool = False) -> str:
    """`lines`: the line ends of what is taken out stay."""
    parts, at = [], 0
    for start, end in stretches:
        parts += [text[at:start], PRIVATE, "\n" * text.count("\n", start, end) if lines else ""]
        at = end
    return "".join((*parts, text[at:]))


def is_private(text: str) -> bool:
    """Whether words of a text are private, and none that can be stored is left beside them."""
    return _TAG.search(text) is not None and is_masked(mask(text))


def is_masked(text: str) -> bool:
    """Whether nothing is left of a text but marks."""
    return not any(one.isalnum() for one in _MASKS.sub("", text))


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with a mark in place of each secret, and what kinds they were, in the order of these rules. What is
    around them stays as it was; masking twice is masking once."""
    found: list[str] = []
    for rule in _RULES:
        text = rule.applied(text, found)
    return text, tuple(found)


@dataclass(frozen=True, slots=True)
class _Rule:
    """`group`: which part of the match is the secret; `holds`: whether that is one after all."""

    kind: str
    pattern: re.Pattern[str]
    group: int = 0
    holds: Callable[[str], bool] = bool

    def applied(self, text: str, found: list[str]) -> str:
        def masked(match: re.Match[str]) -> str:
            secret = match[self.group]
            if not self.holds(secret):
                return match[0]
            found.append(self.kind)
            before = match.start(self.group) - match.start()
            return match[0][:before] + _MARK.format(self.kind) + match[0][before + len(secret) :]

        return self.pattern.sub(masked, text)


def _is_value(secret: str) -> bool:
    return not _PLACEHOLDER.fullmatch(secret)


def _looks_random(secret: str) -> bool:
    """A word of a language is rarely a password that somebody tells: one has a digit or a sign in it, or changes case
    within."""
    bare = secret.rstrip(".,;:!?)")
    mixed = any(one.isupper() for one in bare[1:]) and any(one.islower() for one in bare)
    return _is_value(bare) and (mixed or any(not one.isalpha() for one in bare))


def _is_card(number: str) -> bool:
    digits = [int(one) for one in number if one.isdigit()]
    doubled = [digit if n % 2 == 0 else sum(divmod(2 * digit, 10)) for n, digit in enumerate(reversed(digits))]
    issued = _ISSUED.match("".join(map(str, digits))) is not None
    return issued and sum(doubled) % 10 == 0 and len(set(digits)) > 1


_RULES: Sequence[_Rule] = (
    _Rule("private key", _PEM),
    _Rule("API key", _KEY),
    _Rule("password", _ADDRESS, 2, _is_value),
    _Rule("token", _BEARER, 2, _is_value),
    _Rule("password", _SAID, 2, _looks_random),
    _Rule("password", _SAID_UNSPACED, 2, _looks_random),
    _Rule("secret", _ASSIGNED, 2, _looks_random),
    _Rule("card number", _CARD, 0, _is_card),
)

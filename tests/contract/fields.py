"""Strange values: what a careless program or a stranger may put where a text, a number, a time or a list belongs.

Each has a name, so that a failure says which one it was. `written` puts them into JSON as they are, also those that no
writer of JSON would write.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

EVERY = os.environ.get("MEMORY_TEST_FIELDS") == "all"  # each value into each place, for a quarter of an hour


class Literal(str):
    """Stands in a JSON body without quotation marks, as it is."""


TEXTS: Mapping[str, str] = {
    "empty": "",
    "spaces": " \t\n\r\u00a0\u2003\u3000",
    "no width": "\u200b\u200d\ufeff",
    "a mark of the byte order": "\ufeffwords",
    "nul": "a\x00b",
    "controls": "".join(map(chr, range(1, 32))) + "\x7f\x80\x85\x9b",
    "line separators": "one\u2028two\u2029three\x0bfour\x0cfive\x85six",
    "half a character": "a\ud800b",
    "halves the wrong way round": "\udc00\ud800",
    "no characters": "\ufffe\uffff\U0010ffff\ufdd0",
    "right to left": "\u202eנסתר \u2066إسم\u2069 evil\u202c.txt",
    "marks on marks": "e" + "\u0301" * 500,
    "a family": "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽",
    "syllables": "한국어",
    "jamo": "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165",
    "letters that grow": "ßŉǰΐևẖẗİıſﬀﬃ",
    "digits of others": "²³١٢٣४五Ⅷ½",
    "one word": "w" * 3_000,
    "lines": "\n" * 3_000,
    "a fence": "```\n# not a heading\n~~~",
    "front matter": "---\na: &a [*a]\n---\n# b",
    "markup": "<script>hit()</script>{{ 7*7 }}{% load x %}",
    "sql": "'; REMOVE TABLE memory; --",
    "surreal": "memory:⟨a⟩ $value r'x' <uuid>",
    "a format": "%s %n {0} {x!r} \\u0000 \\",
    "an address": "../../etc/passwd",
    "a dot": ".",
    "a number": "1e400",
    "not a number": "NaN",
    "a long number": "9" * 5_000,
    "minus nothing": "-0",
    "a cursor": "WyIyMDI2Il0",
    "an id": "0123456789abcdef",
    "a plan": "hybrid;vector=1e400;k=-1;;=;factors=+",
    "wildcards": "*?[a-z]^$(.*)+\\",
    "a first year": "0001-01-01T00:00:00+14:00",
    "a last year": "9999-12-31T23:59:59.999999-14:00",
    "a far offset": "2026-01-01T00:00:00+99:99",
    "a leap second": "2016-12-31T23:59:60Z",
    "a day that is none": "2026-02-30",
    "a week": "2026-W01-1",
    "a leap day": "1900-02-29T00:00:00",
    "years before": "-0044-03-15",
}
LONG: Mapping[str, str] = {
    "one word of 100 KB": "w" * 100_000,
    "a megabyte": "All work and no play. " * 48_000,
    "100,000 lines": "- a\n" * 100_000,
    "a long hangul word": "가" * 100_000,
    "quotes within quotes": ">" * 100_000,
    "brackets": "[" * 100_000,
}
NUMBERS: Mapping[str, Any] = {
    "nothing": 0,
    "minus nothing": Literal("-0"),
    "minus nothing point nothing": -0.0,
    "less": -1,
    "past the exact": 2**53 + 1,
    "past a word": 2**63,
    "past two": 2**64,
    "a thousand digits": Literal("9" * 1_000),
    "too many digits": Literal("9" * 5_000),
    "not a number": Literal("NaN"),
    "infinity": Literal("Infinity"),
    "less than all": Literal("-Infinity"),
    "past every double": Literal("1e400"),
    "the least double": 5e-324,
    "the greatest": 1.7976931348623157e308,
    "a part": 0.1,
    "nearly whole": 1.0000000000000002,
}
OTHERS: Mapping[str, Any] = {
    "null": None,
    "true": True,
    "a list": [],
    "a list of null": [None],
    "an object": {},
    "an object with an empty name": {"": ""},
    "many": ["x"] * 2_000,
    "a list of lists": [[[[]]]],
    "twice the same": Literal('{"a": 1, "a": 2}'),
    "deep": Literal("[" * 100_000 + "]" * 100_000),
    "deep objects": Literal('{"a":' * 50_000 + "1" + "}" * 50_000),
}
ALL: Mapping[str, Any] = {
    **{f"text: {name}": value for name, value in TEXTS.items()},
    **{f"number: {name}": value for name, value in NUMBERS.items()},
    **{f"other: {name}": value for name, value in OTHERS.items()},
}


def written(body: Any) -> bytes:
    """JSON, with literals as they are and halves of characters as escapes."""
    literals: list[str] = []

    def put(value: Any) -> Any:
        if isinstance(value, Literal):
            literals.append(str(value))
            return f"\x01literal {len(literals) - 1}\x01"
        if isinstance(value, dict):
            return {name: put(inner) for name, inner in value.items()}
        return [put(inner) for inner in value] if isinstance(value, list) else value

    text = json.dumps(put(body))
    for n, literal in enumerate(literals):
        text = text.replace(f'"\\u0001literal {n}\\u0001"', literal)
    return text.encode()

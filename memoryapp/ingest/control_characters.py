"""Removal of what a terminal or a browser would act on, or a database refuses."""

from __future__ import annotations

import re

# C0 and C1 but tab and newline, DEL, a byte-order mark in mid-text, half a surrogate pair (YAML can spell one).
# Page breaks and Unicode's own line ends become spaces, so that lines are what "\n" parts; the others nothing.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


def without_control_characters(text: str) -> tuple[str, int]:
    """The text without control characters, and how many there were."""
    return _HARMFUL.subn(lambda found: " " if found.group() in "\x0b\x0c\u2028\u2029" else "", text)

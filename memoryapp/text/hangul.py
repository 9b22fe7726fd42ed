"""Letters of Korean."""

from __future__ import annotations

import re

HANGUL = re.compile(r"[\uac00-\ud7a3]")  # a syllable

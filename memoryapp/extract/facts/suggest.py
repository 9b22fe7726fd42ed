"""What an assistant suggests in; out whether it holds something to come back to: a list, a name, an amount. For
`weigh`.

“Which present did you propose?” is asked weeks later. A suggestion is no fact about anybody: it is kept as what it is,
told as a suggestion, at the lowest confidence."""

from __future__ import annotations

import re

from memoryapp.extract.facts.words import any_of

LEAST_NAMED = 3  # things in a row that make a list
_SUGGESTS = any_of(
    r"""
    how about  what about  i(?:'d| would)? (?:suggest|recommend|advise|propose|start with)
    my (?:suggestion|advice|tip) is
    you (?:could|might|may want to|can also)  (?:the )?(?:first|next) steps?:  here(?:'s| is) (?:the|an?|my) \w+:
    a good (?:start|plan|choice|option|idea) (?:is|would be)  i can offer  try (?:the|an?|to|this)  consider
    """
)
_PARTS = re.compile(r",\s+(?:and |or )?|;\s+|\s(?:and|or)\s")
_FIGURE = re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b", re.IGNORECASE)


def suggests(text: str) -> bool:
    """Whether a sentence suggests something, of several parts or with a figure in it."""
    found = _SUGGESTS.search(text)
    if found is None:
        return False
    rest = text[found.end() :]
    return len(_PARTS.split(rest)) >= LEAST_NAMED or bool(_FIGURE.search(rest))

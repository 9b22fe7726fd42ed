"""What is felt, hoped, guessed or looked forward to says how somebody stands to a thing, not how the thing is: two such
sayings of one thing are two moments, and contradict nothing."""

from __future__ import annotations

import re

_ATTITUDE = re.compile(
    r"""\b(?:
        can['’]?t\ (?:wait|imagine|believe) | cannot\ (?:wait|imagine|believe) | looking\ forward | looks?\ forward
      | finds?\ (?:that|it|this) | feels? | felt | feeling | hop(?:e|es|ed|ing) | wish(?:es|ed|ing)?
      | guess(?:es|ed)? | glad | joy | excited | inspir\w+ | passionate | grateful | thankful | proud
      | miss(?:es|ed)? | crav\w+ | dreams?\ of | would\ love | going\ to
      | should(?!\ (?:always\ |never\ )?be\ (?:given|shown|written|kept|sent|left|used|made|paid|in|at|on|put|read)\b)
      | will(?!\ be\ (?:held|painted|published|released|moved|hosted|given|paid|in|at|on|\d+)\b)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


_ABLE = re.compile(
    r"\b(?:(?<!as soon as )(?:I|we|he|she|they|user|[A-Z]\w+) can(?! not)|(?:am|is|are) able to|knows? how to|"
    r"(?:am|is|are) (?:good|fluent) (?:at|in))\b"
)
_INCLINED = re.compile(
    r"\b(?:prefers?|(?:would|'d) rather|likes? (?:to|\w+ing)|not (?:like|enjoy|want)|dislikes?|enjoys?)\b",
    re.IGNORECASE,
)


def is_attitude(text: str) -> bool:
    return bool(_ATTITUDE.search(text))


def able_and_inclined(one: str, other: str) -> bool:
    """Whether one says what somebody can do, and the other what they would rather do: “can drive at night”, “prefers
    not to”."""
    for able, inclined in ((one, other), (other, one)):
        if (
            _ABLE.search(able)
            and not _INCLINED.search(able)
            and _INCLINED.search(inclined)
            and not _ABLE.search(inclined)
        ):
            return True
    return False

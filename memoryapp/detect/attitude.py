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


def is_attitude(text: str) -> bool:
    return bool(_ATTITUDE.search(text))

"""What an assistant says: why most of it is not kept, and how what is kept reads.

It mostly offers and explains. Kept is what it did, what was decided, what it says of the user or of a particular
thing, what it names letter by letter (`exact`), and what it suggested (`suggest`): “which present did you propose?” is
asked weeks later. A suggestion is no fact about anybody; it is worded as a suggestion, at the lowest confidence.
"""

from __future__ import annotations

import re

from memoryapp.extraction.facts.classification import decides
from memoryapp.extraction.facts.parse import ParsedSentence
from memoryapp.extraction.facts.rewrite import ThirdPersonText
from memoryapp.extraction.facts.words import any_of

_OF_THE_USER = any_of(
    r"""
    you (?:prefer|like|use|work|live|mentioned|said|asked|told|decided|chose|wanted|moved|switched|own|study)
    you (?:also|always|usually|already|often|mainly|never) (?:prefer|like|use|work|live|mentioned|asked|decided|chose)
    you(?:'re| are) (?:\w+ )?(?:using|working|living|named|called|allergic)
    you(?:'ve| have) (?:\w+ )?(?:mentioned|said|asked|told|decided|chosen|moved|switched)
    your \w+(?: \w+)? (?:is|are|was|were|runs?|uses?|has)
    """
)
_OFFER = any_of("i'll  i will  i can  i could  i'd  i would  let me  i recommend  i suggest  i think  i am")
# What it did, told without its I: “Added docs/stripe.md”. Not that it heard: “Noted: …”.
_DID = any_of(
    r"(?!noted|understood|agreed|needed|based|supposed|welcomed)(?:done|ran|wrote|put|made|built|found|set|sent|got|took"
    r"|split|cut|brought|rewritten|written|\w{2,}ed)(?= \w|:)",
    opening=True,
)
_PARTICIPLE = re.compile(r"(?:done|rewritten|written|built|found|split):?", re.IGNORECASE)
_THAT_THING = ("the", "this", "that", "these", "those", "our", "your", "my", "their")
_TELLING = ("CD", "NNP", "NNPS")  # a figure or a name
_ANNOUNCING = {"will", "'ll"}  # “Your account manager will be Felix”: what is to come, and no advice


def is_of_the_user(text: str) -> bool:
    """Whether an assistant's words are about the person it speaks to."""
    return bool(_OF_THE_USER.search(text))


def is_report(text: str, sentence: ParsedSentence, *, exact: bool) -> bool:
    """Whether it tells what it did, without its I and with something in it to look for."""
    if sentence.subject == 0 and sentence.words[sentence.root].tag == "VBZ":
        return False  # “Winifred pays two of them”
    if sentence.root == 0 and not _acts_on_something(sentence):
        return False  # “Parked until May”, “Signed at 55k”: nobody says by whom
    return bool(_DID.match(text)) and (exact or any(word.tag in _TELLING for word in sentence.words))


_TOWARDS = ("to", "from", "off", "out", "back", "up", "down", "over", "through", ":", "in")


def _acts_on_something(sentence: ParsedSentence) -> bool:
    """Whether the first verb has an object, or goes on with where to or what: “Moved to …”, “Documented: …”."""
    words = sentence.words
    root = sentence.root
    if any(words[place].dep in ("dobj", "ccomp", "prt", "oprd") for place in sentence.children[root]):
        return True
    return len(words) > 1 and words[1].lower in _TOWARDS


def attribute_act(told: ThirdPersonText) -> ThirdPersonText:
    """“Added the runbook” is what the assistant did."""
    if told.names:
        return told
    if _PARTICIPLE.fullmatch(told.text.split(" ", 1)[0]):
        return ThirdPersonText(f"The assistant: {told.text}", True)
    return ThirdPersonText(f"The assistant {told.text[:1].lower()}{told.text[1:]}", True)


def attribute_suggestion(text: str) -> ThirdPersonText:
    """The same as something that the assistant suggested."""
    text = text.rstrip("! ")
    return ThirdPersonText(f"The assistant suggested: “{text if text[-1:] in '.?…' else text + '.'}”", True)


def why_not(text: str, sentence: ParsedSentence, *, own: bool, exact: bool) -> str:
    """Why nothing is kept of the sentence, in words for a person; empty where it goes on. `own`: it speaks of the
    assistant."""
    past = any(word.tag == "VBD" for word in sentence.words)
    if decides(text) or is_of_the_user(text):
        return ""
    if own:
        return "" if past or "'ve" in text or " have " in text else "an offer or an opinion of the assistant"
    if _OFFER.search(text) or any(word.lower == "you" for word in sentence.words):
        return "advice"
    if exact:
        return ""
    subject = sentence.subject
    modals = {word.lower for word in sentence.words if word.tag == "MD"}
    if subject is None or not modals <= _ANNOUNCING:
        return "an explanation"
    first = {_first_of(sentence, subject), sentence.words[0].lower}
    particular = sentence.words[subject].tag.startswith("NNP") or not first.isdisjoint(_THAT_THING)
    telling = past or any(word.tag in _TELLING for word in sentence.words)
    return "" if particular and telling else "an explanation"


def _first_of(sentence: ParsedSentence, place: int) -> str:
    """The first word of a phrase: “your” of “your provider's certificate”."""
    first, below = place, list(sentence.children[place])
    while below:
        here = below.pop()
        first = min(first, here)
        below.extend(sentence.children[here])
    return sentence.words[first].lower


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

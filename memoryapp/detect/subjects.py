"""Who or what a slot belongs to, in one form: “I”, “me”, “the user” are the speaker; “we” and “our team” the team."""

from __future__ import annotations

import re

from memoryapp.detect.attributes import KIN
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import meaning, words

TEAM = "team"
_DETERMINERS = re.compile(
    r"^(?:the|a|an|our|this|that|these|those|all|every|each|your|his|her|their|its)\s+", re.IGNORECASE
)
_SELF = re.compile(r"\b(?:i|me|my|mine|myself|the user's|user's|the user|user)\b", re.IGNORECASE)
_NAMED = re.compile(  # “the user's daughter Ines”
    r"^(?:.+'s|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) (?:[a-z-]+ )?(?P<kin>[a-z-]+) (?P<name>[A-Z][\w-]+)$"
)
_PRONOUNS = wordset("he she they it this that him her them his their its who someone somebody everyone people")


def subject(text: str, *, speaker: str | None = None) -> str:
    """The normal form: content words in order, synonyms as one; the speaker's name, or “user” where nobody is named."""
    who = (speaker or "user").casefold()
    if (named := _NAMED.match(text.strip())) and named["kin"] in KIN:
        text = named["name"]
    bare = text.strip(" ,.:'\"").casefold()
    if bare in _PRONOUNS:
        return bare
    own = _SELF.sub(lambda _: f" {who} ", _DETERMINERS.sub("", text.strip()))
    kept = [form for word in words(own) if (form := who if word in who.split() else meaning(word))]
    return " ".join(dict.fromkeys(kept)) or TEAM


def known(subject_form: str) -> bool:
    """Whether it names somebody: “she” in two statements may be two people."""
    return subject_form not in _PRONOUNS

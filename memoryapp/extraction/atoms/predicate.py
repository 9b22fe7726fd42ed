"""How a predicate is read aloud: a common verb's plain form agrees with its subject."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoryapp.extraction.facts.rewrite import third
from memoryapp.text.wording import word_set

_JOINTS = re.compile(r"[\s_-]+")
_SENSE = re.compile(r"(?<=\w)-0\d$")  # of PropBank: prefer-01


_PLURAL = word_set("i we you they")
# Only these change: whether any other word is a verb, and in which form, is not to be seen from it.
_VERBS = word_set(
    """
    add admire adopt agree allow answer ask attend avoid believe belong book break bring build buy call care cause
    celebrate change check choose close collaborate collect come contain cook create decide deliver depend deploy
    describe design develop discuss dislike drink drive earn eat enable enjoy expect explain fear feel find finish
    fix follow forget give go grow handle hate have head help host implement include inform install intend invite
    join keep know lack lead learn leave like listen live love maintain make manage mean meet mention merge migrate
    move need note offer order organize own pay plan play prefer prevent promise publish recommend release remember
    remind rent replace report require run say see sell send share show sleep solve speak start stay stop study
    suggest support take talk teach tell test think travel trust try understand use visit wait walk want watch wear
    win wish work write
    """
)
# “located in”, “part of”: what somebody or something is.
_STATES = word_set("allergic based born interested located part related skilled")


def words_of(predicate: str) -> str:
    """“works at” of "works_at", “prefer” of "prefer-01". Never empty."""
    words = _JOINTS.sub(" ", _SENSE.sub("", predicate.strip())).strip()
    return words or predicate.strip()


def agreeing(words: str, subjects: Sequence[str]) -> str:
    """“works at” of “work at”, “is located in” of “located in” for one subject. For none and for “I” the words stay;
    for several a verb's plain form does."""
    first, space, rest = words.partition(" ")
    rest = space + rest
    verb = first.lower()
    if not subjects or any(subject.lower() in _PLURAL for subject in subjects):
        return words
    one = len(subjects) == 1
    be = "is" if one else "are"
    if verb == "be":
        return be + rest
    if verb in _STATES:
        return f"{be} {words}"
    if words.lower() == "member of":
        return "is a member of" if one else "are members of"
    return third(first) + rest if one and verb in _VERBS else words

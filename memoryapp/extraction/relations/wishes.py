"""Whether a verb's statement is so, meant to be, unsure, or not so at all: what governs the verb tells."""

from __future__ import annotations

from enum import Enum

from memoryapp.extraction.relations.sentences import Sentence
from memoryapp.extraction.relations.taxonomy import FORMS
from memoryapp.text.wording import word_set


class Status(Enum):
    SO = "so"
    UNSURE = "unsure"
    PLANNED = "planned"
    NOT_SO = "not so"


_ORDER = (Status.SO, Status.UNSURE, Status.PLANNED, Status.NOT_SO)
_WISHED = word_set(
    """
    want wants wanted wanting plan plans planned planning consider considers considered considering try tries tried
    trying hope hopes hoped hoping wish wishes wished wishing intend intends intended intending aim aims aimed aiming
    dream dreams dreaming need needs needed wonder wondering decide decided decides deciding agree agreed choose chose
    going expect expects expected expecting prepare preparing prepared propose proposed proposing suggest suggested
    suggesting recommend recommended recommending promise promised debate debating evaluate evaluating like'd offer
    offered asked ask told tell mean meant willing thinking talked talking looking about let
    """
)
_OVER = word_set(
    """
    stop stops stopped stopping quit quits quitting used cease ceased fail fails failed refuse refuses refused avoid
    avoids avoided avoiding forget forgot miss missed regret regretted pretend pretended hate hates hated dislike
    dislikes disliked
    """
)
_THOUGHT = word_set(
    "think thinks thought guess guesses suppose supposes believe believes assume assumes seem seems bet"
)
_MODAL = word_set("would 'd could might may should must will 'll wo shall ought ca")
_NOT = word_set("not n't never no neither nor hardly barely rarely seldom formerly previously almost nearly")
_UNSURE = word_set("maybe perhaps possibly probably apparently supposedly allegedly")
_IF = word_set("if unless whether though lest")
_NO_LONGER = ("no longer", "not anymore", "any more", "anymore", "any longer")
# Verbs whose past says that it is over: who worked there works there no more.
_STATES = word_set(
    "live reside work intern belong own possess run host depend rely prefer enjoy like love base employ be"
)
_STILL_PAST = ("work on", "work with", "rely on")
_CHAINED = ("xcomp", "pcomp")


def status_of(sentence: Sentence, verb: int) -> Status:
    """The least certain of all that the verb hangs on."""
    found = [_verb_status(sentence, verb)]
    place, seen = verb, {verb}
    while (governor := _governor(sentence, place)) is not None and governor not in seen:
        seen.add(governor)
        found.append(_governed_status(sentence, place, governor))
        place = governor
    if any(f" {phrase}" in f" {sentence.text.lower()}" for phrase in _NO_LONGER):
        found.append(Status.NOT_SO)
    return max(found, key=_ORDER.index)


def is_over(sentence: Sentence, verb: int, phrase: str) -> bool:
    """A state told in the simple past: “worked at”, “lived in”."""
    if sentence.words[verb].tag != "VBD" or phrase.startswith(_STILL_PAST):
        return False
    return FORMS.get(sentence.words[verb].lower, "") in _STATES


def _verb_status(sentence: Sentence, verb: int) -> Status:
    """What stands with the verb itself."""
    status = Status.SO
    for child in sentence.children[verb]:
        word = sentence.words[child]
        if word.dep == "neg" or word.lower in _NOT or (word.dep == "mark" and word.lower in _IF):
            return Status.NOT_SO
        if word.dep == "aux" and word.lower in _MODAL and not _is_had(sentence, child, verb):
            status = Status.PLANNED
        if word.lower in _UNSURE and status is Status.SO:
            status = Status.UNSURE
    return status


def _is_had(sentence: Sentence, place: int, verb: int) -> bool:
    return sentence.words[place].lower == "'d" and sentence.words[verb].tag == "VBN"


def _governor(sentence: Sentence, place: int) -> int | None:
    """The verb or adjective whose wish this one is: up through “to …”, “of …ing”, “that …”, and “and”."""
    word = sentence.words[place]
    head = word.head
    if head == place:
        return None
    if word.dep == "pcomp":
        above = sentence.words[head].head
        return above if above != head else None
    if word.dep in ("xcomp", "ccomp") or (word.dep in ("acl", "advcl") and _is_infinitive(sentence, place)):
        return head
    if word.dep == "conj" and sentence.subject_of(place) is None and sentence.words[head].is_verb:
        return head
    return None


def _is_infinitive(sentence: Sentence, place: int) -> bool:
    return any(
        sentence.words[one].lower == "to" and sentence.words[one].tag == "TO" for one in sentence.children[place]
    )


def _governed_status(sentence: Sentence, place: int, governor: int) -> Status:
    """What the governor says of the verb at `place`."""
    word, above = sentence.words[place], sentence.words[governor]
    here = _verb_status(sentence, governor)
    if word.dep == "conj":
        # “doesn't use Vim or Emacs” denies both; “doesn't use Vim but likes Emacs” does not.
        shared = any(sentence.words[one].lower in ("or", "nor") for one in sentence.children[governor])
        modal = here is not Status.NOT_SO and not any(sentence.words[c].dep == "aux" for c in sentence.children[place])
        return here if shared or (modal and word.tag == "VB") else Status.SO
    if word.dep in _CHAINED and above.lower in _OVER:
        return Status.NOT_SO
    if above.lower in _WISHED or (above.tag.startswith("JJ") and above.lower not in ("able", "glad", "proud", "happy")):
        return max(here, Status.PLANNED, key=_ORDER.index)
    if above.is_noun:  # “a plan to use”, “the idea of using”
        return Status.PLANNED
    if above.lower in _THOUGHT:
        return max(here, Status.UNSURE, key=_ORDER.index)
    return here

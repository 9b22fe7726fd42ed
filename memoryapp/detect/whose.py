"""A clause in, whom it is of out: “my husband” is not “I”, “Uncle Pavel's bakery” is Pavel's. Next: `signs`.

Loose, for weighing: nothing is known of a thing (“the printer”), and two things are told apart by the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memoryapp.detect.attributes import KIN
from memoryapp.detect.clause import Clause
from memoryapp.detect.related import RELATED
from memoryapp.detect.verbs import PAST
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import stem, words

SPEAKER = "user"  # “I”, “the user”, and “we”, who are the speaker's household or team
_SPEAKER = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]yself|[Ww]e|[Oo]ur|[Uu]s|[Tt]he [Uu]ser|[Uu]ser)\b")
_PEOPLE = KIN | wordset(
    "mum mummy nan gran granny nephew colleague client customer boss ex roommate housemate guest student intern niece "
    "stepson stepdaughter stepfather stepmother sibling parents parent grandparents landlord assistant deputy "
    "father-in-law mother-in-law brother-in-law sister-in-law godson goddaughter children kids sons daughters brothers "
    "sisters friends neighbours colleagues cousins twins"
)
_NAME = re.compile(r"(?<![.\w])[A-Z][\w-]*[a-z]\b")
_NO_NAME = wordset("the a an my our his her their its this that these those some all each every no nobody user")
_SINGULAR = wordset("is was has does can had would could will isn't hasn't doesn't goes works lives wants likes")


@dataclass(frozen=True, slots=True)
class Whose:
    """`owners`: names, or the speaker. `kin`: what the one spoken of is to them; empty where it is they."""

    owners: frozenset[str]
    kin: frozenset[str]

    @property
    def known(self) -> bool:
        return bool(self.owners or self.kin)


NOBODY = Whose(frozenset(), frozenset())


def whose(clause: Clause) -> Whose:
    """Of the subject of a clause; NOBODY of a thing, of “she”, and where there is no subject."""
    said = clause.subject
    kin = frozenset(word.removesuffix("'s") for word in words(said)) & _PEOPLE
    owners = {name.casefold() for name in _NAME.findall(said) if name.casefold() not in _NO_NAME | _PEOPLE}
    if not _is_name(clause):
        owners -= {next(iter(words(said)), "")}
    if _SPEAKER.search(said):
        owners = (owners if kin else set()) | {SPEAKER}  # “my Garmin watch” is no Garmin's
    return Whose(frozenset(owners), kin)


def others(one: Whose, other: Whose, *, in_one: frozenset[str], in_other: frozenset[str]) -> bool:
    """Whether they are two people. `in_one`, `in_other`: the words of the two statements, in one of which the other's
    name may be told."""
    if not (one.known and other.known):
        return False
    named = (one.owners - {SPEAKER}) & in_other or (other.owners - {SPEAKER}) & in_one
    if one.kin and other.kin:
        return not named and not any(_alike(a, b) for a in one.kin for b in other.kin)
    if one.kin or other.kin:
        kin, bare = (one, other) if one.kin else (other, one)
        return not (bare.owners & kin.owners - {SPEAKER}) or f"{next(iter(bare.owners), '')}'s" in (in_one | in_other)
    return not (one.owners & other.owners or named)


def _alike(one: str, other: str) -> bool:
    a, b = stem(one), stem(other)
    return a == b or bool(RELATED.get(a, frozenset()) & RELATED.get(b, frozenset()))


def _is_name(clause: Clause) -> bool:
    """Whether the word a subject opens with is a name: “Marta has”, “Marta Diaz”, “Marta's”; not “Backups are”."""
    first, _, rest = clause.subject.partition(" ")
    if first.endswith(("'s", "s'")) or rest[:1].isupper():
        return True
    plural = first.endswith("s") and not first.endswith(("is", "us", "as", "os", "es"))
    follows = clause.predicate.partition(" ")[0].casefold()
    return (
        not rest
        and not plural
        and not first.endswith("ing")
        and (follows in _SINGULAR or follows in PAST or follows.endswith(("s", "ed")))
    )

"""A sentence and the time it was said in, when it happened and from when to when it holds out. For `pipeline`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memoryapp.extract.facts.dates import Named, days_named, spans
from memoryapp.extract.facts.parse import Parsed
from memoryapp.extract.facts.words import any_of

# What begins with the day named: after “moved to Busan in May” it holds from May on.
_BEGINS = any_of(
    r"""
    mov(?:e|es|ed|ing) (?:\w+ ){0,3}?to  relocat(?:e|ed|ing)  start(?:s|ed|ing)?  join(?:s|ed|ing)?  began  took up
    switch(?:ed|ing)? (?:\w+ ){0,3}?to  became  becom(?:es|ing)  got (?:married|engaged|divorced|promoted|hired)
    get(?:ting)? married  marr(?:y|ied|ying)  adopt(?:ed|ing)?  migrat(?:e|ed|ing)  upgrad(?:e|ed|ing)  bought  hired
    took over  tak(?:es|ing) over  begin(?:s|ning)?  enroll?ed  liv(?:es?|ed|ing) (?:in|at|with)  renamed  went live
    work(?:s|ed|ing)? (?:at|for|as|in)  changed (?:\w+ ){0,3}?to  launched  released  deployed  effective
    """
)
_NOT_USED_TO = r"(?<!'m )(?<!am )(?<!is )(?<!are )(?<!'re )(?<!get )(?<!getting )(?<!got )"
_NO_MORE = any_of(
    rf"""
    {_NOT_USED_TO}used to (?!it\b|this\b|that\b|the\b|be able)\w+  formerly  my (?:ex|former|old|previous)
    back when i (?:was|lived|worked)
    """
)
# What came in its place, in the same breath: “used to live in Seoul but moved to Busan in March” holds from March on.
_TURNED = any_of(
    r"""
    (?:but|and|then|so|until|till|before) (?:\w+ ){0,4}?(?:now|moved|relocated|switched|changed|quit|stopped|went)
    (?:but|and|then|so|until|till|before) (?:\w+ ){0,4}?(?:left|sold|started|began|became|joined|gave up|divorced)
    (?:but|and|then|so|until|till|before) (?:\w+ ){0,4}?got (?:rid|married|divorced)
    now (?:i|we|it|he|she|they|my|our)  (?:but|and) now  these days  nowadays
    """
)
_BIRTHDAY = any_of("birthday is|birthday's|anniversary is")
_LASTS = any_of(r"(?:have|has|'ve|'s) (?:\w+ )?(?:been|had|known|done|\w+ed)")
_IS = ("am", "is", "are", "'m", "'re", "be")
_PRESENT_BEING = any_of("(?:married|together|vegan|vegetarian|sober|single) for")


@dataclass(frozen=True, slots=True)
class Times:
    """All instants are the start of a day in UTC. `when` tells which words were resolved, and to what."""

    occurred_at: datetime | None = None
    when: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None


def times(text: str, sentence: Parsed, *, said: datetime | None) -> Times:
    """`text` as it was said; nothing where the time it was said at is not known."""
    if said is None:
        return Times()
    today = said.date()
    past = _is_past(sentence)
    named = days_named(text, said=today, past=past)
    if _LASTS.search(text) or _PRESENT_BEING.search(text):
        named += spans(text, said=today)
    since = next((one for one in named if one.sense == "since"), None)
    until = next((one for one in named if one.sense == "until"), None)
    # A birthday comes every year: it is no day on which something happened.
    on = None if _BIRTHDAY.search(text) else next((one for one in named if one.sense == "on"), None)
    no_more = _NO_MORE.search(text)
    turned = bool(no_more) and _TURNED.search(text) is not None
    if since is None and on is not None and (turned or (_BEGINS.search(text) and not no_more)):
        begins: Named | None = on
    else:
        begins = since
    over = said.astimezone(UTC) if said.tzinfo else said.replace(tzinfo=UTC)
    return Times(
        occurred_at=_start(on.first) if on else None,
        when="; ".join(one.told for one in named),
        valid_from=_start(begins.first) if begins else None,
        valid_to=_start(until.last + timedelta(days=1)) if until else over if no_more and not turned else None,
    )


def _is_past(sentence: Parsed) -> bool:
    """By the first helper or verb that has a tense."""
    for word in sentence.words:
        if word.tag == "VBD":
            return True
        if word.tag in ("MD", "VBP", "VBZ"):
            # “I've been there on Friday” looks back, “I'm going on Friday” ahead, and so does what is booked.
            return (
                word.lower not in _IS
                and any(other.tag in ("VBN", "VBD") for other in sentence.words)
                and word.tag != "MD"
            )
    return bool(sentence.words) and sentence.words[0].tag in ("VBN", "VBD")


def _start(first: date) -> datetime:
    return datetime.combine(first, time(), tzinfo=UTC)

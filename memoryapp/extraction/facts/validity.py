"""When what a sentence says happened, and from when to when it holds, by the days its words name.

Days are whole days of the speaker's calendar, a week begins on Monday. The words themselves are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memoryapp.domain.clock import within_reach
from memoryapp.extraction.facts.calendar import (
    MONTH_NAMES,
    SEASONS,
    WEEKDAY_NAMES,
    WEEKDAY_SHORT,
    Days,
    day,
    month,
    month_number,
    nearest_month,
    number,
    season,
    shift_days,
    week,
    weekday_number,
    weekend,
    year,
)
from memoryapp.extraction.facts.parse import ParsedSentence
from memoryapp.extraction.facts.words import any_of

_MONTHS = "|".join(MONTH_NAMES)
_WEEKDAYS = "|".join((*WEEKDAY_NAMES, *WEEKDAY_SHORT))
_SEASONS = "|".join(SEASONS)
_NUMBER = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple(?: of)?|a few|several|\d{1,3})"
)
_SENSES = {"since": "since", "from": "since", "until": "until", "till": "until", "through": "until"}
_SENSES |= {"expires": "until", "ends": "until"}
_LEAD = re.compile(
    r"\b(since|from|until|till|through|expires|ends)(?: the| about| around| early| late| on| in)?\s*$", re.IGNORECASE
)
_UNIT = r"(?:day|weekend|week|month|year)s?"
_HALF_A_YEAR = 183  # days
_AROUND = r"(?:about |around |roughly |over |almost |nearly |just )?"


@dataclass(frozen=True, slots=True)
class NamedDays:
    """Days that words name: words = text[start:end]. `sense`: on, since, or until."""

    words: str
    first: date
    last: date
    sense: str = "on"

    @property
    def told(self) -> str:
        """“last week → 2023-05-15 to 2023-05-21”."""
        days = f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"
        return f"{self.words} → {days}"


def days_named(text: str, *, said: date, past: bool) -> list[NamedDays]:
    """What the words name, in order of place. `past`: the sentence speaks of what was; decides between the Friday
    before and the Friday to come."""
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, NamedDays]] = []
    for pattern, read in _RULES:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            try:
                days = read(match, said, past)
            except (ValueError, OverflowError):  # 31 June; before the year 1
                continue
            if days is not None and within_reach(*days):
                taken.append(match.span())
                found.append((match.start(), _named_days(text, match, days)))
    return [named for _, named in sorted(found, key=lambda one: one[0])]


def spans(text: str, *, said: date) -> list[NamedDays]:
    """“for three years”, said of what still lasts: since then."""
    found = []
    for match in _FOR.finditer(text):
        try:
            days = shift_days(said, -number(match["n"]), match["unit"])
        except (ValueError, OverflowError):  # before the year 1
            continue
        if number(match["n"]) and within_reach(*days):
            found.append(NamedDays(match.group(), *days, sense="since"))
    return found


def _named_days(text: str, match: re.Match[str], days: Days) -> NamedDays:
    """With the word that tells the sense, which some rules have in their match and others before it."""
    words = match.group().strip()
    lead = words.split()[0].lower()
    if lead not in _SENSES:
        before = _LEAD.search(text[: match.start()])
        lead = before.group(1).lower() if before else ""
        words = f"{lead} {words}" if lead else words
    return NamedDays(words, days[0], days[1], _SENSES.get(lead, "on"))


def _iso(match: re.Match[str], said: date, past: bool) -> Days:
    return day(date(int(match["y"]), int(match["m"]), int(match["d"])))


def _written_date(match: re.Match[str], said: date, past: bool) -> Days | None:
    """“July 3rd”, “3 July 2024”: without a year the nearest such day on the side of the tense. None where that is more
    than half a year back: in May, “I switched to the race on September 14th” speaks of a day to come."""
    at, of = int(match["d"]), month_number(match["month"])
    if match["y"]:
        return day(date(int(match["y"]), of, at))
    here = date(said.year, of, at)
    if past and here > said:
        here = date(said.year - 1, of, at)
        if (said - here).days > _HALF_A_YEAR:
            return None
    elif not past and here < said:
        here = date(said.year + 1, of, at)
    return day(here)


def _near_day(match: re.Match[str], said: date, past: bool) -> Days | None:
    steps = {
        "the day before yesterday": -2,
        "yesterday": -1,
        "last night": -1,
        "tomorrow": 1,
        "the day after tomorrow": 2,
    }
    return day(said + timedelta(days=steps.get(match.group().lower(), 0)))


def _relative_days(match: re.Match[str], said: date, past: bool) -> Days | None:
    """“last week”, “next June”, “this summer”, “past Friday”."""
    step = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}.get(match["step"].lower(), 0)
    unit = match["unit"].lower()
    if unit == "week":
        return week(said, step)
    if unit == "weekend":
        return weekend(said, step)
    if unit == "month":
        return month(said.year, said.month, step)
    if unit == "year":
        return year(said.year + step)
    if unit in SEASONS:
        return season(unit, said, step)
    if unit in WEEKDAY_NAMES or unit in WEEKDAY_SHORT:
        return _weekday(unit, said, step < 0 or (step == 0 and past), strictly=step != 0)
    return nearest_month(month_number(unit), said, step)


def _weekday(name: str, said: date, past: bool, *, strictly: bool) -> Days:
    ahead = (weekday_number(name) - said.weekday()) % 7
    if past:
        back = (7 - ahead) % 7
        return day(said - timedelta(days=back or (7 if strictly else 0)))
    return day(said + timedelta(days=ahead or (7 if strictly else 0)))


def _on_weekday(match: re.Match[str], said: date, past: bool) -> Days:
    return _weekday(match["day"].lower(), said, past, strictly=False)


def _days_ago(match: re.Match[str], said: date, past: bool) -> Days | None:
    count = number(match["n"])
    return shift_days(said, -count, match["unit"]) if count else None


def _days_ahead(match: re.Match[str], said: date, past: bool) -> Days | None:
    count = number(match["n"])
    return shift_days(said, count, match["unit"]) if count and not past else None


def _the_nth(match: re.Match[str], said: date, past: bool) -> Days:
    at = int(match["d"])
    here = date(said.year, said.month, at)
    if past and here > said:
        last = month(said.year, said.month, -1)[0]
        here = date(last.year, last.month, at)
    elif not past and here < said:
        following = month(said.year, said.month, 1)[0]
        here = date(following.year, following.month, at)
    return day(here)


def _in_month(match: re.Match[str], said: date, past: bool) -> Days | None:
    of = month_number(match["month"])
    if match["y"]:
        return month(int(match["y"]), of)
    return nearest_month(of, said, -1 if past and of != said.month else 0 if past else 1 if of != said.month else 0)


def _in_year(match: re.Match[str], said: date, past: bool) -> Days:
    return year(int(match["y"]))


_Reader = Callable[[re.Match[str], date, bool], Days | None]


def _rules() -> Iterator[tuple[str, _Reader]]:
    """Most particular first: what one took, the others leave alone."""
    yield r"\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})\b", _iso
    yield rf"\b(?P<month>{_MONTHS})\.? (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y>\d{{4}}))?", _written_date
    yield (
        rf"\b(?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTHS})\b\.?(?:,? (?P<y>\d{{4}}))?",
        _written_date,
    )
    yield (
        r"\b(?:the day before yesterday|the day after tomorrow|yesterday|last night|tomorrow|today|tonight)\b",
        _near_day,
    )
    yield r"\bthis (?:morning|afternoon|evening)\b", _near_day
    units = rf"weekend|week|month|year|{_SEASONS}|{_MONTHS}|{_WEEKDAYS}"
    yield rf"\b(?:the |this )?(?P<step>last|past|previous|this|next|coming) (?P<unit>{units})\b", _relative_days
    yield rf"\b{_AROUND}(?P<n>{_NUMBER}) (?P<unit>{_UNIT}) ago\b", _days_ago
    yield rf"\bin {_AROUND}(?P<n>{_NUMBER}) (?P<unit>{_UNIT})\b(?! of)", _days_ahead
    yield rf"\b(?P<n>{_NUMBER}) (?P<unit>{_UNIT}) from (?:now|today)\b", _days_ahead
    yield (
        rf"\b(?:on|by|since|until|till|from|this) (?P<day>{_WEEKDAYS})\b(?! (?:morning|afternoon|evening|night)s\b)",
        _on_weekday,
    )
    yield r"\b(?:on|since|until|by) the (?P<d>\d{1,2})(?:st|nd|rd|th)\b", _the_nth
    yield (
        rf"\b(?:in|since|until|till|by|from|of|early|late|mid) (?P<month>{_MONTHS})\b(?:,? (?:of )?(?P<y>\d{{4}}))?",
        _in_month,
    )
    yield rf"\b(?P<month>{_MONTHS}),? (?P<y>\d{{4}})\b", _in_month
    yield r"\b(?:in|since|until|till|by|from|during|of|early|late|mid) (?P<y>(?:19|20)\d{2})\b(?![-/.]?\d)", _in_year


_RULES = tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in _rules())
_FOR = re.compile(
    rf"\bfor (?:the (?:last|past) )?{_AROUND}(?P<n>{_NUMBER}) (?P<unit>{_UNIT})(?: now)?\b(?! old)", re.IGNORECASE
)


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


def times(text: str, sentence: ParsedSentence, *, said: datetime | None) -> Times:
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
        begins: NamedDays | None = on
    else:
        begins = since
    over = said.astimezone(UTC) if said.tzinfo else said.replace(tzinfo=UTC)
    return Times(
        occurred_at=_start(on.first) if on else None,
        when="; ".join(one.told for one in named),
        valid_from=_start(begins.first) if begins else None,
        valid_to=_start(until.last + timedelta(days=1)) if until else over if no_more and not turned else None,
    )


def _is_past(sentence: ParsedSentence) -> bool:
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

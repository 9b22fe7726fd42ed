"""Typed values of a text: numbers with their units, clock times, days, dates, money, versions, closed kinds; whether
two are the same (14:00 and 2 pm), and where each says it holds.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache

from memoryapp.contradictions.kinds import ALIASES, AMBIGUOUS, FIRST_WORDS, KIND_OF, LONGEST
from memoryapp.contradictions.vocabulary import GROUP_OF, STOP
from memoryapp.contradictions.words import clean, content, stem, words


@dataclass(frozen=True, slots=True)
class Value:
    """`form` is equal for equal values: 14:00 and 2 pm, two weeks and 14 days. `start`, `end`: where in the text."""

    type: str
    form: str
    text: str
    start: int
    end: int


_MONTHS = {
    name: n
    for n, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}
_MONTH = (
    r"(?P<month{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SECONDS = {
    "ms": 0.001, "millisecond": 0.001, "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hr": 3600,
    "hour": 3600, "day": 86_400, "week": 604_800, "fortnight": 1_209_600, "month": 2_629_800, "quarter": 7_889_400,
    "year": 31_557_600, "yr": 31_557_600,
}  # fmt: skip
_SIZES = {
    "kb": ("byte", 1e3), "mb": ("byte", 1e6), "gb": ("byte", 1e9), "tb": ("byte", 1e12), "kib": ("byte", 1024),
    "mib": ("byte", 1_048_576), "gib": ("byte", 1_073_741_824), "mm": ("metre", 0.001), "cm": ("metre", 0.01),
    "m": ("metre", 1), "km": ("metre", 1000), "metre": ("metre", 1), "meter": ("metre", 1), "kilometre": ("metre", 1e3),
    "kilometer": ("metre", 1e3), "mile": ("metre", 1609.344),
    "mcg": ("gram", 1e-6), "µg": ("gram", 1e-6), "microgram": ("gram", 1e-6),
    "mg": ("gram", 0.001), "milligram": ("gram", 0.001),
    "ml": ("litre", 0.001), "l": ("litre", 1), "litre": ("litre", 1),
    "liter": ("litre", 1), "g": ("gram", 1), "gram": ("gram", 1), "kilogram": ("gram", 1000),
    "tonne": ("gram", 1e6), "kg": ("gram", 1000), "kilo":
    ("gram", 1000), "lb": ("gram", 453.6), "pound": ("gram", 453.6), "px": ("pixel", 1), "pixel": ("pixel", 1),
    "hz": ("hertz", 1), "khz": ("hertz", 1e3), "mhz": ("hertz", 1e6), "ghz": ("hertz", 1e9), "°c": ("degree", 1),
}  # fmt: skip
_CURRENCY = {
    "$": "usd", "usd": "usd", "dollar": "usd", "buck": "usd", "€": "eur", "eur": "eur", "euro": "eur", "£": "gbp",
    "gbp": "gbp", "₩": "krw", "krw": "krw", "won": "krw", "¥": "jpy", "yen": "jpy",
}  # fmt: skip
_DOMAINS = "com|org|net|io|dev|app|ai|co|eu|uk|de|fr|nl|ch|at|se|kr|jp|edu|gov|info|local|internal|lan|test|example"
# As long as names on the net may be, and no longer: a text of nothing but dots would be gone through from each of them.
_FOUND = re.compile(
    rf"""
    (?P<email>\b[\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+)
    |(?P<host>\b(?:https?://)?(?:[a-z0-9-]{{1,63}}\.){{1,30}}(?:{_DOMAINS})\b(?::\d+)?(?:/[^\s,;]*)?)
    |(?P<iso>\b\d{{4}}-\d\d-\d\d\b)
    |(?P<clock>\b(?P<hour>\d{{1,2}})(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>am|pm|a\.m\.|p\.m\.)|\b(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)\b)
    |(?P<noon>\bnoon\b|\bmidnight\b)
    |(?P<dayfirst>\b(?P<day1>[0-3]?\d)(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH.format(1)}\b(?:,?\s(?P<year1>\d{{4}}))?)
    |(?P<monthfirst>\b{_MONTH.format(2)}\s(?P<day2>[0-3]?\d)(?:st|nd|rd|th)?\b(?!:)(?:,?\s(?P<year2>\d{{4}}))?)
    |(?P<monthyear>\b{_MONTH.format(3)}\s(?P<year3>\d{{4}})\b)
    |(?P<hourly>(?<=\bat\s)(?P<bare>[01]?\d|2[0-4])(?=\s*(?:$|[,.;]|(?:every|on|in the|each|and|sharp|daily)\b)))
    |(?P<month>(?<=\bin\s){_MONTH.format(4)}\b|(?<=\bby\s){_MONTH.format(5)}\b|(?<=\buntil\s){_MONTH.format(6)}\b)
    |(?P<endof>(?<=\bend\sof\s){_MONTH.format(9)}\b|(?<=\bday\sof\s){_MONTH.format(10)}\b|(?<=\bstart\sof\s){_MONTH.format(11)}\b|(?<=\bmiddle\sof\s){_MONTH.format(12)}\b)
    |(?P<planned>(?<=\bfor\s){_MONTH.format(7)}\b|(?<=\bto\s){_MONTH.format(8)}\b)
    |(?P<weekday>\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)
    |(?P<money>[$€£₩¥]\s?(?P<sum1>{_NUMBER})(?P<times1>k|m|\smillion|\sbillion)?\b|\b(?P<sum2>{_NUMBER})(?P<times2>k|m|\smillion|\sbillion)?\s?(?P<currency>usd|eur|gbp|krw|dollars?|euros?|won|yen|bucks?|€)(?!\w))
    |(?P<percent>\b{_NUMBER}\s?(?:%|percent\b))
    |(?P<code>\b\d+(?:-\d+)+\b)
    |(?P<ip>\b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b)
    |(?P<version>\bv?\d+\.\d+(?:\.\d+)*\b(?!\s?(?:k?m|[ck]?m|k?g|m?l|kilos?|(?:kilo)?met(?:re|er)s?|miles?|lit(?:re|er)s?|(?:minute|hour|day|week|month|year)s?|[gmt]b)\b)|\bv\d+\b)
    |(?P<ordinal>\b(?P<nth>\d+)(?:st|nd|rd|th)\b)
    |(?P<label>\b(?P<what>port|room|floor|version|level|gate|line|channel|number|no\.|page|chapter|build|phase|step|python|java|node|ticket|issue)\s(?P<which>\d+(?:\.\d+)*)\b)
    |(?P<year>\b(?:19|20)\d\d\b(?!\s(?:[kmgt]i?b|[km]?g|k?m|ml|l|grams?|kilos?|met(?:re|er)s?|lit(?:re|er)s?|miles?|px)\b))
    |(?P<count>\b(?P<n>{_NUMBER})(?P<times>k\b|m\b|\s(?:hundred|thousand|million|billion))?(?:[\s-]?(?P<unit>°c|[a-z]+))?)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Without one of these there is nothing to find.
_ANY = re.compile(r"\d|day|noon|midnight|\b(?:in|by|until|for|to|of) [A-Z]|@|\w\.\w")
_SET_FOR = re.compile(  # “planned for March”, “moved to May”: not “talks to June”
    r"\b(?:planned|scheduled|set|due|slated|announced|expected|moved|pushed|postponed|delayed|deferred|rescheduled|"
    r"shifted|slipped|brought|put off|rebooked|extended)(?: \w+)? (?:for|to) $",
    re.IGNORECASE,
)
_EVERY = re.compile(r"\b(?:every|each)\s$", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+(?:[.'+#-][^\W_]+)*[+#]*")


@lru_cache(maxsize=16_384)
def values(text: str) -> tuple[Value, ...]:
    """The typed values of cleaned text, in order; spans do not overlap."""
    named = _kinds(text)
    # “Apache 2.0”, “Windows 11”
    names = {at for v in named if any(c.isdigit() for c in v.text) for at in range(v.start, v.end)}
    found = []
    if _ANY.search(text):
        found = [value for match in _FOUND.finditer(text) if (value := _value(match))]
    found = [v for v in found if names.isdisjoint(range(v.start, v.end))]
    taken = {at for value in found for at in range(value.start, value.end)}
    found.extend(value for value in named if taken.isdisjoint(range(value.start, value.end)))
    return tuple(sorted(found, key=lambda value: value.start))


def _value(match: re.Match[str]) -> Value | None:
    kind = match.lastgroup or ""
    reader = _READERS.get(_matched_kind(match))
    made = reader(match) if reader else (_matched_kind(match), match.group().casefold())
    if not made or not kind:
        return None
    product = match["label"] and made[0] == "version"  # “Python 3.11”: the number is the value, the name stays a name
    start = match.start("which") if product else match.start()
    end = match.end("n") if made[0] == "number" and match["n"] and not match["times"] else match.end()
    return Value(*made, match.string[start:end], start, end)


def _matched_kind(match: re.Match[str]) -> str:
    return next(name for name in _KINDS if match[name] is not None)


def _host(match: re.Match[str]) -> tuple[str, str] | None:
    name = match.group().casefold()
    return None if name in KIND_OF else ("host", name.removeprefix("https://").removeprefix("http://").rstrip("/"))


def _clock(match: re.Match[str]) -> tuple[str, str]:
    if match["hour24"]:
        return "clock", f"{int(match['hour24']):02}:{match['minute24']}"
    hour = int(match["hour"]) % 12 + (12 if match["half"].lower().startswith("p") else 0)
    return "clock", f"{hour:02}:{match['minute'] or '00'}"


def _noon(match: re.Match[str]) -> tuple[str, str]:
    return "clock", "12:00" if match.group().lower() == "noon" else "00:00"


def _iso(match: re.Match[str]) -> tuple[str, str]:
    return "date", match.group()


def _day(match: re.Match[str]) -> tuple[str, str] | None:
    n = "1" if match["dayfirst"] else "2"
    month = _MONTHS[match[f"month{n}"].lower()[:3]]
    day = int(match[f"day{n}"])
    return ("date", f"{match[f'year{n}'] or '----'}-{month:02}-{day:02}") if 1 <= day <= 31 else None


def _month_year(match: re.Match[str]) -> tuple[str, str]:
    return "date", f"{match['year3']}-{_MONTHS[match['month3'].lower()[:3]]:02}---"


def _month(match: re.Match[str]) -> tuple[str, str]:
    name = match["month4"] or match["month5"] or match["month6"]
    return "date", f"-----{_MONTHS[name.lower()[:3]]:02}---"


def _end_of(match: re.Match[str]) -> tuple[str, str]:
    name = match["month9"] or match["month10"] or match["month11"] or match["month12"]
    return "date", f"-----{_MONTHS[name.lower()[:3]]:02}---"


def _planned_month(match: re.Match[str]) -> tuple[str, str] | None:
    name = match["month7"] or match["month8"]
    if not (name[0].isupper() and _SET_FOR.search(match.string[: match.start()])):
        return None
    return "date", f"-----{_MONTHS[name.lower()[:3]]:02}---"


def _hour_of_day(match: re.Match[str]) -> tuple[str, str]:
    hour = int(match["bare"])
    return "clock", f"{hour:02}:00" if hour > 12 else f"{hour:02}:00?"  # “at 8”: of the morning or the evening


def _weekday(match: re.Match[str]) -> tuple[str, str]:
    return "weekday", match.group().lower().removesuffix("s")[:3]


def _money(match: re.Match[str]) -> tuple[str, str]:
    amount = match["sum1"] or match["sum2"]
    sign = _CURRENCY[match.group()[0] if match["sum1"] else match["currency"].lower().removesuffix("s")]
    return f"money {sign}", _number_text(_number(amount, match["times1"] or match["times2"]))


def _percent(match: re.Match[str]) -> tuple[str, str]:
    return "percent", _number_text(_number(re.match(_NUMBER, match.group())[0]))  # type: ignore[index]


def _version(match: re.Match[str]) -> tuple[str, str]:
    return "version", match.group().lower().removeprefix("v")


def _ordinal(match: re.Match[str]) -> tuple[str, str]:
    return "ordinal", match["nth"]


def _label(match: re.Match[str]) -> tuple[str, str]:
    what = match["what"].lower()
    kind = "version" if what in ("version", "python", "java", "node") else f"label {what.removesuffix('.')}"
    return kind, match["which"]


def _count(match: re.Match[str]) -> tuple[str, str]:
    unit = (match["unit"] or "").lower()
    number = _number(match["n"], match["times"])
    singular = unit if unit in _SECONDS or unit in _SIZES else unit.removesuffix("s")
    if singular in _SECONDS:
        often = _EVERY.search(match.string[: match.start()])
        return "interval" if often else "duration", _number_text(number * _SECONDS[singular])
    if singular in _SIZES:
        name, factor = _SIZES[singular]
        return f"size {name}", _number_text(number * factor)
    if not unit or unit in STOP:
        return "number", _number_text(number)
    return f"count {GROUP_OF.get(unit) or GROUP_OF.get(singular) or stem(unit)}", _number_text(number)


_READERS = {
    "host": _host, "iso": _iso, "clock": _clock, "noon": _noon, "dayfirst": _day, "monthfirst": _day,
    "monthyear": _month_year, "month": _month, "endof": _end_of,
    "planned": _planned_month, "hourly": _hour_of_day, "weekday": _weekday,
    "money": _money, "percent": _percent,
    "version": _version, "ordinal": _ordinal,
    "label": _label, "count": _count,
}  # fmt: skip
_KINDS = (*_READERS, "email", "code", "ip", "year")


def _kinds(text: str) -> list[Value]:
    """Members of closed kinds, the longest name first at each place; a name of several kinds is each of them."""
    tokens = [(match.group().casefold(), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    found: list[Value] = []
    at = 0
    while at < len(tokens):
        first = tokens[at][0]
        longest = LONGEST if first in FIRST_WORDS or first.removesuffix("s") in FIRST_WORDS else 0
        for size in range(min(longest, len(tokens) - at), 0, -1):
            name = " ".join(token for token, _, _ in tokens[at : at + size])
            name = ALIASES.get(name, name)
            kinds = KIND_OF.get(name) or KIND_OF.get(name.removesuffix("s"))
            if kinds and not (name in AMBIGUOUS and text[tokens[at][1]].islower()):
                start, end = tokens[at][1], tokens[at + size - 1][2]
                form = name if name in KIND_OF else name.removesuffix("s")
                found.extend(Value(kind, ALIASES.get(form, form), text[start:end], start, end) for kind in kinds)
                at += size - 1
                break
        at += 1
    return found


def _number(digits: str, times: str | None = None) -> float:
    factor = {"k": 1e3, "m": 1e6, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9}.get(
        (times or "").strip().lower(), 1.0
    )
    return float(digits.replace(",", "")) * factor


def _number_text(number: float) -> str:
    return f"{number:.6g}" if number < 1e6 else f"{number:.0f}"


_DIGITS = re.compile(r"\d+")
_ARTICLE = re.compile(r"^(?:the|a|an|our|my|his|her|their)\s+", re.IGNORECASE)


def same_value(one: str, other: str) -> bool:
    """True where both may be the same value in other words."""
    a, b = plain(one), plain(other)
    if a == b:
        return True
    if korean_script(a) and korean_script(b) and _DIGITS.search(a) and _DIGITS.search(b):
        return a in b or b in a or (_DIGITS.findall(a) == _DIGITS.findall(b) and a[-1] == b[-1])
    typed_a, typed_b = values(clean(one)), values(clean(other))
    shared = {value.type for value in typed_a} & {value.type for value in typed_b}
    if shared:
        return all(agree(typed_a, typed_b, kind) for kind in shared)
    if korean_script(a) or korean_script(b):
        return (
            korean_script(a) != korean_script(b) or a.startswith(b) or b.startswith(a)
        )  # across scripts nothing is known
    words_a, words_b = set(words(a)), set(words(b))
    if words_a and words_b and (words_a <= words_b or words_b <= words_a):
        return True
    means_a, means_b = content(one), content(other)
    return bool(means_a and means_b) and (means_a <= means_b or means_b <= means_a)


def agree(ones: tuple[Value, ...], others: tuple[Value, ...], kind: str) -> bool:
    """Whether the values of one type have one in common."""
    return any(
        same_form(one.form, other.form, kind)
        for one in ones
        if one.type == kind
        for other in others
        if other.type == kind
    )


def same_form(one: str, other: str, kind: str) -> bool:
    """Forms of one type; what a date leaves open agrees with anything, 3 with 3.11 of a version."""
    if kind == "date":
        return all(x == y or "-" in (x[:1], y[:1]) for x, y in zip(_parts(one), _parts(other), strict=True))
    if kind == "clock" and (one.endswith("?") or other.endswith("?")):
        return (int(one[:2]) - int(other[:2])) % 12 == 0 and one[3:5] == other[3:5]
    if kind == "version":
        return one == other or one.startswith(other + ".") or other.startswith(one + ".")
    if kind == "licence":
        return one == other or one.startswith(other) or other.startswith(one)
    return one == other


def plain(value: str) -> str:
    """A value to compare by: no article, lower case, the one name of what has several."""
    low = " ".join(_ARTICLE.sub("", clean(value)).casefold().strip(" .,:'\"").split())
    return ALIASES.get(low, low)


def korean_script(text: str) -> bool:
    """Whether a Hangul syllable is in it."""
    return any("\uac00" <= letter <= "\ud7a3" for letter in text)


def _parts(date: str) -> tuple[str, str, str]:
    return date[:4], date[5:7], date[8:]


_SCOPE = re.compile(
    r"\S (?:(?:for|during) (?!\d|a\b|an\b|all\b|every|each\b|any|"
    r"lack\b|fear\b|want\b|(?:\w+ )?reasons?\b|free(?=$|[.,;])|good\b|now\b)|on (?:week(?:days|ends)|\w+days)\b|"
    r"in the (?:morn|after|even)|"
    r"at night\b).*$",
    re.IGNORECASE,
)


def scope(text: str) -> frozenset[str]:
    """The words of its scope; empty where it holds of all."""
    found = _SCOPE.search(text)
    return content(found.group()[1:]) if found else frozenset()


def scopes_differ(one: str, other: str) -> bool:
    """Whether each holds where the other does not: of free accounts and of paying ones."""
    shared = _shared_opening(one, other)
    a, b = scope(one[shared:]), scope(other[shared:])
    return bool(a and b) and not (a <= b or b <= a)


def _shared_opening(one: str, other: str) -> int:
    """Letters of what both begin with, up to the last word of it: “the backup job for the file server runs” is no
    scope of either."""
    length = len(os.path.commonprefix((one.casefold(), other.casefold())))  # noqa: RUF071 - letters, not paths
    words_end = one.rfind(" ", 0, length)
    before = one.rfind(" ", 0, max(words_end, 0))
    return max(before, 0)

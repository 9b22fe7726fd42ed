"""The end of a phrase in, the value a frame asks for out: a name, a place, an address, a job … Next: `slots`."""

from __future__ import annotations

import re

from memoryapp.detect.attributes import JOBS
from memoryapp.detect.kinds import KIND_OF
from memoryapp.detect.meanings import GROUP_OF
from memoryapp.detect.values import values
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import stem

NAME = re.compile(r"[A-Z\d\u00c0-\u00de]|(?:de|von|van|al|el|la)\s[A-Z]")
ARTICLE = re.compile(r"^(?:the|a|an|our|my|his|her|their)\s+", re.IGNORECASE)
_TIME_WORDS = re.compile(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december)\b",
    re.IGNORECASE,
)
# What follows a name and is not part of it.
_AFTER_NAME = re.compile(
    r"(?:,|\s(?:since|because|so|which|who|where|when|while|although|with|for|as|last|this|next|on|after|before|until|"
    r"during|from|to|and (?:is|has|works?|lives?|the|a|his|her)|by|every|together|but|permanently|full-time|"
    r"part-time|in (?:the |early |late )?(?:january|february|march|april|may|june|july|august|september|october|"
    r"november|"
    r"december|spring|summer|autumn|winter|\d{4})|\d+ (?:days?|weeks?|months?|years?) ago|a (?:few|year|month|week)|"
    r"yesterday|today|at the|in 20\d\d|ago)\b).*$",
    re.IGNORECASE,
)
AFTER_ANY = re.compile(
    r"(?:,\s|\s(?:since|because|so that|which|who|when|while|although|but|instead of|rather than|as opposed to)\b).*$",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"\b(?:on|for|in|at|with|and|or)\s", re.IGNORECASE)  # “Ubuntu on my laptop”: of the laptop
_MARITAL = {
    "single": "single", "a bachelor": "single", "unmarried": "single", "up with": "single", "married": "married",
    "a wife": "married", "a husband": "married", "engaged": "engaged", "a fiancé": "engaged", "a fiancée": "engaged",
    "divorced": "divorced", "separated": "divorced", "widowed": "widowed", "a widow": "widowed", "a widower": "widowed",
    "dating": "dating", "a girlfriend": "dating", "a boyfriend": "dating",
}  # fmt: skip
_TRANSPORT = {
    "bus": "bus", "train": "train", "subway": "subway", "metro": "subway", "tram": "tram", "car": "car", "drive": "car",
    "bike": "bike", "bicycle": "bike", "cycle": "bike", "foot": "foot", "walk": "foot", "ferry": "ferry", "scooter":
    "scooter", "motorbike": "motorbike",
}  # fmt: skip
_UNCOUNTED = wordset(
    "second minute hour day week month year meeting appointment interview question problem "
    "issue idea option thing time "
    "reason chance lot bit couple percent dollar euro pound won kg km gb mb more other of"
)
_STREET = re.compile(
    r"(?:\d+[a-z]?,? )?(?:[A-Z][\w'-]+ ){1,3}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Boulevard|Square|Court|Terrace|"
    r"Way|Row|Quay|Crescent|Gardens|Close|Alley)\b\.?(?: \d+[a-z]?\b)?|"
    r"[A-Z]\w*(?:straße|strasse|gasse|weg|platz|straat|laan|gracht|vej|gatan) \d+[a-z]?|\d+[a-z]? rue [\w' -]+"
)
_WHEN = re.compile(
    r",?\s(?:(?:in|during|over|since|on|by) (?:the )?(?:early |late |last |next )?(?:january|february|march|april|may|"
    r"june|july|august|september|october|november|december|spring|summer|autumn|winter|(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)day|weekend|20\d\d)\b.*|(?:last|this) \w+|yesterday|"
    r"(?:\d+|a few) (?:days?|weeks?|months?|years?) ago)$",
    re.IGNORECASE,
)
_INTO_PLACE = re.compile(
    r"^(?:an? |the )?(?:[a-z]+ ){0,3}?(?:near |in |of |outside |around )?(?=[A-Z])"
)  # “a small village near Graz”


def guarded(guard: str, value: str) -> str:
    """The value cut to what its guard allows; "" where it is none of that kind."""
    if guard in ("any", "count"):
        return AFTER_ANY.sub("", value).strip()
    if guard == "name":
        return name(value)
    if guard == "address":
        street = _STREET.match(value)
        return street.group() if street else ""
    if guard == "place":
        if _STREET.match(value):
            return ""
        return name(value) or name(_INTO_PLACE.sub("", value))
    if guard == "job":
        return _job(value)
    if guard == "marital":
        low = value.casefold()
        return _MARITAL.get(low) or ("single" if low.endswith(("wife", "husband")) else "dating")
    if guard == "over":
        first, *rest = re.split(r" (?:over|to|rather than|instead of) ", value.casefold())
        return f"{first} over {rest[0]}" if len(rest) == 1 and len(value.split()) <= 7 else ""
    if guard == "transport":
        return next((kind for word, kind in _TRANSPORT.items() if word in value.casefold()), "")
    if guard == "age":
        return value if 0 < int(value) < 120 else ""
    value = _WHEN.sub("", value)
    if guard == "version":
        return value if re.fullmatch(r"[\d.]+", value) else ""
    found = [one for one in values(value) if one.type == guard]
    if len(found) != 1 or _ELSEWHERE.search(value[found[0].end :]):
        return ""
    return found[0].text


def name(value: str) -> str:
    cut = _AFTER_NAME.sub("", value).strip(" .,:'\"")
    bare = ARTICLE.sub("", cut)
    if not NAME.match(bare) or _TIME_WORDS.search(bare) or len(bare.split()) > 6:
        return ""
    return (
        ""
        if bare.casefold() in ("i", "it", "we")
        or "nationality" in KIND_OF.get(bare.casefold(), ())
        or bare[0].isdigit()
        else bare
    )


def _job(value: str) -> str:
    """“backend engineer at Spotify” → “backend engineer”, where its head is an occupation."""
    cut = re.split(
        r",| (?:at|for|in|with|who|on|of|from|and|by|to|since|because|but) ", ARTICLE.sub("", value), maxsplit=1
    )[0]
    parts = cut.split()
    return cut if parts and len(parts) <= 4 and parts[-1].casefold() in JOBS else ""


def counted(noun: str, number: str) -> tuple[str, str] | None:
    head = noun.casefold().split()
    while head and head[0] in ("young", "full-time", "active", "different", "separate", "adult", "small", "grown-up"):
        head = head[1:]
    if not head or head[0].rstrip("s") in _UNCOUNTED or head[-1].rstrip("s") in _UNCOUNTED:
        return None
    plain = " ".join(GROUP_OF.get(word) or GROUP_OF.get(word.rstrip("s")) or stem(word) for word in head)
    return f"number of {plain}", "0" if number.casefold() == "no" else number.replace(",", "")

"""The slots that a statement fills: “Minsu moved to Busan” → (minsu, lives in, Busan). Subjects are put into one form,
and values cut to what their frame asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memoryapp.contradictions import korean
from memoryapp.contradictions.clause import Clause, clauses
from memoryapp.contradictions.frames import FRAMES, Frame
from memoryapp.contradictions.kinds import JOBS, KIN, KIND_OF, MANY, NOUNS, ONLY
from memoryapp.contradictions.values import values
from memoryapp.contradictions.vocabulary import GROUP_OF
from memoryapp.contradictions.words import meaning, spoken_by, stem, words
from memoryapp.domain.statement import Slot
from memoryapp.text.wording import word_set

TEAM = "team"
_DETERMINERS = re.compile(
    r"^(?:the|a|an|our|this|that|these|those|all|every|each|your|his|her|their|its)\s+", re.IGNORECASE
)
_SELF = re.compile(r"\b(?:i|me|my|mine|myself|the user's|user's|the user|user)\b", re.IGNORECASE)
_NAMED = re.compile(  # “the user's daughter Ines”
    r"^(?:.+'s|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) (?:[a-z-]+ )?(?P<kin>[a-z-]+) (?P<name>[A-Z][\w-]+)$"
)
_PRONOUNS = word_set("he she they it this that him her them his their its who someone somebody everyone people")


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


def is_named_subject(subject_form: str) -> bool:
    """Whether it names somebody: “she” in two statements may be two people."""
    return subject_form not in _PRONOUNS


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
_UNCOUNTED = word_set(
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


def apply_guard(guard: str, value: str) -> str:  # noqa: C901 - one line of thought a guard
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
    """A proper name of up to six words, without its article and what follows it; "" where the value is none."""
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


def count_slot(noun: str, number: str) -> tuple[str, str] | None:
    """(attribute, number) of “three dogs”: ("number of dog", "3"). None for what is no thing to be counted."""
    head = noun.casefold().split()
    while head and head[0] in ("young", "full-time", "active", "different", "separate", "adult", "small", "grown-up"):
        head = head[1:]
    if not head or head[0].rstrip("s") in _UNCOUNTED or head[-1].rstrip("s") in _UNCOUNTED:
        return None
    plain = " ".join(GROUP_OF.get(word) or GROUP_OF.get(word.rstrip("s")) or stem(word) for word in head)
    return f"number of {plain}", "0" if number.casefold() == "no" else number.replace(",", "")


_CACHE = 8_192
_IS = (
    r"(?:is|are|was|were|equals?|remains|stays|became|becomes|will be)(?: (?:set|fixed|scheduled|called|named|due))?"
    r"(?: (?:to|at|on|for|in|under|by))?"
)
_COPULA = re.compile(rf"^(?P<np>.{{2,70}}?) {_IS} (?P<v>.{{1,80}})$", re.IGNORECASE)
_RELATIVE = re.compile(r"^(?P<np>the [\w ]+? (?:where|that|which|who) .+) (?:is|was) (?P<v>.{1,60})$", re.IGNORECASE)
_MOVED = re.compile(
    r"^(?P<np>.{2,60}?)(?: (?:was|is|has|have|got|were))? (?:moved|extended|changed|pushed|postponed|rescheduled|"
    r"raised|reduced|"
    r"increased|lowered|set|brought|shifted|bumped|upgraded|downgraded|switched|cut|delayed|shortened|renamed)"
    r"(?: back| forward| up| down| over)?(?: from .{1,30})? (?:to|until|till) (?P<v>.{1,60})$",
    re.IGNORECASE,
)
_WE_MOVED = re.compile(
    r"^\S+(?: \S+)? (?:migrated|moved|extended|changed|pushed|postponed|rescheduled|raised|reduced|increased|"
    r"lowered|set|shifted|"
    r"bumped|upgraded|downgraded|switched|cut|delayed|shortened|renamed) (?P<np>(?:the|our|my|his|her|their|"
    r"\w+'s) .{2,50}?)"
    r"(?: back| forward| up| down)?(?: from .{1,30})? (?:to|until|till) (?P<v>.{1,60})$",
    re.IGNORECASE,
)
_OF = re.compile(r"^(?:the |our |my )?(?P<n>[\w.' -]{2,40}?) (?P<how>of|for|in|at|on|behind) (?P<s>.+)$", re.IGNORECASE)
_THAT = re.compile(r"^the (?P<n>[\w ]+?) (?:that|which|who) (?P<verb>\w+(?: in| at| by)?) (?P<s>.+)$", re.IGNORECASE)
_WHERE = re.compile(
    r"^the (?P<n>[\w ]+?) (?:where|that|which|in which) (?P<s>.+?) (?P<verb>(?:was|is) \w+|plays|works|performs|"
    r"studied)$",
    re.I,
)
_INVERSE = re.compile(
    r"^(?P<v>[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*){0,3}) (?:is|became|will be|remains) (?P<np>(?:our|my|the|their|his|"
    r"her|[A-Z]\w+'s|the user's) .{2,60})$"
)
_THINGS = word_set("phone laptop car bike computer keyboard room seat gate host cache shift plan sport head goalkeeper")
_WHICH = word_set(
    "full official legal maiden real work personal home business private school office billing emergency "
    "backup recovery secondary"
)
_OTHERS = (JOBS | NOUNS.keys()) - _THINGS  # of whom a new one takes the old one's place
_NO_SUBJECT = re.compile(
    r"\b(?:not|never|no longer|does|do|did|is|are|was|were|can|cannot|will|would)\b", re.IGNORECASE
)
_ONE_OF_MANY = re.compile(  # “has a dog called …”: there may be another one
    r"\b(?:has|have|had|got|owns?|knows?|met|adopted|bought) (?:an?|another|some|several|\d+)\b|\bone of\b|^another\b",
    re.IGNORECASE,
)
_INNER = re.compile(r"\s(?:of|with|in|on|for|to|from|that|which|who|named|called|and|at|about)\s", re.IGNORECASE)
_OF_SOME = re.compile(
    r" (?:of|for|from|with|named|called|that|which) \w| in (?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))[A-Z]"
)
_REPLACED = re.compile(
    r"^(?P<s>.{1,40}?) (?:has |have )?(?:replaced|swapped) (?P<np>(?:the|our|my|his|her|their) .{2,40}?) (?:with|by|"
    r"for) (?P<v>.{1,60})$",
    re.I,
)
_NEW = re.compile(
    r"^(?P<s>.{1,40}?) (?:has|have|got|found|hired|chose|picked|(?:switched|changed|moved) to)(?: got)? an? new "
    r"(?P<n>[\w -]{2,30}?)(?:,| called| named|:) (?P<v>[A-Z].{1,60})$"
)
_DOING = re.compile(r"[a-z]+ing\b (?!is|was)")  # “the singer is performing …” names nothing
_OWNED = re.compile(
    r"^(?:(?P<s>.+?)(?:'s|(?<=s)') |(?P<pronoun>my|our|your|his|her|their|its) )(?P<n>.+)$", re.IGNORECASE
)
_TYPE_OF = re.compile(
    r"(?:type|kind|genre|style|language|label|name|\w+ (?:was|is) \w+)\b"
)  # “the type of music that X plays”
_OWNERS = {"my": "I", "our": "we", "your": "you", "his": "he", "her": "she", "their": "they", "its": "it"}


@lru_cache(maxsize=_CACHE)
def slots(text: str, *, speaker: str | None = None) -> tuple[Slot, ...]:
    """The slots of a statement, without repeats. Nothing of what is asked, wished, planned or over.

    `speaker`: who “I” is, where the text does not begin with “Name: ”; “user” where nobody is named.
    """
    if korean.is_korean(text):
        return korean.slots(text, speaker=speaker)
    who = spoken_by(text)[0] or speaker
    found: dict[tuple[str, str, str], Slot] = {}
    for clause in clauses(text, speaker):
        if clause.asserts:
            for slot in of_clause(clause, speaker=who):
                found.setdefault((slot.key, slot.value.casefold(), str(slot.positive)), slot)
    return tuple(found.values())


def of_clause(clause: Clause, *, speaker: str | None) -> Iterator[Slot]:
    """Slots of one clause: by the frames, then by “the N of S is V”."""
    present = frozenset(words(clause.text))
    for frame in FRAMES:
        if frame.words.isdisjoint(present):
            continue
        if (match := frame.pattern.fullmatch(clause.text)) and (slot := _frame_slot(frame, match, speaker)):
            yield slot
    if (match := _INVERSE.match(clause.text)) and (
        slot := _attribute_slot(match["np"], match["v"], speaker=speaker, moved=False)
    ):
        yield slot
        return
    if (match := _NEW.match(clause.text)) and match["n"].casefold() in _OTHERS:
        if slot := _attribute_slot(f"{match['s']}'s {match['n']}", match["v"], speaker=speaker, moved=True):
            yield slot
        return
    for shape in (_REPLACED, _WE_MOVED, _MOVED, _RELATIVE, _COPULA):
        if match := shape.match(clause.text):
            moved = shape in (_REPLACED, _WE_MOVED, _MOVED)
            if slot := _attribute_slot(_with_possessor(match["np"], clause), match["v"], speaker=speaker, moved=moved):
                yield slot
            break


def _frame_slot(frame: Frame, match: re.Match[str], speaker: str | None) -> Slot | None:
    groups = match.groupdict()
    attribute, value = frame.attribute or groups["a"].casefold(), frame.value or groups["v"]
    whose, said = groups.get("s") or "we", ""
    if frame.attribute == "number of":
        several = count_slot(groups["n"], value)
        if not several:
            return None
        attribute, value = several
        said = f"number of {groups['n']}"
    elif frame.attribute == "minimum":
        attribute = f"minimum {groups['n'].casefold()}"
    elif frame.attribute == "role":
        attribute = NOUNS.get(groups["role"].casefold(), groups["role"].casefold())
    if frame.value is None:
        value = apply_guard(frame.guard, value)
    if attribute == "has":  # “has an idea for a walk with his dog”: an idea
        whole, value = value, _INNER.split(value, maxsplit=1)[0]
        if not frame.positive and _OF_SOME.match(whole[len(value) :]):  # “sold the shares in BP” leaves other shares
            return None
    if not value or len(whose.split()) > 9 or _NO_SUBJECT.search(whose) or _ONE_OF_MANY.search(whose):
        return None
    who = subject(whose, speaker=speaker)
    return Slot(who, attribute, value, frame.functional, frame.positive, said)


def _with_possessor(np: str, clause: Clause) -> str:
    """“Ravi replaced his laptop”: Ravi's laptop."""
    return re.sub(r"^(?:his|her|their) ", lambda _: f"{clause.subject}'s ", np) if clause.subject else np


def _attribute_slot(np: str, value: str, *, speaker: str | None, moved: bool) -> Slot | None:
    """The slot of “np is value”, where np names an attribute of something."""
    parsed = _attribute(np) or (_team_attribute(np) if moved else None) or _host_address(np, value)
    value = AFTER_ANY.sub("", value).strip(" .,'\"")
    positive = True
    for denied in ("not ", "no longer "):
        if value.casefold().startswith(denied):
            value, positive = value[len(denied) :], False
    if not parsed or not value or len(value.split()) > 8 or _DOING.match(value):
        return None
    whose, noun = parsed
    attribute, sure = _canonical_attribute(noun)
    if not sure and not _is_plausible_attribute(noun, value):
        return None
    if attribute in ("works at", "lives in", "married to") and not (value := name(value)):
        return None
    if attribute in _THINGS and not (NAME.match(ARTICLE.sub("", value)) or values(value)):
        return None
    if attribute == "number" and not re.search(r"\d{4}", value):
        return None
    return Slot(subject(whose, speaker=speaker), attribute, value, True, positive)


def _attribute(np: str) -> tuple[str, str] | None:
    """(whose, what) of a noun phrase: “the deadline of the report”, “the report deadline”, “Mina's editor”."""
    if (owned := _OWNED.match(np)) and " of " not in (owned["s"] or ""):
        whose = owned["s"] or _OWNERS[owned["pronoun"].lower()]
        inner = _compound(owned["n"])
        if owned["n"].casefold().partition(" ")[0] in _WHICH:  # the work email is not the email
            return whose, owned["n"]
        if owned["n"].casefold() not in NOUNS and inner and inner[0] != TEAM and inner[1].casefold() in NOUNS:
            return f"{whose}'s {inner[0]}", inner[1]
        return whose, owned["n"]
    if found := _THAT.match(np) or _WHERE.match(np):
        return found["s"], f"{found['n']} that {found['verb']}"
    if (of := _OF.match(np)) and (of["how"].lower() == "of" or of["n"].casefold().split()[-1] in NOUNS):
        return of["s"], of["n"]
    return _compound(np)


def _team_attribute(np: str) -> tuple[str, str] | None:
    """“the data warehouse” of “we moved the data warehouse to …” as an attribute of the team."""
    bare = re.sub(r"^(?:the|our) ", "", np, flags=re.IGNORECASE)
    return (TEAM, bare) if bare != np and len(bare.split()) <= 3 else None


def _host_address(np: str, value: str) -> tuple[str, str] | None:
    """“the staging server is staging.example.org”: its address."""
    found = values(value)
    alone = len(found) == 1 and found[0].type == "host" and len(value.split()) == 1
    return (np, "address") if alone else None


def _compound(np: str) -> tuple[str, str] | None:
    """“the report deadline” → (report, deadline); “the deadline” → (team, deadline)."""
    if re.match(r"an? ", np, re.IGNORECASE):  # “a singer is …” is anyone
        return None
    parts = re.sub(r"^(?:the|our) ", "", np, flags=re.IGNORECASE).split()
    for size in (3, 2, 1):
        if len(parts) >= size and " ".join(parts[-size:]).casefold() in NOUNS:
            before = parts[:-size]
            marks = [word for word in before if word.casefold() in ONLY]
            return " ".join(word for word in before if word not in marks) or TEAM, " ".join([*marks, *parts[-size:]])
    return None


def _canonical_attribute(noun: str) -> tuple[str, bool]:
    """(name of the attribute, whether it is one that has one value)."""
    low = ARTICLE.sub("", noun.casefold())
    if low in NOUNS:
        return NOUNS[low], True
    first, _, rest = low.partition(" ")
    if first in _WHICH and rest in NOUNS:
        return f"{first} {NOUNS[rest]}", True
    if first in ONLY and rest:
        kept = {"favorite": "favourite", "preferred": "favourite", "min": "minimum", "max": "maximum"}.get(first, first)
        joined = kept in ("favourite", "minimum", "maximum", "native", "weekly", "monthly", "yearly", "daily")
        head = NOUNS.get(rest, rest)
        return (f"{kept} {head}" if joined else head), joined or rest in NOUNS
    return low, False


def _is_plausible_attribute(noun: str, value: str) -> bool:
    """Whether “the N of S is V” of an unknown N says what there is one of: V a name or a number, N no plural."""
    low = noun.casefold()
    if _TYPE_OF.match(low):
        return True
    low = low.partition(" that ")[0]
    head = low.split()[-1]
    return not (head in MANY or low in MANY or (head.endswith("s") and not head.endswith("ss"))) and bool(
        NAME.match(value)
    )

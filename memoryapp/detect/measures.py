"""Two readings in, out whether they measure one thing otherwise: “the rent is 950 euros”, “1,020 euros go to the
landlord each month”.

What is measured is told by a cue of the amount's sort (rent, dose, length …), and by the thing it is measured of. Data
from general knowledge, loosely: what it finds is never sure. Next: `told`.
"""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, compared, contrasts
from memoryapp.detect.amounts import differing
from memoryapp.detect.attributes import KIN
from memoryapp.detect.narrower import siblings
from memoryapp.detect.reading import WHEN, Reading, Word
from memoryapp.detect.scope import scopes_differ
from memoryapp.detect.topic import BACK, PARTY
from memoryapp.detect.words import stem

_CUES = {  # of a sort of amount: what it may measure, one line each
    "money": """
rent rental landlord tenancy
earn salary wage income gross net payslip
price cost charge fee pay paid bill subscription ticket contract plan instalment come
saving save aside
budget cap limit spend cost afford
""",
    "percent": """
rate interest mortgage loan fix pay
commission share cut bonus
discount off reduction
coverage cover
""",
    "size gram": """
weigh weight scale kilo down heavy come
dose dosage take tablet milligram pill raise double halve
""",
    "size litre": """
dose take
tank hold capacity
""",
    "size metre": """
tall height measure high
long length run distance route walk
""",
    "size byte": """
upload limit file attachment
memory ram
disk storage drive
""",
    "duration": """
last take long duration trip journey stay spend holiday there run drive ferry flight commute
sleep night rest
expire valid live lifetime session token timeout
notice
holiday off leave vacation
keep kept retain retention delete purge erase
allow have exam test sit
wait delivery deliver
""",
    "rate": """
release deploy ship rollout
run clean rebuild sync
meet meeting
feed meal eat
""",
    "count person": """
team make consist develop engineer member people staff person employ club headcount board we there class group have
""",
    "clock": """
start begin kick leave depart open set commence meet be
end finish over close until
bed asleep sleep light midnight bedtime
wake rise alarm up
arrive reach land get
""",
    "date": """
start begin launch open release come
end expire valid until run due deadline hand submit out
plan schedule set book fix appointment operation wedding marry place take hold on move put push
bear born birthday birth
build date
""",
}  # fmt: skip
_SHARED = {"weekday": "date"}
_OCCASIONS = (  # of which there is one, by whatever word
    frozenset(("wedding", "marry", "married", "marrying")),
    frozenset(("birthday", "born", "birth")),
    frozenset(("surgery", "operation", "operated")),
)
_MEALS = WHEN[0]
_DATED = frozenset(("clock", "date", "weekday"))
_CUED: dict[str, dict[str, frozenset[int]]] = {}  # sort → stem → lines
for _sort, _lines in _CUES.items():
    for _n, _line in enumerate(_lines.strip().splitlines()):
        for _word in _line.split():
            _held = _CUED.setdefault(_sort, {})
            _held[stem(_word)] = _held.get(stem(_word), frozenset()) | {_n}
_HAS_A = re.compile(r"\b(?:has|have|had|goes|go|went|takes?|attends?) (?:an?|to)\b")
_OF_THE = re.compile(r"\d\S*(?: \w+)? of (?:the|these|those|our|my|his|her|their)\b")  # a part of it


def measured_otherwise(one: Reading, other: Reading) -> str:
    """The sort of the amount by which they differ; "" where they measure no one thing, or of parts of it."""
    sorts = differing(one.amounts, other.amounts)
    if not _at_one_time(one, other, sorts):
        return ""
    if bool(BACK.search(one.text)) != bool(BACK.search(other.text)):
        return ""
    if any(sort.startswith("kind ") for sort in sorts) or bool(PARTY.search(one.text)) != bool(
        PARTY.search(other.text)
    ):
        return ""
    for sort in sorts:
        if len(one.amounts[sort]) == len(other.amounts[sort]) == 1 and _of_one(one, other, sort):
            return sort
    return ""


def _at_one_time(one: Reading, other: Reading, sorts: list[str]) -> bool:
    """Whether neither day nor season tells them apart, unless that is what differs: “on Tuesdays”, “on Fridays now”."""
    if _DATED.intersection(sorts):
        return not (_HAS_A.search(one.text) and _HAS_A.search(other.text))
    return not any(one.when & sort and other.when & sort and not one.when & other.when & sort for sort in WHEN)


def _of_one(one: Reading, other: Reading, sort: str) -> bool:
    if all(any(clause.once for clause in reading.clauses) for reading in (one, other)) and sort in _DATED:
        return False
    if (
        one.in_part != other.in_part
        or any(_OF_THE.search(reading.text) for reading in (one, other))
        or contrasts(one, other)
        or scopes_differ(one.text, other.text)
    ):
        return False
    cued = _CUED.get("money" if sort.startswith("money") else _SHARED.get(sort, sort), {})
    lines = [_lines_of(reading, cued) for reading in (one, other)]
    shared = lines[0] & lines[1]
    if not shared and not all(lines) and (one.turns != other.turns or one.names & other.names):
        shared = lines[0] | lines[1]  # “the airline moved the Oslo flight to …”
    sides = [_rest(reading, cued, shared) for reading in (one, other)]
    if not all(sides) and not (shared and _of_one_bearer(one, other, sort, cued, shared)):
        return False
    alike = compared(*sides)
    if any(siblings(a.text, b.text) for a in sides[0] for b in sides[1]):
        return False
    left = [
        [word for word, mark in zip(side, marks, strict=True) if mark < FOUND]
        for side, marks in zip(sides, (alike.ones, alike.others), strict=True)
    ]
    if all(left) or any(
        _of_another(word, two) for words, two in zip(left, (one, other), strict=True) for word in words
    ):
        return False
    return bool(shared) or not any(left)


def _of_another(word: Word, reading: Reading) -> bool:
    """Whether a word that only one side says names what is measured there: its subject, unless that only changes it
    (“the airline moved …”), what it is “for” or “of”, or a meal."""
    if word.text in _MEALS or word.text in KIN:
        return True
    if word.subject:
        return not reading.turns or len([known for known in reading.words if known.subject]) > 1
    return bool(
        re.search(
            rf"\b(?:for|of) (?:an? |the |his |her |my |our |their )?(?:\w+ )?{re.escape(word.text)}\b",
            reading.text,
            re.I,
        )
    )


def _of_one_bearer(
    one: Reading, other: Reading, sort: str, cued: dict[str, frozenset[int]], shared: frozenset[int]
) -> bool:
    """Whether both are of one person (“weighs”, “on the scales”), or name what is measured by one word (“mortgage”).
    A person does many things at many times: of those it takes the word."""
    if any(occasion & one.all_words and occasion & other.all_words for occasion in _OCCASIONS):
        return True
    person = one.whose.owners & other.whose.owners or (one.first_person and one.first_person == other.first_person)
    if person and sort not in _DATED:
        return True
    told = [{stem(word.text) for word in reading.words if not word.verb} for reading in (one, other)]
    return any(shared & cued.get(word, frozenset()) for word in told[0] & told[1])


def _lines_of(reading: Reading, cued: dict[str, frozenset[int]]) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    for word in reading.all_words:
        found |= cued.get(stem(word), frozenset())
    return found


def _rest(reading: Reading, cued: dict[str, frozenset[int]], shared: frozenset[int]) -> list[Word]:
    """The words that tell what is measured: neither amounts nor cues, nor a time of day."""
    return [
        word
        for word in reading.words
        if not (
            word.amount
            or word.light
            or (word.text in reading.when and word.text not in _MEALS)
            or word.text in reading.aside
            or (word.verb and not word.subject)
            or shared & cued.get(stem(word.text), frozenset())
        )
    ]

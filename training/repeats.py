"""Near repeats of a statement and their near twins, generated: the same in another tense, order or spelling; another
number, day, month or direction; no longer so. People rarely write what differs by so little.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

Edit = Callable[[str, random.Random], str]  # gives the statement back as it is where it does not apply

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_VERBS = (
    *("work", "live", "study", "teach", "drive", "learn", "play", "train", "save", "rent", "write", "read", "sing"),
    *("run", "stay", "take", "use", "coach", "volunteer", "plan", "lead", "look", "build", "cook", "wear", "drink"),
    *("sleep", "swim", "pay", "sell", "keep", "grow", "eat", "share", "commute", "host", "manage", "practise"),
)
_DOUBLED = ("run", "plan", "swim")


def _third_person(verb: str) -> str:
    return verb[:-1] + "ies" if verb == "study" else verb + ("es" if verb.endswith("ch") else "s")


def _gerund(verb: str) -> str:
    return (verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")) + "ing"


_PROGRESSIVE = {_third_person(verb): _gerund(verb) for verb in _VERBS}
_VERB = re.compile(rf"\b({'|'.join(_PROGRESSIVE)})\b")
_SHORT = (
    ("does not", "doesn't"), ("do not", "don't"), ("is not", "isn't"), ("are not", "aren't"), ("cannot", "can't"),
    ("will not", "won't"), ("has not", "hasn't"), ("was not", "wasn't"), ("is going to", "will"),
    (" percent", "%"), (" per cent", "%"), (" euros", " EUR"), (" kilometres", " km"), (" kilograms", " kg"),
    (" minutes", " min"), ("every day", "daily"), ("every week", "weekly"), ("every month", "monthly"),
    ("because", "since"), ("mother", "mum"), ("father", "dad"), ("apartment", "flat"), ("twice", "two times"),
)  # fmt: skip
_DIGITS = re.compile(r"(?<![\w.,:/-])\d+(?![\w:/-]|[.,]\d)")
_TIME = re.compile(r"^(?P<rest>[^,;:]+?) (?P<when>(?:on|every|each|in|at|since|until) [A-Z0-9a-z][\w’' ]{2,24})\.$")
_ON_TIME = re.compile(r"\b(?:day|week|month|year|morning|evening|night|spring|summer|autumn|winter|weekend)s?\b|\d")
_TRANSFER = re.compile(
    r"^(?P<one>[A-Z][\w’']+) (?P<verb>lent|gave|owes|sold|sent|taught|teaches|pays|reports to|manages|replaced|follows|"
    r"married|introduced|hired|called|beat|invited|mentors|supervises|cooks for|looks after) (?P<other>[A-Z][\w’']+)\b"
)
_SUBJECT_VERB = re.compile(
    r"^(?P<subject>(?:The |Our )?[\w’'.-]+(?: [A-Z][\w’'.-]+| [a-z]+){0,3}?) "
    rf"(?P<verb>is|are|has|have|{'|'.join(_PROGRESSIVE)}|likes|loves|hates|owns|prefers|wants|speaks|goes) "
)


def same(text: str, chance: random.Random) -> Iterator[str]:
    """Up to three near repeats, each by one or two edits that change no content."""
    yield from _edit_text(text, _REWORDED, chance, count=2)
    yield from _edit_text(text, _FRAMED, chance, count=1)


def contradicting(text: str, chance: random.Random) -> Iterator[str]:
    """With another number, day, month, or the two people in each other's place; one, where it holds any."""
    yield from _edit_text(text, _OTHER, chance, count=1, most=1)


def no_longer(text: str) -> str:
    """That it has ended; empty where there is no verb that we know."""
    stated = _SUBJECT_VERB.match(text)
    if not stated:
        return ""
    subject, verb, rest = stated["subject"], stated["verb"], text[stated.end() :]
    return f"{subject} {verb} no longer {rest}" if verb in ("is", "are") else f"{subject} no longer {verb} {rest}"


def subject_of(text: str) -> str:
    """What stands before the verb; empty where there is no verb that we know."""
    stated = _SUBJECT_VERB.match(text)
    return stated["subject"] if stated else ""


def _edit_text(
    text: str, edits: tuple[Edit, ...], chance: random.Random, *, count: int, most: int = 2
) -> Iterator[str]:
    seen = {text}
    for edit in chance.sample(edits, len(edits)):
        changed = edit(text, chance)
        if changed == text:
            continue
        if most > 1 and chance.random() < 0.4:
            changed = chance.choice(_FRAMED)(changed, chance)
        if changed not in seen:
            seen.add(changed)
            yield changed
        if len(seen) > count:
            return


def _make_progressive(text: str, chance: random.Random) -> str:
    return _VERB.sub(lambda verb: f"is {_PROGRESSIVE[verb.group()]}", text, count=1)


def _report_speech(text: str, chance: random.Random) -> str:
    opening = chance.choice(("The user said that", "They told me", "As far as I know,", "Yes,", "So"))
    return f"{opening} {_lower_first(text)}"


def _filler(text: str, chance: random.Random) -> str:
    stated = _SUBJECT_VERB.match(text)
    if not stated:
        return text
    word, (subject, verb) = chance.choice(("still", "currently", "actually", "really")), stated.groups()
    rest = text[stated.end() :]
    return f"{subject} {verb} {word} {rest}" if verb in ("is", "are") else f"{subject} {word} {verb} {rest}"


def _swap_short_form(text: str, chance: random.Random) -> str:
    pairs = [pair for one, other in _SHORT for pair in ((one, other), (other, one))]
    usable = [(one, other) for one, other in pairs if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)]
    return re.sub(rf"(?<!\w){re.escape(usable[0][0])}(?!\w)", usable[0][1], text, count=1) if usable else text


def _has_got(text: str, chance: random.Random) -> str:
    return re.sub(r"\b(has|have) (an?|two|three|\d)\b", r"\1 got \2", text, count=1)


def _spell_number(text: str, chance: random.Random) -> str:
    def other(number: re.Match[str]) -> str:
        value = int(number.group())
        return _NUMBERS[value] if value < len(_NUMBERS) else f"{value:,}"

    written = _DIGITS.sub(other, text, count=1)
    if written != text:
        return written
    words = "|".join(_NUMBERS[2:])
    return re.sub(rf"\b({words})\b", lambda word: str(_NUMBERS.index(word.group())), text, count=1)


def _of_the_clock(text: str, chance: random.Random) -> str:
    def twelve(time: re.Match[str]) -> str:
        hour, minute = int(time[1]), time[2]
        half = "am" if hour < 12 else "pm"
        return f"{(hour - 1) % 12 + 1}{'' if minute == '00' else ':' + minute} {half}"

    return re.sub(r"\b([01]?\d|2[0-3]):([0-5]\d)\b(?! ?[ap]m)", twelve, text, count=1)


def _of_the_month(text: str, chance: random.Random) -> str:
    months = "|".join(_MONTHS)
    turned = re.sub(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({months})\b", r"\2 \1", text, count=1)
    if turned != text:
        return turned
    return re.sub(rf"\b({months}) (\d{{1,2}})(?:st|nd|rd|th)?\b", r"\2 \1", text, count=1)


def _time_first(text: str, chance: random.Random) -> str:
    parts = _TIME.match(text)
    if not parts or not (_ON_TIME.search(parts["when"]) or any(day in parts["when"] for day in (*_DAYS, *_MONTHS))):
        return text
    when = parts["when"]
    return f"{when[0].upper()}{when[1:]} {parts['rest']}."


def _as_typed(text: str, chance: random.Random) -> str:
    return text.lower().rstrip(".")


def _lower_first(text: str) -> str:
    return text if re.match(r"[A-Z][\w’']*(?:'s)? (?:is|has|was|[a-z]+s)\b", text) else text[0].lower() + text[1:]


def _other_number(text: str, chance: random.Random) -> str:
    def other(number: re.Match[str]) -> str:
        value = int(number.group())
        step = chance.choice((1, 2, 3, 5)) if value < 40 else max(1, round(value * chance.choice((0.1, 0.25, 0.5))))
        return str(value + step if chance.random() < 0.5 or value <= step else value - step)

    return _DIGITS.sub(other, text, count=1)


def _other_time(text: str, chance: random.Random) -> str:
    return re.sub(
        r"\b([01]?\d|2[0-3]):([0-5]\d)\b",
        lambda time: f"{(int(time[1]) + chance.choice((1, 2, 3, 21, 22))) % 24:02d}:{time[2]}",
        text,
        count=1,
    )


def _other_of(words: tuple[str, ...]) -> Edit:
    pattern = re.compile(rf"\b({'|'.join(words)})(?=s?\b)")

    def edit(text: str, chance: random.Random) -> str:
        return pattern.sub(lambda word: chance.choice([one for one in words if one != word.group()]), text, count=1)

    return edit


def _turn_round(text: str, chance: random.Random) -> str:
    return _TRANSFER.sub(lambda act: f"{act['other']} {act['verb']} {act['one']}", text, count=1)


_REWORDED: tuple[Edit, ...] = (
    *(_make_progressive, _swap_short_form, _has_got, _spell_number, _of_the_clock, _of_the_month, _time_first),
)
_FRAMED: tuple[Edit, ...] = (_filler, _as_typed, _report_speech)
_OTHER: tuple[Edit, ...] = (
    _other_number,
    _other_time,
    _other_of(_DAYS),
    _other_of(_MONTHS[:4] + _MONTHS[5:]),
    _turn_round,
)

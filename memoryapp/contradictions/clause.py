"""A statement read as clauses: who, what about it, its typed values, and whether it is denied, over, planned or new."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memoryapp.contradictions.values import Value, values
from memoryapp.contradictions.vocabulary import AUXILIARY, BASES, EVENTS, PAST, THIRD
from memoryapp.contradictions.words import clean, content, sentences, spoken_by
from memoryapp.text.wording import word_set

_CACHE = 8_192
LONGEST = 2_000  # characters of a statement that are read: what is longer is no fact


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` without adverbs of time and filler; `topic`: what it is about, values left out."""

    text: str
    subject: str  # as written, "" where no verb was found
    predicate: str
    values: tuple[Value, ...]
    subject_words: frozenset[str]
    topic: frozenset[str]
    whole: frozenset[str] = frozenset()  # the topic with the words of the values
    verb: str = ""  # the base form
    negative: bool = False
    past: bool = False  # held once and no longer
    event: bool = False  # happened, in the past tense
    planned: bool = False
    change: bool = False  # says itself that something else held before
    question: bool = False
    habit: bool = False  # again and again: “every morning”, “by default”
    occasion: bool = False  # on one day: “this morning”, “yesterday”
    mood: bool = False  # how somebody feels today

    @property
    def once(self) -> bool:
        """Whether it tells of one event, beside which others of its kind can stand: “repaired the boat”."""
        return self.event and (self.verb in EVENTS or (self.verb.endswith("ed") and self.verb not in BASES))

    @property
    def asserts(self) -> bool:
        """Whether it claims something of the present."""
        return not (self.past or self.planned or self.question or self.mood)


_PAST = re.compile(
    r"\b(?:used to|formerly|previously|in the past|once (?:was|had|lived|worked)|back (?:in|when|then)|years? ago|"
    r"as a (?:child|kid|student|teenager|boy|girl)|when (?:i|he|she|they|we) (?:was|were)|at (?:that|the) time|"
    r"(?:in|through|throughout|during) (?:my|his|her|their) (?:early |late |whole )?(?:youth|childhood|teens|twenties|"
    r"thirties|student days|studies|school days)|(?:i|he|she|they|we) once|ex-\w+|years? earlier|"
    r"at birth|originally|at first|(?:was|were) (?:\w+ ){1,3}for (?:\d+|many|several|a few) (?:years|months))\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\buntil (?:last|\d{4})\b", re.IGNORECASE)  # of what was: “is valid until 2031” is not over
_STATE_PAST = re.compile(
    r"^(?P<s>.{1,60}?) (?:lived|worked (?:at|for|as)|was (?:living|working|based|married|a |an |in "
    r"(?!(?-i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|\d)|at )|"
    r"had (?:a|an|\d+)|(?<!is )(?<!are )(?<!be )owned|preferred|liked|loved|hated|"
    r"were (?:a |in |at ))",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|if|considering|thinking (?:of|about)|wants? to (?!be |see |get |receive |"
    r"have |know )|would (?:like|love|prefer) to|"
    r"hopes?|saving up|wish(?:es)? to|dreams? of|plans? (?:to|on)|intends? to|is going to try|could|"
    r"would(?! (?:always|never|rather)\b)|should we|"
    r"not sure|unsure|probably|is about to|looking to|aims? to|toying with|proposed|suggested)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:now|these days|nowadays|no longer|any ?more|any longer|became|has become|have become|switched|switching|"
    r"migrated|upgraded|downgraded|changed|replaced|instead of|from now on|as of|got (?:married|divorced|engaged|"
    r"promoted|hired)|getting (?:married|divorced)|quit|gave up|given up|stopped|has left|left|joined|turned \d+|"
    r"\d+(?:st|nd|rd|th) birthday|delayed|deferred|rebooked|shifted|slipped|brought forward|put off|rewritten|rewrote|"
    r"ported|renamed|is back|just|dropped|promoted|recently|rescheduled|postponed|pushed (?:back )?to|moved|relocated|"
    r"extended to|raised to|reduced to|lowered to|increased to|went from|bought|decided|new|finally|took over|since|"
    r"retired|resigned|broke up|separated|recovered|cut back|have been|has been|lately|starting)\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not|no longer|never|neither|nobody|no one|nothing|without|isn't|cannot|stopped|quit|gave up|given up|"
    r"giving up|any ?more|any longer|avoids?|refuses?|dropped|cancell?ed|gets? rid of|got rid of|unable|"
    r"no)\b(?! only\b)",
    re.IGNORECASE,
)
_ADVERBS = re.compile(
    r"\s*,?\b(?:currently|now|still|actually|also|already|just|recently|really|mostly|usually|normally|generally|"
    r"officially|permanently|temporarily|presently|happily|finally|then|both|these days|nowadays|at the moment|"
    r"right now|at present|today|as of (?:today|now|\w+(?: \d{4})?)|from now on|lately|any ?more|any longer|definitely|"
    r"simply|basically|primarily|effectively|apparently|again|very|so far|for now|instead)\b,?(?=\s|$)",
    re.IGNORECASE,
)
_ADJUNCT = re.compile(
    r"\s(?:since\b.*|because\b.*|(?:for )?(?:\d+|a few|several|many) (?:days?|weeks?|months?|years?)(?: ago)?|ago|ever|"
    r"(?:last|this|next) (?:day|week|weekend|month|year|spring|summer|autumn|winter|night)|instead of .*|"
    r"rather than .*|"
    r"(?:un)?fortunately|at all)(?=\s|$)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r",? (?:because|so that|in order to)\b.*$|,? since (?=(?:it|he|she|they|we|i|there)\b).*$|"
    r",? (?:and )?nothing (?:else|more)\b|"
    r", as (?!an?\b|of\b|well\b|usual\b|always\b|soon\b).*$",
    re.IGNORECASE,
)  # why it is so: of another matter
_FROM_TO = re.compile(
    r"\b(?:mov|chang|switch|migrat|push|postpon|delay|defer|reschedul|rebook|shift|brought|bump|upgrad|downgrad|rais|"
    r"reduc|increas|lower|extend|shorten|cut|went)[a-z]*(?: \w+){0,4}? from (?P<old>[^,]{1,30}?) (?=(?:to|until) )",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"\b(?:switch|mov|migrat|chang)[a-z]*(?: away| over)? from (?P<old>[^,]{1,30}?)(?=,|$)", re.IGNORECASE
)
_NOT_THAT = re.compile(  # “on Mondays, not Tuesdays”
    r",? (?:and )?(?:not|no longer|instead of|rather than) (?:on |at |in |by |for |until "
    r")?(?P<that>[\w:.$€£-]+(?: [\w:.-]+){0,2})$",
    re.IGNORECASE,
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_HABIT = re.compile(
    rf"\b(?:every|each|usually|always|normally|typically|generally|as a rule|by default|daily|nightly|weekly|regularly|"
    rf"{_DAY}s|mornings|evenings|weekends|weekdays)\b",
    re.IGNORECASE,
)
_OCCASION = re.compile(
    rf"(?<!since )(?<!from )(?<!as of )(?<!starting )\b(?:yesterday|today|tonight|just this once|"
    rf"(?:last|this) (?:night|morning|afternoon|evening|weekend|once|{_DAY}(?:'s)?))\b",
    re.IGNORECASE,
)
_MOOD = re.compile(
    r"\b(?:happy|unhappy|sad|angry|stressed|anxious|nervous|cheerful|grumpy|excited|exhausted|tired|bored|sleepy|moody|"
    r"optimistic|pessimistic|upset|calm|worried|relaxed|frustrated|lonely|hungry)\b",
    re.IGNORECASE,
)
_FUTURE = (
    (re.compile(r"\b(?:will be|is going to be|are going to be|has been|have been|is to be|shall be)\b", re.I), "is"),
    (re.compile(r"\b(?:is|are|am) (?:supposed|meant|expected|scheduled|set|due) to be\b", re.I), "is"),
    (re.compile(r"\bwill (?!not\b)", re.I), ""),
    (
        re.compile(
            r"\b(?:have |has )?(?:decided|agreed|chose|chosen|opted|settled|elected|resolved) (?:to|on|for) ", re.I
        ),
        "",
    ),
)
_FRONTED = re.compile(r"^((?:in|on|at|for|during|since|from|by|under|with) [^,]{2,40}), (?=\w+ )(.+)$", re.IGNORECASE)
_JOINED = re.compile(
    r"(?:,? (?P<word>and|but|so|while|whereas|although|though)|,) "
    r"(?=(?P<pronoun>(?:i|we|he|she|they|it|[A-Z][a-z]+(?= (?:is|has|now|lives|works))) )?"
    r"(?P<named>(?:the user|the team|(?:his|her|their|my|our) \w+|(?-i:[A-Z])[a-z]+) )?"
    r"(?P<verb>now |then |no longer |currently |instead |never |still )*(?P<first>[a-z]+)\b)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\s,]+")
_DETERMINER = word_set("a an the my our your his her its their this that these those some any no every each")
_BEFORE_MONTH = word_set("in since until by of last next this from during early late mid")
_OFTEN = word_set("never always often usually not only rarely sometimes")
_PLURAL = word_set("i we they you people users and")


@lru_cache(maxsize=_CACHE)
def clauses(text: str, speaker: str | None = None) -> tuple[Clause, ...]:
    """The clauses of a statement; `speaker` is who “I” is, where the text does not say it itself."""
    said_by, rest = spoken_by(text[:LONGEST])
    found: list[Clause] = []
    for sentence in sentences(clean(rest)):
        found.extend(_clause(part, said_by or speaker) for _, part in parts(sentence))
    return tuple(found)


def parts(sentence: str) -> list[tuple[str, str]]:
    """(joining word, part) of a sentence cut at “and”, “but” … before a verb; a later part without a subject is given
    that of the first. The first part is joined by nothing, one behind a bare comma by “,”."""
    bare = sentence.rstrip(" .!")
    pieces: list[tuple[str, str]] = []
    at, own, joint = 0, True, ""
    for cut in _JOINED.finditer(bare):
        piece = bare[at : cut.start()]
        if not _cuts(cut, piece):
            continue
        pieces.append((joint, piece if own else f"{_subject_part(pieces[0][1])} {piece}"))
        at, own, joint = cut.end(), bool(cut["pronoun"] or cut["named"]), (cut["word"] or ",").casefold()
    last = bare[at:]
    pieces.append((joint, last if own or not pieces else f"{_subject_part(pieces[0][1])} {last}"))
    return [(joint, piece.strip()) for joint, piece in pieces if piece.strip()]


def _cuts(cut: re.Match[str], before: str) -> bool:
    """Whether a new clause begins here. A name or a bare comma is no border in a list (“Ana, Ben and Tom left”)."""
    first = cut["first"].casefold()
    if cut["named"]:
        return _is_predicate_start(first) and bool(_split(before)[1])
    if not cut["word"]:
        return bool(cut["pronoun"]) and _is_predicate_start(first)
    return bool(cut["pronoun"]) or _is_predicate_start(first)


def _is_predicate_start(word: str) -> bool:
    """Whether a word after “and” begins a new predicate; a bare form may as well be a noun."""
    return word in AUXILIARY or word in THIRD or word in PAST


def _subject_part(piece: str) -> str:
    return _split(piece)[0]


def _clause(sentence: str, speaker: str | None) -> Clause:
    whole, sentence = sentence, _REASON.sub("", sentence)
    sentence = _without_denied(sentence)
    text = _ADVERBS.sub(_adverb_remainder, sentence).strip(" ,")
    for found, written in _FUTURE:
        text = found.sub(written, text)
    if fronted := _FRONTED.match(text):
        text = f"{fronted[2]} {fronted[1]}"
    subject, verb, predicate = _split(text)
    event = (verb in PAST and verb not in AUXILIARY) or _is_regular_past(verb)
    held = values(text)
    moved = _FROM_TO.search(text) or _OLD.search(text)
    occasion = bool(_OCCASION.search(sentence))
    return Clause(
        text=text,
        subject=subject,
        predicate=predicate,
        values=tuple(v for v in held if not (moved and moved.start("old") <= v.start < moved.end("old"))),
        subject_words=_topic(subject, speaker),
        topic=_topic(_ADJUNCT.sub("", _strip_values(text, held)), speaker),
        whole=_topic(_ADJUNCT.sub("", text), speaker),
        verb=PAST.get(verb) or THIRD.get(verb) or verb,
        negative=bool(_NEGATIVE.search(sentence)),
        past=bool(_PAST.search(sentence) or _STATE_PAST.match(text))
        or (bool(_UNTIL.search(sentence)) and (event or verb in ("was", "were", "had"))),
        event=event,
        planned=bool(_PLANNED.search(sentence)),
        change=bool(_CHANGE.search(whole)),
        question=sentence.endswith("?"),
        habit=bool(_HABIT.search(whole)),
        occasion=occasion,
        mood=occasion and bool(_MOOD.search(sentence)),
    )


def _without_denied(sentence: str) -> str:
    """“On Mondays, not Tuesdays” without what it denies, where that is of the kind of what it says."""
    found = _NOT_THAT.search(sentence)
    if not found:
        return sentence
    denied, said = ({value.type for value in values(part)} for part in (found["that"], sentence[: found.start()]))
    return sentence[: found.start()] if denied & said else sentence


def _adverb_remainder(adverb: re.Match[str]) -> str:
    """What is left of an adverb: the comma behind it, where a clause ends there (“for billing now, Adam …”)."""
    return "," if adverb.group().endswith(",") and not adverb.group().lstrip().startswith(",") else ""


def _split(text: str) -> tuple[str, str, str]:
    """(subject, verb, predicate with its verb) at the first finite verb; no subject where there is none."""
    tokens = [(match.group().casefold(), match.start()) for match in _TOKEN.finditer(text)]
    for n, (token, start) in enumerate(tokens):
        if n and _is_finite_verb(tokens, n):
            return text[:start].strip(), token, text[start:]
    return "", "", text


def _is_finite_verb(tokens: list[tuple[str, int]], n: int) -> bool:
    """Whether the word at `n` is the verb: a noun of the same form has a determiner before or a verb after it."""
    token, before = tokens[n][0], next((w for w, _ in reversed(tokens[:n]) if w not in _OFTEN), "")
    after = tokens[n + 1][0] if n + 1 < len(tokens) else ""
    if token == "may" and before in _BEFORE_MONTH:
        return False
    if token in AUXILIARY:
        return True
    if before in _DETERMINER or before.endswith("'s"):
        return False
    if token in THIRD or token in PAST:
        return after not in AUXILIARY and after not in THIRD and (after not in BASES or token in PAST)
    if _is_regular_past(token) and (after in _DETERMINER or after.isdigit()):
        return True
    return token in BASES and (before in _PLURAL or (before.endswith("s") and not before.endswith(("ss", "us", "'s"))))


def _is_regular_past(word: str) -> bool:
    """Whether it has the form of a regular past, of a verb that is in no list: “repaired”."""
    return len(word) > 4 and word.endswith("ed") and word not in PAST and word not in BASES


def _strip_values(text: str, held: tuple[Value, ...]) -> str:
    """`text` with the numbers of its values left out; the noun that is counted stays (“3 kids” → “kids”)."""
    left, at = [], 0
    for value in held:
        if value.start < at:
            continue
        left.append(text[at : value.start])
        if value.type.startswith(("count ", "label ")):
            left.append(re.sub(r"\d+", " ", value.text))
        at = value.end
    return " ".join([*left, text[at:]])


_FIRST = re.compile(r"\b(?:i|me|my|mine|myself|the user's|user's|the user|user)\b", re.IGNORECASE)


def _topic(text: str, speaker: str | None) -> frozenset[str]:
    """The content of `text`, with “I”, “my”, “the user” as the speaker."""
    who = speaker.casefold() if speaker else "user"
    named = _FIRST.sub(lambda _: f" {who} ", text)
    return content(named)

"""Second step: what could be told of a session, sentence by sentence and in the third person: its facts, and what else
was said that stands by itself. Greetings and reactions never get so far."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.fact import Candidate, SpokenTurn
from memoryapp.domain.memory import Memory
from memoryapp.extraction.facts.filter import reason
from memoryapp.extraction.facts.pipeline import extract_facts
from memoryapp.extraction.facts.sentences import cut, plain, strip_greetings
from memoryapp.index import tokens
from memoryapp.summaries.transcript import Transcript, Utterance
from memoryapp.text.hangul import HANGUL

# Words that mark a decision, or what came of something, in English and Korean. In: a sentence. Out: yes or no.

_DECIDED = re.compile(
    r"\b(?:decid(?:ed|es|ing)|decisions?|agreed (?:to|on|that)|settled on|chos(?:e|en)|opted (?:for|to)|picked"
    r"|concluded|made up (?:my|our|his|her|their) minds?|let's (?:go with|use|take|switch)|(?:we|I)(?:'ll| will)"
    r" (?:go with|use|take|switch to|drop|adopt)|go(?:es|ing)? with|switch(?:ed|es|ing)? to|will (?:use|adopt|drop))\b"
    r"|결정(?:했|하기로|됐|되었|이다|입니다|을 내)|기로 (?:했|하|결정|합의)|정했|확정|합의했|채택|선택했",
    re.IGNORECASE,
)
# A decision that was not taken, or is asked for.
_UNDECIDED = re.compile(
    r"\b(?:undecided|(?:not|n't|never|yet to|can(?:not|'t)|need(?:s)? to|have to|has to|must|should(?: we)?|before we"
    r"|help (?:me|us)|trying to) (?:yet |really |have |be )?(?:decid\w*|choose|chosen|agree\w*|settle\w*)"
    r"|decide (?:whether|if|later|tomorrow|next)|no decision)\b"
    r"|결정(?:하지|을 못|을 안| 못| 안)|정하지 (?:못|않)|미정|못 정했|결정해야",
    re.IGNORECASE,
)
_CAME_OF_IT = re.compile(
    r"\b(?:fixed|solved|resolved|shipped|released|deployed|merged|finished|completed|launched|signed|passed|failed"
    r"|broke|crashed|blocked|works now|turned out|caused by|root cause|found (?:out|that|the)|learned|done|won|lost"
    r"|approved|rejected|cancelled|canceled|postponed|booked|bought|moved|started|quit|accepted|published)\b"
    r"|해결|고쳤|완료|끝냈|끝났|배포했|출시|성공|실패|원인|합격|취소|연기|예약했|샀|이사했|시작했|그만뒀|밝혀졌|알아냈",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_GREETS = re.compile(r"안녕|감사|고마|반가|수고|축하|잘 지내|또 봐")
_WILL = re.compile(r"(?:게요|게|겠습니다|겠어요|예정입니다|예정이에요|예정)[.!~]*$")
_ENDING = 5  # last syllables of a Korean sentence, in which its tense is told


def decides(sentence: str) -> bool:
    """“We decided to …”, not “we have not decided” and not a question."""
    asks = sentence.rstrip("\"'”’ )").endswith("?")
    return bool(_DECIDED.search(sentence)) and not _UNDECIDED.search(sentence) and not asks


def is_undecided(sentence: str) -> bool:
    """Says outright that nothing was decided yet."""
    return bool(_UNDECIDED.search(sentence))


def came_of_it(sentence: str) -> bool:
    """Tells an outcome: what was done, found, or failed."""
    return bool(_CAME_OF_IT.search(sentence))


def has_number(sentence: str) -> bool:
    """Whether a number is in it."""
    return bool(_NUMBER.search(sentence))


def happened_in_korean(sentence: str) -> bool:
    """A Korean statement of what was done or will be: by its last verb, whose past ends in ㅆ. Told as it was said."""
    words = sentence.split()
    if len(words) < 3 or not HANGUL.search(sentence) or sentence.rstrip("\"'”’ )").endswith(("?", "？")):
        return False
    past = any(_ends_in_past(syllable) for syllable in HANGUL.findall(sentence)[-_ENDING:])
    return (past or bool(_WILL.search(sentence))) and not _GREETS.search(sentence)


def _ends_in_past(syllable: str) -> bool:
    return (ord(syllable) - 0xAC00) % 28 == 20  # the place of ㅆ among the final consonants


# How much of two sentences is the same: shared terms, by the measure that did best on paraphrases without a model.

ALIKE = 0.8  # Dice; above it a second sentence says too little that is new. “works at X” and “works on Y” stay apart


def terms(text: str) -> frozenset[str]:
    """What a sentence says, as the search index reads it: stems, and the beginnings of Korean words."""
    return frozenset(tokens(text))


def dice(one: frozenset[str], other: frozenset[str]) -> float:
    """2·|A ∩ B| / (|A| + |B|); 0 where both are empty."""
    size = len(one) + len(other)
    return 2 * len(one & other) / size if size else 0.0


def repeats(new: frozenset[str], told: list[frozenset[str]]) -> bool:
    """Whether a sentence says again what one of those told says, or a part of it. Other numbers are other news: “paid
    40” does not repeat “paid 50”."""
    return any((dice(new, one) >= ALIKE or new <= one) and _numbers(new) <= _numbers(one) for one in told)


def _numbers(said: frozenset[str]) -> frozenset[str]:
    return frozenset(term for term in said if any(c.isdigit() for c in term))


WORTH = 2.0  # points of a sentence that may be told: fewer than a fact needs, for it has the session around it


@dataclass(frozen=True, slots=True)
class Sentence:
    """`line`: which line of the session it was said in, −1 where nobody knows; `quote`: as it was said. `fact` is the
    id of the fact that it is, `source` the note that it stands in. `worth`: points of the rules, 0 where they
    did not judge."""

    text: str
    quote: str
    line: int
    terms: frozenset[str]
    speaker: str = ""
    fact: str | None = None
    source: str | None = None
    decision: bool = False
    emotional: bool = False
    entities: tuple[str, ...] = ()
    worth: float = 0.0


def sentences(heard: Transcript) -> tuple[Sentence, ...]:
    """In the order in which they were said. What became a fact is told once, in the fact's words."""
    hidden = [_comparable_text(text) for text in heard.hidden]
    by_line: dict[int, list[Sentence]] = {}
    for one in _speech_sentences(heard):
        if not any(_shares(one.quote, quote) for quote in hidden):
            by_line.setdefault(one.line, []).append(one)
    pool: list[Sentence] = []
    for fact in _facts(heard):
        same = [one for one in by_line.get(fact.line, ()) if fact.quote and _shares(one.quote, fact.quote)]
        pool.append(replace(fact, worth=same[0].worth, entities=same[0].entities) if same else fact)
    told: dict[int, list[str]] = {}
    for fact in pool:
        told.setdefault(fact.line, []).append(fact.quote)
    for line, said in by_line.items():
        quotes = [quote for quote in told.get(line, ()) if quote]
        pool += [one for one in said if not any(_shares(one.quote, quote) for quote in quotes)]
    return tuple(sorted(pool, key=lambda one: _place(heard, one)))


def _place(heard: Transcript, one: Sentence) -> tuple[int, int]:
    """Line and place in it; what nobody knows the line of comes last."""
    if one.line < 0:
        return len(heard.lines), 0
    return one.line, heard.lines[one.line].text.find(one.quote) if one.quote else 0


def _shares(quote: str, other: str) -> bool:
    """Whether one is the other or a part of it."""
    one, two = _comparable_text(quote), _comparable_text(other)
    return one in two or two in one


def _facts(heard: Transcript) -> Iterator[Sentence]:
    place = {line.key: n for n, line in enumerate(heard.lines)}
    for fact in heard.facts:
        quote = str(fact.detail.get("quote") or "")
        yield Sentence(
            text=_fact_text(fact),
            quote=quote,
            line=place.get(fact.origin.turn or "", -1),
            terms=terms(fact.text),
            speaker=fact.speaker or "",
            fact=fact.id,
            decision=(fact.decision_point or decides(fact.text)) and not is_undecided(quote or fact.text),
            emotional=fact.emotional_signal,
        )


def _fact_text(fact: Memory) -> str:
    return " ".join(fact.text.split())


def _speech_sentences(heard: Transcript) -> Iterator[Sentence]:
    speakers = heard.speakers
    said = [
        SpokenTurn(line.text, line.speaker, line.at, tuple(one for one in speakers if one != line.speaker))
        for line in heard.lines
    ]
    try:
        read = extract_facts(said, worth=WORTH)
    except EncoderError:  # without the parser a sentence is told as it was said
        yield from _verbatim_sentences(heard)
        return
    for n, (line, extracted) in enumerate(zip(heard.lines, read, strict=True)):
        for candidate in extracted.candidates:
            yield _of_candidate(candidate, line, n, noted=heard.noted)
        for passed in extracted.passed_over:  # “Let's go with Redis” is no fact about anybody, and yet a decision
            if decides(passed.quote) or happened_in_korean(passed.quote):
                yield _as_said(passed.quote, line, n, others=speakers, noted=heard.noted)


def _of_candidate(candidate: Candidate, line: Utterance, n: int, *, noted: bool) -> Sentence:
    quote = candidate.quote or candidate.text
    return Sentence(
        text=" ".join(candidate.text.split()),
        quote=quote,
        line=n,
        terms=terms(quote),
        speaker=line.speaker,
        source=line.key if noted else None,
        decision=(candidate.decision_point or decides(quote)) and not is_undecided(quote),
        emotional=candidate.emotional_signal,
        entities=candidate.entities,
        worth=candidate.worth,
    )


def _verbatim_sentences(heard: Transcript) -> Iterator[Sentence]:
    for n, line in enumerate(heard.lines):
        for piece in cut(line.text):
            one = _as_said(piece.text, line, n, others=heard.speakers, noted=heard.noted)
            if not reason(one.text.partition(": ")[2], said=piece.text):
                yield one


def _as_said(quote: str, line: Utterance, n: int, *, others: Sequence[str], noted: bool) -> Sentence:
    words = strip_greetings(plain(quote), others=[one for one in others if one != line.speaker])
    return Sentence(
        text=f"{line.speaker}: {words}",
        quote=quote,
        line=n,
        terms=terms(words),
        speaker=line.speaker,
        source=line.key if noted else None,
        decision=decides(words),
    )


def _comparable_text(quote: str) -> str:
    """For comparing: what is read aloud the same is the same."""
    return " ".join(plain(quote).casefold().split()).rstrip(".!")

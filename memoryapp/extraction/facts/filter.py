"""The sentences of turns, cut and cleaned, without those that are plainly nothing to keep. Cheap: it looks at the
surface alone, before any parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.domain.fact import SpokenTurn
from memoryapp.extraction.facts.assistant import suggests
from memoryapp.extraction.facts.classification import identifies
from memoryapp.extraction.facts.hangul import is_korean
from memoryapp.extraction.facts.rewrite import speaker_name
from memoryapp.extraction.facts.sentences import Piece, cut, plain, strip_greetings
from memoryapp.extraction.facts.words import FIRST, any_of

LONGEST, LONGEST_CHARS = 80, 600  # words and characters; beyond that it is a log, a table, or a listing
_LEAST = 3  # words
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_VERY = r"(?:so |really |very |super |just |totally |completely |always |definitely )*"
_KIND = r"(?:great|good|nice|awesome|lovely|wonderful|cool|amazing)"

_COURTESY = any_of(
    rf"""
    (?:I'm|I am|we're) {_VERY}(?:glad|sure|sorry|rooting|happy (?:for|to (?:help|hear)|you)|here (?:for|to))
    (?:I'm|I am|we're) {_VERY}(?:proud of you|stoked for you)  looking forward to (?:hearing|chatting|it)
    I'm looking forward to (?:hearing|chatting|it|seeing (?:you|it))  count me in  my pleasure  anytime  cheers
    I can (?:imagine|relate|see (?:that|why|how|you))  (?:I )?{_VERY}hope (?:you|it|that|your|to (?:see|hear))
    (?:I )?(?:can't|cannot|couldn't) (?:agree more|wait to (?:hear|see (?:it|you|what|how)))
    it(?:'s| is| was) {_VERY}(?:been )?{_KIND} (?:to (?:hear|see|know|chat|catch|talk)|that you|you|hearing|how you)
    (?:so )?(?:{_KIND}|glad|happy|sorry|proud|excited|love) to (?:hear|see|know|chat|catch|talk)
    (?:so )?(?:{_KIND}|glad|happy|sorry|proud|excited|love) (?:that you|you|for you|of you|hearing|chatting|about)
    let(?:'s| us)  here(?:'s| is| are) (?:\w+ )?(?:\w+ )?(?:pics?|photos?|picture|pictures|snap|shot|link)
    (?:I )?(?:love|appreciate) (?:that|it|this|your|you|hearing|seeing)  thank  thanks  congrat\w*  welcome
    good (?:luck|job|for you|thinking)  best of  take care  talk (?:to you )?(?:soon|later)  see you  catch you
    have (?:a|fun)  enjoy  sounds?  looks?  seems?  (?:it |that |you |this )?must(?:'ve| have| be)?  maybe
    (?:I )?{_VERY}(?:agree|get it|understand|get (?:you|that))  I couldn't agree  I can't agree
    (?:that|it|this|they|these|those|what you \w+|you)(?: really| all| just)? (?:sound|look|seem)s?
    you(?:'re| are) (?:such|doing|an?|so|really|totally|absolutely|always)
    if (?:I|we) (?:were|was) (?:you|in your)  you(?:'ve| have) got this  (?:I )?wish you  way to go  well done
    (?:I'll |I will |we'll )?(?:let you know|let me know|keep you (?:posted|updated)|be there)  just let me know
    keep (?:it|up|going|me|on|doing|pushing|at)  no (?:worries|problem)  remember  (?:I|we) know[^,]*$  tell me
    check (?:it |this |that |them )?out  (?:just )?take a look  look at (?:this|that|these|those|it|him|her|them)
    (?:I'll |I will )?keep (?:that|it|this) in mind  I (?:bet|see|feel you|hear you|got you)
    """,
    opening=True,
)
_REACTION = any_of(
    """
    that(?:'s|'ll)?  this  these  those  it(?:'s|'ll|'d)?  what  how  so  such  sounds  looks  thanks  good  nice  great
    cool  love  loving  amazing  awesome  wow  glad  happy  sorry  proud  wonderful  there(?:'s)?  they(?:'re|'ll|'ve)?
    you(?:'re|'ll|'ve)?  your  he(?:'s)?  she(?:'s)?  can't  always  definitely  absolutely  totally  who  where  when
    why  no  not
    """,
    opening=True,
)
_QUESTION = any_of(
    """
    (?:do|does|did|can|could|would|will|have|has|are|is|was|were|shall|may) (?:you|we|i|it|that|they|he|she|there)
    (?:what|how|why|when|where|who|which)(?:'s|'re|'d)? (?:about|do|does|did|is|are|was|were|can|could|would|should)
    any (?:plans|ideas|thoughts|tips|advice|luck|news|updates|recommendations|suggestions)
    """,
    opening=True,
)


# What somebody asks not to have kept: “this” and “it” are the rest of the turn.
# Spaces of one line, and few words before: else each of many line ends, or of many “so”, would read all that follow.
_PRIVATE = re.compile(
    r"(?:^|[.!?,])[^\S\n]*(?:(?:please|btw|but|and|so|oh)[, ]{1,4}){0,4}(?:don't|don’t|do not|never) "
    r"(?:remember|save|store|record|memorize|memorise|keep) (?:this|that|it|any of (?:this|that))"
    r"(?= *(?:$|[.,:;!—–-]|but\b|please\b))|\boff the record\b"
    r"|(?:기억|저장|기록)하지 ?(?:마|말)",
    re.IGNORECASE | re.MULTILINE,
)


def asks_not_to_keep(turn: str) -> bool:
    """Whether a turn says of itself that it is not to be remembered."""
    return bool(_PRIVATE.search(turn))


def reason(text: str, *, said: str) -> str:
    """Why the sentence is dropped, in words for a person; empty where it goes on. `said`: the sentence as it was."""
    words = _WORD.findall(text)
    if not words:
        return "a greeting or a filler"
    if text.endswith("?") or said.rstrip("\"')”’ ").endswith("?") or _QUESTION.match(text):
        return "a question"
    if text.endswith((":", "...")):
        return "leads up to something else"
    if len(words) < _LEAST and not identifies(text):
        return "too short to stand alone"
    if len(words) > LONGEST or len(text) > LONGEST_CHARS:
        return "too long for one statement"
    return "a courtesy or a reaction" if _COURTESY.match(text) else ""


def opens_like_a_reaction(text: str) -> bool:
    """“That's …”, “It was …”, “What a …”: mostly about what the other said, or about the sentence before."""
    return bool(_REACTION.match(text))


QUESTION_CHARS = 120  # a longer one is no question that a few words answer


@dataclass(frozen=True, slots=True)
class Talk:
    """A turn with whom it speaks to: the one other speaker, or the last one who spoke before; empty if unknown.
    `asked`: the question that the turn before, of somebody else, ended with."""

    said: SpokenTurn
    addressee: str
    others: tuple[str, ...]
    asked: str = ""

    @property
    def by_assistant(self) -> bool:
        return speaker_name(self.said.speaker) == "the assistant"

    @property
    def speakers(self) -> frozenset[str]:
        return frozenset(name.lower() for name in (self.said.speaker, *self.others))


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence: `number` counts in its turn, `text` is cleaned. `reason` tells why it was dropped, if it was."""

    number: int
    piece: Piece
    text: str
    reason: str = ""
    korean: bool = False


def talks(said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = ()) -> Iterator[Talk]:
    """Each turn with whom it speaks to."""
    speakers = [one.speaker for one in before]
    previous = before[-1] if before else None
    for one in said:
        others = tuple(name for name in one.others if name != one.speaker)
        last = next((name for name in reversed(speakers) if name != one.speaker), "")
        addressee = others[0] if len(others) == 1 else last
        asked = _question(previous) if previous is not None and previous.speaker != one.speaker else ""
        yield Talk(one, addressee, others or ((last,) if last else ()), asked)
        speakers.append(one.speaker)
        previous = one


def _question(said: SpokenTurn) -> str:
    """What a turn ends by asking, in a few words; empty where it does not, or asks more than one thing: nobody says
    which of them an answer is to."""
    if not said.text.rstrip().endswith("?") or said.text.count("?") > 1 or asks_not_to_keep(said.text):
        return ""
    pieces = cut(said.text)
    words = plain(pieces[-1].text) if pieces else ""
    return words if len(words) <= QUESTION_CHARS else ""


# A quotation of several sentences, and the lines of a block quote; few characters, so that a stray mark reads little.
_QUOTED = re.compile(
    r"“[^“”]{1,3000}?[.!?…][\"”]?\s[^“”]{1,3000}?”|(?<!\w)\"(?=\S)[^\"]{1,3000}?[.!?…]\s[^\"]{1,3000}?\"|^[ \t]*>.*$",
    re.MULTILINE,
)


def heard(talk: Talk) -> list[Heard]:
    """The turn's sentences in order; all of them dropped where it asks not to be remembered."""
    pieces = list(enumerate(cut(talk.said.text)))
    if asks_not_to_keep(talk.said.text):
        return [Heard(number, piece, plain(piece.text), "asked not to be remembered") for number, piece in pieces]
    quoted = [match.span() for match in _QUOTED.finditer(talk.said.text)]
    return [
        Heard(number, piece, plain(piece.text), "quoted, or a draft")
        if any(start < piece.end and piece.start < end for start, end in quoted) and _is_another_voice(talk, piece)
        else _clean_sentence(talk, number, piece)
        for number, piece in pieces
    ]


def _is_another_voice(talk: Talk, piece: Piece) -> bool:
    """Whether what is quoted speaks in its own voice: an assistant drafts for somebody, and the I of a letter that was
    pasted is whoever wrote it."""
    return talk.by_assistant or not FIRST.isdisjoint(word.lower() for word in _WORD.findall(plain(piece.text)))


def _clean_sentence(talk: Talk, number: int, piece: Piece) -> Heard:
    words = plain(piece.text)
    if is_korean(words):
        return Heard(number, piece, words, korean=True)
    text = strip_greetings(words, others=talk.others)
    if talk.by_assistant and suggests(text):  # “How about …” asks nothing
        return Heard(number, piece, text)
    return Heard(number, piece, text, reason(text, said=piece.text))

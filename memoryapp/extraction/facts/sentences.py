"""The sentences of a turn, each with its place in the text and in plain words: no emoji, mark-up, greetings, fillers
or names called. Code blocks and notes of attachments are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from memoryapp.extraction.facts.words import any_of

TURN_CHARS = 20_000  # of one turn are read; what is pasted beyond is a document, not something said
# Code, and what a chat notes of an attachment (“[image: a dog in a park]”): nobody said it.
_LEFT_OUT = re.compile(
    r"^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)"
    r"|\[(?:image|photo|picture|video|audio|voice|file|attachment|sticker|gif)\b[^\]\n]*\]",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|inc|ltd|co|jr|sr|no|fig|ca|fr|hr|approx|dept|est|e\.g|i\.e|a\.m|p\.m|u\.s|u\.k)"
    r"|\b[A-Z])\.$",
    re.IGNORECASE,
)
# A sentence ends at its marks, with the quotes and brackets they close; a line ends one as well.
_END = re.compile(r"[.!?…。！？]+[\"'”’)\]]*(?=\s|$|[\u2190-\u2bff\U0001f000-\U0001faff])")


class Piece(NamedTuple):
    """text[start:end], without white space around it."""

    start: int
    end: int
    text: str


def cut(text: str) -> list[Piece]:
    """Sentences in order; every piece's text is text[start:end]."""
    text = text[:TURN_CHARS]
    blocks = [match.span() for match in _LEFT_OUT.finditer(text)]
    pieces: list[Piece] = []
    at = 0
    for start, end in [*blocks, (len(text), len(text))]:
        pieces.extend(_prose(text, at, start))
        at = end
    return pieces


def _prose(text: str, start: int, end: int) -> Iterator[Piece]:
    line = start
    while line < end:
        stop = text.find("\n", line, end)
        stop = end if stop < 0 else stop
        yield from _line(text, line, stop)
        line = stop + 1


_NUMBERED = re.compile(r"(?<!\S)(\d{1,2})[.)](?=\s)")


def _line(text: str, start: int, end: int) -> Iterator[Piece]:
    """The sentences of a line; the items of a list that stands in it (“1. bread 2. milk”) are some each."""
    items = list(_NUMBERED.finditer(text, start, end))
    counts = [int(match[1]) for match in items] == list(range(1, len(items) + 1))
    starts = [match.start() for match in items] if counts and len(items) > 1 else []
    for begin, stop in pairwise((start, *(place for place in starts if place > start), end)):
        yield from _sentences(text, begin, stop)


def _sentences(text: str, start: int, end: int) -> Iterator[Piece]:
    at = start
    for match in _END.finditer(text, start, end):
        if match.group() == "." and not text[at : match.start()].strip(" \t0123456789"):
            continue  # the number of an item
        if text.count("`", at, match.start()) % 2 and text.find("`", match.end(), end) >= 0:
            continue  # within code: `INSERT ... ON CONFLICT`
        if match.group() == "." and _ABBREVIATED.search(text, max(at, match.end() - 10), match.end()):
            following = text[match.end() : match.end() + 2].strip()
            if not following or not following[0].isupper() or _is_title(text[max(at, match.end() - 10) : match.end()]):
                continue
        yield from _strip_piece(text, at, match.end())
        at = match.end()
    yield from _strip_piece(text, at, end)


def _is_title(words: str) -> bool:
    return bool(re.search(r"\b(?:mr|mrs|ms|dr|prof|st|fr|hr)\.$", words, re.IGNORECASE))


def _strip_piece(text: str, start: int, end: int) -> Iterator[Piece]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Piece(start, end, text[start:end])


_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\ufe0e\ufe0f\u200d\u20e3]+"
)
_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: no parser reads it
_SMILEY = re.compile(r"(?:(?<=\s)|^)(?:[:;=]-?[)(DPpO/|]|<3|xD|\^\^)(?=\s|$)")
_LINE_MARK = re.compile(r"^(?:\s*(?:#{1,6}|>|[-*+•]|\d{1,2}[.)]|\[[ xX]\])\s+)+")
_MARKUP = re.compile(r"\*\*|__(?=\w)|(?<=\w)__|`+|~~")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,200})\]\([^()\s]{0,500}\)")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "´": "'", "“": '"', "”": '"', "\u00a0": " ", "…": "..."})

# Fillers with or without a comma after them; the second kind are words of a sentence unless one follows.
_BARE = """
    hey  hi  hello  wow  whoa  oh  ah  aw+  yeah  yep  yup  ok  okay  well  so  and  but  plus  also  btw  fyi  haha+
    lol  hmm+  um+  ooh  u+gh+
"""
_MARKED = """
    yes  no  nope  sure(?: thing)?  right  true  cool  nice(?: one)?  great(?: idea)?  awesome  amazing  perfect  good
    exactly  definitely  totally  absolutely  agreed  of course  for sure  no (?:worries|problem|doubts?)  got it
    congrats  bye  same  actually  anyways?  honestly  basically  luckily  fortunately  unfortunately  by the way
    in fact  to be honest  all right  alright  good (?:morning|evening|afternoon|night|question|point|call)  man  gosh
    omg  please  thank (?:you|u|ya)(?: so much| very much)?  thanks(?: again| so much| a lot| a bunch| a ton)?
    thanks for asking  appreciate it  long time no (?:see|talk)  i know  guess what  you know  you're right
    (?:i |we )?(?:got |have |had |'ve got )?(?:some )?(?:great|good|big|exciting|awesome|amazing) news
    that's right  not really  not yet  my bad  sorry
"""
_FILLER = re.compile(
    rf"^(?:{any_of(_BARE, opening=True).pattern}(?:\s*[,!.:]+|\s+[-–—]+)?"
    rf"|{any_of(_MARKED, opening=True).pattern}(?:\s*[,!.:;]+|\s+[-–—]+))\s*",
    re.IGNORECASE,
)
_SO_MUCH = r"(?:so much|a lot|lots|some big things)(?:'s| has| have)? (?:happened|changed|been going on)"
_LEAD = re.compile(  # “So much has happened since we last talked -”
    rf"^(?:{_SO_MUCH} )?(?:ever )?since (?:last time )?(?:we|i|you|our)(?:'ve| have)? (?:last )?"
    r"(?:talked|chatted|spoke|met|chat|talk|saw)\b(?: (?:to|with|up)\b(?: you)?)?(?: last)?\s*[,;:–—-]+\s*",
    re.IGNORECASE,
)
# What is to be kept because somebody says so. “Remember that time …” and “Remember how …” only begin a story.
_TO_KEEP = re.compile(
    r"(?:please |and |also |just |always )*(?:remember|don't forget|do not forget|make a note|take note|note)"
    r"(?: for (?:me|later|next time|the future))?(?: that\b(?! (?:time|day|one|night|summer|trip)\b)\s*|\s*[:,]\s*)"
    r"(?=(?:i|my|we|our|us|the|this|he|she|they|his|her|their|it|there|[^\W\d_]+'s)\b|(?-i:[A-Z])|\d)",
    re.IGNORECASE,
)
_NOT_FILLER = re.compile(r"^(?:so (?:that|many|much|far)|well-|also known|and/or|plus-)\b", re.I)
_CALLED = r"guys|everyone|everybody|buddy|dude|man|girl|bro|folks|friend|dear|team|all|y'all"
_SAID_SHORT = tuple(
    (re.compile(short, re.I), long)
    for short, long in (
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"\bgotta\b", "have to"),
        (
            r"(?<![\w'])'?(?:cuz|coz|cause)\b(?! of (?:the|a)\b)(?=\s+(?:i|we|it|he|she|they|you|the|my|our)\b)",
            "because",
        ),
        (r"(?<![\w'])'cause\b", "because"),
        (r"\bkinda\b", "kind of"),
        (r"\bsorta\b", "sort of"),
        (r"\bya\b", "you"),
        (r"\bdunno\b", "don't know"),
        (r"\blemme\b", "let me"),
        (r"\bgimme\b", "give me"),
        (r"\b(\w{2,}in)'(?=\s)", r"\1g"),
        (r"\bim\b", "I'm"),
        (r"\bive\b", "I've"),
        (r"\b(we|they|you)ve\b", r"\1've"),
        (r"\b(they|you)re\b", r"\1're"),
        (r"\b(they|you)d\b", r"\1'd"),
        (r"\bid\b(?= (?:like|love|rather|have|be|never|say|go|want|need|lose|get|live|take|make|do|know)\b)", "I'd"),
        (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should)nt\b", r"\1n't"),
        (r"\bcant\b", "can't"),
        (r"\bwont\b", "won't"),
    )
)
_SMALL_I = re.compile(r"(?<![\w.'-])i(?=\s|'(?:m|ve|ll|d)\b)")
_SPACES = re.compile(r"\s+")
_PASSES = 4


def plain(text: str) -> str:
    """Without emoji, mark-up and the spellings of haste, still all of its words."""
    text = _SURROGATE.sub(" ", text.translate(_QUOTES))
    text = _LINE_MARK.sub("", text)
    text = _MARKUP.sub("", _LINK.sub(r"\1", text))
    text = _SMILEY.sub("", _EMOJI.sub(" ", text))
    for short, long in _SAID_SHORT:
        text = short.sub(long, text)
    return _SPACES.sub(" ", _SMALL_I.sub("I", text)).strip()


def is_to_be_kept(text: str) -> bool:
    """Whether a sentence, as it was said, asks for what it says to be remembered."""
    return bool(_TO_KEEP.search(plain(text)))


def strip_greetings(text: str, *, others: Sequence[str]) -> str:
    """A plain sentence without the greetings and fillers it opens with, and without the names called in it.

    `others`: names of the other speakers, called in full or by a short form (“Mel” for Melanie).
    """
    called = _address_patterns(others)
    for _ in range(_PASSES):
        before = text
        text = called[0].sub("", text)
        if not _NOT_FILLER.match(text):
            text = _FILLER.sub("", text, count=1)
        text = _TO_KEEP.sub("", text, count=1) if _TO_KEEP.match(text) else text
        text = _LEAD.sub("", text.lstrip(" ,;:-–—!."), count=1)
        if text == before:
            break
    text = called[1].sub(r"\1", text).strip()
    return text[:1].upper() + text[1:]


def _address_patterns(others: Sequence[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of a name called at the start, and of one called at the end."""
    names = "|".join(_spellings(name) for name in others if name)
    names = f"(?:{names}|{_CALLED})" if names else f"(?:{_CALLED})"
    start = re.compile(rf"^{names}(?:\s*[,!.:]+|\s+[-–—]+|$)\s*", re.I)
    end = re.compile(rf",\s*{names}\s*([.!]*)$", re.I)
    return start, end


def _spellings(name: str) -> str:
    """A pattern of the name, its first word, and what people make of that: three letters and more from its start."""
    whole = re.escape(name)
    first = name.split()[0] if name.split() else name
    if len(first) < 4 or not first.isalpha():
        return rf"{whole}|{re.escape(first)}"
    rest = first[3:]
    tail = "".join(f"(?:{letter}" for letter in rest) + ")?" * len(rest)
    return rf"{whole}|{re.escape(first[:3])}{tail}{re.escape(first[2])}?"

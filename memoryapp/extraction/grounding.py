"""Whether what a chat model wrote is borne out by what was said; where not, what is wrong with it, in plain words.

Exact and cheap: words by their stems, numbers, names in their order, negations and the words of if, maybe, wish and
must. It finds what was added, lost or turned round word by word; what a sentence means it does not know.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile

import Stemmer

from memoryapp.extraction.entities.stoplists import is_common
from memoryapp.text.hangul import HANGUL
from memoryapp.text.wording import word_set

KEPT = 0.5  # share of our wording's content words that a rewording must hold
CARRIED = 0.7  # the same, for a fact that says all that another one says
FOUNDED = 0.5  # share of a story's content words that its source must hold
_LONGER = 1.25  # times our wording, and _ROOM characters more
_ROOM = 30

_FUNCTION = word_set(
    """
    a an the this that these those there here it its itself he him his himself she her hers herself they them their
    theirs themselves who whom whose which what and or but so as of in on at to for from with by about into than then
    be is are was were been being am has have had having do does did doing done also too both own s t d ll m re ve
    """
)
_OPENERS = word_set(
    """
    after afterwards additionally although among as at before both by despite during each earlier finally first for
    from furthermore however if in initially last lastly later meanwhile moreover next on once one overall she he they
    it its several since so some the their then there these this those throughout to today two until upon when while
    with yesterday another most all also and but not no
    """
)
_NEGATION = word_set("not no never none nobody nothing nowhere neither nor without hardly barely except")
# A group stands for one way of meaning it: a word of the same group may take the place of another.
_MOODS: dict[str, frozenset[str]] = {
    "an if": word_set("if unless whether otherwise provided assuming"),
    "a doubt": word_set("would could might may maybe perhaps probably possibly likely seem guess suppose unsure think"),
    "a plan or wish": word_set("will shall want wish hope plan going intend consider try would-like"),
    "a duty": word_set("should must ought need supposed have-to"),
}
_PAST = word_set("was were had did used")
_PRESENT = word_set("is are am has have does do")
_SAYS = word_set("say says said tell tells told")  # whoever is quoted says it
_FIRST = word_set("i me my mine myself we us our ours ourselves")
_THIRD = word_set("he she they him her them his hers their theirs we")
_PRONOUNS = _THIRD | word_set("it its you your that this those these one mine")
_COUNTED = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
    """
_NUMBER = {word: str(n) for n, word in enumerate(_COUNTED.split())}
# What is said at home, and what a model likes to write for it.
_ALIAS = {"mum": "mother", "mom": "mother", "mam": "mother", "dad": "father", "kid": "child", "kids": "children"}
_REASON = word_set("because since cos cuz")
_PLAIN = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})
_REWRITTEN = [
    (re.compile(pattern, re.IGNORECASE), by)
    for pattern, by in (
        (r"\b(can)(?:'t|not)\b", r"\1 not"),
        (r"\bwon't\b", "will not"),
        (r"\bain't\b", "is not"),
        (r"n't\b", " not"),
        (r"'ll\b", " will"),
        (r"\bgonna\b|\bgoing to\b", "going"),
        (r"\bwanna\b", "want"),
        (r"(?:\bwould|'d) (?:like|love|prefer)\b", " would-like"),
        (r"'d\b", " would"),
        (r"\b(?:have|has|had|having|gotta?) to\b", "have-to"),
        (r"\bno longer\b|\bnot any ?more\b", "no"),
        (r"(?<=\d),(?=\d{3}\b)", ""),
        (r"\b(it|he|she|that|there|what|who|here)'s\b", r"\1 is"),
        (r"'s\b|s'(?=\s)", lambda found: "s " if found.group() == "s'" else " "),
    )
]
_WORD = re.compile(r"(?:would-like|have-to)\b|\d+(?:\.\d+)*|[^\W\d_]+", re.IGNORECASE)
_ENDS, _PAUSES = re.compile(r"[.!?…:\n]"), re.compile(r"[,;–—()]")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|\n+")
_OWNED = re.compile(
    r"(?:\b(?:my|our|his|her|their|its)|(?<!\bit)(?<!\bhe)(?<!\bshe)(?<!\bthat)(?<!\bwhat)(?<!\bwho)(?<!\bhere)['’]s?) "
    r"([^\W\d_]+)",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:my|our) ([^\W\d_]+)", re.IGNORECASE)
_OWNER = re.compile(r"([^\W\d_]+)['’]s? ([^\W\d_]+)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")

_stemmer = Stemmer.Stemmer("english")
_stemming = threading.Lock()  # a Snowball stemmer holds a buffer and is not safe to share between threads
_MOOD_OF = {
    form: mood for mood, listed in _MOODS.items() for word in listed for form in (word, _stemmer.stemWord(word))
}


@dataclass(frozen=True, slots=True)
class Word:
    """`opens`: it begins a sentence, where a capital tells nothing; `pauses`: a comma or the like stands before it."""

    text: str
    lower: str
    stem: str
    opens: bool
    pauses: bool

    @property
    def is_number(self) -> bool:
        return self.lower[:1].isdigit() or self.lower in _NUMBER

    @property
    def is_content(self) -> bool:
        return not (self.lower in _FUNCTION or self.lower in _NEGATION or self.stem in _MOOD_OF or self.is_number)

    @property
    def is_capital(self) -> bool:
        return self.text[:1].isupper() and self.lower not in _ALIAS and self.is_content


@dataclass(frozen=True)
class Words:
    """A text as the checks see it."""

    text: str

    @cached_property
    def all(self) -> tuple[Word, ...]:
        return tuple(_words_of(self.text))

    @cached_property
    def content(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.all if word.is_content)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.get(word.lower, word.lower) for word in self.all if word.is_number)

    @cached_property
    def lowers(self) -> frozenset[str]:
        return frozenset(word.lower for word in self.all)

    @cached_property
    def moods(self) -> frozenset[str]:
        # May is a month where it has a capital.
        return frozenset(_MOOD_OF[word.stem] for word in self.all if word.stem in _MOOD_OF and word.text != "May")

    @cached_property
    def negated(self) -> Counter[str]:
        """What each negation is about: the content word after it, “” where none follows."""
        return Counter(self._after(place) for place, word in enumerate(self.all) if word.lower in _NEGATION)

    def names(self, known: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """Stems of the capitalised words, each once, in order; of those that open a sentence the `known` alone."""
        found = (word for word in self.all if word.is_capital and (not word.opens or word.stem in known))
        return tuple(dict.fromkeys(word.stem for word in found))

    def after_if(self, count: int) -> list[tuple[str, ...]]:
        """For each if, the content words after it up to a comma, names left out."""
        places = [place for place, word in enumerate(self.all) if _MOOD_OF.get(word.stem) == "an if"]
        clauses = (takewhile(lambda word: not (word.pauses or word.opens), self.all[place + 1 :]) for place in places)
        return [
            tuple(word.stem for word in clause if word.is_content and not word.is_capital)[:count] for clause in clauses
        ]

    def _after(self, place: int) -> str:
        return next((word.stem for word in self.all[place + 1 :] if word.is_content and not word.is_capital), "")


@dataclass(frozen=True)
class Ground:
    """What a rewording may draw on. `own`: our wording; `quote`: the words as they were said; `around`: the turn with
    the one before; `speaker`, `others`: who speaks, and the other speakers' names; `names`: what else is known to be
    one."""

    own: str
    quote: str
    around: str
    speaker: str
    others: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @cached_property
    def speakers(self) -> frozenset[str]:
        return _parts((self.speaker, *self.others))

    @cached_property
    def known(self) -> frozenset[str]:
        """Stems of names, which are names at the head of a sentence too."""
        return self.speakers | _parts(self.names) | frozenset(Words(self.around).names())


def fault_of_rewording(text: str, ground: Ground) -> str:
    """Why the text may not stand in the place of our wording; empty where it may."""
    new, own, quote = Words(text), Words(ground.own), Words(ground.quote)
    return next(
        filter(
            None,
            (
                _fault_of_form(text, new, ground),
                _fault_of_words(new, own, ground),
                _fault_of_mood(new, own, quote),
                _fault_of_time(new, own),
                _fault_of_persons(new, own, quote, ground),
            ),
        ),
        "",
    )


def fault_of_fact(text: str, ground: Ground) -> str:
    """The same of a fact that the model found itself: `own` and `quote` are the words it was found in."""
    new, quote = Words(text), Words(ground.quote)
    strange = _ungrounded_words(new, Words(" ".join((ground.around, ground.speaker, *ground.others))))
    if strange:
        return f"it adds “{strange[0]}”"
    if not new.moods >= quote.moods & {"an if"}:
        return "it leaves out an if"
    if new.moods - quote.moods:
        return f"it adds {min(new.moods - quote.moods)}"
    if lost := [word for word in quote.negated if word in new.content and word not in new.negated]:
        return f"it leaves out a not, of “{lost[0]}”"
    heard = {*quote.names(ground.known)}
    if not _THIRD & quote.lowers:  # “sold the boat yesterday”: who says it, did it
        heard |= _parts((ground.speaker,))
    wrong = (n for n in new.names(ground.known) if n not in heard and not _may_be_named(n, new, quote, ground))
    return f"it speaks of “{_as_written(name, new)}”" if (name := next(wrong, "")) else ""


def fault_of_story(text: str, source: str) -> str:
    """What is wrong with several sentences told of a source: a name or a number that it lacks, words that have nothing
    to do with it, the first person, a sentence said twice."""
    told, ground = Words(text), Words(source)
    sentences = [" ".join(one.split()).casefold() for one in _SENTENCE.split(text) if one.strip()]
    if len(sentences) != len(set(sentences)):
        return "it says a sentence twice"
    if _FIRST & Words(_QUOTED.sub(" ", text)).lowers:
        return "it speaks of itself"
    number = next(iter(sorted(told.numbers - ground.numbers - {"1", "2", "3"})), "")
    if number:
        return f"it adds the number {number}"
    there = ground.content | {_stem(word) for word in _OPENERS}
    strange = (word for word in told.all if word.is_capital and word.stem not in there)
    name = next((word.text for word in strange if not (word.opens and is_common(word.lower))), "")
    if name:
        return f"it adds the name “{name}”"
    founded = len(told.content & ground.content)
    if founded < FOUNDED * len(told.content):
        return "most of its words are not in what it tells of"
    return ""


def carries(text: str, other: str) -> bool:
    """Whether the first text holds the numbers and negations of the other, and most of its content words."""
    one, two = Words(text), Words(other)
    if two.numbers - one.numbers or two.negated - one.negated or two.moods - one.moods:
        return False
    return bool(two.content) and len(one.content & two.content) >= CARRIED * len(two.content)


def is_english(text: str) -> bool:
    """Whether these checks can read it: mostly letters of ASCII."""
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and sum(letter.isascii() for letter in letters) >= 0.8 * len(letters)


def _fault_of_form(text: str, new: Words, ground: Ground) -> str:
    if not new.content:
        return "it is empty"
    if "\n" in text or len(text) > _LONGER * len(ground.own) + _ROOM:
        return "it is too long"
    if text.rstrip().endswith("?"):
        return "it asks"
    if _FIRST & Words(_QUOTED.sub(" ", text)).lowers or {"you", "your"} & new.lowers - Words(ground.own).lowers:
        return "it is not in the third person"
    if new.all[0].lower in _PRONOUNS:
        return f"it begins with “{new.all[0].text}”"
    return ""


def _fault_of_words(new: Words, own: Words, ground: Ground) -> str:
    around = Words(" ".join((ground.around, ground.own, ground.speaker, *ground.others)))
    if strange := _ungrounded_words(new, around):
        return f"it adds “{strange[0]}”"
    if lost := sorted(own.numbers - new.numbers - {"1"}):
        return f"it leaves out {lost[0]}"
    if len(new.content & own.content) < KEPT * len(own.content):
        return "it leaves out too much"
    return ""


def _ungrounded_words(new: Words, around: Words) -> list[str]:
    return [
        word.text
        for word in new.all
        if (word.is_content and not _has_word(around, word))
        or (word.is_number and _NUMBER.get(word.lower, word.lower) not in around.numbers | {"1"})
    ]


def _has_word(around: Words, word: Word) -> bool:
    if word.lower == "because" and _REASON & around.lowers:
        return True
    return word.stem in around.content or word.lower in _SAYS | around.lowers


def _fault_of_mood(new: Words, own: Words, quote: Words) -> str:
    if lost := own.moods - new.moods:
        return f"it leaves out {min(lost)}"
    if added := new.moods - own.moods - quote.moods:
        return f"it adds {min(added)}"
    if own.negated.total() > new.negated.total():
        return "it leaves out a not"
    if own.negated.total() < new.negated.total():
        return "it adds a not"
    if own.negated != new.negated:
        return "its not is about something else"
    for ours, theirs in zip(own.after_if(1), new.after_if(3), strict=False):
        if ours and ours[0] not in theirs:
            return "its if is about something else"
    return ""


def _fault_of_time(new: Words, own: Words) -> str:
    """What was is not what is, in the words that tell it: “lived” is not “lives”."""
    if _PRESENT & new.lowers and _PAST & own.lowers and not (_PRESENT & own.lowers or _PAST & new.lowers):
        return "it tells as present what is past"
    if _PAST & new.lowers and _PRESENT & own.lowers and not (_PAST & own.lowers or _PRESENT & new.lowers):
        return "it tells as past what is present"
    for word in new.all:
        forms = {one.lower for one in own.all if one.stem == word.stem}
        if word.is_content and forms and all(form.endswith("ed") != word.lower.endswith("ed") for form in forms):
            return f"it tells “{min(forms)}” as “{word.lower}”"
    return ""


def _fault_of_persons(new: Words, own: Words, quote: Words, ground: Ground) -> str:
    label, _, rest = ground.own.partition(": ")
    attributed = bool(rest) and label.casefold() == ground.speaker.casefold()
    ours = (Words(rest) if attributed else own).names(ground.known)
    theirs = new.names(ground.known)
    if lost := [name for name in ours if name not in theirs]:
        return f"it leaves out “{_as_written(lost[0], own)}”"
    for role in ("user", "assistant"):
        if (role in own.lowers) is not (role in new.lowers):
            return f"it {'leaves out' if role in own.lowers else 'speaks of'} the {role}"
    if [name for name in theirs if name in ours] != list(ours):
        return "its names come in another order"
    added = [name for name in theirs if name not in ours]
    if wrong := next((name for name in added if not _may_be_named(name, new, quote, ground)), ""):
        return f"it speaks of “{_as_written(wrong, new)}”"
    mine = {_stem(found.lower()) for found in _MINE.findall(ground.quote)}
    for owner, thing in _OWNER.findall(new.text):
        if _stem(thing.lower()) in mine and _stem(owner.lower()) not in _parts((ground.speaker,)):
            return f"it makes it the {thing} of “{owner}”"
    owned = Words(" ".join(_OWNED.findall(ground.own))).content
    if lost := sorted(word for word in owned & own.content if word not in new.content):
        return f"it leaves out whose “{_as_written(lost[0], own)}” it is"
    return ""


def _may_be_named(name: str, new: Words, quote: Words, ground: Ground) -> bool:
    """Whether a name can stand for a pronoun: the speaker's for an I, another speaker's for a you, and one that the
    turn or the one before names for any."""
    if name in _parts((ground.speaker,)):
        return bool((_FIRST | set(_ALIAS)) & quote.lowers) or bool(_SAYS & new.lowers)
    if name in ground.speakers and {"you", "your", "yours"} & quote.lowers:
        return True
    stands_for = _THIRD if name in ground.speakers else _PRONOUNS
    return name in Words(ground.around).names(ground.known) and bool(stands_for & quote.lowers)


def _as_written(stem: str, words: Words) -> str:
    return next((word.text for word in words.all if word.stem == stem), stem)


def _parts(names: Iterable[str]) -> frozenset[str]:
    return frozenset(_stem(found.group().lower()) for name in names for found in _WORD.finditer(name))


def _words_of(text: str) -> Iterator[Word]:
    line = text.translate(_PLAIN)
    for pattern, by in _REWRITTEN:
        line = pattern.sub(by, line)
    opens = True
    last = 0
    for found in _WORD.finditer(line):
        between = line[last : found.start()]
        opens = opens or bool(_ENDS.search(between))
        lower = found.group().lower()
        yield Word(found.group(), lower, _stem(_ALIAS.get(lower, lower)), opens, bool(_PAUSES.search(between)))
        opens, last = False, found.end()


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """Two syllables of Hangul, which a particle follows without a space; a Snowball stem of other words."""
    if HANGUL.match(word):
        return word[:2]
    if word in _MOOD_OF:
        return word
    with _stemming:
        return str(_stemmer.stemWord(word))

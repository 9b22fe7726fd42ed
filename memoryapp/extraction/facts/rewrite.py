"""A sentence in the first person put into the third, with the speaker named: verbs agree (“is” of “am”, “tries” of
“try”), a “we” that is everybody stays, and a lasting order becomes a wish: “Always run the tests first.” → “The user
wants to always run the tests first.” One-off requests give nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from memoryapp.extraction.facts.parse import ParsedSentence, Word
from memoryapp.extraction.facts.words import FIRST, any_of
from memoryapp.text.wording import word_set

HELPERS = ("aux", "auxpass")
_SUBJECTS = ("nsubj", "nsubjpass", "expl")
_FINITE = ("VBP", "VBZ", "VBD", "VB", "MD")
_AGREE = ("VBP", "VBD", "VB")
# Pasts that the tagger takes for the present where it does not know them (“I rewrote it”).
_PAST = re.compile(
    r"(?:re|over|under|out|mis|un|fore|with|be)?(?:wrote|broke|chose|did|drew|drove|fell|flew|forgot|found|gave|got|grew"
    r"|held|heard|kept|knew|led|left|lost|made|met|paid|ran|said|sat|saw|sent|sold|spoke|stood|stole|swore|taught|threw"
    r"|thought|took|told|understood|went|won|woke|wore|began|bought|brought|built|came|caught|felt|froze|slept|spent"
    r"|\w+ed)",
    re.IGNORECASE,
)
_NO_PAST = word_set(
    "need feed seed speed proceed succeed exceed heed weed bleed breed embed shed wed found saw fell felt left"
)
_SHORT = {"'m": " is", "'re": " is", "'ve": " has", "'ll": " will", "m": " is"}
_SHORT_PLURAL = {"'re": " are", "'ve": " have", "'ll": " will"}
_ODD = {"am": "is", "are": "is", "'re": "is", "have": "has", "do": "does", "go": "goes", "be": "is"}
_SIBILANT = ("s", "x", "z", "ch", "sh")


def third(verb: str) -> str:
    """The third person singular of a verb's plain form."""
    small = verb.lower()
    if small in _ODD:
        return _ODD[small]
    if small.endswith(_SIBILANT) or (small.endswith("o") and not small.endswith("oo")):
        return verb + "es"
    if small.endswith("y") and len(small) > 1 and small[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def agreeing_verbs(sentence: ParsedSentence, subject: int) -> Iterator[tuple[int, str]]:
    """(place, new spelling) of each verb that the pronoun at `subject` governs, those joined by “and” included. The
    verbs of a “we” stay, for it means several; only what is short is spelled out (“we've” → “… have”)."""
    verb = _verb_of(sentence, subject)
    if sentence.words[subject].lower == "we":
        following = subject + 1
        if following < len(sentence.words) and (short := _spelled_out(sentence, following)):
            yield following, short
    elif verb is not None:
        yield from _group(sentence, verb, plural=sentence.words[subject].lower != "i")


def _spelled_out(sentence: ParsedSentence, place: int) -> str:
    """A shortened helper in full, empty where it is none."""
    word = sentence.words[place]
    if word.lower == "'d":
        return _had_or_would(sentence, place)
    return _SHORT_PLURAL.get(word.lower, "")


def _had_or_would(sentence: ParsedSentence, place: int) -> str:
    verb = sentence.words[place].head
    perfect = sentence.words[verb].tag == "VBN" and all(
        sentence.words[helper].lower not in ("have", "be") for helper in sentence.children[verb]
    )
    return " had" if perfect else " would"


def _verb_of(sentence: ParsedSentence, subject: int) -> int | None:
    words = sentence.words
    word = words[subject]
    if word.dep in _SUBJECTS and (words[word.head].is_verb or word.head > subject):
        return word.head
    if word.dep == "conj":
        return None  # “my sister and I are”: two, whose verb stays
    following = subject + 1  # where the parser lost its way: the verb that comes next
    while following < len(words) and words[following].tag == "RB":
        following += 1
    return following if following < len(words) and words[following].is_verb else None


def _group(sentence: ParsedSentence, verb: int, *, plural: bool) -> Iterator[tuple[int, str]]:
    """A verb with its helpers, and the verbs joined to it that have no subject of their own."""
    below = [verb]
    seen = set()
    while below:
        here = below.pop()
        if here in seen:
            continue
        seen.add(here)
        finite = _finite_verb(sentence, here)
        if finite is not None:
            yield finite, _third_person_spelling(sentence, finite, plural=plural)
        for place in sentence.children[here]:
            word = sentence.words[place]
            if finite == here and sentence.words[here].tag == "VBP" and _is_hidden_verb(sentence, place):
                yield place, third(word.text)
            joined = word.dep == "conj" and word.is_verb and sentence.subject_of(place) is None
            # A plain form after a helper stays (“I will wash and iron it”), after a finite verb it agrees.
            bare = word.tag == "VB" and finite != here
            if joined and not bare and (word.tag in _AGREE or _finite_verb(sentence, place) != place):
                below.append(place)


def _finite_verb(sentence: ParsedSentence, verb: int) -> int | None:
    """The word of a verb group that agrees with its subject: the first helper, else the verb itself."""
    helpers = (place for place in sentence.children[verb] if sentence.words[place].dep in HELPERS)
    first = min(helpers, default=verb)
    return first if sentence.words[first].tag in _FINITE else None


def _is_hidden_verb(sentence: ParsedSentence, place: int) -> bool:
    """“I live in Seoul and work at Hangang Labs”: what is joined to a verb is one, though the tagger read a noun."""
    word, before = sentence.words[place], sentence.words[place - 1]
    after = sentence.words[place + 1].tag if place + 1 < len(sentence.words) else ""
    joined = word.dep == "conj" and before.dep == "cc"
    return joined and word.tag == "NN" and word.text.islower() and after in ("IN", "DT", "PRP$", "RB", "TO")


def _is_past(verb: str) -> bool:
    return verb not in _NO_PAST and _PAST.fullmatch(verb) is not None


def _third_person_spelling(sentence: ParsedSentence, place: int, *, plural: bool) -> str:
    word = sentence.words[place]
    if word.lower == "'d":
        return _had_or_would(sentence, place)
    if word.lower in _SHORT:
        return _SHORT[word.lower]
    if word.lower == "were" and plural:
        return "was"
    if word.tag in ("VBP", "VB") and word.dep != "xcomp" and not _is_past(word.lower):
        return third(word.text)
    return word.text


_EVERYBODY = re.compile(
    r"\bwe (?:all|each|as (?:a|people|humans))\b|\b(?:reminds?|shows?|teach(?:es)?) us\b", re.IGNORECASE
)
_ONESELF = re.compile(r"\b(?:I|me|my|mine|myself)\b", re.IGNORECASE)


def speaks_for_all(text: str) -> bool:
    """A “we” that nobody in particular is, in a sentence that has no I."""
    return bool(_EVERYBODY.search(text)) and not _ONESELF.search(text)


_GENERIC = {"user": "the user", "human": "the user", "me": "the user", "you": "the user"}
_ASSISTANT = "the assistant"
_GENERIC |= dict.fromkeys(("assistant", "ai", "bot", "model", "agent", "system"), _ASSISTANT)
# Verbs whose bare form opens a statement that left its I out; of others it is an order.
_FELT = word_set("love appreciate need hope wish prefer miss like enjoy feel think believe plan hate want")
_IMPERSONAL = ("to", "how", "that", "when")
_QUOTES = ('"', "“", "”", "``", "''")
_SHARED = ("friendship", "conversation", "chat", "chats", "bond", "talk", "talks")  # of the two who talk


def speaker_name(speaker: str) -> str:
    """A speaker as a sentence names one: “the user” for “user”, a person's name as it is."""
    return _GENERIC.get(speaker.strip().lower(), speaker.strip())


def is_generic(speaker: str) -> bool:
    """Whether it names a part in a talk (“user”), and nobody."""
    return speaker.strip().lower() in _GENERIC


@dataclass(frozen=True, slots=True)
class ThirdPersonText:
    """`names` says whether the text names the speaker."""

    text: str
    names: bool


@dataclass(slots=True)
class _Telling:
    """A sentence on its way: `out` holds each word's new spelling, `you` whom “you” means, if it is to be said, `group`
    whom “we” means until it was said, and `they` after."""

    sentence: ParsedSentence
    name: str
    you: str
    group: str
    out: list[str] = field(default_factory=list)
    names: bool = False
    names_group: bool = False

    def means_addressee(self, place: int) -> bool:
        """Whether the “you” at `place` is whom the speaker talks to. To an assistant one says “it lets you set a
        reminder” of anybody, and “I told you” of it."""
        if self.you != _ASSISTANT:
            return True
        sentence = self.sentence
        verb = sentence.words[place].head
        above = sentence.words[verb].head  # “I want you to …”
        near = {*sentence.children[verb], *sentence.children[above]}
        return any(sentence.words[one].lower in ("i", "me", "we", "us") for one in near)


def rewritten(
    sentence: ParsedSentence, text: str, *, speaker: str, addressee: str = "", about_addressee: bool = False
) -> ThirdPersonText:
    """The sentence told of its speaker. `addressee`: whom “you” means, where that is known. It is put in where the
    sentence speaks of the speaker too (elsewhere “you” is anybody), or where it is `about_addressee`."""
    words = sentence.words
    if speaks_for_all(text):
        return ThirdPersonText(_finish_sentence(text), False)
    own = any(word.lower in FIRST and word.lower not in ("us", "ourselves") for word in words)
    you = speaker_name(addressee) if addressee and (own or about_addressee) else ""
    name = speaker_name(speaker)
    telling = _Telling(sentence, name, you, _group_name(name, addressee), [word.text for word in words])
    opening = _opening(telling) if words else ""
    kept = _quoted_places(words) | _clipped_places(words) | _idiom_places(words)
    for place, word in enumerate(words):
        addressed = word.lower == "you" and you and telling.means_addressee(place)
        if place not in kept and (word.lower in ("i", "we") or addressed):
            for at, spelling in agreeing_verbs(sentence, place):
                telling.out[at] = spelling
    for place, word in enumerate(words):
        if place not in kept:
            _pronoun(telling, place, word)
    text = opening + "".join(
        spelled + (" " if word.space and spelled else "") for spelled, word in zip(telling.out, words, strict=True)
    )
    return ThirdPersonText(_finish_sentence(text), telling.names)


def attribute_to_speaker(told: ThirdPersonText, *, speaker: str) -> str:
    """The text with its speaker: a sentence that does not name one as “Name: …”. A user or an assistant needs none."""
    return told.text if told.names or is_generic(speaker) else f"{speaker.strip()}: {told.text}"


def _opening(telling: _Telling) -> str:
    """What goes before a sentence that left its I out: “Just got back”, “Been running”; and before
    one that hides it: “It's rewarding to help” is what the speaker finds."""
    words = telling.sentence.words
    if verb := _finds_phrase(words):
        telling.out[0] = verb + ("" if words[0].space else " ")
        telling.out[1] = ""
        telling.names = True
        return telling.name + " "
    start = 0
    while start < len(words) - 1 and words[start].tag == "RB" and words[start].lower not in ("not", "never"):
        start += 1
    left_out = _left_out(telling.sentence, start)
    if left_out is None:
        return ""
    lead, telling.out[start] = left_out
    telling.names = True
    telling.out[0] = telling.out[0][:1].lower() + telling.out[0][1:]
    return f"{telling.name} {lead}"


def _left_out(sentence: ParsedSentence, start: int) -> tuple[str, str] | None:
    """Where the first verb, at `start`, has no subject: what goes before it after the name, and its spelling."""
    words = sentence.words
    word = words[start]
    felt = word.lower in _FELT
    if sentence.subject is not None and sentence.subject < start + 1 and not felt:
        return None
    if word.lower == "been":
        return "has ", word.text
    negated = start + 1 < len(words) and words[start + 1].lower in ("n't", "not")
    if negated and word.tag in ("MD", "VBP", "VBD") and sentence.subject_of(word.head) is None and word.lower != "do":
        return "", third(word.text) if word.tag == "VBP" else word.text  # “Can't wait”; but “Do not” is an order
    if felt and word.tag in ("VB", "VBP", "NN") and sentence.subject_of(start) is None:
        return "", third(word.text)
    reported = word.tag == "VBD" and word.dep in ("advcl", "ccomp") and sentence.subject_of(start) is None
    if any(words[place].lower in ("me", "us") for place in sentence.children[start]):
        return None  # “Gave me notice”: somebody else did
    first = sentence.root == start or reported  # “Delivered it at two, the editor wants another”
    if not first or any(words[place].dep in HELPERS for place in sentence.children[start]):
        return None
    # “Done, in the import” and “Was Moira, but she's ill” tell what was done and who it was; of “Coming with Ned” too
    # nobody says who comes.
    past = word.tag == "VBD" or (word.tag == "VBN" and _is_past(word.lower))
    states = word.lower in ("was", "were") and any(words[place].dep == "attr" for place in sentence.children[start])
    return ("", word.text) if past and not states else None


def _finds_phrase(words: tuple[Word, ...]) -> str:
    """“finds it” of “It's ADJECTIVE to …”, “found it” of “It was …”; empty where the sentence is no such."""
    if len(words) < 4 or words[0].lower != "it" or words[1].lower not in ("'s", "is", "was"):
        return ""
    at = 2
    while at < len(words) - 1 and words[at].tag == "RB" and words[at].lower not in ("not", "n't"):
        at += 1
    following = words[at + 1] if at + 1 < len(words) else None
    if words[at].tag not in ("JJ", "VBG", "VBN") or following is None:
        return ""
    if following.lower not in _IMPERSONAL and following.tag != "VBG":
        return ""
    return "found it" if words[1].lower == "was" else "finds it"


def _group_name(name: str, addressee: str) -> str:
    """Whom a “we” means: whoever speaks, and others; an assistant and the person that it works with."""
    if name == _ASSISTANT and addressee:
        return f"{speaker_name(addressee)} and {name}"
    return f"{name} and others"


def _pronoun(telling: _Telling, place: int, word: Word) -> None:  # noqa: C901 - a case a pronoun
    following = telling.sentence.words[place + 1].lower if place + 1 < len(telling.sentence.words) else ""
    if following == "-" and not word.space:
        return  # “me-time”
    match word.lower:
        case "i" | "me":
            _name(telling, place, telling.name)
        case "we" | "us" if word.text != "US":
            of_them = place > 0 and telling.sentence.words[place - 1].lower in ("of", "let")
            again = "they" if word.lower == "we" else "them"
            _name(telling, place, again if telling.names_group or of_them else telling.group)
            telling.names_group = True
        case "our" if following in _SHARED:
            telling.out[place] = "the"
        case "my" | "our":
            _name(telling, place, "their" if telling.names else _possessive(telling.name))
        case "mine" | "ours" if word.tag.startswith("PRP"):
            _name(telling, place, _possessive(telling.name))
        case "myself" | "ourselves":
            telling.out[place] = "themselves"
        case "you" | "yourself" if telling.you and telling.means_addressee(place):
            telling.out[place] = telling.you
        case "your" if telling.you:
            telling.out[place] = _possessive(telling.you)
        case "yours" if telling.you:
            telling.out[place] = _possessive(telling.you)


def _quoted_places(words: tuple[Word, ...]) -> frozenset[int]:
    """Places between double quotes: their I is whoever is quoted. A quote that is not closed quotes nothing."""
    marks = [place for place, word in enumerate(words) if word.text in _QUOTES]
    return frozenset(place for a, b in zip(marks[::2], marks[1::2], strict=False) for place in range(a, b))


_IDIOMS = frozenset((("mind", "you"), ("thank", "you"), ("excuse", "me"), ("you", "know")))


def _idiom_places(words: tuple[Word, ...]) -> frozenset[int]:
    """Places of pronouns that mean nobody: “mind you”, “thank you”, “you know”."""
    pairs = zip(range(len(words) - 1), words, words[1:], strict=False)
    idioms = (place for place, word, after in pairs if (word.lower, after.lower) in _IDIOMS)
    return frozenset(place + step for place in idioms for step in (0, 1))


def _clipped_places(words: tuple[Word, ...]) -> frozenset[int]:
    """Places of what the parser cut from “wed” and “id”, which are a day and a number where no verb follows."""
    pairs = zip(range(len(words) - 1), words, words[1:], strict=False)
    clipped = (place for place, word, cut in pairs if not word.space and word.lower in ("i", "we") and cut.lower == "d")
    return frozenset(place for place in clipped if place + 2 >= len(words) or not _may_be_a_verb(words[place + 2]))


def _may_be_a_verb(word: Word) -> bool:
    return word.tag in _AGREE or word.lower in ("like", "rather", "better")  # “id like”: I'd


def _name(telling: _Telling, place: int, spelling: str) -> None:
    telling.out[place] = spelling
    telling.names = True


def _finish_sentence(text: str) -> str:
    """Opens with a capital and ends as a statement does."""
    text = text.strip().rstrip("! ")
    if text and text[-1] not in ".?…\"')":
        text += "."
    return text[:1].upper() + text[1:]


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


_STANDING = any_of(
    """
    always  never  from now on  by default  every time  whenever  in (?:the )?future  going forward  at all times
    instead of  rather than  unless i  without asking  prefer
    """
)
_LEAD = re.compile(
    r"^(?:please|kindly|also|and|just|from now on|going forward|in (?:the )?future|by default)\b[,:]?\s*", re.IGNORECASE
)
_VERBS = word_set(
    """
    use run write keep avoid prefer commit push ask format name put make add include answer reply respond call check
    test remember stick follow start stop do be explain show give tell send create deploy merge rebase store save log
    read skip leave set document update install import return treat assume address speak talk work review verify
    confirm limit
    """
)
_ORDER = re.compile(
    rf"^(?P<how>always|never)?\s*(?P<not>(?:don't|do not)(?: ever)?)?\s*(?P<verb>(?:{'|'.join(sorted(_VERBS))})\b"
    r"(?! (?:not|must|should|will|would|can|is|are|was|were|has|have)\b).*)$",  # “Import must never fail” is no order
    re.I,
)
_OWN = (
    (r"\bmyself\b", "themselves"),
    (r"\bme\b", "them"),
    (r"\bmy\b", "their"),
    (r"\bI'm\b", "they're"),
    (r"\bI\b", "they"),
    (r"\bmine\b", "theirs"),
)


def instruction(text: str, *, speaker: str) -> str:
    """The wish as a fact about the speaker; empty where the sentence is no standing order."""
    if not _STANDING.search(text) and not re.match(r"(?:please )?(?:don't|do not|avoid)\b", text, re.IGNORECASE):
        return ""
    order = text
    for _ in range(3):
        order = _LEAD.sub("", order, count=1)
    match = _ORDER.match(order.rstrip(" .!"))
    if not match:
        return ""
    wish = match["verb"][:1].lower() + match["verb"][1:]
    for own, theirs in _OWN:
        wish = re.sub(own, theirs, wish)
    never = bool(match["not"]) or (match["how"] or "").lower() == "never"
    always = (match["how"] or "").lower() == "always"
    name = speaker_name(speaker)
    told = f"{name} wants {'never ' if never else ''}to {'always ' if always else ''}{wish}."
    return told[:1].upper() + told[1:]

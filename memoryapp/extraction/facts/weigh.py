"""What a parsed sentence is worth and how it reads in the third person, or why it is dropped; and whether it is one
fact with the sentence before it: “I adopted a puppy. She sleeps all day.” means nothing without its first half."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memoryapp.extraction.facts import assistant
from memoryapp.extraction.facts.assistant import suggests
from memoryapp.extraction.facts.classification import decides
from memoryapp.extraction.facts.filter import Heard, Talk
from memoryapp.extraction.facts.parse import ParsedSentence
from memoryapp.extraction.facts.rewrite import (
    HELPERS,
    ThirdPersonText,
    instruction,
    is_generic,
    rewritten,
    speaker_name,
)
from memoryapp.extraction.facts.sentences import is_to_be_kept
from memoryapp.extraction.facts.words import FIRST, any_of
from memoryapp.extraction.facts.worth import names_exactly, opens_exactly, worth
from memoryapp.text.wording import word_set

TOGETHER = 45  # words of a fact whose later sentences hang on the first
ELABORATED = 28  # words of a fact whose later sentences only add to the first
SENTENCES = 3
_PERSONS = word_set("it they she he her him them his hers its their theirs")
_POINTING = word_set("this that these those both one")
_ROLES = ("nsubj", "nsubjpass", "dobj", "pobj")


def follows(sentence: ParsedSentence, *, names: bool, length: int) -> bool:
    """Whether the sentence belongs to the fact before it. `names`: it names the speaker itself. `length`: words of
    both together."""
    if hangs(sentence):
        return length <= TOGETHER
    return not names and length <= ELABORATED and not _is_particular(sentence)


def hangs(sentence: ParsedSentence) -> bool:
    """It, they or she before any noun of the sentence that could be meant."""
    for word in sentence.words:
        if word.lower in _PERSONS or (word.lower in _POINTING and word.dep in _ROLES):
            return True
        if word.is_noun:
            return False
    return False


def _is_particular(sentence: ParsedSentence) -> bool:
    """Numbers and names make a statement of its own: “The staging server runs on port 8080”."""
    return any(word.tag == "CD" or word.tag.startswith("NNP") for word in sentence.words)


OF_THE_USER = 2.0  # more, where an assistant says what it knows of its user
INSTRUCTED = 6.0  # points of a standing order, or of what is to be remembered: it was meant to be kept
SUGGESTED = 3.0  # points of what an assistant suggests, where it is kept at all
REPORTED = 1.0  # more, for what an assistant tells that it did
ANSWERED = 2.0  # more, for what is no sentence without the question that it answers
EXACT, EXACT_FIRST = 1.0, 1.25  # more, for what is named letter by letter, and where it comes first, as a subject does
_TOLD_BY_YOU = any_of("you(?:'ve| have| had)? (?:said|told|asked|mentioned|gave|helped|showed|taught|sent)")
_ASKED = any_of(
    """
    help me  i(?:'d| would)? (?:need|like|want)(?: some| your)? (?:help|advice)
    i have (?:an? |another |some )?questions?
    i(?:'d| would)? (?:need|like|want) you to (?:help|fix|check|look|find|explain|tell|show)
    i(?:'m| am) (?:looking for|wondering|asking)  give me  show me  tell me  let me
    """,
    opening=True,
)


@dataclass(frozen=True, slots=True)
class WeighedSentence:
    """`told` reads in the third person; `points` as `worth` counts them. `suggested`: by an assistant."""

    heard: Heard
    parsed: ParsedSentence
    told: ThirdPersonText
    points: float
    reason: str = ""
    instructed: bool = False
    suggested: bool = False


def weigh_sentence(heard: Heard, sentence: ParsedSentence, *, talk: Talk, asked: str = "") -> WeighedSentence:
    """What one sentence is worth, retold. `asked`: the question that it is the answer to, if it may be one."""
    speaker = talk.said.speaker
    if _speaks_to_an_agent(talk) and (wish := instruction(heard.text, speaker=speaker)):
        return WeighedSentence(heard, sentence, ThirdPersonText(wish, True), INSTRUCTED, instructed=True)
    if talk.by_assistant and suggests(heard.text) and not decides(heard.text):
        return WeighedSentence(heard, sentence, assistant.attribute_suggestion(heard.text), SUGGESTED, suggested=True)
    exact, opens = names_exactly(heard.piece.text), opens_exactly(heard.piece.text)
    report = talk.by_assistant and assistant.is_report(heard.text, sentence, exact=exact)
    why = "" if report else _why_not(heard.text, sentence, talk=talk, exact=exact, opens=opens)
    told = rewritten(
        sentence,
        heard.text,
        speaker=speaker,
        addressee=talk.addressee,
        about_addressee=talk.by_assistant or bool(_TOLD_BY_YOU.search(heard.text)),
    )
    points = worth(sentence, heard.text, speakers=talk.speakers)
    if talk.by_assistant and assistant.is_of_the_user(heard.text):
        points += OF_THE_USER
    if is_to_be_kept(heard.piece.text):
        points += INSTRUCTED
    if exact:
        points += EXACT + (EXACT_FIRST if opens else 0.0)
    if report:
        told, points = assistant.attribute_act(told), points + REPORTED
    elif opens and is_generic(speaker):
        told = replace(told, names=True)  # “test_refund is flaky” is found, not felt
    one = WeighedSentence(heard, sentence, told, points, why)
    return _answer_sentence(one, asked, speaker=speaker_name(speaker)) if asked else one


def _answer_sentence(one: WeighedSentence, asked: str, *, speaker: str) -> WeighedSentence:
    """“Every first Thursday, at Inga's” and “It's a Zebra” are no statements without what was asked. An it that answers
    earns nothing by that: “It was great” stays as little as it is."""
    leaning = hangs(one.parsed)
    if one.told.names or (one.parsed.subject is not None and not leaning):
        return one
    text = f"{speaker[:1].upper()}{speaker[1:]}, asked “{asked}”: {one.told.text}"
    return replace(one, told=ThirdPersonText(text, True), points=one.points + (0.0 if leaning else ANSWERED))


def _why_not(text: str, sentence: ParsedSentence, *, talk: Talk, exact: bool, opens: bool) -> str:
    words = sentence.words
    own = any(word.lower in FIRST for word in words)
    if (_is_order(sentence) and not own and not opens) or (is_generic(talk.said.speaker) and _ASKED.match(text)):
        return "a request"
    if not any(word.is_verb or word.tag == "CD" or word.tag.startswith("NNP") for word in words):
        return "neither a verb nor a name"
    if talk.by_assistant:
        return assistant.why_not(text, sentence, own=own, exact=exact)
    subject = sentence.subject
    if subject is not None and not own and _is_yours(sentence, subject):
        return "about the other person"
    return ""


def _speaks_to_an_agent(talk: Talk) -> bool:
    """One whose name is not known, and one to whom nobody answers but an assistant. Two people who are named speak to
    each other."""
    to_agent = not talk.addressee or speaker_name(talk.addressee) == "the assistant"
    return not talk.by_assistant and (is_generic(talk.said.speaker) or to_agent)


def _is_yours(sentence: ParsedSentence, subject: int) -> bool:
    """You, your plan."""
    if sentence.words[subject].lower == "you":
        return True
    return any(sentence.words[place].lower == "your" for place in sentence.children[subject])


def _is_order(sentence: ParsedSentence) -> bool:
    root = sentence.root
    if not sentence.words or sentence.words[root].tag != "VB" or sentence.subject is not None:
        return False
    return not any(
        sentence.words[place].dep in HELPERS and sentence.words[place].lower not in ("do", "n't")
        for place in sentence.children[root]
    )

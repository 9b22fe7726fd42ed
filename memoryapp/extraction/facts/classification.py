"""The category of a sentence (the first of identity, preferences, work and personal that fits), how sure and in what
mood it was said, and whether it decides something or shows a feeling."""

from __future__ import annotations

import re

from memoryapp.domain.fact import EXPLICIT, IMPLIED, INFERRED
from memoryapp.domain.memory import Category, Mood
from memoryapp.extraction.facts.parse import ParsedSentence
from memoryapp.extraction.facts.words import FEELINGS, FIRST, LIKING, PERSONAL, TRADES, WORK, any_of
from memoryapp.text.wording import word_set

_HEDGED = any_of(
    r"""
    maybe  perhaps  probably  possibly  apparently  supposedly  somehow  not sure  unsure  no idea  kind of  sort of
    i guess  i think  i suppose  i bet  i doubt  i feel like  i believe (?:so|it)  it seems  seem(?:s|ed)? (?:to|like)
    might  may  could  wonder(?:ing)?  figuring out  as far as i know  if i remember  or something
    """
)
_MONTH_OF_MAY = re.compile(r"\b(?:in|of|on|by|since|until|last|next|this|late|early) may\b|\bmay \d", re.IGNORECASE)
_PLANNED = any_of(
    r"""
    will  won't  shall  'll  want(?:s|ed)? to  would (?:like|love|prefer) (?:to|a)  'd (?:like|love|prefer) to
    (?:am|is|are|was|were|'m|'re|'s) (?:\w+ )?(?:going to|planning|considering|hoping|about to|aiming|trying to)
    (?:am|is|are|was|were|'m|'re|'s) (?:\w+ )?(?:thinking (?:of|about)|looking (?:forward )?to)
    plan(?:s|ning)? (?:to|on)  hop(?:e|es|ing) (?:to|for|that|we|i)  wish(?:es)? (?:to|i|we|for)  intends? to
    dream(?:s|ing)? (?:of|is|to)  my (?:goal|plan|dream) is  (?:can't|cannot) wait  looking forward  tomorrow
    (?:next|coming) (?:week|month|year|weekend|summer|spring|fall|autumn|winter|semester|quarter|sprint)
    """
)
_IF = re.compile(r"\b(?:if|unless|in case|provided that|assuming)\b(?! (?:i remember|not|only))", re.IGNORECASE)
_THEN = re.compile(r"\b(?:would|will|could|can|might|should|'ll|'d|then)\b|'ll\b|'d\b", re.IGNORECASE)
_UNREAL = re.compile(
    r"\bif (?:i|we|he|she|they|it|you) (?:were|was|had|lived|worked|knew|could)\b.*\b(?:would|could|might|'d)\b"
    r"|\b(?:would|could|might|'d)\b.*\bif (?:i|we|he|she|they|it|you) (?:were|had|lived|worked|knew|could)\b",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"\b(?:see|know|knew|wonder(?:ed|ing)?|check(?:ed)?|ask(?:ed|ing)?|tell|sure|remember|decide[sd]?) if\b", re.I
)
_OBLIGED = re.compile(
    r"\b(?:must|should|shall|has to|have to|needs to|ought to|is required to|are required to)\b", re.I
)
_DECIDED = any_of(
    r"""
    decided  chose  (?:has|have|had|'ve) chosen  picked  opted  agreed (?:to|on|that)  settled (?:on|for)  went with
    going with  go with  switched (?:to|from)  switching to  migrated (?:to|from)  migrating to  signed up  approved
    moved (?:\w+ ){0,3}?from \w+ to  concluded  the decision (?:is|was)  made (?:the|a|our|my) decision  ruled out
    (?:we|i)(?:'ll| will) use  committed to  rejected  made up (?:my|our) mind  dropp?(?:ed)? support
    """
)
_UNDECIDED = re.compile(
    r"\b(?:haven't|hasn't|didn't|not|never|hadn't|yet to|can't|before (?:i|we)|if (?:i|we)|whether)\b(?: \w+){0,3}? "
    r"(?:decid|cho[os]|pick|agree|settle|switch|migrat|approv|conclu|commit|sign)",
    re.IGNORECASE,
)
_MOVED = any_of(
    r"""
    (?:felt|feel|feels|feeling)(?: \w+)?(?! like| free| better) (?:\w+(?:ed|ful|less|ious|ous)|down|low|lost|alone|numb)
    in tears  burn(?:ed|t|ing) out  cried  crying  broke down  breaking down  heart (?:broke|sank)  dream come true
    (?:hard|tough|rough) (?:time|patch|week|month|year)  miss (?:him|her|them|my|home)  passed away
    """
)


def confidence(text: str, sentence: ParsedSentence, *, named_entity: bool, instructed: bool = False) -> float:
    """0.9 where somebody says it of oneself and means it; 0.7 for plans, what is said in passing, and named things;
    0.5 for guesses, and where nobody is named. `text`: the sentence as it was said."""
    if instructed:
        return EXPLICIT
    if _has_hedge(text):
        return INFERRED
    own = any(word.lower in FIRST for word in sentence.words)
    if not own:
        return IMPLIED if named_entity or (_is_particular(sentence) and not _PLANNED.search(text)) else INFERRED
    if _PLANNED.search(text) or _IF.search(text):
        return IMPLIED
    subject = sentence.subject
    if subject is None:
        return EXPLICIT if sentence.words and sentence.words[0].tag in ("VBD", "VBN") else IMPLIED
    owned = any(sentence.words[place].lower in ("my", "our") for place in sentence.children[subject])
    return EXPLICIT if owned or sentence.words[subject].lower in ("i", "we") else IMPLIED


def mood(text: str, *, own: bool, instructed: bool = False) -> Mood:
    """Whether it is so, is meant to be, would be, may be, or ought to be. `own`: it speaks of the speaker."""
    if instructed:
        return Mood.NORMATIVE
    if _IF.search(text) and _THEN.search(text) and not _WHETHER.search(text):
        return Mood.CONDITIONAL
    if _PLANNED.search(text):
        return Mood.PLANNED
    if _has_hedge(text):
        return Mood.UNCERTAIN
    if not own and _OBLIGED.search(text):
        return Mood.NORMATIVE
    return Mood.ACTUAL


def imagines(text: str) -> bool:
    """“If I were on the team, I would …”, “if we had more time, we'd …”: what is thought up tells nobody's likes."""
    return bool(_UNREAL.search(text)) and not _WHETHER.search(text)


def decides(text: str) -> bool:
    """Whether it says that something was decided, and not that it is open."""
    return bool(_DECIDED.search(text)) and not _UNDECIDED.search(text)


def moves(text: str, sentence: ParsedSentence) -> bool:
    """Shows a feeling beyond liking and loving."""
    return any(word.lower in FEELINGS for word in sentence.words) or bool(_MOVED.search(text))


def _is_particular(sentence: ParsedSentence) -> bool:
    """A verb about the deploy, this server: no general truth."""
    subject = sentence.subject
    if subject is None or not sentence.words[subject].is_noun:
        return False
    return any(sentence.words[place].lower in ("the", "this", "that") for place in sentence.children[subject])


def _has_hedge(text: str) -> bool:
    found = _HEDGED.search(text)
    return found is not None and not (found.group().lower() == "may" and _MONTH_OF_MAY.search(text))


_TRADES = "|".join(sorted(TRADES))
_IDENTITY = any_of(
    rf"""
    my (?:\w+ )?(?:name|birthday|e-?mail|phone|address|time ?zone|nickname|surname|pronouns|nationality|gender|age)
    my (?:native language|mother tongue|home ?town|home country|roots)  calls? me  years old  (?:was|were) born
    (?:i'm|i am|i was) (?:called|named|born|from [A-Z]\w+|originally from|married|single|divorced|engaged|widowed)
    (?:i'm|i am) (?:bisexual|gay|trans\w*|korean|american|german|french|japanese|chinese|indian|british|\d{{1,2}})
    (?:i'm|i am)(?: an?)? (?:vegetarian|vegan|retired|pregnant|unemployed|self-employed|left-handed|diabetic)
    (?:i'm|i am|i work as|i was|i became|i've become) (?:\w+ ){{0,2}}?an? (?:[\w-]+ ){{0,3}}?(?:{_TRADES})
    (?:i'm|i am) (?:\w+ ){{0,2}}?an? (?:\w+ ){{0,3}}?(?:mom|dad|mother|father|christian|buddhist|muslim)
    i(?:'ve| have)? (?:used to )?(?:\w+ )?(?:live|lived|living|moved|relocated|grew up|based)(?: \w+)? (?:in|to|from|at)
    i'm (?:\w+ )?(?:living|based|moving|relocating) (?:in|to|from|near)  i speak (?!to|with|up|at|of|about)\w+
    """
)
_PREFERENCE = any_of(
    r"""
    prefer(?:s|red)?  favou?rites?  faves?  fan of  interested in  allergic  addicted to  obsessed with  can't stand
    (?:'m|am|is|are|'re|really|got|get|getting) into (?!the\b|a\b|an\b|trouble)\w+  passionate about  passion for
    my passion  fond of  keen on  hates?  dislikes?  rather (?:than|not)  (?:don't|doesn't) like  instead of  avoid
    please (?:use|avoid|always|never|don't)  always use  never use
    """
)
_WORKING = word_set("work works worked working")
_NO_JOB = any_of(r"mak(?:e|es|ing) \w+ work  made \w+ work  hard work  work(?:s|ed)? (?:out|well)")


def category(text: str, sentence: ParsedSentence) -> Category:
    """`text`: the sentence as it was said, in the first person. Other means that nothing is claimed."""
    said = {word.lower for word in sentence.words}
    own = bool(said & FIRST)
    if own and identifies(text):
        return Category.IDENTITY
    # “We chose Postgres instead of MySQL” is a matter of work.
    decided = bool(said & WORK) and decides(text)
    if (_PREFERENCE.search(text) and not decided) or (own and _has_liking_verb(sentence)):
        return Category.PREFERENCES
    at_work = said & WORK
    if _NO_JOB.search(text):
        at_work -= _WORKING
    if at_work and len(at_work) >= len(said & PERSONAL):
        return Category.WORK
    return Category.PERSONAL if said & PERSONAL else Category.OTHER


def identifies(text: str) -> bool:
    """Says who the speaker is: a name, an age, a home, a trade."""
    return bool(_IDENTITY.search(text))


def _has_liking_verb(sentence: ParsedSentence) -> bool:
    """Like and love as verbs, of something: not “love and support”, not “like last year”."""
    return any(
        word.lower in LIKING and word.is_verb and (word.head == place or word.dep in ("conj", "ccomp", "ROOT", "relcl"))
        for place, word in enumerate(sentence.words)
    )

"""A sentence in, which kind of fact it states out: the first of identity, preferences, work, personal that fits."""

from __future__ import annotations

from memoryapp.domain.memory import Category
from memoryapp.extract.facts.certainty import decides
from memoryapp.extract.facts.parse import Parsed
from memoryapp.extract.facts.words import FIRST, LIKING, PERSONAL, TRADES, WORK, any_of, words

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
_WORKING = words("work works worked working")
_NO_JOB = any_of(r"mak(?:e|es|ing) \w+ work  made \w+ work  hard work  work(?:s|ed)? (?:out|well)")


def category(text: str, sentence: Parsed) -> Category:
    """`text`: the sentence as it was said, in the first person. Other means that nothing is claimed."""
    said = {word.lower for word in sentence.words}
    own = bool(said & FIRST)
    if own and identifies(text):
        return Category.IDENTITY
    # “We chose Postgres instead of MySQL” is a matter of work.
    decided = bool(said & WORK) and decides(text)
    if (_PREFERENCE.search(text) and not decided) or (own and _likes(sentence)):
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


def _likes(sentence: Parsed) -> bool:
    """Like and love as verbs, of something: not “love and support”, not “like last year”."""
    return any(
        word.lower in LIKING and word.is_verb and (word.head == place or word.dep in ("conj", "ccomp", "ROOT", "relcl"))
        for place, word in enumerate(sentence.words)
    )

"""A Korean sentence in; out whether somebody tells something particular in it, whatever its verb. For `korean`.

`korean` knows the endings of homes, work and likings. Of what else is said in a talk, a sentence with a spoken ending
is kept that names enough: an object or a place, a figure, a day, oneself. Points add up, as in `worth`."""

from __future__ import annotations

import re

from memoryapp.extract.facts.hangul import ends_in_consonant, is_formal, vowel

LEAST = 1.0  # points of what one says
LEAST_PROPOSED = 1.5  # points of what an assistant proposes
_END = "요?[.!~]*$"
_OPEN = frozenset("ㅏㅐㅑㅓㅕㅘㅙㅝ")  # vowels that verbs of the plain style end in: 해, 있어, 마셔, 와, 돼, 배워; 이야
_NO_STATEMENT = ("다", "까", "나", "자", "라", "마")  # books, questions, calls and orders
_COURTESY = re.compile(
    r"^(?:정말 |진짜 |너무 |아주 )?(?:고마|감사|축하|알겠|알았|맞아|맞습|괜찮|미안|죄송|반가|안녕|수고|다행|대박|그렇)"
    rf"|(?:필요해|필요합니다|궁금해|궁금합니다|빕니다|바라|바랍니다|게){_END}"
)
_FIGURE = re.compile(
    r"\d|[A-Za-z]{2,}|(?:^|\s)(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열) ?(?:번|개|명|잔|살|달|마리|권|시)"
)
_DAY = re.compile(
    r"지난|이번|다음 |매[주일달년]|어제|그제|오늘|내일|모레|작년|올해|내년|요즘|이제|[월화수목금토일]요일"
)
_ONESELF = re.compile(r"(?:^|\s)(?:나는?|저는?|난|전|제가|내가|저도|나도|우리는?|제|내|우리|저희)\s")
_DONE_TO = re.compile(r"\w(?:을|를|에|에서|에게|한테|으로|로|와|과|랑|만|까지|부터)(?:는|도|만)?$")
_SPOKEN_OF = re.compile(r"\w(?:은|는|이|가|도)$")
_PROPOSES = re.compile(
    rf"추천|제안|권해|권합|면 (?:좋|어떨|\S.*수 있)|(?:는 게|는 편이) 좋|[수도] 있(?:어|습니다){_END}|보세{_END}"
)


def is_told(text: str) -> bool:
    """Whether a sentence says something of a particular person or thing."""
    return _is_spoken(text.rstrip(".!~ ")) and not _COURTESY.search(text) and _points(text) >= LEAST


def is_proposed(text: str) -> bool:
    """Whether an assistant proposes something that may be asked for again."""
    return bool(_PROPOSES.search(text)) and "?" not in text and _points(text) >= LEAST_PROPOSED


def _is_spoken(text: str) -> bool:
    if text.endswith("요") or is_formal(text):
        return True
    return not text.endswith(_NO_STATEMENT) and not ends_in_consonant(text) and vowel(text[-1:]) in _OPEN


def _points(text: str) -> float:
    words = text.rstrip(".!~ ").split()
    told = words[:-1]  # the last one is the verb
    if not told:
        return 0.0
    done_to = [bool(_DONE_TO.search(word)) for word in told]
    spoken_of = [bool(_SPOKEN_OF.search(word)) for word in told]
    points = sum(1.0 if one else 0.5 if other else 0.0 for one, other in zip(done_to, spoken_of, strict=True))
    points += 1.0 if _FIGURE.search(text) else 0.0
    points += 0.5 if _DAY.search(text) else 0.0
    return points + (1.0 if _ONESELF.search(text) else 0.0)

"""Candidate facts from Korean sentences, by verb endings, few and sure.

The endings are those of homes, work and likings. Of what else is said in a talk, a sentence with a spoken ending is
kept that names enough: an object or a place, a figure, a day, oneself. Points add up, as in `worth`. Words for days
are resolved against the time they were said in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta

from memoryapp.domain.clock import within_reach
from memoryapp.domain.fact import EXPLICIT, IMPLIED, INFERRED, Candidate
from memoryapp.domain.memory import Category, Mood
from memoryapp.extraction.facts.calendar import Days, day, month, shift_days, week, year
from memoryapp.extraction.facts.filter import Heard, Talk
from memoryapp.extraction.facts.hangul import ends_in_consonant, is_formal, vowel, with_topic
from memoryapp.extraction.facts.names import entities, names_in
from memoryapp.extraction.facts.rewrite import is_generic, speaker_name
from memoryapp.extraction.facts.validity import Times

_Reader = Callable[[re.Match[str], date], Days]
_UNITS = {"일": "day", "주": "week", "달": "month", "개월": "month", "년": "year"}
_STEPS = {"지난": -1, "저번": -1, "이번": 0, "다음": 1}
_DAYS = {"그저께": -2, "그제": -2, "어제": -1, "오늘": 0, "내일": 1, "모레": 2}
_YEARS = {"재작년": -2, "작년": -1, "올해": 0, "내년": 1}


def _week_or_month(match: re.Match[str], said: date) -> Days:
    step = _STEPS[match["step"]]
    return week(said, step) if match["unit"] == "주" else month(said.year, said.month, step)


def _calendar_days(match: re.Match[str], said: date) -> Days:
    at = int(match["y"]) if match["y"] else said.year
    if match["d"]:
        return day(date(at, int(match["m"]), int(match["d"])))
    return month(at, int(match["m"]))


_DATE_RULES: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (re.compile(r"(?:(?P<y>\d{4})년 ?)?(?P<m>\d{1,2})월(?: ?(?P<d>\d{1,2})일)?"), _calendar_days),
    (re.compile(r"(?P<y>(?:19|20)\d{2})년"), lambda match, said: year(int(match["y"]))),
    (
        re.compile(r"(?P<n>\d{1,3}) ?(?P<unit>일|주|달|개월|년) ?전"),
        lambda match, said: shift_days(said, -int(match["n"]), _UNITS[match["unit"]]),
    ),
    (re.compile(r"(?P<step>지난|저번|이번|다음) ?(?P<unit>주|달)(?!말)"), _week_or_month),
    (re.compile(r"재작년|작년|올해|내년"), lambda match, said: year(said.year + _YEARS[match.group()])),
    (
        re.compile(r"그저께|그제|어제|오늘|내일|모레"),
        lambda match, said: day(said + timedelta(days=_DAYS[match.group()])),
    ),
)
_SINCE = re.compile(r"\s?부터")
_BEGINS = re.compile(r"이사|시작|입사|결혼|바꿨|변경|전환|이전|옮겼|입양|살|다니|근무")


def korean_times(text: str, *, said: datetime | None) -> Times:
    """The first days named; a beginning (“부터”, moving, starting) makes them the start of validity."""
    if said is None or "생일" in text:  # a birthday comes every year: nothing happened on it
        return Times()
    for pattern, read in _DATE_RULES:
        match = pattern.search(text)
        if not match:
            continue
        try:
            first, last = read(match, said.date())
        except (ValueError, OverflowError):  # the 31st of a short month
            continue
        if not within_reach(first, last):
            continue
        start = datetime.combine(first, time(), tzinfo=UTC)
        days = f"{first}" if first == last else f"{first} to {last}"
        begins = bool(_SINCE.match(text, match.end()) or _BEGINS.search(text, match.end()))
        return Times(start, f"{match.group()} → {days}", valid_from=start if begins else None)
    return Times()


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


PLAIN_LONGEST = 32  # characters of a sentence in the plain style
LONGEST = 60  # characters; longer ones are told, not stated
_GENERIC = {"the user": "사용자", "the assistant": "비서"}
_I = re.compile(r"^(?:저는|나는|전|난|제가|내가|저도|나도|우리는|저희는|우린)\s+|^[저나]\s+(?=\S+(?:로|에서?)\s)")
_MY = re.compile(r"^(?:제|내|저의|나의|우리|저희)\s+")
_OTHER = re.compile(
    r"^(?!(?:저는|나는|오늘은|어제는|요즘은|지금은|최근에는|고양이|아이|놀이|나이|요가|휴가|작가|같이|많이|굳이|높이|전화가)\s)"
    r"(?:(?:[^\s,]{1,12}\s+){0,2}[^\s,]{1,12}(?<![있없하되많좋같작])[은는]|[^\s,]{1,12}[이가]"
    r"|(?:친구|동생|누나|형|언니|오빠|남편|아내|와이프|엄마|아빠|어머니|아버지|딸|아들|동료|선배|후배|사촌)\s+[^\s,]{1,8}[이가])\s+\S"
)
_NOT = re.compile(
    r"[?？]|(?:세요|까요|나요|[인한은는던]가요|래요|죠|지요|니|냐|습니까|네요|군요|구나|네)[.!~]*$|다면|라면|으면|만약"
    r"|면 좋겠|고 싶|예전에|옛날에|살았|일했|다녔|해 ?줘|해 ?주|부탁|알려|뭐|무엇|어떻|왜 |누구|언제 |어디"
)
_FILLER = re.compile(
    r"^(?:네|예|응|아|음|그럼|그래|맞아요?|맞습니다|안녕하세요|안녕|감사합니다|고마워요?|참|그리고|근데|그런데)[,.!~]*\s+"
)
_GUESS = re.compile(r"것 같|듯|아마|지도 모")
_NATIVE = r"스무|스물\S{0,2}|서른\S{0,3}|마흔\S{0,3}|쉰\S{0,3}"


def _rules() -> Iterator[tuple[Category, str]]:
    """Expressions of endings with the particle before them: the object of liking, the place of living."""
    identity, liking, work, home = Category.IDENTITY, Category.PREFERENCES, Category.WORK, Category.PERSONAL
    yield identity, r"(?:^|\s)(?:이름|생일|나이|고향|국적|별명|직업)[은이]\s+\S"
    yield identity, r"(?:이)?라고 (?:해|합니다|불러|부릅니다)"
    yield identity, rf"(?:\d{{1,3}}|{_NATIVE})\s?(?:살|세)(?:이에요|예요|입니다|이야|이다|임)"
    yield identity, r"에(?:서)? (?:살고|살아|삽니다|산다|사는|거주)"
    yield identity, r"로 이사(?:했|왔|갔|하기로|합니다|해요|간다|갑니다)"
    yield identity, r"(?:와|과|랑|하고) 결혼(?:했|해|합니다)|결혼한 지|(?:^|\s)결혼(?:했|해|합니다)"
    yield liking, r"(?:제일|가장) 좋아하는 \S+[은는]"
    yield liking, r"[을를이가은는도만걸게] (?:\S+ )?(?:(?:좋아|선호|싫어)(?:하|해|합)|즐기|즐겨|즐깁|사랑해|사랑합)"
    yield liking, r"알레르기가 있|(?:을|를) 못 먹"
    yield liking, r"(?:^|\s)기본 \S+[은는] \S"
    yield work, r"에서 (?:\S+ ){0,3}(?:일하|일해|일합|근무)|[에를을] (?:다니|다녀|다닙니다)"
    yield work, r"기로 (?:했|결정|정했|합의)|(?:으)?로 (?:결정|정했|합의|바꿨|변경|전환|이전|교체|옮겼)"
    yield work, r"(?:을|를) (?:\S+ )?(?:쓰고 있|써요|씁니다|쓴다|사용)"
    yield work, r"(?:에서|로) (?:\S+ )?(?:돌아가|돌아갑|실행|운영|동작|배포)"
    yield work, r"(?:을|를) (?:시작했|배우고|배워|담당|맡고|맡았|공부하고|공부해|준비하고)"
    yield home, r"^(?:제|내|우리|저희) (?:\S+ )?\S+[은는] (?:\S+ )?\S+(?:입니다|이에요|예요|이야)[.!~]*$"
    yield home, r"(?:을|를) (?:\S+ )?(?:키우|키워|키웁|입양했)"
    yield identity, r"^(?:저는|나는|전|난) (?:\S+ ){0,3}\S+(?:입니다|이에요|예요|이야)[.!~]*$"


_RULES = tuple((kind, re.compile(endings)) for kind, endings in _rules())
_DECIDED = re.compile(r"기로 (?:했|결정|정했|합의)|로 (?:결정|정했|합의|바꿨|변경했|전환했|이전했|교체했|옮겼)")
_PLAIN_STYLE = re.compile(r"(?<!니)다[.!~]*$")
_PLAIN_PAST = re.compile(r"[었았했됐였갔왔]다[.!~]*$")
_FELT = re.compile(r"슬프|슬퍼|우울|불안|힘들|속상|화가|외로|무서|걱정|행복|기뻐|기쁘|설레|스트레스|지쳤")
_PLANNED = re.compile(
    r"(?:할|갈|될|살|쓸|바꿀|시작할) (?:예정|계획|거)|려고 (?:해|합니다|한다)|기로 했|다음 (?:주|달)|내년|내일"
)


def korean(one: Heard, *, talk: Talk, asked: str = "") -> Candidate | str:
    """The fact, told of its speaker in Korean; or why there is none, in words for a person. `asked`: the question that
    it is the answer to, if it may be one."""
    text = _FILLER.sub("", one.text).strip()
    if len(text) > LONGEST:
        return "too long for one statement"
    if talk.by_assistant and is_proposed(text):
        return _proposal_candidate(one, text, talk=talk)
    if _NOT.search(text):
        return "a question, a wish, a request or a thing of the past"
    if _is_prose(text):
        return "written prose, not something said"
    kind = next((kind for kind, pattern in _RULES if pattern.search(text)), None)
    name = _GENERIC.get(speaker_name(talk.said.speaker), talk.said.speaker)
    if kind is not None:
        told, own = _third_person(text, name=name)
        sure = EXPLICIT if own else IMPLIED
    elif not talk.by_assistant and is_told(text):
        told, own = _reported_sentence(text, name=name, asked=asked)
        sure = IMPLIED
    else:
        return "none of the endings that state something to keep"
    when = korean_times(text, said=talk.said.at)
    people = [person for person in (talk.said.speaker, *talk.others) if not is_generic(person)]
    return Candidate(
        text=told,
        quote=one.piece.text,
        category=kind or Category.OTHER,
        confidence=INFERRED if _GUESS.search(text) else sure,
        decision_point=bool(_DECIDED.search(text)),
        emotional_signal=bool(_FELT.search(text)),
        entities=entities(told, names_in(text), people=people),
        mood=Mood.UNCERTAIN if _GUESS.search(text) else Mood.PLANNED if _PLANNED.search(text) else Mood.ACTUAL,
        occurred_at=when.occurred_at,
        when=when.when,
        valid_from=when.valid_from,
        valid_to=when.valid_to,
        worth=4.0 if own else 3.0,
    )


def _proposal_candidate(one: Heard, text: str, *, talk: Talk) -> Candidate:
    """What an assistant proposes, as a proposal: no fact about anybody."""
    told = f"비서의 제안: “{text.rstrip('.!~ ')}.”"
    people = [person for person in talk.others if not is_generic(person)]
    return Candidate(
        text=told,
        quote=one.piece.text,
        confidence=INFERRED,
        entities=entities(told, names_in(text), people=people),
        mood=Mood.UNCERTAIN,
        worth=3.0,
    )


def _is_prose(text: str) -> bool:
    """The plain style of books (“…했다”), of nobody who speaks: long or in the past, and no decision."""
    if not _PLAIN_STYLE.search(text) or _I.match(text) or _MY.match(text):
        return False
    past = bool(_PLAIN_PAST.search(text)) and not _DECIDED.search(text)
    return past or len(text) > PLAIN_LONGEST


def _third_person(text: str, *, name: str) -> tuple[str, bool]:
    """The sentence told of its speaker, and whether it speaks of him or her in so many words."""
    text = _end_sentence(text)
    if match := _I.match(text):
        return f"{with_topic(name)} {text[match.end() :]}", True
    if match := _MY.match(text):
        return f"{name}의 {text[match.end() :]}", True
    if _OTHER.match(text):
        return (text if name in _GENERIC.values() else f"{name}: {text}"), False
    return f"{with_topic(name)} {text}", True


def _reported_sentence(text: str, *, name: str, asked: str) -> tuple[str, bool]:
    """As `_third_person`, of a verb that nothing is known of: who does it is only told where the sentence says so."""
    if _I.match(text) or _MY.match(text):
        return _third_person(text, name=name)
    if text.startswith("나 "):
        return f"{with_topic(name)} {_end_sentence(text[2:])}", True
    if asked and not _OTHER.match(text):
        return f"{name}, “{asked}”라는 질문에: {_end_sentence(text)}", False
    return f"{name}: {_end_sentence(text)}", False


def _end_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "~")) else text + "."

"""Slots and findings of Korean statements. Particles and endings are read only where they are sure.

A long sentence, a question, a wish or the past of a state gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memoryapp.contradictions.verdicts import Finding
from memoryapp.domain.statement import Slot
from memoryapp.text.hangul import HANGUL
from memoryapp.text.wording import word_set

_LONGEST = 60  # characters of a sentence that is read: longer ones are prose
_SKIP = re.compile(
    r"\?|세요|까요|다면|만약|고 싶|예전|전에는|옛날|한때|살았|일했|다녔|근무했|"
    r"계획|예정|생각 중|것 같|했으면|려고|지도 모|라면|(?:던|았던|었던) "
)
_NOW = r"(?:지금|현재|이제|요즘|저는|나는|계속|여전히|더 이상)"
_WHO = rf"(?:(?P<s>[가-힣A-Za-z0-9 ]{{1,14}}?)(?:은|는|이|가|께서는) )?(?:{_NOW} )*"
_V = r"(?P<v>[가-힣A-Za-z0-9 .:+#-]{1,20}?)"
_OBJ, _VERY, _MORE = rf"{_WHO}{_V}(?:을|를)", r"(?:아주 |정말 |매우 )?", r"(?: \w{1,4})?"
_BE = r"(?:입니다|이에요|예요|이다|이야|야|임|다)"
_SPEAKER = word_set("저 나 제 내 본인 사용자 유저")
_TEAM = word_set("우리 저희 팀 우리 팀 프로젝트 저희 팀 회사 우리 회사")
_TOPICS = {
    "이름": "name", "생일": "birthday", "나이": "age", "직업": "job", "회사": "works at", "직장": "works at",
    "집": "lives in", "고향": "hometown", "주소": "address", "마감일": "deadline", "마감": "deadline",
    "기한": "deadline", "시간대": "time zone", "포트": "port", "버전": "version", "예산": "budget", "에디터": "editor",
    "편집기": "editor",
    "데이터베이스": "stored in", "운영체제": "os", "라이선스": "licence", "팀장": "lead", "담당자": "contact",
    "매니저": "manager", "상사": "manager", "이메일": "email", "전화번호": "phone number", "회의실": "room",
    "브랜치": "branch", "배포일": "deploy day", "수도": "capital", "월급": "salary", "연봉": "salary", "가격": "price",
    "모국어": "native language", "전공": "major", "학교": "school", "혈액형": "blood type", "대표": "ceo",
    "남편": "married to", "아내": "married to", "배우자": "married to",
}  # fmt: skip
_TOPIC = "|".join(sorted(_TOPICS, key=len, reverse=True))
_FRAMES: tuple[tuple[str, bool, bool, re.Pattern[str]], ...] = tuple(
    (attribute, functional, positive, re.compile(pattern))
    for attribute, functional, positive, pattern in (
        ("lives in", True, True, rf"{_WHO}{_V}에(?:서)? (?:살고 있|살아|삽니|산다|사는 중|거주)\w*(?: \w{{1,4}})?"),
        ("lives in", True, True, rf"{_WHO}(?:[가-힣]+에서 )?{_V}(?:으로|로) 이사\S*(?: \w{{1,4}})?"),
        ("works at", True, True, rf"{_WHO}{_V}에서 (?:일하고 있|일해|일합|일한|근무)\w*(?: \w{{1,4}})?"),
        ("works at", True, True, rf"{_WHO}{_V}에 (?:다니고 있|다녀|다닙|다닌|입사)\w*(?: \w{{1,4}})?"),
        ("works at", True, True, rf"{_WHO}(?:[가-힣A-Za-z]+에서 )?{_V}(?:으로|로) (?:이직|회사를 옮)\S*"),
        ("works at", True, False, rf"{_WHO}{_V}(?:을|를|에서) (?:그만두|그만뒀|퇴사|퇴직)\S*"),
        ("age", True, True, rf"{_WHO}(?P<v>\d{{1,3}})(?:살|세){_BE}"),
        ("married to", True, True, rf"{_WHO}{_V}(?:와|과|랑|하고) 결혼\S*"),
        ("marital status", True, True, rf"{_WHO}(?P<v>미혼|기혼|독신){_BE}"),
        ("likes", False, True, rf"{_OBJ} {_VERY}(?:좋아하(?!지)|좋아해|좋아합|좋아한|사랑|선호|즐겨|즐긴|즐깁)\S*"),
        ("likes", False, False, rf"{_OBJ} {_VERY}(?:싫어|안 좋아|별로 안 좋아|좋아하지 않)\S*{_MORE}"),
        ("uses", False, True, rf"{_OBJ} (?:쓰고 있|써요|씁니|쓴다|사용하고|사용해|사용합|사용한)\S*{_MORE}"),
        ("uses", False, False, rf"{_OBJ} (?:안 쓰|안 써|쓰지 않|사용하지 않|안 사용)\S*{_MORE}"),
        ("eats", False, True, rf"{_OBJ} (?:먹어|먹습|먹는다|마셔|마십|마신다)\S*"),
        ("eats", False, False, rf"{_OBJ} (?:안 먹|못 먹|먹지 않|먹지 못|안 마|못 마|마시지 않|끊었)\S*{_MORE}"),
    )
)  # fmt: skip
_NAMED = re.compile(
    rf"(?:(?P<s>[가-힣A-Za-z0-9 ]{{1,14}}?)(?:의|는|은) )?(?P<mine>제|내|우리|저희)? ?"
    rf"(?P<t>{_TOPIC})(?:은|는|이|가) {_V}{_BE}"
)
_TURNED = re.compile(
    rf"(?:(?P<s>[가-힣A-Za-z0-9 ]{{1,14}}?)(?:의|는|은) )?(?P<mine>제|내|우리|저희)? ?"
    rf"(?P<t>{_TOPIC})(?:은|는|이|가) (?:\S+에서 )?{_V}(?:으로|로) "
    rf"(?:늘|줄|올[라랐리려]|내[려렸]|바[뀌꼈꿨]|변경|옮|미[뤄루]|연기|당[겨기]|인상|인하|조정)\S*"
)
_FAVOURITE = re.compile(rf"{_WHO}(?:제가 |내가 )?(?:제일|가장) 좋아하는 (?P<t>[가-힣]{{1,8}}?)(?:은|는) {_V}{_BE}")
_DEFAULT = re.compile(rf"기본 (?P<t>[가-힣A-Za-z]{{1,10}}?)(?:은|는) {_V}{_BE}")
_SAID_BY = re.compile(r"(?P<who>[^\s:]{1,20}): (?P<rest>.+)")
_MARRIED = {"미혼": "single", "독신": "single", "기혼": "married"}
_DAYS = re.compile(r"[월화수목금토일]요일")
_NUMBERS = re.compile(r"\d[\d,.:]*")
_DENIED = re.compile(r"지 않|지 못|(?:^|\s)(?:안|못) |없(?:다|어|습|음)|아니(?:다|에|야|ㅂ)|아닙")
_CHANGED = re.compile(
    r"이사|이직|바뀌|바꿨|변경|옮[겼기]|늘[었어]|줄[었어]|올랐|내렸|미뤄|연기|당겨|인상|인하|"
    r"이제|더 이상|그만|끊었|결혼했|이혼|새로|입사|퇴사"
)


def is_korean(text: str) -> bool:
    """Whether there is Hangul in it."""
    return bool(HANGUL.search(text))


def has_change(text: str) -> bool:
    """Whether it says itself that it was otherwise before."""
    return bool(_CHANGED.search(text))


@lru_cache(maxsize=8_192)
def slots(text: str, *, speaker: str | None = None) -> tuple[Slot, ...]:
    """The slots of each short statement; the speaker's where no subject is named."""
    found: dict[str, Slot] = {}
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", text.strip()):
        bare = " ".join(sentence.strip(" .!~").split())
        if not bare or len(bare) > _LONGEST or _SKIP.search(sentence):
            continue
        told = _SAID_BY.match(bare)  # “서연: 동생은 …”: it is the brother who is spoken of
        said_by, bare = (told["who"], told["rest"]) if told else (speaker, bare)
        for slot in _sentence(bare, said_by):
            found.setdefault(f"{slot.key} {slot.value} {slot.positive}", slot)
    return tuple(found.values())


def compare(one: str, other: str) -> Iterator[Finding]:
    """Two short statements that differ in one word that holds a number or a weekday."""
    a, b = one.strip(" .!~").split(), other.strip(" .!~").split()
    if len(a) != len(b) or not 2 <= len(a) <= 12 or _SKIP.search(one) or _SKIP.search(other):
        return
    differing = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    if len(differing) != 1:
        return
    was, now = differing[0]
    for pattern, detector in ((_NUMBERS, "number"), (_DAYS, "date")):
        if pattern.search(was) and pattern.search(now) and pattern.sub("", was) == pattern.sub("", now):
            yield Finding(detector, detector, was, now, confidence=0.8)
            return


def has_denial(text: str) -> bool:
    """Whether it says that something is not so."""
    return bool(_DENIED.search(text))


def _sentence(text: str, speaker: str | None) -> Iterator[Slot]:
    for attribute, functional, positive, pattern in _FRAMES:
        if (match := pattern.fullmatch(text)) and (value := match["v"].strip()):
            value = _MARRIED.get(value, value)
            yield Slot(_subject(match["s"], speaker), attribute, value, functional, positive)
            return
    if match := _FAVOURITE.fullmatch(text):
        yield Slot(_subject(match["s"], speaker), f"favourite {match['t']}", match["v"].strip(), True)
    elif match := _DEFAULT.fullmatch(text):
        yield Slot("team", _TOPICS.get(match["t"], match["t"]), match["v"].strip(), True)
    elif match := _NAMED.fullmatch(text) or _TURNED.fullmatch(text):
        mine = (match["mine"] or "").strip()
        whose = match["s"] or ("우리" if mine in ("우리", "저희") else "저" if mine else "우리")
        yield Slot(_subject(whose, speaker), _TOPICS[match["t"]], match["v"].strip(), True)


def _subject(text: str | None, speaker: str | None) -> str:
    bare = (text or "").strip()
    if not bare or bare in _SPEAKER:
        return (speaker or "user").casefold()
    return "team" if bare in _TEAM else bare.casefold().removesuffix(" 씨").removesuffix("씨")

"""Relations that Korean sentences state, by particles and verb endings, few and sure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryapp.domain.entity import normal_form
from memoryapp.domain.relation import NamedEntity, StatedRelation
from memoryapp.domain.relation import RelationType as T
from memoryapp.extraction.relations.kinds import ORGANIZATION, PERSON, PLACE, kind_of
from memoryapp.extraction.relations.sentences import Line
from memoryapp.text.wording import word_set

LONGEST = 60  # characters; longer sentences are told, not stated
CONFIDENCE, PLANNED = 0.6, 0.5
_NAME_CHARS = 40
_I = re.compile(
    r"^(?:저는|나는|전|난|제가|내가|저도|나도|우리는|저희는|우린)\s+|^[저나]\s+(?=\S+(?:로|에서?|[을를])\s)"
)
_USER = re.compile(r"^사용자(?:는|은|가)\s+")
_SOMEBODY = re.compile(r"^([^\s,]{2,20}?)(?:은|는|이|가)\s+(?=\S)")
_TOLD_BY = re.compile(r"^[^\s:]{1,20}: ")
_NOT = re.compile(
    r"(?:세요|까요|나요|래요|죠|지요|니|냐|습니까|네요|군요|구나)[.!~]*$|다면|라면|으면|만약|면 좋겠"
    r"|지 않|지 못|안 (?:쓰|써|좋아|살|일)|못 (?:쓰|써)|예전에|옛날에|한때|해 ?주|부탁|뭐|무엇|누구|언제 |어디|것 같|듯"
)
_OVER = re.compile(r"(?:살았|일했|다녔|근무했|썼)(?:어요|습니다|다|어|었)|(?:살|일하|다니|쓰)[가-힣]{0,3}(?:그만|관뒀)")
_WISHED = re.compile(r"고 싶|려고|예정|계획|기로 했|[ㄹ을할갈살쓸] 거|겠")
_OBJECT = r"([^\s,]{1,30}?(?: [^\s,]{1,20}?)?)"
_RULES: tuple[tuple[T, str, re.Pattern[str]], ...] = tuple(
    (kind, label, re.compile(rf"(?:^|\s){_OBJECT}{ending}"))
    for kind, label, ending in (
        (T.WORKS_AT, "에서 일하다", r"에서 (?:\S+ ){0,3}?(?:일하|일해|일합|일한|근무)"),
        (T.WORKS_AT, "에 다니다", r"(?:에|를|을) (?:다니|다녀|다닙|다닌)"),
        (T.LIVES_IN, "에 살다", r"에(?:서)? (?:\S+ )?(?:살고|살아|삽니다|산다|사는|살려|살 |거주)"),
        (T.LIVES_IN, "로 이사하다", r"(?:으로|로) (?:\S+ )?이사(?:했|왔|갔|하|합|해|한|간|갑)"),
        (T.USES, "쓰다", r"[을를] (?:\S+ )?(?:쓰고|써요|써\b|씁니다|쓴다|쓰려|쓰기로|사용)"),
        (T.PREFERS, "좋아하다", r"(?:을|를|이|가) (?:(?:제일|가장|정말|아주|매우) )?(?:좋아|선호)(?:하|해|합|한|요|$)"),
        (T.CREATED, "만들다", r"[을를] (?:\S+ )?(?:만들었|만든 사람|개발했|설립했|창업했)"),
        (T.WORKS_ON, "맡다", r"[을를] (?:\S+ )?(?:개발하고|만들고 있|담당|맡고|맡아)"),
    )
)
_COLLEAGUE = re.compile(
    r"([^\s,]{1,20}?)(?:와|과|랑|이랑|하고) (?:함께|같이) (?:\S+ ){0,2}?(?:일하|일해|일합|일한|작업|개발|만들)"
)
_EMPTY = word_set("""
    것 거 그것 이것 저것 여기 거기 저기 이곳 그곳 집 회사 학교 직장 사무실 나라 동네 시간 돈 말 글 힘 신경 책 일 모자
    안경 우산 약 그걸 이걸 그 이 저 일기 사람 친구 혼자 같이 함께 밖 시골 도시 앱 프로그램 서비스
    """)
_KINDS = {T.WORKS_AT: ORGANIZATION, T.LIVES_IN: PLACE, T.COLLABORATES_WITH: PERSON}


def by_endings(line: Line) -> Iterator[StatedRelation]:
    """What a Korean line states, by particles and the endings of its verb."""
    text = _TOLD_BY.sub("", line.text)
    if len(text) > LONGEST or _NOT.search(text) or _OVER.search(text):
        return
    subject, rest = _subject(text, line)
    if subject is None:
        return
    planned = bool(_WISHED.search(rest))
    if match := _COLLEAGUE.search(rest):
        yield from _stated_relation(subject, T.COLLABORATES_WITH, match.group(1), "함께 일하다", line, planned=planned)
    for kind, label, pattern in _RULES:
        if match := pattern.search(rest):
            for name in _split_names(match.group(1)):
                yield from _stated_relation(subject, kind, name, label, line, planned=planned)


def _subject(text: str, line: Line) -> tuple[NamedEntity | None, str]:
    """Who it is about, and what is said of them. Without a subject it is the speaker."""
    speaker = (line.source.speaker or "").strip()
    spoken = NamedEntity(speaker, PERSON) if speaker else None
    if match := _I.match(text):
        return spoken, text[match.end() :]
    if match := _USER.match(text):
        return spoken or NamedEntity("user", PERSON), text[match.end() :]
    match = _SOMEBODY.match(text)
    if match is None:
        return spoken, text
    name = match.group(1)
    known = _find_known(name, line)
    speaks = normal_form(name) == normal_form(speaker)
    if known or speaks:
        spelled = known or speaker
        return NamedEntity(spelled, line.source.types.get(spelled, "") or (PERSON if speaks else "")), text[
            match.end() :
        ]
    # “고양이는”, “날씨가”: without a list of names any noun may stand here.
    return None, text


def _stated_relation(
    subject: NamedEntity, kind: T, name: str, label: str, line: Line, *, planned: bool
) -> Iterator[StatedRelation]:
    name = _find_known(name, line) or name
    if name in _EMPTY or len(name) > _NAME_CHARS or not any(c.isalpha() for c in name) or name == subject.name:
        return
    guessed = kind_of(name, known=line.source.types.get(name, "")) or _KINDS.get(kind, "")
    yield StatedRelation(
        subject, kind, NamedEntity(name, guessed), PLANNED if planned else CONFIDENCE, label, planned=planned
    )


def _split_names(found: str) -> Iterator[str]:
    """“Neovim과 tmux” are two; of other words before the last only those of a latin name belong to it."""
    parts = found.split()
    if len(parts) == 2 and (match := re.fullmatch(r"(\S+?)(?:와|과|랑|하고|,)", parts[0])):
        yield match.group(1)
        yield parts[1]
    elif len(parts) == 2 and all(part.isascii() for part in parts):
        yield found
    else:
        yield parts[-1]


def _find_known(name: str, line: Line) -> str:
    return next((one for one in line.source.known if normal_form(one) == normal_form(name)), "")

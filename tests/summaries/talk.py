"""Sessions for tests: short talks, English, Korean and mixed, appended as turns or remembered as notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Category, Kind, Memory, Origin
from memoryapp.domain.turn import LearnedFact, Reading, ReadingStatus, Role, Turn
from memoryapp.spaces import Space
from memoryapp.store import sessions, turns
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, a_memory

AT = datetime(2026, 2, 10, 9, 30, tzinfo=UTC)
Talk = Sequence[tuple[str, str]]

LOCKS: Talk = (
    ("Minsu", "Hi Alice! How was your weekend?"),
    ("Alice", "Good, thanks. So, the lock bug: I reproduced it yesterday with 40 threads on Postgres."),
    ("Minsu", "Great. The root cause is the shared cursor in the store module."),
    ("Alice", "Could a global mutex help?"),
    ("Minsu", "No, it halves the throughput. I measured 1,200 writes per second without it and 610 with it."),
    ("Alice", "Then we have not decided anything about the retry queue yet?"),
    ("Minsu", "Not yet. But we decided to rewrite the store module with explicit locking."),
    ("Alice", "Agreed. I'll start on Monday, and the Terraform cleanup can wait."),
    ("Minsu", "Thanks! Talk to you later."),
)
GYM: Talk = (
    ("user", "I moved to Busan last month and started at Hanul Robotics."),
    ("assistant", "Congratulations! How do you like it?"),
    ("user", "I love it. My commute is 20 minutes by bike."),
    ("assistant", "That sounds great. Would you like help finding a gym?"),
    ("user", "Let's go with the climbing gym near Haeundae."),
    ("assistant", "I have booked a trial class at the Haeundae climbing gym for Saturday."),
)
SMALL_TALK: Talk = (
    ("Minsu", "Hello! How are you?"),
    ("Alice", "Fine, thank you. And you?"),
    ("Minsu", "Great, thanks for asking!"),
    ("Alice", "Have a nice day!"),
)
DEPLOYMENT: Talk = (
    ("지수", "안녕하세요 민수님! 주말 잘 보내셨어요?"),
    ("민수", "네, 잘 쉬었어요. 어제 서울 사무실에서 배포 서버가 다운됐어요."),
    ("지수", "원인이 뭐였어요?"),
    ("민수", "디스크가 가득 차서 로그를 못 썼어요. 로그 보관 기간을 30일에서 7일로 줄였어요."),
    ("지수", "그럼 다음 배포는 언제 해요?"),
    ("민수", "금요일 오전에 배포하기로 결정했어요."),
    ("지수", "좋아요. 저는 모니터링 알림을 추가할게요."),
)
MIXED: Talk = (
    ("민수", "어제 Terraform 마이그레이션을 끝냈어요. staging은 이제 Seoul 리전에서 돌아가요."),
    ("Alice", "Nice. We decided to keep the Tokyo region as a standby until March."),
    ("민수", "네, 비용은 한 달에 40만 원으로 줄었어요."),
)


def appended(space: Space, name: str, talk: Talk, *, at: datetime = AT, end: bool = True) -> tuple[Turn, ...]:
    """The talk as a session of turns that were read, a minute apart; nothing was learned from them."""
    sessions.open_session(space.db, sessions.Session(name, at))
    said = []
    for n, (speaker, text) in enumerate(talk):
        role = Role.ASSISTANT if speaker == "assistant" else Role.USER
        named = None if speaker in ("user", "assistant") else speaker
        turn = Turn(derived_id("turn", name, str(n)), name, 0, text, at + timedelta(minutes=n), named, role)
        said.append((turn, ReadingStatus.DONE))
    kept = turns.append(space.db, name, said)
    if end:
        sessions.end(space.db, name, at=at + timedelta(hours=1))
    return tuple(kept)


def learned(
    space: Space, turn: Turn, text: str, *, quote: str = "", outcome: str = "written", **more: object
) -> Memory:
    """A fact that was read out of a turn, with the reading that says so."""
    made = {
        "kind": Kind.FACT,
        "category": Category.WORK,
        "speaker": turn.speaker,
        "created_at": turn.at,
        "updated_at": turn.at,
        "occurred_at": turn.at,
        "origin": Origin(session=turn.session, turn=turn.id),
        "sessions": (turn.session,),
        "detail": {"quote": quote or turn.text},
    }
    fact = a_memory(text, **(made | more))
    earlier = turns.readings(space.db, [turn.id])[turn.id].learned
    reading = Reading(turn.id, turn.session, ReadingStatus.DONE, "rules", (*earlier, LearnedFact(fact.id, outcome)))
    run = new_run("extract", AGENT, now=turn.at)
    commit(space.db, run, Batch(created=[fact], readings=[reading]), now=turn.at)
    return fact


def noted(space: Space, name: str, talk: Talk, *, at: datetime = AT) -> tuple[Memory, ...]:
    """The talk as notes of a session, as a batch of them is posted."""
    notes = [
        a_memory(
            text,
            speaker=speaker,
            occurred_at=at + timedelta(minutes=n),
            group=f"session:{name}",
            position=n,
            origin=Origin(session=name),
        )
        for n, (speaker, text) in enumerate(talk)
    ]
    commit(space.db, new_run("remember", AGENT, now=at), Batch(created=notes), now=at)
    return tuple(notes)

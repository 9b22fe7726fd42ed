"""Talks: what was said becomes facts and, where something was decided or learned, an episode. Also when the app is
killed before it has read what was said."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.acceptance.place import PATIENCE, Place, got, place_in, said, until
from tests.chat_server import Answer, refusal, serving
from tests.live import Live, live_app

Turn = dict[str, Any]


@pytest.fixture
def encoder() -> str:
    """One that knows what words mean."""
    return "all-MiniLM-L6-v2"


def talk(*lines: str) -> list[Turn]:
    """Lines such as “Mina: Hello!” as turns."""
    return [{"speaker": speaker, "text": text} for speaker, text in (line.split(": ", 1) for line in lines)]


QUEUE = talk(
    "Mina: Morning! Did you sleep well?",
    "Minsu: Not really, haha.",
    "Mina: The queue lost messages again last night.",
    "Minsu: We decided to move the queue to Redis.",
    "Mina: Okay, thanks!",
)
CHAT = talk(
    "Mina: Hi Minsu! How are you?",
    "Minsu: Good morning! Fine, thanks, and you?",
    "Mina: Great, thank you. Nice weather today!",
    "Minsu: Haha, yes. Talk to you later!",
    "Mina: Bye bye!",
)
KOREAN = talk(
    "민수: 안녕하세요!", "민수: 우리는 데이터베이스를 SurrealDB로 바꾸기로 결정했어요.", "미나: 좋아요, 감사합니다."
)


def test_a_session_with_one_decision_becomes_an_episode_that_names_it(place: Place) -> None:
    turns = place.say("standup", *QUEUE)
    episode = place.end("standup")
    assert episode is not None and episode["kind"] == "episode" and episode["session"] == "standup"
    assert episode["decision"] == "Minsu and others decided to move the queue to Redis."
    assert episode["decision"] in episode["text"] and "Redis" in episode["title"]
    assert set(episode["participants"]) == {"Mina", "Minsu"} and episode["turns"] == len(QUEUE)
    assert (episode["by"], episode["problem"]) == ("rules", "")
    learned = {one["memory"] for turn in turns for one in turn["reading"]["learned"]}
    assert set(episode["facts"]) == learned and learned
    assert (episode["began_at"], episode["ended_at"]) == (turns[0]["at"], turns[-1]["at"])
    (near,) = got(place.api, "/episodes", params={"q": "why did we leave the old message broker?"})["items"]
    assert near["id"] == episode["id"]
    assert "Redis" in place.act("/context", message="what became of the queue?", layers=["experiences"])["text"]


def test_a_decision_in_korean_is_told_in_korean(place: Place) -> None:
    place.say("회의", *KOREAN)
    episode = place.end("회의")
    assert episode is not None and "SurrealDB" in episode["decision"] and "결정" in episode["decision"]
    assert episode["decision"] in episode["text"]


def test_a_session_of_chit_chat_becomes_nothing(place: Place) -> None:
    turns = place.say("hello", *CHAT)
    assert all(turn["reading"]["status"] == "done" and not turn["reading"]["learned"] for turn in turns)
    assert sum(turn["reading"]["passed_over"] for turn in turns) >= len(CHAT)
    assert place.end("hello") is None
    assert place.memories() == {} and got(place.api, "/episodes")["items"] == []


def test_an_episode_and_a_summary_are_trusted_no_more_than_the_least_of_what_they_were_made_of(place: Place) -> None:
    place.say("standup", *QUEUE)
    place.say("standup", "I think the old broker was probably too slow for us.", speaker="Mina")
    episode = place.end("standup")
    assert episode is not None
    place.ended(place.api.post("/summaries/refresh", json={"force": True}).json()["job"]["id"])
    for made in (episode, *got(place.api, "/summaries")["items"]):
        assert made["facts"]
        least = min(got(place.api, f"/memories/{key}")["trust"] for key in made["facts"])
        assert made["trust"] <= least + 1e-6 and made["trust_parts"]["ceiling"] == pytest.approx(least, abs=1e-6)


def test_turns_are_kept_as_they_were_said_and_an_ended_session_takes_no_more(place: Place) -> None:
    sent = [turn | {"ref": f"t-{n}"} for n, turn in enumerate(QUEUE)]
    place.say("standup", *sent)
    place.say("standup", *[turn | {"text": "Something else."} for turn in sent[:2]])
    kept = place.heard("standup")
    assert [(turn["speaker"], turn["text"]) for turn in kept] == [(turn["speaker"], turn["text"]) for turn in QUEUE]
    assert [turn["number"] for turn in kept] == [1, 2, 3, 4, 5]
    place.end("standup")
    said(place.api.post("/sessions/standup/turns", json={"text": "One more thing."}), 409)
    said(place.api.post("/sessions/nobody/turns", json={"text": "Hello?"}), 404)
    assert place.heard("standup") == kept


def test_a_whole_reading_is_taken_back_as_one_run(place: Place) -> None:
    turns = place.say("standup", *QUEUE)
    (run,) = {turn["reading"]["run"] for turn in turns if turn["reading"]["learned"]}
    shown = got(place.api, f"/runs/{run}")
    assert (shown["act"], shown["actor"], shown["actor_kind"]) == ("extract", "extraction", "machine")
    assert shown["detail"]["extractor"] == "rules" and shown["detail"]["facts"] == len(place.memories()) > 0
    assert place.act(f"/runs/{run}/undo")["skipped"] == []
    assert place.memories() == {} and len(place.heard("standup")) == len(QUEUE)


FIRST, SECOND, THIRD = (
    talk("Mina: I live in Busan with my sister.", "Jun: I work as a carpenter in Daegu."),
    talk(
        "Mina: My sister works at the harbour hospital.",
        "Jun: I am allergic to peanuts.",
        "Mina: We decided to meet in Daegu on Friday.",
    ),
    talk("Jun: I adopted two cats last spring.", "Mina: My favourite tool is Neovim."),
)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """The default space of an app that was killed twice: while a model, which never answers, was reading what was said
    and the session had ended; and right after it had taken more turns."""
    data, asked, never = tmp_path_factory.mktemp("killed"), Event(), Event()

    def silent(body: Turn) -> Answer:
        asked.set()
        never.wait(3 * PATIENCE)
        return refusal(500)

    with serving() as model:
        model.judge = silent
        settings = {"MEMORY_LLM_URL": model.address, "MEMORY_LLM_MODEL": "m", "MEMORY_LLM_TIMEOUT": "600"}
        with live_app(data, **settings) as app:
            place = place_in(app, data, space="default")
            set_extractor(place, "rules")
            place.say("first", *FIRST)
            set_extractor(place, "auto")
            place.append("second", *SECOND)
            assert asked.wait(PATIENCE), "nobody asked the model"
            place.act("/sessions/second/end")
            assert [turn["reading"]["status"] for turn in place.heard("second")] == ["waiting"] * len(SECOND)
            kill(app)
    never.set()
    with live_app(data) as app:
        place = place_in(app, data, space="default")
        place.read_up("second")
        place.append("third", *THIRD)
        kill(app)
    with live_app(data) as app:
        place = place_in(app, data, space="default")
        place.read_up("third")
        yield place


def set_extractor(place: Place, extractor: str) -> None:
    answer = place.api.patch(f"/spaces/{place.name}", json={"settings": {"extractor": extractor}})
    assert answer.status_code == 200, answer.text


def kill(app: Live) -> None:
    app.process.kill()
    app.process.wait(30)


@pytest.mark.slow
@pytest.mark.long
def test_what_was_said_before_a_kill_is_read_after_it_and_nothing_is_learned_twice(killed: Place, app: Live) -> None:
    for session, turns in (("first", FIRST), ("second", SECOND), ("third", THIRD)):
        heard = killed.heard(session)
        assert [turn["text"] for turn in heard] == [turn["text"] for turn in turns]
        for turn in heard:
            reading = turn["reading"]
            assert (reading["status"], reading["extractor"], reading["problem"]) == ("done", "rules", "")
            assert [learned["outcome"] for learned in reading["learned"]] == ["written"], turn["text"]
    facts = list(killed.memories(kinds="fact").values())
    assert all(fact["trust_parts"]["reinforcements"] == 0 for fact in facts)
    undisturbed = place_in(app, killed.folder)
    for session, turns in (("first", FIRST), ("second", SECOND), ("third", THIRD)):
        undisturbed.say(session, *turns)
    assert sorted(fact["text"] for fact in facts) == sorted(f["text"] for f in undisturbed.memories().values())
    assert killed.conflicts() == undisturbed.conflicts() == []
    undisturbed.api.close()


@pytest.mark.slow
@pytest.mark.long
def test_a_session_that_ended_before_a_kill_is_told_once_after_it(killed: Place) -> None:
    told = until(lambda: got(killed.api, "/episodes")["items"], bool)
    assert [(one["session"], one["decision"]) for one in told] == [
        ("second", "Mina and others decided to meet in Daegu on Friday.")
    ]


def replayed(
    place: Place, folder: Path, *, sessions: int, later: timedelta = timedelta(), prefix: str = ""
) -> dict[str, list[Turn]]:
    """Says the first sessions of a public conversation; per session the turns as they were read."""
    rows = [json.loads(line) for line in (folder / "locomo/turns.jsonl").read_text().splitlines()]
    conversation = next(row["conv"] for row in rows if row["split"] == "dev")
    by_session: dict[str, list[Turn]] = {}
    for row in (row for row in rows if row["conv"] == conversation):
        at = datetime.strptime(row["date"], "%I:%M %p on %d %B, %Y") + later
        turn = {"text": row["text"], "speaker": row["speaker"], "ref": row["dia_id"], "at": at.isoformat()}
        by_session.setdefault(row["session"], []).append(turn)
    chosen = list(by_session.items())[:sessions]
    return {f"{prefix}{name}": place.say(f"{prefix}{name}", *turns) for name, turns in chosen}


@pytest.mark.skipif(not os.environ.get("MEMORY_BENCH_DIR"), reason="MEMORY_BENCH_DIR names no folder of data sets")
def test_a_public_conversation_is_replayed_and_then_replayed_again(place: Place) -> None:
    folder = Path(os.environ["MEMORY_BENCH_DIR"])
    heard = replayed(place, folder, sessions=4)
    turns = [turn for session in heard.values() for turn in session]
    assert all(turn["reading"]["status"] == "done" for turn in turns)
    facts = place.memories(kinds="fact")
    assert 0.5 < len(facts) / len(turns) < 1.2
    assert len(place.conflicts()) <= 2, "people do not contradict themselves within a month"
    episodes = [place.end(session) for session in heard]
    assert len({episode["id"] for episode in episodes if episode}) == len(heard)
    assert all(episode and set(episode["facts"]) <= facts.keys() and episode["text"] for episode in episodes)

    waiting = len(place.conflicts())
    again = replayed(place, folder, sessions=4, later=timedelta(days=30), prefix="again ")
    outcomes = [one["outcome"] for session in again.values() for turn in session for one in turn["reading"]["learned"]]
    assert set(outcomes) <= {"reinforced", "written"} and len(place.conflicts()) == waiting
    after = place.memories(kinds="fact")
    # “Last week” a month later is another week, and so another occasion; all else is said again.
    undated = [key for key, fact in facts.items() if not fact["detail"].get("when")]
    risen = [key for key in undated if after[key]["trust"] > facts[key]["trust"]]
    assert len(risen) >= 0.95 * len(undated) > 0

"""With a language model: facts are in its words where these are borne out, and what it cost is told. Without its
answer, because it is down, slow or talks nonsense, the rules read what was said, say why, and nobody waits for it."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.acceptance.place import PATIENCE, Place, got, place_in
from tests.chat_server import Answer, ChatServer, completion, refusal, serving
from tests.live import live_app

MODEL = "kind-model"
TOKENS_IN, TOKENS_OUT = 300, 50
COST_OF_ONE = TOKENS_IN * 2.0 / 1e6 + TOKENS_OUT * 10.0 / 1e6  # at the prices below
TOLD = "Mina owns a kiln, an orchard and a boat in Busan."
SAID, BY_RULES = "I live in Busan by the harbour.", "Mina lives in Busan by the harbour."


@contextmanager
def space_with(data: Path, url: str, *, timeout: float) -> Iterator[Place]:
    """A space of an app that asks this endpoint. Nothing may die and no answer be a 5xx meanwhile."""
    statuses: list[int] = []
    told = {"MEMORY_LLM_URL": url, "MEMORY_LLM_MODEL": MODEL, "MEMORY_LLM_TIMEOUT": str(timeout)}
    prices = {"MEMORY_LLM_PRICE_IN": "2", "MEMORY_LLM_PRICE_OUT": "10"}
    with live_app(data, **told, **prices) as app:
        place = place_in(app, data)
        place.still()  # the model is asked for nothing beside what a test counts
        place.api.event_hooks["response"].append(lambda answer: statuses.append(answer.status_code))
        yield place
        assert statuses and max(statuses) < 500
        assert app.process.poll() is None and not [line for line in app.output if "Traceback" in line]
        place.api.close()


def material(body: dict[str, Any]) -> str:
    """What a request gives the model to work on."""
    asked: str = body["messages"][-1]["content"]
    found = re.search(r"<material>\n(.*)\n</material>", asked, re.DOTALL)
    assert found, asked
    return found.group(1)


def good(body: dict[str, Any]) -> Answer:
    """A model that says “I keep parrots.” as “Mina keeps parrots!”, sees no contradictions, and tells every session the
    same way."""
    task, tokens = body["messages"][0]["content"], {"tokens_in": TOKENS_IN, "tokens_out": TOKENS_OUT}
    if "You put one sentence" in task:
        verb, _, rest = material(body).partition("Sentence: I ")[2].rstrip(".").partition(" ")
        return completion(f"Mina {verb}s {rest}!", **tokens)
    if "You compare two statements" in task:
        judged = {"relation": "compatible", "outcome": "both", "reason": "Both can hold.", "confidence": 0.9}
        return completion(judged, **tokens)
    if "You are given one session" in task:
        told = {"title": "A boat and a kiln", "narrative": TOLD, "decision": None}
        return completion(told, **tokens)
    return completion("The model sums it up.", **tokens)


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with serving() as listening:
        yield listening


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory, server: ChatServer) -> Iterator[Place]:
    """Waits for its model as long as it takes."""
    with space_with(tmp_path_factory.mktemp("patient"), server.address, timeout=600) as place:
        yield place


@pytest.fixture
def model(server: ChatServer) -> Iterator[ChatServer]:
    """The server of the patient one, well again."""
    server.judge = good
    server.asked.clear()
    yield server
    server.judge = good


def facts_of(place: Place, turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [got(place.api, f"/memories/{one['memory']}") for one in turn["reading"]["learned"]]


def previewed(place: Place, text: str = SAID) -> dict[str, Any]:
    answer = place.act("/facts/preview", text=text, speaker="Mina")
    (item,) = answer["items"]
    return {"configured": answer["extractor"], **item}


def read_by_rules(place: Place, session: str) -> str:
    """Says something, which the rules must read; why they stood in."""
    (turn,) = place.say(session, SAID, speaker="Mina")
    reading = turn["reading"]
    assert (reading["status"], reading["extractor"]) == ("done", "rules")
    assert [fact["text"] for fact in facts_of(place, turn)] == [BY_RULES]
    preview = previewed(place)
    assert (preview["configured"], preview["extractor"]) == (f"llm {MODEL}", "rules")
    assert [fact["text"] for fact in preview["facts"]] == [BY_RULES] and preview["problem"]
    problem: str = reading["problem"]
    return problem


def test_the_facts_are_in_the_words_of_the_model_and_the_run_tells_what_they_cost(
    patient: Place, model: ChatServer
) -> None:
    chat, turn = patient.say("good", "Hello there!", "I keep two parrots in Busan.", speaker="Mina")
    assert (chat["reading"]["learned"], turn["reading"]["problem"]) == ([], "")
    assert turn["reading"]["extractor"] == f"llm {MODEL}"
    assert (turn["reading"]["asked"], turn["reading"]["reworded"]) == (1, 1)
    (fact,) = facts_of(patient, turn)
    assert fact["text"] == "Mina keeps two parrots in Busan!"
    assert fact["confidence"] == 0.9
    assert fact["detail"]["quote"] == "I keep two parrots in Busan."
    run = got(patient.api, f"/runs/{turn['reading']['run']}")
    assert run["detail"]["extractor"] == f"llm {MODEL}"
    cost = run["detail"]["cost"]
    assert cost["calls"] == len(model.asked) >= 1
    assert (cost["tokens_in"], cost["tokens_out"]) == (cost["calls"] * TOKENS_IN, cost["calls"] * TOKENS_OUT)
    assert (run["detail"]["asked"], run["detail"]["reworded"]) == (1, 1)
    assert cost["money"] == pytest.approx(cost["calls"] * COST_OF_ONE)


def test_a_preview_asks_the_model_tells_the_cost_and_stores_nothing(patient: Place, model: ChatServer) -> None:
    before = patient.rows()
    preview = previewed(patient, "I collect stamps from Busan.")
    assert preview["extractor"] == preview["configured"] == f"llm {MODEL}" and preview["problem"] == ""
    (fact,) = preview["facts"]
    assert fact["text"] == "Mina collects stamps from Busan!" and fact["would"] == "written"
    assert MODEL in fact["wording"]
    assert (preview["cost"]["tokens_in"], preview["cost"]["calls"]) == (TOKENS_IN, 1)
    assert patient.rows() == before


def test_an_episode_is_told_by_the_model_and_says_so(patient: Place, model: ChatServer) -> None:
    patient.say("told", *[f"I own {thing} in Busan." for thing in ("a boat", "an orchard", "a kiln")], speaker="Mina")
    episode = patient.end("told")
    assert episode is not None and episode["text"] == TOLD
    assert MODEL in episode["by"] and episode["problem"] == ""


def test_a_space_that_reads_by_rules_does_not_ask_the_model(patient: Place, model: ChatServer) -> None:
    quiet = place_in(patient.live, patient.folder, extractor="rules")
    (turn,) = quiet.say("talk", SAID, speaker="Mina")
    assert (turn["reading"]["extractor"], turn["reading"]["problem"]) == ("rules", "")
    assert previewed(quiet)["extractor"] == "rules" and model.asked == []
    quiet.api.close()


def test_a_model_that_makes_things_up_teaches_nothing(patient: Place, model: ChatServer) -> None:
    model.judge = lambda body: completion("Mina owns three castles in Busan.")
    (turn,) = patient.say("invented", "I own a barge in Busan.", speaker="Mina")
    assert [fact["text"] for fact in facts_of(patient, turn)] == ["Mina owns a barge in Busan."]
    assert (turn["reading"]["asked"], turn["reading"]["reworded"]) == (1, 0)
    assert "castles" not in patient.backup().decode()


def test_nobody_waits_for_the_model_that_reads(patient: Place, model: ChatServer) -> None:
    """It is asked about the first turn and does not answer until the second was taken, listed, searched and ended."""
    asked, go = Event(), Event()

    def slow(body: dict[str, Any]) -> Answer:
        asked.set()
        return good(body) if go.wait(3 * PATIENCE) else refusal(500)

    model.judge = slow
    try:
        patient.append("slow", "I repair clocks in Busan.", speaker="Mina")
        assert asked.wait(PATIENCE), "the model was never asked"
        answer = patient.append("slow", "I restore globes in Busan.", speaker="Mina")
        assert answer["reading"] == "waiting" and answer["items"][0]["number"] == 2
        assert [turn["reading"]["status"] for turn in patient.heard("slow")] == ["waiting", "waiting"]
        assert patient.fact("Jun grows tea on Jeju.", category="personal")["outcome"] == "written"
        assert patient.search("tea on Jeju")["items"][0]["text"] == "Jun grows tea on Jeju."
        assert patient.act("/context", message="who grows tea?")["text"]
        patient.act("/sessions/slow/end")
        assert not go.is_set() and got(patient.api, "/sessions/slow")["waiting"] == 2
    finally:
        go.set()
    patient.read_up("slow")
    assert {turn["reading"]["extractor"] for turn in patient.heard("slow")} == {f"llm {MODEL}"}
    assert [len(turn["reading"]["learned"]) for turn in patient.heard("slow")] == [1, 1]


@pytest.mark.parametrize(
    "answer",
    [
        completion(None),
        Answer(body=b"<html>oops</html>"),
    ],
    ids=["nothing", "no-json"],
)
@pytest.mark.long
def test_a_model_that_answers_nonsense_is_stood_in_for(patient: Place, model: ChatServer, answer: Answer) -> None:
    model.judge = lambda body: answer
    place = place_in(patient.live, patient.folder)
    # Or the graph asks as well, and a model that talks nonsense again and again is left alone for a while.
    place.still()
    problem = read_by_rules(place, "nonsense")
    assert MODEL in problem
    model.judge = good
    (turn,) = place.say("nonsense", "I sail to Jeju.", speaker="Mina")
    assert turn["reading"]["extractor"] == f"llm {MODEL}", "it is asked again"
    place.api.close()


@pytest.mark.long
def test_a_model_that_is_too_slow_is_stood_in_for(tmp_path: Path) -> None:
    over = Event()

    def slow(body: dict[str, Any]) -> Answer:
        over.wait(3 * PATIENCE)
        return good(body)

    with serving() as server, space_with(tmp_path, server.address, timeout=1) as place:
        server.judge = slow
        try:
            problem = read_by_rules(place, "slow")
        finally:
            over.set()
    assert MODEL in problem and "within 1 s" in problem


@pytest.mark.long
def test_a_model_that_is_down_is_stood_in_for_left_alone_and_named(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # taken, and nobody listens: every connection is refused
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        with space_with(tmp_path, url, timeout=3) as place:
            problem = read_by_rules(place, "down")
            assert MODEL in problem and url in problem
            problems = []
            for session in ("again", "and again", "once more"):
                (turn,) = place.say(session, f"I sing in the {session} choir of Daegu.", speaker="Jun")
                assert turn["reading"]["extractor"] == "rules" and turn["reading"]["learned"]
                problems.append(turn["reading"]["problem"])
            assert any("left alone" in problem for problem in problems), "three failures are enough"
            place.say("down", "We decided to move the queue to Redis.", speaker="Mina")
            episode = place.end("down")
            assert episode is not None and "Redis" in episode["decision"]
            assert episode["by"] == "rules" and episode["problem"]
            assert got(place.api, "/health/ready")["status"] == "ready", "nothing that is needed is missing"

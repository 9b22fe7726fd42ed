"""What is believed: said again it is trusted more, what does not contradict it stands beside it, purged it is gone."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

from tests.acceptance.place import Place, got, said, until

MORNING = "Mina prefers green tea over coffee in the morning."
WORK = "I work as a nurse at the harbour hospital in Busan."
WORD = "quaggaberry"  # a word of no language, so that finding it anywhere means finding the fact
MARCH, JUNE = "2026-03-01T10:00:00Z", "2026-06-01T10:00:00Z"


@pytest.fixture
def encoder() -> str:
    """One that knows what words mean."""
    return "all-MiniLM-L6-v2"


def trusted(memory: dict[str, Any]) -> float:
    """Its trust, which must be what the formula makes of the factors shown beside it."""
    parts = memory["trust_parts"]
    recency = 0.5 ** (parts["days"] / 90)
    boost = min(1 + 0.1 * log2(1 + parts["reinforcements"]), 1.5)
    assert parts["confidence"] == memory["confidence"]
    assert parts["recency"] == pytest.approx(recency, abs=1e-6) and parts["boost"] == pytest.approx(boost, abs=1e-6)
    assert memory["trust"] == pytest.approx(memory["confidence"] * recency * boost, abs=1e-6)
    trust: float = memory["trust"]
    return trust


def held(place: Place) -> dict[str, dict[str, Any]]:
    """The facts that are held, by their words."""
    return {fact["text"]: fact for fact in place.memories(kinds="fact").values()}


def test_a_fact_that_is_posted_again_is_trusted_more(place: Place) -> None:
    first = place.fact(MORNING, session="monday", speaker="Mina", confidence=0.7)
    risen = [trusted(first)]
    for n, session in enumerate(("tuesday", "wednesday", "thursday"), 1):
        again = place.fact(MORNING, session=session, speaker="Mina", confidence=0.7)
        assert (again["outcome"], again["id"], again["near"]) == ("reinforced", first["id"], first["id"])
        assert again["trust_parts"]["reinforcements"] == n
        risen.append(trusted(again))
    assert risen == sorted(risen) and risen[-1] == pytest.approx(0.7 * 1.2, abs=1e-3)
    kept = got(place.api, f"/memories/{first['id']}")
    assert kept["sessions"] == ["monday", "tuesday", "wednesday", "thursday"]
    assert len(got(place.api, f"/memories/{first['id']}/history")["items"]) == 4
    (hit,) = place.search("what does Mina drink in the morning?")["items"]
    assert hit["trust"] == pytest.approx(risen[-1], abs=1e-6)
    assert len(held(place)) == 1


@pytest.mark.long
def test_what_is_said_again_in_a_later_session_is_trusted_more(place: Place) -> None:
    (turn,) = place.say("spring", WORK, speaker="Mina", at=MARCH)
    (learned,) = turn["reading"]["learned"]
    assert learned["outcome"] == "written"
    before = got(place.api, f"/memories/{learned['memory']}")
    (turn,) = place.say("summer", "I'm working as a nurse at the harbour hospital in Busan.", speaker="Mina", at=JUNE)
    assert turn["reading"]["learned"] == [{"memory": learned["memory"], "outcome": "reinforced"}]
    after = got(place.api, f"/memories/{learned['memory']}")
    assert trusted(after) > trusted(before)
    assert before["trust_parts"]["days"] - after["trust_parts"]["days"] == pytest.approx(92, abs=0.1)
    assert (after["reinforced_at"], after["sessions"]) == (JUNE, ["spring", "summer"])
    assert after["text"] == before["text"], "the words it is held in stay those it was learned in"
    newest = got(place.api, f"/memories/{learned['memory']}/history")["items"][0]
    assert (newest["actor"], newest["actor_kind"], newest["run"]) == ("extraction", "machine", turn["reading"]["run"])


@pytest.mark.long
def test_only_saying_it_again_raises_trust(place: Place) -> None:
    """Not the same turn sent twice, not reading it again, not finding it, not the same reference posted twice."""
    place.say("talk", {"text": WORK, "ref": "t-1"}, speaker="Mina")
    place.say("talk", {"text": WORK, "ref": "t-1"}, speaker="Mina")
    assert len(place.heard("talk")) == 1
    place.api.post("/sessions/talk/read", json={}).raise_for_status()
    place.read_up("talk")
    place.fact(MORNING, ref="tea")
    assert place.fact(MORNING, ref="tea")["outcome"] == "unchanged"
    for _ in range(3):
        place.search("where does Mina work?")
    facts = held(place).values()
    assert len(facts) == 2
    for fact in facts:
        assert fact["trust_parts"]["reinforcements"] == 0
        assert trusted(fact) <= 0.9


@pytest.mark.long
def test_liking_one_thing_says_nothing_against_another(place: Place) -> None:
    for text in ("I like Python.", "I like Rust."):
        place.say("languages", text, speaker="Minsu")
    for text in ("Mina likes Python.", "Mina likes Rust."):
        assert place.fact(text, speaker="Mina", category="preferences")["outcome"] == "written"
    assert len(held(place)) == 4
    assert not any(got(place.api, "/conflicts")["tallies"].values())


@pytest.mark.long
def test_people_who_live_in_different_places_do_not_contradict_each_other(place: Place) -> None:
    place.say("hello", "I live in Seoul.", speaker="Minsu")
    place.say("hello", "I live in Busan.", speaker="Mina")
    assert len(held(place)) == 2 and place.conflicts() == []


def test_a_preview_tells_what_would_become_of_the_words_and_stores_nothing(place: Place) -> None:
    place.still()
    place.say("talk", "I live in Seoul.", WORK, speaker="Mina")
    before = place.rows()
    turns = [{"text": text, "speaker": "Mina"} for text in (WORK, "I moved to Daegu last week.", "Thanks a lot!")]
    answer = place.act("/facts/preview", turns=turns)
    known, moved, thanks = answer["items"]
    assert [fact["would"] for fact in known["facts"]] == ["reinforced"]
    assert [fact["would"] for fact in moved["facts"]] == ["conflict"]
    assert "Seoul" in moved["facts"][0]["near"]["text"] and "Daegu" in moved["facts"][0]["verdict"]["reason"]
    assert thanks["facts"] == [] and thanks["passed_over"][0]["reason"]
    assert answer["extractor"] == "rules" and place.rows() == before


def test_a_fact_shows_the_turn_that_it_was_learned_from(place: Place) -> None:
    _, turn = place.say("talk", "Hello there!", f"Sure. {WORK} Thanks for asking!", speaker="Mina")
    (learned,) = turn["reading"]["learned"]
    fact = got(place.api, f"/memories/{learned['memory']}")
    assert fact["text"].startswith("Mina works as a nurse") and fact["detail"]["quote"] == WORK
    assert (fact["turn"]["id"], fact["turn"]["text"]) == (turn["id"], turn["text"])
    assert fact["source"]["session"] == "talk" and fact["source"]["turn"] == turn["id"]


@pytest.mark.long
def test_facts_are_listed_by_how_far_they_are_trusted(place: Place) -> None:
    place.fact(MORNING, confidence=0.5)
    place.fact("Jun repairs old radios in a cellar.", confidence=0.9)
    for _ in range(2):
        place.fact("Ada keeps bees on the roof.", confidence=0.9)
    asked = {"kinds": "fact", "sort": "trust", "min_trust": 0.6}
    told = [fact["text"] for fact in got(place.api, "/memories", params=asked)["items"]]
    assert told == ["Ada keeps bees on the roof.", "Jun repairs old radios in a cellar."]


def everywhere(place: Place) -> dict[str, str]:
    """All that the API tells of a space, by address; the searches and contexts ask for the word itself."""
    told: dict[str, str] = {}
    states = ["held", "superseded", "archived"]
    for address in ("/audit", "/runs", "/episodes", "/summaries", "/sessions", "/entities", "/jobs", "/stats"):
        told[address] = place.api.get(address).text
    told["/memories"] = place.api.get("/memories", params={"states": states, "limit": 200}).text
    told["/memories deleted"] = place.api.get("/memories", params={"states": "deleted"}).text
    for status in ("waiting", "automatic", "decided", "snoozed"):
        told[f"conflicts {status}"] = str(place.conflicts(status))
    for session in got(place.api, "/sessions")["items"]:
        told[f"turns of {session['name']}"] = str(place.heard(session["name"]))
    for strategy in got(place.api, "/strategies")["items"]:
        found = place.search(f"{WORD} jam", strategy=strategy["name"], top_k=100, filters={"states": states})
        told[f"search {strategy['name']}"] = str(found["items"])
    for asked in ({}, {"as_of": "2026-04-01T00:00:00Z"}):
        told[f"context {asked}"] = place.act("/context", message=f"{WORD} jam", **asked)["text"]
    told["backup"] = place.backup().decode()
    return told


def traces(place: Place) -> list[str]:
    return [where for where, text in everywhere(place).items() if WORD in text.lower()]


def purge(place: Place, key: str) -> dict[str, Any]:
    dry = place.act(f"/memories/{key}/purge", dry_run=True)
    receipt = place.act(f"/memories/{key}/purge", reason="It was private.")
    assert receipt["complete"] is True and not any(receipt["left"].values()), receipt
    assert WORD not in str(receipt) and dry["also"] == receipt["also"]
    until(place.files, lambda files: not any(WORD.encode() in data.lower() for data in files.values()))
    return receipt


def known(place: Place) -> list[str]:
    states = ["held", "superseded", "archived"]
    return [
        key for key, memory in place.memories(kinds="fact", states=states).items() if WORD in memory["text"].lower()
    ]


def test_a_purged_fact_leaves_no_trace_in_what_was_made_of_it(place: Place) -> None:
    """Learned from a turn, told in an episode and a summary, edited with a reason, disputed, and asked about."""
    talk = ("Jun tried three kinds of fruit in the lab kitchen.", "The jars come from Busan on Friday.")
    place.say("kitchen", *talk, f"We decided to use {WORD} syrup for the winter jam.", speaker="Mina")
    episode = place.end("kitchen")
    assert episode and WORD in episode["text"] and WORD in episode["decision"]
    place.ended(place.api.post("/summaries/refresh", json={"force": True}).json()["job"]["id"])
    assert WORD in place.api.get("/summaries").text
    (key,) = known(place)
    edit = {"text": f"Mina works as a {WORD} gardener.", "reason": f"{WORD} it is."}
    place.api.patch(f"/memories/{key}", json=edit).raise_for_status()
    other = place.fact("Mina works as a nurse.", category="work", speaker="Mina")
    assert other["conflict"] in got(place.api, f"/memories/{key}")["conflicts"]
    assert len(traces(place)) > 10, "there is something to erase"
    before = len(held(place))
    receipt = purge(place, key)
    assert {gone["kind"] for gone in receipt["also"]} == {"episode", "summary"} and receipt["removed"]["turns"] == 1
    assert traces(place) == []
    said(place.api.get(f"/memories/{key}"), 404)
    said(place.api.get(f"/memories/{key}/history"), 404)
    said(place.api.get(f"/episodes/{episode['id']}"), 404)
    said(place.api.get(f"/conflicts/{other['conflict']}"), 404)
    assert other["id"] in place.memories() and len(held(place)) == before - 1


def test_a_purged_fact_does_not_come_back_when_its_session_is_read_told_or_undone_again(place: Place) -> None:
    turn = place.say("kitchen", "The jars come from Busan on Friday.", f"I am allergic to {WORD} jam.", speaker="Mina")[
        1
    ]
    place.end("kitchen")
    for key in known(place):
        purge(place, key)
    place.api.post("/sessions/kitchen/read", json={}).raise_for_status()
    place.read_up("kitchen")
    place.ended(place.api.post("/sessions/kitchen/episode", json={}).json()["job"]["id"])
    undone = place.act(f"/runs/{turn['reading']['run']}/undo")
    place.act(f"/runs/{undone['run']}/undo")
    assert traces(place) == []
    assert "Busan" in got(place.api, "/episodes")["items"][0]["text"]


@pytest.mark.long
def test_every_turn_that_said_it_is_blacked_out_and_what_else_it_said_stays(place: Place) -> None:
    place.say("spring", f"I am allergic to {WORD} jam.", speaker="Mina")
    also = "The weather in Busan was lovely when I walked along the harbour."
    (turn,) = place.say("summer", f"I am allergic to {WORD} jam. {also}", speaker="Mina")
    assert turn["reading"]["learned"][0]["outcome"] == "reinforced"
    (key,) = known(place)
    assert purge(place, key)["removed"]["turns"] == 2
    assert traces(place) == []
    assert WORD not in place.heard("spring")[0]["text"]
    assert also in place.heard("summer")[0]["text"]


@pytest.mark.long
def test_a_purged_side_of_a_decided_conflict_is_nowhere_and_the_other_side_stays(place: Place) -> None:
    """Its name is in the proposal's reason, in a writer's suggestion, in the decision, and is an entity."""
    place.say("one", f"I live in {WORD.title()}.", speaker="Mina")
    place.say("two", "I moved to Busan last week.", speaker="Mina")
    (conflict,) = place.conflicts()
    assert WORD in conflict["proposal"]["reason"].lower()
    with place.key("writer") as writer:
        suggestion = {"outcome": "merge", "text": f"Mina left {WORD} for Busan.", "reason": f"Not {WORD}."}
        assert writer.post(f"/conflicts/{conflict['id']}/resolve", json=suggestion).status_code == 202
    place.act(f"/conflicts/{conflict['id']}/resolve", outcome="replace", reason=f"Mina has left {WORD}.")
    (key,) = known(place)
    assert purge(place, key)["removed"]["conflicts"] == 1
    assert traces(place) == []
    assert [fact["text"] for fact in place.memories().values()] == ["Mina moved to Busan last week."]

"""Beliefs that cannot both hold: what is proposed and why, who decides, what that changes at once, taking it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.place import Place, got, place_in, said
from tests.live import Live
from tests.sampling import every

SEOUL, BUSAN = "Minsu lives in Seoul.", "Minsu moved to Busan last week."
QUESTION = "Where does Minsu live?"
THEN, NOW = "2026-03-01T10:00:00Z", "2026-03-22T10:00:00Z"  # a Sunday
MOVED = "2026-03-09T00:00:00Z"  # the Monday on which the week before that began


@pytest.fixture
def encoder() -> str:
    """One that knows what words mean."""
    return "all-MiniLM-L6-v2"


@pytest.fixture
def moved(place: Place) -> Place:
    """A space in which Minsu lived in Seoul, and three weeks later says that he has moved."""
    place.say("spring", "I live in Seoul.", speaker="Minsu", at=THEN)
    (turn,) = place.say("later", "I moved to Busan last week.", speaker="Minsu", at=NOW)
    assert [learned["outcome"] for learned in turn["reading"]["learned"]] == ["conflict"]
    return place


def found(place: Place, question: str = QUESTION, **more: Any) -> dict[str, dict[str, Any]]:
    """The facts that a search finds, by their words."""
    return {hit["text"]: hit for hit in place.search(question, filters={"kinds": ["fact"]}, **more)["items"]}


def decided(place: Place, conflict: dict[str, Any], outcome: str, **more: Any) -> dict[str, Any]:
    done = place.act(f"/conflicts/{conflict['id']}/resolve", outcome=outcome, **more)
    assert done["status"] == "decided" and done["run"]
    return done


def states(place: Place) -> dict[str, str]:
    asked = place.memories(kinds="fact", states=["held", "superseded", "archived"])
    return {fact["text"]: fact["state"] for fact in asked.values()}


def test_a_move_waits_with_the_proposal_to_replace_and_a_reason_that_names_both(moved: Place) -> None:
    (conflict,) = moved.conflicts()
    assert (conflict["existing"]["text"], conflict["incoming"]["text"]) == (SEOUL, BUSAN)
    proposal = conflict["proposal"]
    assert proposal["outcome"] == "replace" and "Seoul" in proposal["reason"] and "Busan" in proposal["reason"]
    assert "3 weeks later" in proposal["reason"] and proposal["confidence"] > 0.5
    assert (conflict["detector"], conflict["attribute"], conflict["gate"]) == ("slot", "lives in", None)
    assert conflict["existing_turn"]["text"] == "I live in Seoul."
    assert conflict["incoming_turn"]["text"] == "I moved to Busan last week."
    assert conflict["existing_trust"]["days"] - conflict["incoming_trust"]["days"] == pytest.approx(21, abs=0.1)


@pytest.mark.long
def test_while_it_waits_both_sides_are_found_and_marked(moved: Place) -> None:
    (conflict,) = moved.conflicts()
    hits = found(moved)
    assert hits.keys() == {SEOUL, BUSAN}
    assert all((hit["state"], hit["conflicts"]) == ("held", [conflict["id"]]) for hit in hits.values())
    disputed = got(moved.api, "/memories", params={"disputed": True})["items"]
    assert {fact["text"] for fact in disputed} == {SEOUL, BUSAN}
    assert moved.act("/context", message=QUESTION)["text"].count("disputed") == 2


def test_a_decision_changes_what_is_found_at_once_and_as_of_then_it_is_as_it_was(moved: Place) -> None:
    (conflict,) = moved.conflicts()
    told = got(moved.api, f"/conflicts/{conflict['id']}")["impact"]["replace"]
    assert any(SEOUL in line and "leaves search" in line for line in told)
    decided(moved, conflict, "replace", reason="He said so himself.")
    assert found(moved).keys() == {BUSAN} and found(moved)[BUSAN]["conflicts"] == []
    assert states(moved) == {SEOUL: "superseded", BUSAN: "held"}
    assert f"] {SEOUL}" not in moved.act("/context", message=QUESTION)["text"]
    for day, text in (("2026-03-02", SEOUL), ("2026-03-08", SEOUL), ("2026-03-10", SEOUL), ("2026-04-01", BUSAN)):
        assert found(moved, as_of=f"{day}T00:00:00Z").keys() == {text}, day
        assert text in moved.act("/context", message=QUESTION, as_of=f"{day}T00:00:00Z")["text"], day
    assert found(moved, as_of="2026-02-01T00:00:00Z") == {}, "nobody had said anything then"
    old = got(moved.api, f"/memories/{conflict['existing']['id']}")
    assert (old["valid_to"], old["superseded_by"]) == (MOVED, [conflict["incoming"]["id"]])
    assert got(moved.api, f"/memories/{conflict['incoming']['id']}")["supersedes"] == [old["id"]]


@pytest.mark.long
def test_a_turn_that_says_what_was_replaced_says_so(moved: Place) -> None:
    (conflict,) = moved.conflicts()
    decided(moved, conflict, "replace")
    hits = {hit["text"]: hit for hit in moved.search(QUESTION)["items"]}
    assert [(one["text"], one["state"]) for one in hits["I live in Seoul."]["facts"]] == [(SEOUL, "superseded")]
    assert f"I live in Seoul. (no longer so: {SEOUL})" in moved.act("/context", message=QUESTION)["text"]


def test_a_decision_that_is_taken_back_waits_again_and_both_are_back(moved: Place) -> None:
    (conflict,) = moved.conflicts()
    before = moved.memories()
    decided(moved, conflict, "replace")
    assert moved.conflicts() == [] and [one["id"] for one in moved.conflicts("decided")] == [conflict["id"]]
    back = moved.act(f"/conflicts/{conflict['id']}/undo")["conflict"]
    assert (back["status"], back["decision"]) == ("waiting", None)
    assert [one["id"] for one in moved.conflicts()] == [conflict["id"]] and moved.conflicts("decided") == []
    assert found(moved).keys() == {SEOUL, BUSAN}
    for key, memory in moved.memories().items():
        for name in ("text", "state", "valid_from", "valid_to", "conflicts", "confidence"):
            assert memory[name] == before[key][name], name
    decided(moved, conflict, "keep")
    assert found(moved).keys() == {SEOUL}


def test_every_step_is_in_the_audit_with_who_did_it(moved: Place) -> None:
    (conflict,) = moved.conflicts()
    done = decided(moved, conflict, "replace", reason="He said so himself.")
    moved.act(f"/conflicts/{conflict['id']}/undo")
    lines = got(moved.api, "/audit", params={"record": conflict["existing"]["id"], "limit": 200})["items"]
    lines = [line for line in lines if line["act"] != "relate"]  # its words are read for the graph meanwhile
    assert [(line["act"], line["actor_kind"]) for line in lines] == [
        ("undo", "person"),
        ("resolve", "person"),
        ("create", "machine"),
    ]
    assert lines[-1]["actor"] == "extraction" and all(line["actor"] for line in lines)
    assert (lines[1]["run"], lines[1]["reason"]) == (done["run"], "He said so himself.")
    assert lines[1]["before"]["state"] == "held" and lines[1]["after"]["state"] == "superseded"
    judged = got(moved.api, "/audit", params={"record": conflict["id"]})["items"]
    assert [line["act"] for line in judged] == ["undo", "resolve"]
    raised = got(moved.api, f"/runs/{conflict['run']}")
    assert (raised["act"], raised["actor"], raised["detail"]["conflicts"]) == ("extract", "extraction", 1)


@pytest.mark.parametrize(
    ("outcome", "more", "expected"),
    every(
        2,
        [
            ("keep", {}, {SEOUL: "held", BUSAN: "superseded"}),
            ("replace", {}, {SEOUL: "superseded", BUSAN: "held"}),
            ("both", {"scope": {"ended_at": MOVED}}, {SEOUL: "held", BUSAN: "held"}),
            (
                "merge",
                {"text": "Minsu left Seoul for Busan."},
                {"Minsu left Seoul for Busan.": "held", BUSAN: "superseded"},
            ),
            ("neither", {}, {SEOUL: "archived", BUSAN: "archived"}),
        ],
    ),
)
def test_each_outcome_does_what_it_says_and_is_undone_as_a_run(
    moved: Place, outcome: str, more: dict[str, Any], expected: dict[str, str]
) -> None:
    (conflict,) = moved.conflicts()
    run = decided(moved, conflict, outcome, **more)["run"]
    assert states(moved) == expected
    assert found(moved).keys() == {text for text, state in expected.items() if state == "held"}
    undone = moved.act(f"/runs/{run}/undo")
    assert undone["skipped"] == []
    assert states(moved) == {SEOUL: "held", BUSAN: "held"} and len(moved.conflicts()) == 1


def test_a_writer_suggests_and_a_curator_decides(moved: Place) -> None:
    (conflict,) = moved.conflicts()
    address = f"/conflicts/{conflict['id']}/resolve"
    with moved.key("writer") as writer, moved.key("curator") as curator, moved.key("reader") as reader:
        said(reader.post(address, json={"outcome": "keep"}), 403)
        answer = writer.post(address, json={"outcome": "keep", "reason": "It was a trip."})
        assert (answer.status_code, answer.json()["status"], answer.json()["run"]) == (202, "proposed", None)
        assert states(moved) == {SEOUL: "held", BUSAN: "held"}
        (waits,) = moved.conflicts()
        (proposed,) = waits["proposals"]
        assert (proposed["outcome"], proposed["reason"]) == ("keep", "It was a trip.")
        said(writer.post(f"/conflicts/{conflict['id']}/undo"), 403)
        assert curator.post(address, json={"outcome": "keep"}).status_code == 200
        said(curator.post(address, json={"outcome": "replace"}), 409)
    assert states(moved) == {SEOUL: "held", BUSAN: "superseded"}


@pytest.mark.long
def test_a_conflict_that_is_put_off_is_out_of_the_queue_and_still_marked(moved: Place) -> None:
    (conflict,) = moved.conflicts()
    moved.act(f"/conflicts/{conflict['id']}/snooze", until="2999-01-01T00:00:00Z")
    assert moved.conflicts() == [] and len(moved.conflicts("snoozed")) == 1
    assert found(moved)[SEOUL]["conflicts"] == [conflict["id"]]
    moved.act(f"/conflicts/{conflict['id']}/snooze", until=None)
    assert len(moved.conflicts()) == 1


@pytest.mark.long
def test_many_are_decided_as_proposed_in_one_run_and_undone_in_one(place: Place) -> None:
    for name in ("Ada", "Ben", "Cleo"):
        for town in ("Oslo", "Turin"):
            place.fact(f"{name} lives in {town}.", speaker=name)
    keys = {conflict["id"] for conflict in place.conflicts()}
    assert len(keys) == 3
    assert set(place.act("/conflicts/resolve", all=True, outcome="proposal", dry_run=True)["decided"]) == keys
    assert len(place.conflicts()) == 3
    done = place.act("/conflicts/resolve", all=True, outcome="proposal", reason="All have moved.")
    assert set(done["decided"]) == keys and done["left"] == []
    assert sorted(states(place).values()) == ["held"] * 3 + ["superseded"] * 3
    assert place.act(f"/runs/{done['run']}/undo")["skipped"] == []
    assert {conflict["id"] for conflict in place.conflicts()} == keys
    assert set(states(place).values()) == {"held"}


def well_trusted(place: Place) -> str:
    """A belief that three sessions have stated; its words."""
    for session in ("one", "two", "three"):
        place.say(session, "I live in Seoul.", speaker="Mina")
    (fact,) = place.memories(kinds="fact").values()
    assert fact["trust"] > 1
    return str(fact["text"])


@pytest.mark.long
def test_a_weak_mention_waits_with_the_proposal_to_keep_and_says_that_trust_is_why(place: Place) -> None:
    text = well_trusted(place)
    weak = place.fact("Mina lives in Daegu.", speaker="Jun", confidence=0.5)
    assert weak["outcome"] == "conflict"
    (conflict,) = place.conflicts()
    assert (conflict["existing"]["text"], conflict["incoming"]["text"]) == (text, "Mina lives in Daegu.")
    assert conflict["proposal"]["outcome"] == "keep"
    assert "1.5 times" in conflict["gate"] and "trust" in conflict["proposal"]["reason"]
    assert conflict["existing_trust"]["confidence"] > conflict["incoming_trust"]["confidence"]
    assert states(place) == {text: "held", "Mina lives in Daegu.": "held"}


@pytest.mark.long
def test_a_guess_that_is_said_does_not_even_contradict(place: Place) -> None:
    text = well_trusted(place)
    (turn,) = place.say("gossip", "I think Mina maybe lives in Daegu.", speaker="Jun")
    guesses = [got(place.api, f"/memories/{learned['memory']}") for learned in turn["reading"]["learned"]]
    assert all(guess["confidence"] <= 0.5 for guess in guesses)
    assert states(place)[text] == "held"
    assert all(conflict["proposal"]["outcome"] == "keep" for conflict in place.conflicts())


@pytest.mark.parametrize("policy", ["auto", "auto-certain"])
@pytest.mark.long
def test_a_policy_never_lets_a_weak_mention_replace_a_well_trusted_belief(
    app: Live, roots: Path, encoder: str, policy: str
) -> None:
    place = place_in(app, roots, encoder=encoder, conflict_policy=policy)
    text = well_trusted(place)
    place.fact("Mina lives in Daegu.", speaker="Jun", confidence=0.5)
    assert place.conflicts() == []
    (conflict,) = place.conflicts("automatic")
    assert (conflict["decision"]["by"], conflict["decision"]["outcome"]) == ("policy", "keep")
    assert states(place) == {text: "held", "Mina lives in Daegu.": "superseded"}
    assert found(place, "Where does Mina live?").keys() == {text}
    back = place.act(f"/conflicts/{conflict['id']}/undo")["conflict"]
    assert back["status"] == "waiting" and states(place) == {text: "held", "Mina lives in Daegu.": "held"}
    assert place.conflicts("automatic") == [] and len(place.conflicts()) == 1
    place.api.close()


def test_under_auto_a_move_is_settled_at_once_and_listed_to_be_taken_back(app: Live, roots: Path, encoder: str) -> None:
    place = place_in(app, roots, encoder=encoder, conflict_policy="auto")
    place.say("spring", "I live in Seoul.", speaker="Minsu", at=THEN)
    place.say("later", "I moved to Busan last week.", speaker="Minsu", at=NOW)
    assert states(place) == {SEOUL: "superseded", BUSAN: "held"}
    (conflict,) = place.conflicts("automatic")
    run = got(place.api, f"/runs/{conflict['decision']['run']}")
    assert (run["actor"], run["actor_kind"], run["act"]) == ("policy", "machine", "resolve")
    place.act(f"/runs/{run['id']}/undo")
    assert states(place) == {SEOUL: "held", BUSAN: "held"} and len(place.conflicts()) == 1
    place.api.close()


@pytest.mark.long
def test_times_that_do_not_overlap_are_no_conflict(place: Place) -> None:
    place.fact("Minsu works at Naver.", valid_from="2019-01-01T00:00:00Z", valid_to="2022-01-01T00:00:00Z")
    later = place.fact("Minsu works at Kakao.", valid_from="2022-02-01T00:00:00Z")
    assert later["outcome"] == "written" and place.conflicts() == []
    assert set(states(place).values()) == {"held"} and len(states(place)) == 2

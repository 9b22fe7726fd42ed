"""A summary for each category of facts: written after enough new facts, and anew when it tells what no longer holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.memory import Category, Kind, Memory, State
from memoryapp.domain.trust import trust
from memoryapp.review import archive, delete, edit, undo_run
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions
from memoryapp.store.write import Batch, commit, new_run
from memoryapp.summaries import refresh_summaries, stale, summaries_of
from tests.chat_server import ChatServer, completion, model_at, refusal
from tests.samples import AGENT, NOON, PERSON, HandClock, a_memory, written

WORK = (
    "Minsu works at Hanul Robotics.",
    "Minsu leads the gripper team.",
    "Alice reviews the firmware.",
    "The gripper firmware is written in Rust.",
    "Alice works from Busan on Fridays.",
)


def a_fact(text: str, **more: Any) -> Memory:
    return a_memory(text, **({"kind": Kind.FACT, "category": Category.WORK} | more))


def learned(space: Space, *texts: str, **more: Any) -> tuple[Memory, ...]:
    now = space.clock()
    return written(space.db, *(a_fact(text, created_at=now, updated_at=now, **more) for text in texts))


def summary(space: Space, category: Category = Category.WORK) -> Memory:
    return summaries_of(space)[category]


def refresh(space: Space, **more: Any) -> tuple[Memory, ...]:
    return refresh_summaries(space, model=None, actor=AGENT, **more)


def test_five_facts_of_a_category_make_its_summary(space: Space) -> None:
    learned(space, *WORK[:4])
    assert refresh(space) == ()
    facts = (*learned(space, WORK[4]), *learned(space, "Minsu likes tea.", category=Category.PREFERENCES))

    (made,) = refresh(space)

    assert (made.kind, made.category, made.title, made.detail["by"]) == (Kind.SUMMARY, Category.WORK, "Work", "rules")
    assert all(text in made.text for text in WORK)
    assert "likes tea" not in made.text
    assert {one.id for one in memories.sources_of(space.db, made.id)} == set(made.detail["facts"])
    assert facts[0].id in made.detail["facts"]


def test_what_is_about_one_person_stands_together(space: Space) -> None:
    learned(space, *WORK)
    refresh(space)
    paragraphs = summary(space).text.split("\n")
    assert {f"{WORK[0]} {WORK[1]}", f"{WORK[1]} {WORK[0]}"} & set(paragraphs)
    assert any("Alice reviews" in one and "Alice works from Busan" in one for one in paragraphs)


def test_without_news_nothing_is_written(space: Space) -> None:
    learned(space, *WORK)
    refresh(space)
    before = revisions.page(space.db)
    assert stale(space) == {}
    assert refresh(space) == ()
    assert refresh(space, force=True) == ()
    assert revisions.page(space.db) == before


def test_four_new_facts_leave_it_and_the_fifth_rewrites_it_in_place(space: Space, clock: HandClock) -> None:
    learned(space, *WORK)
    refresh(space)
    first = summary(space)
    clock.move(days=1)
    learned(space, *(f"Alice calibrated sensor {name}." for name in ("Ash", "Birch", "Cedar", "Dogwood")))
    assert refresh(space) == ()
    learned(space, "Alice retired sensor Elm.")
    assert stale(space) == {Category.WORK: "5 new facts"}

    (made,) = refresh(space)

    assert (made.id, made.version, made.created_at) == (first.id, first.version + 1, first.created_at)
    assert "Elm" in made.text
    assert revisions.of_record(space.db, made.id)[-1].act == "summarise"


def test_a_correction_reaches_the_summary_at_the_next_refresh(space: Space) -> None:
    facts = learned(space, *WORK)
    refresh(space)
    edit(space, facts[3].id, {"text": "The gripper firmware is written in Ada."}, actor=PERSON)
    assert "corrected" in stale(space)[Category.WORK]
    refresh(space)
    assert "written in Ada" in summary(space).text
    assert "written in Rust" not in summary(space).text


def test_a_fact_that_is_put_aside_leaves_the_summary_and_its_edge_with_it(space: Space) -> None:
    facts = learned(space, *WORK, "Minsu keeps the minutes.")
    refresh(space)
    archive(space, [facts[0].id], actor=PERSON)
    assert "no longer held" in stale(space)[Category.WORK]
    (made,) = refresh(space)
    assert "Hanul" not in made.text
    assert facts[0].id not in {one.id for one in memories.sources_of(space.db, made.id)}


def test_when_nothing_is_left_the_summary_is_put_aside_and_comes_back_with_new_facts(space: Space) -> None:
    facts = learned(space, *WORK)
    refresh(space)
    delete(space, [fact.id for fact in facts], actor=PERSON)
    (gone,) = refresh(space)
    assert gone.state is State.ARCHIVED
    assert refresh(space) == ()

    learned(space, *(text.replace("Minsu", "Jiho") for text in WORK))
    (back,) = refresh(space)
    assert back.state is State.HELD
    assert "Jiho" in back.text


def test_a_person_s_words_are_not_written_over_unless_forced(space: Space) -> None:
    facts = learned(space, *WORK)
    refresh(space)
    edit(space, summary(space).id, {"text": "We build grippers."}, actor=PERSON)
    archive(space, [facts[0].id], actor=PERSON)
    assert refresh(space) == ()
    assert summary(space).text == "We build grippers."

    (made,) = refresh(space, force=True)
    assert "Alice" in made.text


def test_a_summary_that_a_person_undid_stays_away_until_it_is_asked_for(space: Space) -> None:
    learned(space, *WORK)
    refresh(space)
    run = revisions.of_record(space.db, summary(space).id)[-1].run
    undo_run(space, run, actor=PERSON)
    assert refresh(space) == ()
    assert refresh(space, force=True)[0].state is State.HELD


def test_both_sides_of_an_open_conflict_are_told_as_disputed_until_it_is_decided(space: Space) -> None:
    facts = learned(space, *WORK[:3], "The demo is on Monday.", "The demo is on Tuesday.")
    clash = Conflict("c0ffee0000000002", facts[3].id, "slot", "two days", NOON, incoming=facts[4].id)
    run = new_run("remember", AGENT, now=NOON)
    commit(space.db, run, Batch(conflicts=[clash]), now=NOON)
    refresh(space)
    assert "The demo is on Monday. (disputed)" in summary(space).text
    assert "The demo is on Tuesday. (disputed)" in summary(space).text

    decided = replace(clash, status=ConflictStatus.DECIDED, decision={"outcome": "both"})
    commit(space.db, new_run("resolve", PERSON, now=NOON), Batch(conflicts=[decided]), now=NOON)
    refresh(space)
    assert "disputed" not in summary(space).text


def test_the_most_trusted_facts_are_told_and_nothing_twice(space: Space) -> None:
    at = NOON - timedelta(days=400)
    learned(space, *(f"Alice visited plant number {n} in {city}." for n, city in enumerate(_CITIES)))
    learned(space, "Alice once mentioned a rumour.", confidence=0.5, reinforced_at=at)
    learned(space, "Minsu leads the gripper team.", "Minsu leads that gripper team now.")
    refresh(space)
    text = summary(space).text
    assert len(summary(space).detail["facts"]) == 12
    assert "rumour" not in text
    assert text.count("gripper team") == 1


def test_a_summary_is_trusted_no_more_than_its_least_trusted_fact(space: Space) -> None:
    learned(space, *WORK[:4])
    doubted = learned(space, WORK[4], confidence=0.5)[0]
    refresh(space)
    made, now = summary(space), space.clock()
    mine = trust(made.confidence, confirmed_at=made.last_confirmed, reinforcements=made.reinforcements, now=now)
    its = trust(doubted.confidence, confirmed_at=doubted.last_confirmed, reinforcements=0, now=now)
    assert mine.value <= its.value + 1e-9


def test_korean_facts_are_told_as_they_were_said(space: Space) -> None:
    said = (
        "민수는 서울에 산다.",
        "민수는 로봇 회사에 다닌다.",
        "지수는 펌웨어를 검토한다.",
        "시연은 금요일이다.",
        "민수는 팀장이다.",
    )
    learned(space, *said)
    refresh(space)
    assert all(text in summary(space).text for text in said)


def test_categories_asked_for_are_the_only_ones_written(space: Space) -> None:
    learned(space, *WORK)
    learned(
        space,
        *(f"Minsu likes {food}." for food in ("figs", "rye", "tofu", "leeks", "plums")),
        category=Category.PREFERENCES,
    )
    made = refresh(space, categories=[Category.PREFERENCES])
    assert [one.category for one in made] == [Category.PREFERENCES]


def test_the_chat_model_tells_where_there_is_one_and_names_itself(space: Space, chat_server: ChatServer) -> None:
    learned(space, *WORK)
    chat_server.answers = [completion("Minsu and Alice build grippers.")]
    (made,) = refresh_summaries(space, model=model_at(chat_server), actor=AGENT)
    assert (made.text, made.detail["by"]) == ("Minsu and Alice build grippers.", "llm: small-model")
    assert all(text in chat_server.said() for text in WORK)
    assert len(memories.sources_of(space.db, made.id)) == len(WORK)
    assert stale(space) == {}


def test_a_summary_that_the_facts_do_not_bear_out_is_told_by_the_rules(space: Space, chat_server: ChatServer) -> None:
    learned(space, *WORK)
    chat_server.answers = [completion("Minsu and Olga build grippers.")]
    (made,) = refresh_summaries(space, model=model_at(chat_server), actor=AGENT)
    assert made.detail["by"] == "rules" and "adds the name “Olga”" in made.detail["problem"]
    assert "Olga" not in made.text


def test_a_model_that_is_down_is_stood_in_for_and_that_is_told(space: Space, chat_server: ChatServer) -> None:
    learned(space, *WORK)
    chat_server.answers = [refusal(401)]
    (made,) = refresh_summaries(space, model=model_at(chat_server, tries=1), actor=AGENT)
    assert all(text in made.text for text in WORK)
    assert (made.detail["by"], "small-model" in made.detail["problem"]) == ("rules", True)
    run = revisions.get_run(space.db, revisions.of_record(space.db, made.id)[0].run)
    assert run.detail is not None
    assert "small-model" in run.detail["problem"]


_CITIES = ("Ulsan", "Daegu", "Gwangju", "Incheon", "Jeonju", "Suwon", "Pohang", "Mokpo", "Yeosu", "Gangneung", "Andong")

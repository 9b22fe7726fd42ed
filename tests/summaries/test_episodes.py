"""The episode of a session: what was decided, what came of it, what is new; in order, in the third person."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memoryapp.domain.errors import NotFound
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.review import delete, edit, undo_run
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, revisions, sessions
from memoryapp.summaries import episode_of, narrate_session, preview_episode
from tests.chat_server import ChatServer, completion, model_at, refusal
from tests.samples import AGENT, PERSON
from tests.summaries.talk import AT, DEPLOYMENT, GYM, LOCKS, MIXED, SMALL_TALK, appended, learned, noted

DECISION = "Minsu and others decided to rewrite the store module with explicit locking."


def narrated(space: Space, name: str, *, force: bool = False) -> Memory:
    made = narrate_session(space, name, model=None, actor=AGENT, force=force)
    assert made is not None
    return made


def test_a_technical_session_with_one_decision_makes_an_episode_that_names_it(space: Space) -> None:
    appended(space, "locks", LOCKS)
    episode = narrated(space, "locks")
    assert (episode.kind, episode.decision_point, episode.detail["decision"]) == (Kind.EPISODE, True, DECISION)
    assert DECISION in episode.text
    assert episode.text.startswith("On 10 February 2026, Minsu and Alice spoke of ")
    assert "shared cursor in the store module" in episode.text
    assert "1,200 writes per second" in episode.text


def test_greetings_and_questions_are_never_told(space: Space) -> None:
    appended(space, "locks", LOCKS)
    text = narrated(space, "locks").text
    assert "?" not in text
    assert not any(word in text for word in ("weekend", "Hi ", "Thanks", "later"))


def test_what_was_said_first_is_told_first(space: Space) -> None:
    appended(space, "locks", LOCKS)
    text = narrated(space, "locks").text
    places = [text.index(words) for words in ("40 threads", "shared cursor", "1,200 writes", "explicit locking")]
    assert places == sorted(places)


def test_who_when_and_how_long_is_kept_beside_the_text(space: Space) -> None:
    said = appended(space, "locks", LOCKS)
    episode = narrated(space, "locks")
    assert episode.detail["participants"] == ["Minsu", "Alice"]
    assert (episode.detail["from"], episode.detail["to"]) == (AT.isoformat(), said[-1].at.isoformat())
    assert (episode.detail["turns"], episode.detail["by"]) == (9, "rules")
    assert (episode.occurred_at, episode.origin.session) == (said[-1].at, "locks")


def test_small_talk_makes_no_episode_even_when_it_is_forced(space: Space) -> None:
    appended(space, "hello", SMALL_TALK)
    assert narrate_session(space, "hello", model=None, actor=AGENT) is None
    assert narrate_session(space, "hello", model=None, actor=AGENT, force=True) is None
    assert sessions.untold(space.db) == ()


def test_too_few_facts_and_no_decision_make_none_until_it_is_asked_for(space: Space) -> None:
    said = appended(space, "bike", GYM[:3])
    learned(space, said[0], "The user moved to Busan last month.")
    assert narrate_session(space, "bike", model=None, actor=AGENT) is None
    assert preview_episode(space, "bike", model=None).why == "1 of 3 facts, and nothing was decided"
    assert "moved to Busan" in narrated(space, "bike", force=True).text


def test_three_facts_make_an_episode_without_any_decision(space: Space) -> None:
    said = appended(space, "bike", GYM[:3])
    facts = [
        learned(space, said[0], "The user moved to Busan last month.", quote="I moved to Busan last month"),
        learned(space, said[0], "The user started at Hanul Robotics.", quote="and started at Hanul Robotics."),
        learned(space, said[2], "The user's commute is 20 minutes by bike.", quote="My commute is 20 minutes by bike."),
    ]
    episode = narrated(space, "bike")
    assert "decision" not in episode.detail
    assert [fact.text in episode.text for fact in facts] == [True] * 3
    assert episode.text.count("20 minutes by bike") == 1  # the fact, and not its sentence once more
    assert {one.id for one in memories.sources_of(space.db, episode.id)} == {fact.id for fact in facts}
    assert narrated(space, "bike") == episode  # nothing new, nothing written
    assert episode.detail["facts"] == [fact.id for fact in facts]


def test_an_assistant_s_session_names_the_user_and_what_was_chosen(space: Space) -> None:
    appended(space, "gym", GYM)
    episode = narrated(space, "gym")
    assert episode.detail["participants"] == ["the user", "the assistant"]
    assert episode.detail["decision"] == "The user said: “Let's go with the climbing gym near Haeundae.”"
    assert "The assistant has booked a trial class" in episode.text


def test_a_korean_session_is_told_in_korean(space: Space) -> None:
    appended(space, "deploy", DEPLOYMENT)
    episode = narrated(space, "deploy")
    assert episode.text.startswith("2026년 2월 10일, 지수와 민수가 ")
    assert "금요일 오전에 배포하기로 결정했어요." in episode.detail["decision"]
    assert episode.detail["decision"] in episode.text
    assert "서버가 다운됐어요" in episode.text
    assert "안녕하세요" not in episode.text


def test_a_mixed_session_keeps_both_languages(space: Space) -> None:
    appended(space, "regions", MIXED)
    episode = narrated(space, "regions")
    assert "keep the Tokyo region as a standby until March" in episode.detail["decision"]
    assert "Terraform" in episode.text
    assert "Tokyo" in episode.text


def test_narrating_again_without_news_writes_nothing(space: Space) -> None:
    appended(space, "locks", LOCKS)
    first = narrated(space, "locks")
    before = revisions.page(space.db)
    assert narrated(space, "locks") == first
    assert narrated(space, "locks", force=True) == first
    assert revisions.page(space.db) == before


def test_narrating_again_after_more_was_learned_writes_in_place_as_a_run(space: Space) -> None:
    said = appended(space, "locks", LOCKS)
    first = narrated(space, "locks")
    learned(
        space, said[4], "A global mutex halves the throughput of the store module.", quote="it halves the throughput."
    )
    again = narrated(space, "locks")
    assert (again.id, again.version, again.created_at) == (first.id, first.version + 1, first.created_at)
    assert "halves the throughput" in again.text
    last = revisions.of_record(space.db, again.id)[-1]
    run = revisions.get_run(space.db, last.run)
    assert (run.act, run.detail) == ("narrate", {"session": "locks", "by": "rules"})
    undo_run(space, run.id, actor=PERSON)
    assert memories.get(space.db, again.id).text == first.text


def test_a_sentence_whose_fact_somebody_deleted_is_not_told(space: Space) -> None:
    said = appended(space, "locks", LOCKS)
    quote = "I measured 1,200 writes per second without it and 610 with it."
    fact = learned(space, said[4], "Minsu measured 1,200 writes per second.", quote=quote)
    assert "1,200" in narrated(space, "locks").text
    delete(space, [fact.id], actor=PERSON)
    again = narrated(space, "locks")
    assert "1,200" not in again.text
    assert fact.id not in {one.id for one in memories.sources_of(space.db, again.id)}


def test_a_person_s_words_stay_until_they_are_written_over_on_purpose(space: Space) -> None:
    said = appended(space, "locks", LOCKS)
    edit(space, narrated(space, "locks").id, {"text": "We fixed locking."}, actor=PERSON)
    learned(space, said[1], "Alice reproduced the lock bug with 40 threads.")
    assert narrated(space, "locks").text == "We fixed locking."
    assert DECISION in narrated(space, "locks", force=True).text


def test_a_deleted_episode_does_not_come_back_by_itself(space: Space) -> None:
    appended(space, "locks", LOCKS)
    delete(space, [narrated(space, "locks").id], actor=PERSON)
    assert narrate_session(space, "locks", model=None, actor=AGENT) is None
    assert narrated(space, "locks", force=True).state is State.HELD


def test_an_episode_refers_to_what_its_facts_refer_to(space: Space) -> None:
    notes = noted(space, "locks", LOCKS)
    assert notes
    episode = narrated(space, "locks")
    named = entities.references_of(space.db, [episode.id]).get(episode.id, ())
    expected = entities.references_of(space.db, [note.id for note in notes])
    assert {edge.entity for edge in named} == {edge.entity for group in expected.values() for edge in group}


def test_notes_of_a_session_are_told_like_turns(space: Space) -> None:
    notes = noted(space, "locks", LOCKS)
    episode = narrated(space, "locks")
    assert episode.detail["decision"] == DECISION
    assert episode.detail["turns"] == len(notes)
    sources = {one.id for one in memories.sources_of(space.db, episode.id)}
    assert notes[6].id in sources
    assert notes[0].id not in sources  # nothing of the greeting is told


def test_the_later_of_two_decisions_on_one_thing_is_the_one_that_stands(space: Space) -> None:
    appended(
        space,
        "cache",
        (
            ("Ada", "We decided to keep the session cache in Redis."),
            ("Ben", "The Redis bill went up to 900 euros."),
            ("Ada", "Then we decided to keep the session cache in Valkey."),
        ),
    )
    assert "Valkey" in narrated(space, "cache").detail["decision"]


def test_a_session_over_midnight_says_from_when_to_when(space: Space) -> None:
    appended(space, "late", LOCKS, at=AT + timedelta(hours=14, minutes=25))
    assert narrated(space, "late").text.startswith("Between 10 February and 11 February 2026, ")


def test_an_unknown_session_is_not_found(space: Space) -> None:
    with pytest.raises(NotFound):
        narrate_session(space, "nobody was here", model=None, actor=AGENT)


def test_a_session_without_a_word_makes_no_episode(space: Space) -> None:
    sessions.open_session(space.db, sessions.Session("silent", AT))
    assert narrate_session(space, "silent", model=None, actor=AGENT, force=True) is None


def test_a_preview_writes_nothing_and_gives_its_reasons(space: Space) -> None:
    appended(space, "locks", LOCKS)
    told = preview_episode(space, "locks", model=None)
    assert (told.enough, told.decision) == (True, DECISION)
    assert all(one.why for one in told.chosen)
    assert episode_of(space, "locks") is None
    assert [one.name for one in sessions.untold(space.db)] == ["locks"]


def test_the_chat_model_tells_where_there_is_one(space: Space, chat_server: ChatServer) -> None:
    said = appended(space, "locks", LOCKS)
    learned(space, said[2], "The root cause is the shared cursor.")
    chat_server.answers = [
        completion({"title": "Locks", "narrative": "Minsu and Alice chose explicit locking.", "decision": "Use locks."})
    ]
    episode = narrate_session(space, "locks", model=model_at(chat_server), actor=AGENT)
    assert episode is not None
    assert (episode.title, episode.text) == ("Locks", "Minsu and Alice chose explicit locking.")
    assert (episode.detail["decision"], episode.detail["by"]) == ("Use locks.", "llm: small-model")
    assert "shared cursor in the store module" in chat_server.said()
    run = revisions.get_run(space.db, revisions.of_record(space.db, episode.id)[0].run)
    assert run.detail is not None
    assert (run.detail["cost"]["calls"], run.detail["cost"]["tokens_in"]) == (1, 100)


@pytest.mark.parametrize("answers", [[refusal(401)], [completion("I would rather not."), completion("No JSON.")]])
def test_a_model_that_is_down_or_talks_nonsense_is_stood_in_for_and_that_is_told(
    space: Space, chat_server: ChatServer, answers: list[object]
) -> None:
    appended(space, "locks", LOCKS)
    chat_server.answers = list(answers)  # type: ignore[arg-type]
    episode = narrate_session(space, "locks", model=model_at(chat_server, tries=1), actor=AGENT)
    assert episode is not None
    assert episode.detail["decision"] == DECISION
    assert episode.detail["by"] == "rules"
    assert "small-model" in episode.detail["problem"]


@pytest.mark.parametrize(
    "narrative",
    [
        "Minsu and Oleg chose explicit locking.",
        "Minsu and Alice chose explicit locking after 47 tries.",
        "The participants had a pleasant and productive exchange about several interesting topics.",
        "Minsu and Alice chose explicit locking. Minsu and Alice chose explicit locking.",
        "As an assistant I cannot retell what Minsu and Alice said of explicit locking.",
    ],
)
def test_a_story_that_the_session_does_not_bear_out_is_told_by_the_rules(
    space: Space, chat_server: ChatServer, narrative: str
) -> None:
    appended(space, "locks", LOCKS)
    chat_server.answers = [completion({"title": "Locks", "narrative": narrative, "decision": None})]
    episode = narrate_session(space, "locks", model=model_at(chat_server), actor=AGENT)
    assert episode is not None and narrative not in episode.text
    assert (episode.detail["by"], episode.detail["decision"]) == ("rules", DECISION)
    assert "is not what was said" in episode.detail["problem"]


def test_a_title_or_a_decision_that_nobody_spoke_of_is_the_rules_own(space: Space, chat_server: ChatServer) -> None:
    appended(space, "locks", LOCKS)
    told = {
        "narrative": "Minsu and Alice chose explicit locking.",
        "title": "A trip to Paris",
        "decision": "Oleg left.",
    }
    chat_server.answers = [completion(told)]
    episode = narrate_session(space, "locks", model=model_at(chat_server), actor=AGENT)
    assert episode is not None and episode.text == "Minsu and Alice chose explicit locking."
    assert "Paris" not in episode.title and episode.detail["decision"] == DECISION


def test_a_space_that_wants_rules_asks_no_model(space: Space, chat_server: ChatServer) -> None:
    appended(space, "locks", LOCKS)
    by_rules = replace(space, tuning=Tuning(extractor="rules"))
    episode = narrate_session(by_rules, "locks", model=model_at(chat_server), actor=AGENT)
    assert episode is not None
    assert (episode.detail["by"], chat_server.asked) == ("rules", [])

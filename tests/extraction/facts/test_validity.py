from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from memoryapp.extraction.facts.parse import parse_sentences
from memoryapp.extraction.facts.validity import Times, times

SAID = datetime(2024, 5, 15, 10, 30, tzinfo=UTC)


def of(text: str, *, said: datetime | None = SAID) -> Times:
    (sentence,) = parse_sentences([text])
    return times(text, sentence, said=said)


def at(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def test_a_move_holds_from_the_day_named() -> None:
    found = of("I moved to Busan last month.")
    assert (found.occurred_at, found.valid_from) == (at(2024, 4, 1), at(2024, 4, 1))
    assert found.when == "last month → 2024-04-01 to 2024-04-30"


def test_an_outing_happened_and_holds_from_nowhere() -> None:
    found = of("I saw the sea yesterday.")
    assert (found.occurred_at, found.valid_from) == (at(2024, 5, 14), None)


def test_since_is_from_when_it_holds_and_no_occurrence() -> None:
    found = of("I have been vegetarian since 2019.")
    assert (found.occurred_at, found.valid_from) == (None, at(2019, 1, 1))


def test_for_three_years_counts_only_for_what_still_lasts() -> None:
    assert of("I've worked at Acme for 3 years.").valid_from == at(2021, 1, 1)
    assert of("I stayed in Rome for 3 weeks.").valid_from is None


def test_what_used_to_be_ends_when_it_is_told() -> None:
    assert of("I used to live in Daegu.").valid_to == SAID
    assert of("I'm used to living alone.").valid_to is None


def test_what_used_to_be_and_what_came_in_its_place_hold_on_together() -> None:
    moved = of("I used to live in Seoul but moved to Busan in March.")
    assert (moved.valid_from, moved.valid_to) == (at(2024, 3, 1), None)
    assert of("We used to deploy with Jenkins, now we use Actions.").valid_to is None
    assert of("I used to smoke but quit last year.").valid_from == at(2023, 1, 1)
    assert of("I used to play the piano and the violin.").valid_to == SAID


def test_until_ends_with_the_last_day() -> None:
    assert of("The discount holds until June 30.").valid_to == at(2024, 7, 1)


def test_a_birthday_is_no_occurrence() -> None:
    assert of("My birthday is May 3rd.").occurred_at is None


def test_days_are_those_of_the_speakers_calendar() -> None:
    seoul = datetime(2024, 5, 15, 1, tzinfo=timezone(timedelta(hours=9)))
    assert of("I saw the sea yesterday.", said=seoul).occurred_at == at(2024, 5, 14)


def test_without_a_time_nothing_is_resolved() -> None:
    assert of("I moved to Busan last month.", said=None) == Times()


def test_what_is_booked_is_to_come_and_what_was_booked_has_been() -> None:
    assert of("The flights are booked for April 4th.").occurred_at == at(2025, 4, 4)
    assert of("The flights were booked on April 4th.").occurred_at == at(2024, 4, 4)

"""Whom the facts of a mem0 client are about, and what its deletes do."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.interfaces.mem0.owners import person_name
from tests.api.mem0.conftest import Place


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("mina", "Mina"),
        ("Mina", "Mina"),
        ("ana_maria", "Ana Maria"),
        ("민수", "민수"),
        ("McKay", "McKay"),
        ("MINA", "Mina"),
        ("john.doe", "John Doe"),
        ("JD", "JD"),
        ("user_42", None),
        ("8f3a9c1e-77aa-4d2b-9b1c-0a1b2c3d4e5f", None),
        ("deadbeef", None),
        ("user", None),
        ("ada@example.org", None),
        ("12", None),
    ],
)
def test_an_id_is_a_name_only_where_somebody_could_be_called_so(id: str, name: str | None) -> None:
    assert person_name(id) == name


def texts(client: Any, **owner: str) -> list[str]:
    return sorted(one["memory"] for one in client.get_all(filters=owner)["results"])


def test_a_fact_of_an_id_that_is_no_name_is_one_of_the_user_until_the_name_is_said(client: Any) -> None:
    key = "5b1c2e4d-0000-4d2b-9b1c-0a1b2c3d4e5f"
    client.add("I am allergic to nuts.", user_id=key)
    (first,) = texts(client, user_id=key)
    assert key not in first and first.startswith("The user")
    client.add("My name is Dana.", user_id=key)
    client.add("I work as a nurse at the county hospital.", user_id=key)
    assert any(one.startswith("Dana works as a nurse") for one in texts(client, user_id=key)), texts(
        client, user_id=key
    )


def test_who_says_their_name_and_more_in_one_breath_is_called_by_it_from_the_first_fact(client: Any) -> None:
    client.add("My name is Ines. I work as a tailor.", user_id="u-1")
    assert any(one.startswith("Ines works as a tailor") for one in texts(client, user_id="u-1"))
    client.add(
        [{"role": "user", "content": "I play the cello."}, {"role": "user", "content": "My name is Otto."}],
        user_id="u-2",
    )
    assert any(one.startswith("Otto plays the cello") for one in texts(client, user_id="u-2"))


def test_a_name_that_was_said_holds_in_every_session_of_the_user_and_in_korean(client: Any) -> None:
    client.add("My name is Ines.", user_id="u-1")
    client.add("I work as a tailor.", user_id="u-1", run_id="7")
    assert any(one.startswith("Ines works") for one in texts(client, user_id="u-1", run_id="7"))
    client.add("I work as a miner.", user_id="u-2")
    assert not any("Ines" in one for one in texts(client, user_id="u-2"))
    client.add("제 이름은 서연이에요.", user_id="u-3")
    client.add("저는 간호사로 일해요.", user_id="u-3")
    assert any(one.startswith("서연") and "간호사" in one for one in texts(client, user_id="u-3")), texts(
        client, user_id="u-3"
    )


def test_two_spellings_of_a_name_are_one_subject(client: Any) -> None:
    client.add("I am a vegetarian.", user_id="ALEX")
    assert [one[:4] for one in texts(client, user_id="ALEX")] == ["Alex"]


def test_deletes_erase_for_good_where_the_space_says_so(place: Place) -> None:
    client = place.client()
    (kept,) = client.add("I like tea.", user_id="mina")["results"]
    client.delete(kept["id"])
    assert place.ask("GET", f"/memories/{kept['id']}")["state"] == "deleted"
    place.ask("PATCH", f"/spaces/{place.space}", json={"settings": {"mem0_deletes": "purge"}})
    (gone,) = client.add("I like green lamps.", user_id="mina")["results"]
    client.delete(gone["id"])
    client.add("I like red bicycles.", user_id="mina")
    client.delete_all(user_id="mina")
    left = place.ask("GET", "/memories", params={"states": "deleted"})["items"]
    assert [(one["kind"], one["text"]) for one in left if one["kind"] != "turn"] == [("fact", kept["memory"])]
    assert {one["text"] for one in left} == {"I like tea.", kept["memory"]}
    assert place.ask("GET", "/memories", params={"states": "held", "kinds": "fact"})["items"] == []

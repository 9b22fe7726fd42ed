"""The Context Tree through the API, with the real model: brought in, split, reached, fed, contradicted, taken out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.acceptance.place import Place, got

VALUES = "# 가치관\n\n- 정직하게 말한다.\n- 쉬운 말로 쓴다.\n"
INDEX = {
    "nodes": {
        "identity": {"title": "Identity", "keywords": ["identity", "정체성"], "weight": 1.0},
        "identity/values": {"title": "가치관", "keywords": ["가치관", "values"], "weight": 1.0},
        "infra/gpu": {"title": "GPU", "keywords": ["gpu", "임베딩"], "weight": 1.4, "owner": "mina"},
    }
}
BANK = {
    "tree-index.json": json.dumps(INDEX, ensure_ascii=False, indent=4) + "\n",
    "bank/identity/values.md": VALUES,
    "bank/infra/gpu.md": "# GPU\r\n\r\n- Embedding runs go to the rented H100.\r\n",
}
SUBJECTS = ("storage", "search", "backup", "deploy", "people", "billing", "alerts", "style")
HEADING = "## {subject} {number}"


@pytest.fixture
def encoder() -> str:
    return "all-MiniLM-L6-v2"


def sent(place: Place, path: str, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
    answer = place.api.post(path, json=body)
    assert answer.status_code == status, answer.text
    told: dict[str, Any] = answer.json()
    return told


def one_large_file() -> str:
    """46 KB of notes on eight subjects, some of them in Korean."""
    parts = ["# How we work\n\nEverything in one file.\n"]
    for subject in SUBJECTS:
        for number in range(1, 7):
            lines = [f"- Note {n} on {subject}: it was measured on day {n * number}, and kept." for n in range(14)]
            lines += [f"- {subject} 메모 {n}: 다음 주에 다시 재고 적어 둔다." for n in range(3)]
            parts.append(HEADING.format(subject=subject.title(), number=number) + "\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def exported(place: Place) -> dict[str, str]:
    files: dict[str, str] = sent(place, "/tree/export", {"format": "json"})["files"]
    return files


def test_a_bank_comes_out_as_it_was_brought_in_byte_for_byte(place: Place) -> None:
    told = sent(place, "/tree/import", {"files": BANK})
    assert set(told["added"]) >= {"identity/values", "infra/gpu"} and not told["problems"]
    assert exported(place) == BANK
    again = sent(place, "/tree/import", {"files": BANK})
    assert again["run"] is None and not again["added"] and not again["changed"]


def test_one_file_of_46_kilobytes_is_split_into_nodes_with_nothing_lost_and_put_together_again(place: Place) -> None:
    text = one_large_file()
    assert 45_000 < len(text.encode()) < 60_000
    sent(place, "/tree/import", {"files": {"bank/notes.md": text}})
    before = exported(place)
    tried = sent(place, "/tree/split", {"path": "notes", "dry_run": True})
    assert exported(place) == before
    done = sent(place, "/tree/split", {"path": "notes", "dry_run": False})
    assert [one["path"] for one in done["pieces"]] == [one["path"] for one in tried["pieces"]]
    leaves = [got(place.api, f"/tree/nodes/{one['path']}") for one in done["pieces"]]
    assert all(2_000 <= leaf["size"] <= 5_000 for leaf in leaves), [leaf["size"] for leaf in leaves]
    together = [line for leaf in leaves for line in leaf["text"].splitlines() if line]
    assert together == [line for line in text.splitlines() if line][2:]  # all but what stays as the node's opening
    assert got(place.api, "/tree/nodes/notes")["text"].startswith("# How we work\n\nEverything in one file.\n")
    assert len({leaf["title"] for leaf in leaves}) == len(leaves)
    place.act(f"/runs/{done['run']}/undo")
    assert exported(place) == before


@pytest.mark.long
def test_a_korean_question_reaches_a_node_by_its_keyword_with_two_fifths_of_the_score(place: Place) -> None:
    sent(place, "/tree/import", {"files": BANK})
    found = place.search("가치관이 뭐야?", strategy="context-tree", top_k=3)["items"]
    best = found[0]
    assert best["node"]["path"] == "identity/values" and best["text"].strip() == VALUES.strip()
    assert best["node"]["size"] == len(VALUES.encode())
    assert best["arms"]["tree"]["share"] == pytest.approx(0.4)
    shares = best["arms"]["tree"]["share"] + best["arms"]["keyword"]["share"]
    assert best["score"] == pytest.approx(shares * got_product(best["factors"]))
    assert best["arms"]["keyword"]["share"] == pytest.approx(0.6)  # nothing else says the word
    lit = sent(place, "/tree/reach", {"question": "임베딩은 어디서 돌려?"})
    assert next(one["path"] for one in lit["items"]) == "infra/gpu"


def got_product(factors: dict[str, float]) -> float:
    product = 1.0
    for value in factors.values():
        product *= value
    return product


def test_the_same_statement_three_times_is_one_line_and_its_contradiction_one_conflict(place: Place) -> None:
    sent(place, "/tree/import", {"files": BANK})
    says = "Mina lives in Seoul."
    for n in range(3):
        memory = place.fact(says, session=f"talk-{n}")["id"]
        told = sent(place, "/tree/retain", {"memories": [memory], "path": "people/mina"})["items"]
        assert [one["outcome"] for one in told] == [["written", "unchanged", "unchanged"][n]]
    typed = sent(place, "/tree/retain", {"text": "Mina lives in Seoul", "path": "people/mina"})["items"]
    assert typed[0]["outcome"] in ("merged", "unchanged")
    text = got(place.api, "/tree/nodes/people/mina")["text"]
    assert text.count("Seoul") == 1
    for _ in range(2):
        against = place.fact("Mina lives in Busan.")["id"]
        told = sent(place, "/tree/retain", {"memories": [against], "path": "people/mina"})["items"]
        assert told[0]["outcome"] == "conflict"
    assert len(place.conflicts()) == 1
    assert got(place.api, "/tree/nodes/people/mina")["text"] == text


def test_a_purged_memory_leaves_no_word_in_the_tree(place: Place) -> None:
    sent(place, "/tree/import", {"files": BANK})
    memory = place.fact("Mina keeps her passport in the quokka drawer.")["id"]
    sent(place, "/tree/retain", {"memories": [memory], "path": "people/mina"})
    assert "quokka" in exported(place)["bank/people/mina.md"]
    receipt = place.act(f"/memories/{memory}/purge")
    assert receipt["complete"] and not any(receipt["left"].values()), receipt
    assert "quokka" not in json.dumps(exported(place), ensure_ascii=False)
    assert "quokka" not in json.dumps(got(place.api, "/audit", params={"limit": 200}), ensure_ascii=False)

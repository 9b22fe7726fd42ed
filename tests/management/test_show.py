from __future__ import annotations

from memoryapp.management.show import WIDTH, report_lines, result_lines, shorten_text
from memoryapp.management.show_memories import receipt_lines


def test_a_report_names_what_was_not_read() -> None:
    job = {"report": {"files": 1200, "added": 3, "seconds": 1.25, "failed": [{"path": "a.md", "note": "binary"}]}}
    assert list(report_lines(job)) == ["1,200 files, 3 added in 1.2 s", "not read: a.md: binary"]


def test_a_dry_run_says_that_it_was_one() -> None:
    assert "nothing was changed" in next(iter(report_lines({"report": {"dry_run": True, "seconds": 0}})))


def test_a_long_text_is_cut_on_one_line() -> None:
    assert shorten_text("one\n\n  two") == "one two"
    assert len(shorten_text("word " * 200)) <= WIDTH and shorten_text("word " * 200).endswith("…")


def test_a_receipt_names_what_went_along_and_what_says_the_same() -> None:
    receipt = {
        "removed": {"memory": 1, "turns": 2, "references": 0},
        "left": {"memory": 0},
        "also": [{"id": "8c1f0e2ab94d7356", "kind": "episode"}],
        "said_by": ["5d20b7c6e1f98a34"],
        "dry_run": False,
    }
    along = [
        "with it the episode that tells it  [8c1f0e2ab94d7356]",
        "left as it is, though it says the same  [5d20b7c6e1f98a34]",
    ]
    assert list(receipt_lines(receipt)) == ["Erased 1 memory, 2 turns.", *along, "Nothing of it is left."]
    assert list(receipt_lines(receipt | {"dry_run": True})) == ["Would erase 1 memory, 2 turns.", *along]


def test_a_result_says_who_said_it_when_how_far_it_is_trusted_and_what_disputes_it() -> None:
    item = {
        "id": "0" * 16,
        "kind": "fact",
        "title": "",
        "text": "지은 lives in Busan.",
        "score": 0.5,
        "speaker": "지은",
        "occurred_at": "2026-11-20T09:30:00Z",
        "valid_from": "2026-10-01T00:00:00Z",
        "trust": 0.893,
        "inherited_from": "team",
        "conflicts": ["9f2c1b7a40d3e685"],
    }
    *_, standing = result_lines({"items": [item]}, explain=False)
    assert standing.strip() == (
        "지은 · 2026-10-01 · trust 0.89 · from space team · disputed: see `manage.py conflicts show 9f2c1b7a40d3e685`"
    )


def test_a_question_is_followed_by_its_reply() -> None:
    item = {"id": "0" * 16, "kind": "turn", "title": "", "text": "When is tea?", "score": 0.5}
    lines = list(result_lines({"items": [item | {"reply": {"text": "At four."}}]}, explain=False))
    assert [line.strip() for line in lines[1:]] == ["When is tea?", "reply: At four."]
    assert not any("reply" in line for line in result_lines({"items": [item | {"reply": None}]}, explain=False))


def test_results_are_explained_only_on_request() -> None:
    item = {
        "id": "0" * 16,
        "kind": "note",
        "title": "",
        "text": "Tea at four.",
        "score": 0.5,
        "arms": {
            "vector": {"rank": 1, "score": 0.5, "share": 0.5},
            "keyword": {"rank": None, "score": 0.0, "share": 0.0},
        },
        "factors": {"trust": 0.9},
    }
    assert len(list(result_lines({"items": [item]}, explain=False))) == 2
    explained = "\n".join(result_lines({"items": [item]}, explain=True))
    assert "vector: rank 1, raw 0.5000, share 0.50000" in explained and "keyword: not ranked" in explained
    assert "sum of shares × trust 0.9000" in explained
    assert list(result_lines({"items": []}, explain=True)) == ["Nothing found."]

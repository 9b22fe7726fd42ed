"""Which answers name what, and which requests ask for it: the links between the operations of the document.

The document that is served has none, since a client needs none: ids are plain. A walk from one request to the next
does, or all it would ever ask for is what is not there.
"""

from __future__ import annotations

import copy
from typing import Any

# What is named: in the answers of which operations, and where in them (a JSON pointer, `*` for any of a list).
NAMED: dict[str, dict[str, str]] = {
    "memory": {
        "write_memory": "/id", "write_memories": "/items/*/id", "list_memories": "/items/*/id",
        "search_memories": "/items/*/id", "edit_memory": "/memory/id",
        "delete_memory": "/memory/id", "archive_memory": "/memory/id", "restore_memory": "/memory/id",
        "get_conflict": "/existing/id", "retain_memories": "/items/*/memory", "list_waiting": "/items/*/memory/id",
    },
    "document": {"list_memories": "/items/*/source/document"},
    "revision": {"list_audit": "/items/*/id", "get_memory_history": "/items/*/id"},
    "run": {
        "list_runs": "/items/*/id", "edit_memory": "/run", "delete_memory": "/run", "archive_memory": "/run",
        "resolve_conflict": "/run", "merge_entities": "/run", "edit_entity": "/run", "add_relation": "/run",
        "grow_node": "/run", "move_node": "/run", "remove_node": "/run", "merge_nodes": "/run", "split_node": "/run",
        "retain_memories": "/run", "add_parent": "/run", "refuse_relation": "/run", "unmerge_entity": "/run",
    },
    "backup": {"list_backups": "/items/*/name"},
    "conflict": {"list_conflicts": "/items/*/id", "resolve_conflict": "/conflict/id", "undo_decision": "/conflict/id"},
    "session": {"open_session": "/name", "list_sessions": "/items/*/name", "append_turns": "/items/*/session"},
    "entity": {"list_entities": "/items/*/id", "edit_entity": "/entity/id", "list_alike_entities": "/items/*/one/id"},
    "relation": {"list_relations": "/items/*/id", "add_relation": "/relation/id", "edit_relation": "/relation/id"},
    "node": {"get_tree": "/items/*/path", "grow_node": "/node/path", "move_node": "/node/path"},
    "golden": {"add_golden": "/golden/id", "list_golden": "/items/*/id"},
    "golden_run": {"list_golden_runs": "/items/*/id"},
    "profile": {"save_profile": "/name", "list_profiles": "/items/*/name"},
    "episode": {"list_episodes": "/items/*/id"},
    "job": {
        "list_jobs": "/items/*/id", "tell_session": "/job/id", "refresh_summaries": "/job/id", "run_golden": "/job/id",
        "read_turns_again": "/job", "cancel_job": "/id", "ingest_notes": "/job/id", "run_act": "/job/id",
        "read_source_again": "/job/id", "import_file": "/job/id", "embed_missing": "/job/id",
    },
    "source": {"list_sources": "/items/*/id", "add_source": "/id"},
    "reset": {"reset_feedback": "/reset"},
    "key": {"make_key": "/id", "list_keys": "/items/*/id"},
    "person": {"add_person": "/name", "list_people": "/items/*/name"},
    "room": {"make_space": "/name", "list_spaces": "/items/*/name"},
    # What was just done with one thing is what can be taken back of it.
    "put_under": {"add_parent": "="},
    "merged": {"merge_entities": "=/gone/0"}, "decided": {"resolve_conflict": "/conflict/id"},
}  # fmt: skip
# Which parameters and parts of bodies ask for it: of the path by name, of the body as what stands there. A `=` in the
# table above is what was asked and not what was answered: a part of its body, or the same parameters of the path.
Place = str | tuple[str, ...] | dict[str, Any]
WANTED: dict[str, dict[str, Place]] = {
    "memory": {
        **dict.fromkeys(
            ("get_memory", "edit_memory", "delete_memory", "archive_memory", "restore_memory", "confirm_memory",
             "pin_memory", "get_memory_history", "list_neighbours", "give_feedback", "purge_memory",
             "leave_memory_out"),
            "id",
        ),
        "change_memories": {"ids": ["{}"]}, "retain_memories": {"memories": ["{}"]},
        "add_golden": {"relevant": ["{}"]}, "explain_result": {"id": "{}"},
        "reset_feedback": {"ids": ["{}"]},
    },
    "revision": {"undo_change": "id", "restore_memory": {"revision": "{}"}},
    "run": dict.fromkeys(("get_run", "undo_run"), "id"),
    "conflict": {
        **dict.fromkeys(("get_conflict", "resolve_conflict", "undo_decision", "snooze_conflict"), "id"),
        "resolve_conflicts": {"ids": ["{}"]},
    },
    "session": {
        **dict.fromkeys(
            ("get_session", "end_session", "tell_session", "append_turns", "list_turns", "read_turns_again"), "id"
        ),
        "write_memory": {"session": "{}"},
    },
    "entity": {
        **dict.fromkeys(("get_entity", "edit_entity", "add_parent", "remove_parent"), "id"),
        "unmerge_entity": {"entity": "{}"}, "change_entities": {"ids": ["{}"]}, "merge_entities": {"keep": "{}"},
        "add_relation": {"subject": "{}"}, "list_relations": "entity",
    },
    "relation": dict.fromkeys(("get_relation", "edit_relation", "refuse_relation"), "id"),
    "node": {
        **dict.fromkeys(("get_node", "change_node", "remove_node", "suggest_keywords", "list_stale"), "path"),
        "move_node": {"path": "{}"}, "merge_nodes": {"path": "{}"}, "split_node": {"path": "{}"},
        "retain_memories": {"path": "{}"}, "freshen_lines": {"path": "{}"},
    },
    "backup": dict.fromkeys(("get_backup", "remove_backup", "restore_kept_backup"), "name"),
    "golden": dict.fromkeys(("get_golden", "change_golden", "delete_golden"), "id"),
    "golden_run": {"get_golden_run": "id"},
    "profile": dict.fromkeys(("get_profile", "save_profile", "delete_profile"), "name"),
    "episode": {"get_episode": "id"},
    "job": dict.fromkeys(("get_job", "cancel_job", "retry_job", "list_job_files", "follow_job"), "id"),
    "source": dict.fromkeys(("edit_source", "forget_source", "read_source_again"), "id"),
    "reset": {"undo_feedback_reset": "id"},
    "key": {"revoke_key": "id"},
    "document": {"get_document": "id"},
    "person": dict.fromkeys(("change_person", "make_login_link"), "name"),
    "room": {"edit_space": "name"},
    "put_under": {"remove_parent": ("id", "parent")},
    "merged": {"unmerge_entity": {"entity": "{}"}}, "decided": {"undo_decision": "id"},
}  # fmt: skip
# Whatever no link leads to is asked at any time after this one.
ANY_TIME = "list_memories"
# Two of one answer: what joins needs another one.
PAIRED: dict[str, tuple[str, dict[str, Place]]] = {
    "list_entities": (
        "/items/{n}/id",
        {
            "merge_entities": {"keep": "{0}", "gone": ["{1}"]},
            "judge_alike_entities": {"one": "{0}", "other": "{1}"},
            "add_relation": {"subject": "{0}", "object": "{1}"},
            "add_parent": ("id", "parent"),
            "find_path": ("start", "end"),
        },
    ),
    "get_tree": (
        "/items/{n}/path",
        {"merge_nodes": {"path": "{0}", "into": "{1}"}, "move_node": {"path": "{0}", "to": "{1}"}},
    ),
}


def linked(document: dict[str, Any]) -> dict[str, Any]:
    """A copy of the document whose answers say what can be asked next."""
    whole = copy.deepcopy(document)
    operations = {one["operationId"]: one for methods in whole["paths"].values() for one in methods.values()}
    for what, givers in NAMED.items():
        for giver, pointer in givers.items():
            for taker, place in WANTED[what].items():
                _link(operations, giver, taker, f"{what}_of", _asks(place, _found(pointer, place)))
    for giver, (pointer, takers) in PAIRED.items():
        both = [f"$response.body#{pointer.replace('{n}', str(n))}" for n in (0, 1)]
        for taker, place in takers.items():
            _link(operations, giver, taker, "both_of", _asks(place, both))
    reached = {taker for takers in WANTED.values() for taker in takers}
    for taker in sorted(operations.keys() - reached - {ANY_TIME}):
        _link(operations, ANY_TIME, taker, "then", {})
    return whole


def _found(pointer: str, place: Place) -> list[str]:
    if pointer == "=":
        return [f"$request.path.{name}" for name in _names(place)]
    return [f"$request.body#{pointer[1:]}" if pointer.startswith("=") else f"$response.body#{pointer}"]


def _names(place: Place) -> tuple[str, ...]:
    return (place,) if isinstance(place, str) else tuple(place)


def _asks(place: Place, found: list[str]) -> dict[str, Any]:
    if not isinstance(place, dict):
        return {"parameters": dict(zip(_names(place), found, strict=True))}
    return {"requestBody": _put(place, found)}


def _put(shape: Any, found: list[str]) -> Any:
    if isinstance(shape, dict):
        return {name: _put(inner, found) for name, inner in shape.items()}
    if isinstance(shape, list):
        return [_put(inner, found) for inner in shape]
    return shape.replace("{}", "{0}").format(*found)


def _link(operations: dict[str, Any], giver: str, taker: str, name: str, asks: dict[str, Any]) -> None:
    assert taker in operations, taker
    for status, answer in operations[giver]["responses"].items():
        if status.startswith("2"):
            link = {"operationId": taker, **asks, "x-schemathesis": {"is_inferred": True, "merge_body": True}}
            answer.setdefault("links", {})[f"{name}_{giver}_to_{taker}"] = link

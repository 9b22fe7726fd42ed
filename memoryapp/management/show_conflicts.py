"""Conflicts and changes as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.management.show import shortened

Told = dict[str, Any]


def conflict_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        yield f"{one['proposal']['outcome']:<8} {one['proposal']['confidence']:.2f}  {one['detector']}  [{one['id']}]"
        yield f"    held:     {shortened(one['existing']['text'])}"
        yield f"    incoming: {shortened(one['incoming']['text'])}"
        if one["decision"]:
            yield f"    decided:  {_decided(one['decision'])}"
    if not page["items"]:
        yield "No conflicts."
    elif page["next_cursor"]:
        yield f"… {page['total']:,} in all"


def case_lines(one: Told) -> Iterator[str]:
    """Both sides, the proposal and its reason, what was decided before, what each outcome would change."""
    yield f"held:     {shortened(one['existing']['text'])}{_trusted(one['existing'])}"
    yield f"incoming: {shortened(one['incoming']['text'])}{_trusted(one['incoming']['memory'])}"
    proposal = one["proposal"]
    yield f"proposed: {proposal['outcome']} ({proposal['confidence']:.2f}, {one['detector']}): {proposal['reason']}"
    if one["gate"]:
        yield f"trust:    {one['gate']}"
    for suggested in one["proposals"]:
        why = f": {suggested['reason']}" if suggested.get("reason") else ""
        yield f"{suggested['by']} suggests {suggested['outcome']}{why}"
    if one["decision"]:
        yield f"decided:  {_decided(one['decision'])}"
    for outcome, changes in one["impact"].items():
        yield f"{outcome}:"
        yield from (f"    {line}" for line in changes)


def change_lines(page: Told) -> Iterator[str]:
    """One line a change: when, who, what, why, and the run that it can be undone with."""
    for one in page["items"]:
        changed = ", ".join(one["after"]) or one["act"]
        why = f": {one['reason']}" if one["reason"] else ""
        yield (
            f"{one['at']:.19}  {one['actor']}  {one['act']} {one['record']} {one['record_id']} ({changed}){why}"
            f"  [run {one['run']}]"
        )
    if not page["items"]:
        yield "No changes."


def _trusted(side: Told | None) -> str:
    return f"  (trust {side['trust']:.2f})" if side else ""


def _decided(decision: Told) -> str:
    why = f" ({decision['reason']})" if decision.get("reason") else ""
    return f"{decision.get('outcome')} by {decision.get('by')}{why}"

"""A whole run taken back, and what is said of it."""

from __future__ import annotations

from memoryapp import graph, review
from memoryapp.domain.change import Actor
from memoryapp.spaces import Space
from memoryapp.web import human


def taken_back(space: Space, run: str, *, actor: Actor) -> str:
    """Undoes the run; the sentence tells how much of it, and what stayed."""
    undone = review.undo_run(space, run, actor=actor)
    graph.put_again(space, run)
    told = f"Undone: {human.counted(undone.taken_back, 'change')}."
    if undone.left:
        told += f" {human.counted(len(undone.left), 'change')} stayed, because something was changed since."
    return told

"""The acts of narration, and what each is made of.

An episode: hear the session → sentences that could be told → choose → compose (or the chat model) → put.
A summary: the facts of a category → is it stale? → choose → compose (or the chat model) → put.
"""

from __future__ import annotations

from memoryapp.summaries.episodes import episode_of, episodes_of, narrate_session, preview_episode
from memoryapp.summaries.summaries import current_summaries, refresh_summaries, stale, summaries_of
from memoryapp.summaries.timeline import day_density, episode_page

__all__ = [
    "current_summaries",
    "day_density",
    "episode_of",
    "episode_page",
    "episodes_of",
    "narrate_session",
    "preview_episode",
    "refresh_summaries",
    "stale",
    "summaries_of",
]

"""Stories of what happened and what is known: episodes of ended sessions, summaries of categories.

An episode: the session's transcript → sentences that could be told → choose → compose (or the chat model) → write.
A summary: the facts of a category → is it stale? → choose → compose (or the chat model) → write.
"""

from __future__ import annotations

from memoryapp.summaries.episodes import EpisodeDraft, episode_of, episodes_of, narrate_session, preview_episode
from memoryapp.summaries.summaries import current_summaries, refresh_summaries, stale, summaries_of
from memoryapp.summaries.timeline import EpisodePage, day_density, episode_page

__all__ = [
    "EpisodeDraft",
    "EpisodePage",
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

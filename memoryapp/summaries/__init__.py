"""Stories of what happened and what is known: episodes of ended sessions, summaries of categories."""

from __future__ import annotations

from memoryapp.summaries.episodes import Told
from memoryapp.summaries.pipeline import (
    current_summaries,
    day_density,
    episode_of,
    episode_page,
    episodes_of,
    narrate_session,
    preview_episode,
    refresh_summaries,
    stale,
    summaries_of,
)
from memoryapp.summaries.timeline import EpisodePage

__all__ = [
    "EpisodePage",
    "Told",
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

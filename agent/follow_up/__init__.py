"""Complete follow-up questions, so that a search finds what they mean."""

from agent.events import Completion
from agent.follow_up.follow_ups import FollowUps

__all__ = ["Completion", "FollowUps"]

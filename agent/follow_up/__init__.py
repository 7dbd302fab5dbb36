"""Complete follow-up questions, so that a search finds what they mean."""

from agent.follow_up.completion import Completion
from agent.follow_up.follow_ups import FollowUps

__all__ = ["Completion", "FollowUps"]

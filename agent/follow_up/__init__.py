"""Complete follow-up questions, so that a search finds what they mean."""

from agent.events import Completion
from agent.follow_up.by_model import FollowUps

__all__ = ["Completion", "FollowUps"]

"""Make answers with a language model; the only package that knows LangChain."""

from agent.causes import ModelProblem, ModelState
from agent.events import (
    Answer,
    Aside,
    Event,
    Failed,
    Notice,
    PageOutcome,
    ReadingFinished,
    ReadingStarted,
    Recalled,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
)
from agent.follow_up import Completion
from agent.models.doctor import ModelCheck, diagnosis_of
from agent.models.settings import FollowUpMode
from agent.resources import Resources
from agent.session import Mode, Session, open_session

__all__ = [
    "Answer",
    "Aside",
    "Completion",
    "Event",
    "Failed",
    "FollowUpMode",
    "Mode",
    "ModelCheck",
    "ModelProblem",
    "ModelState",
    "Notice",
    "PageOutcome",
    "ReadingFinished",
    "ReadingStarted",
    "Recalled",
    "Resources",
    "SearchFailed",
    "SearchFinished",
    "SearchStarted",
    "Session",
    "Thought",
    "Token",
    "diagnosis_of",
    "open_session",
]

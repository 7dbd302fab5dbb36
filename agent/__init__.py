"""Make answers with a language model; the only package that knows LangChain."""

from agent.answered import Answered
from agent.causes import FileProblem, ModelProblem, ModelState
from agent.events import (
    Answer,
    Aside,
    Completion,
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
from agent.models.catalog import MOST_MODELS, fetch_models
from agent.models.doctor import (
    ModelCheck,
    diagnosis_of,
    small_context,
    try_server,
)
from agent.models.settings import FollowUpMode, ModelSettings
from agent.resources import Resources
from agent.session import Session, answer, open_session
from agent.state import ConversationState, Mode

__all__ = [
    "MOST_MODELS",
    "Answer",
    "Answered",
    "Aside",
    "Completion",
    "ConversationState",
    "Event",
    "Failed",
    "FileProblem",
    "FollowUpMode",
    "Mode",
    "ModelCheck",
    "ModelProblem",
    "ModelSettings",
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
    "answer",
    "diagnosis_of",
    "fetch_models",
    "open_session",
    "small_context",
    "try_server",
]

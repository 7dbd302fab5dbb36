"""Make answers with a language model; the only package that knows LangChain."""

from agent.follow_up import Completion
from agent.models.catalog import ModelState
from agent.models.doctor import ModelCheck, diagnosis_of
from agent.models.settings import FollowUpMode
from agent.resources import Resources
from agent.session import Mode, Session, open_session

__all__ = [
    "Completion",
    "FollowUpMode",
    "Mode",
    "ModelCheck",
    "ModelState",
    "Resources",
    "Session",
    "diagnosis_of",
    "open_session",
]

"""Make answers with a language model; the only package that knows LangChain."""

from agent.events import Event
from agent.session import Mode, Session, open_session

__all__ = ["Event", "Mode", "Session", "open_session"]

"""Answer with quotations if no language model is set up."""

from agent.without_model.ranking import Passage
from agent.without_model.select import Quote, quotes

__all__ = ["Passage", "Quote", "quotes"]

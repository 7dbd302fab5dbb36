"""Answer with quotations if no language model is set up."""

from agent.without_model.select import Quote, quotes
from text.rank import Passage

__all__ = ["Passage", "Quote", "quotes"]

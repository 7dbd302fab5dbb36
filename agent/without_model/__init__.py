"""Answer with quotations if no language model is set up."""

from agent.without_model.select import Passage, Quote, quotes

__all__ = ["Passage", "Quote", "quotes"]

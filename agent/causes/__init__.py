"""The causes that a model fails for, each with its words."""

from agent.causes.model import ModelProblem, ModelState

__all__ = ["ModelProblem", "ModelState"]

"""What can be wrong with a model, each with its words."""

from agent.causes.model import ModelProblem, ModelState

__all__ = ["ModelProblem", "ModelState"]

"""The causes that a model or a file fails for, each with its words."""

from agent.causes.files import FileProblem
from agent.causes.model import ModelProblem, ModelState

__all__ = ["FileProblem", "ModelProblem", "ModelState"]

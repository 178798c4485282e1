"""The whole story of one finding, in plain Portuguese: enough to redo it by hand and to contest it."""

from reports.explain.find import ExplainError
from reports.explain.render import render_explanation
from reports.explain.story import Explanation, explain

__all__ = ["ExplainError", "Explanation", "explain", "render_explanation"]

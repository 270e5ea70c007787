"""The report of a sweep: figures, findings, an example, and every strategy."""

from pagekin.evaluation.report.report import HINT, can_draw, write_report

__all__ = ["HINT", "can_draw", "write_report"]

"""`/api/evaluation`: how well strategies do on this crawl, by the report of a sweep."""

from fastapi import APIRouter
from starlette.responses import Response

from pagekin.errors import Refused
from pagekin.serve.answers.evaluation import Evaluated, evaluation
from pagekin.serve.api.parameters import NOTHING_ASKED
from pagekin.serve.api.shape import answer, responses
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter(tags=["evaluation"])


@router.get(
    "/evaluation",
    response_model=Evaluated,
    responses=responses("get_evaluation", "no_report"),
    dependencies=[NOTHING_ASKED],
)
async def get_evaluation(asking: Asking) -> Response:
    """Every strategy of the sweep with its measures, best first."""
    report = asking.snapshot.report
    if report is None:
        raise Refused(
            "no_report",
            "this service was given no report",
            advice="start it with --report and the folder of a sweep",
        )
    return answer(evaluation(report))

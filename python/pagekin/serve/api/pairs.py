"""`/api/pairs`: two linked pages of a site that together answer a query."""

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from pagekin.serve.answers.pairs import PairsAnswer, PairsQuestion, keywords_of, pairs
from pagekin.serve.api.parameters import Parameters, in_query, read_query
from pagekin.serve.api.shape import answered, responses
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter(tags=["pairs"])


class Asked(Parameters):
    """The keywords, and which sites are wanted."""

    q: str = Field(
        description="two to five keywords in order, phrases in quotes; the first picks the sites"
    )
    alpha: float = Field(
        0.6, ge=0.5, le=1, description="how much the order of keywords counts; 0.5 is not at all"
    )
    per_site: int = Field(1, ge=1, description="pairs of each site")
    k: int = Field(10, ge=1, description="how many sites")
    offset: int = Field(0, ge=0, description="how many sites to pass over first")


@router.get(
    "/pairs",
    response_model=PairsAnswer,
    responses=responses("get_pairs", "unknown_word"),
    openapi_extra=in_query(Asked),
)
async def get_pairs(request: Request, asking: Asking) -> Response:
    """The sites that the first keyword leads to, each with the linked pages that answer best."""
    asked = read_query(request, Asked)
    limits = asking.settings.limits
    asking.limit("k", asked.k, limits.k)
    asking.limit("per_site", asked.per_site, limits.k)
    asking.limit("offset", asked.offset, limits.depth)
    question = PairsQuestion(
        keywords_of(asked.q), asked.alpha, asked.per_site, asked.k, asked.offset
    )
    return await answered(asking, pairs, question)

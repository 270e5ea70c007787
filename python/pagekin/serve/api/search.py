"""`/api/search`: pages by words, so that a person can find a page to ask about."""

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from pagekin.serve.answers.search import SearchAnswer, search
from pagekin.serve.api.parameters import Parameters, in_query, read_query
from pagekin.serve.api.shape import answered, responses
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter(tags=["pages"])


class Asked(Parameters):
    """The words, and which of the pages found are wanted."""

    q: str = Field(description="words, or an address or a part of one")
    k: int = Field(10, ge=1, description="how many pages")
    offset: int = Field(0, ge=0, description="how many pages to pass over first")


@router.get(
    "/search",
    response_model=SearchAnswer,
    responses=responses("get_search"),
    openapi_extra=in_query(Asked),
)
async def get_search(request: Request, asking: Asking) -> Response:
    """The pages that have the words in their title, their URL, or their text and links."""
    asked = read_query(request, Asked)
    asking.limit("k", asked.k, asking.settings.limits.k)
    asking.limit("offset", asked.offset, asking.settings.limits.depth)
    return await answered(asking, search, asked.q, asked.k, asked.offset)

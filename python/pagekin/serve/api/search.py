"""`/api/search`: pages by words, so that a person can find a page to ask about."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from pagekin.serve.answers.search import SearchAnswer, search
from pagekin.serve.api.shape import Parameters, answer, responses
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter(tags=["pages"])


class Asked(Parameters):
    """The words, and which of the pages found are wanted."""

    q: str = Field(description="words, or an address or a part of one")
    k: int = Field(10, ge=1, description="how many pages")
    offset: int = Field(0, ge=0, description="how many pages to pass over first")


@router.get("/search", response_model=SearchAnswer, responses=responses("get_search"))
async def get_search(asked: Annotated[Asked, Query()], asking: Asking) -> Response:
    """The pages that have the words in their title, their URL, or their text and links."""
    asking.limit("k", asked.k, asking.settings.limits.k)
    asking.limit("offset", asked.offset, asking.settings.limits.depth)
    return answer(await asking.ask(search, asked.q, asked.k, asked.offset))

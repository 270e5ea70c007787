"""`/api/related`: the pages most like a page of the crawl, a text, or a page that is sent."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BeforeValidator, Field, WithJsonSchema
from starlette.responses import Response

from pagekin.query import Filters
from pagekin.serve.answers.related import Question, RelatedAnswer, related
from pagekin.serve.api.parameters import (
    NOTHING_ASKED,
    Parameters,
    in_body,
    in_query,
    read_body,
    read_query,
)
from pagekin.serve.api.shape import answered, responses
from pagekin.serve.service import Asker, Asking

__all__ = ["router"]

URLS = 10
"""So many pages may be asked about at once."""
BOM = b"\xef\xbb\xbf"
"""What says, before anything in a page does, that it is UTF-8."""

router = APIRouter(tags=["related pages"])


class Asked(Parameters):
    """What pages shall be related to, and which of those are wanted."""

    url: list[str] = Field([], max_length=URLS, description="a page of the crawl, or several")
    unlike: list[str] = Field([], max_length=URLS, description="take this page's terms off")
    text: str | None = Field(None, description="a text that is not in the crawl")
    k: int = Field(10, ge=1, description="how many pages")
    offset: int = Field(0, ge=0, description="how many pages to pass over first")
    min_score: float = Field(
        0, ge=0, le=1, allow_inf_nan=False, description="only pages at least so similar"
    )
    exclude_site: bool = Field(False, description="no pages of the same site")
    exclude_linked: bool = Field(False, description="no pages that the page links to")
    group_by_site: bool = Field(False, description="only the best page of each site")
    exact: bool = Field(False, description="compare every page, not only likely ones")

    def filters(self) -> Filters:
        """Which pages are wanted, as the index takes it."""
        return Filters(
            k=self.k,
            min_score=self.min_score,
            exclude_site=self.exclude_site,
            exclude_linked=self.exclude_linked,
            group_by_site=self.group_by_site,
            exact=self.exact,
        )

    def question(self) -> Question:
        """What is asked, as the index takes it."""
        return Question(tuple(self.url), tuple(self.unlike), self.text)


def _list(value: object) -> object:
    return [value] if isinstance(value, str) else value


OneOrMore = Annotated[
    list[str],
    BeforeValidator(_list),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class Sent(Asked):
    """The same in the body of a request, which may also be a page."""

    url: OneOrMore = Field([], max_length=URLS, description="a page of the crawl, or several")
    unlike: OneOrMore = Field([], max_length=URLS, description="take this page's terms off")
    page: str | bytes | None = Field(None, description="an HTML page that is not in the crawl")

    def question(self) -> Question:
        """What is asked; a page that came as text is UTF-8, whatever it says of itself."""
        page = BOM + self.page.encode() if isinstance(self.page, str) else self.page
        return Question(tuple(self.url), tuple(self.unlike), self.text, page)


CODES = ("malformed_url", "unknown_page")


@router.get(
    "/related",
    response_model=RelatedAnswer,
    responses=responses("get_related", *CODES),
    openapi_extra=in_query(Asked),
)
async def get_related(request: Request, asking: Asking) -> Response:
    """The pages most like a page of the crawl or a text, best first, and why."""
    return await _answer(read_query(request, Asked), asking)


@router.post(
    "/related",
    response_model=RelatedAnswer,
    responses=responses(
        "post_related", *CODES, "body_too_large", "slow_request", "unsupported_media_type"
    ),
    openapi_extra=in_body(Sent),
    dependencies=[NOTHING_ASKED],
)
async def post_related(request: Request, asking: Asking) -> Response:
    """The same for what is too long for a URL: a text, or a page that is uploaded."""
    return await _answer(await read_body(request, Sent), asking)


async def _answer(asked: Asked, asking: Asker) -> Response:
    asking.limit("k", asked.k, asking.settings.limits.k)
    asking.limit("offset", asked.offset, asking.settings.limits.depth)
    asking.limit("letters of text", len(asked.text or ""), asking.settings.limits.text)
    return await answered(asking, related, asked.question(), asked.filters(), asked.offset)

"""From a question to a response: in a thread, as JSON, with the fields that a client chose."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Concatenate, ParamSpec

import orjson
from starlette.responses import Response

from pagekin.api import Index
from pagekin.fields import option
from pagekin.query import RelatedPart, SearchResults
from pagekin.serve.service import Asker

__all__ = ["answer", "choice_of", "json_response", "with_fields"]

P = ParamSpec("P")


async def answer(
    asker: Asker,
    question: Callable[Concatenate[Index, P], object],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Response:
    """The answer to a question as a response. The thread that computes it writes the JSON as well,
    so the values never leave the core that made them."""

    def written(index: Index) -> bytes:
        return orjson.dumps(question(index, *args, **kwargs))

    return json_response(await asker.ask(written))


def json_response(body: bytes) -> Response:
    """JSON as a response."""
    return Response(body, media_type="application/json")


def choice_of(hit: type) -> Any:
    """The option of a client to choose fields of hits."""
    names = tuple(each.name for each in fields(hit))
    return option(
        (), "fields of hits, such as url,title (default: all)", choices=names, commas=True
    )


def with_fields(found: RelatedPart | SearchResults, names: Sequence[str]) -> object:
    """An answer whose hits have the chosen fields alone; all of them without a choice."""
    if not names:
        return found
    hits = [{name: getattr(hit, name) for name in names} for hit in found.hits]
    return {each.name: getattr(found, each.name) for each in fields(found)} | {"hits": hits}

"""The endpoints that find related pages, of one question or of a batch.

The questions of a batch are answered a few at a time by the threads of the service, so other
requests need not wait for all of them.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import orjson
from starlette.requests import Request
from starlette.responses import Response

from pagekin.api import Index
from pagekin.errors import IndexFault, InputError, PagekinError, Refused, UnknownPage
from pagekin.fields import option, options_of
from pagekin.query import Filters, PageSelection, Question, RelatedPart
from pagekin.serve.api.answering import answer, choice_of, json_response, with_fields
from pagekin.serve.api.openapi import ErrorAnswer
from pagekin.serve.api.parameters import Values, read_batch, read_body, read_query
from pagekin.serve.errors import problem_of
from pagekin.serve.service import Asker
from pagekin.types import Hit

__all__ = [
    "CHOICE",
    "FILTERS",
    "IN_BODY",
    "IN_QUERY",
    "QUESTION",
    "BatchAnswer",
    "get_related",
    "post_batch",
    "post_related",
]

TOGETHER = 4
"""Questions of a batch that a thread answers before it takes other work."""
BATCH_HITS = 2_000
"""Maximum number of hits of a batch, which bounds its answer."""
FILTERS = (
    "k",
    *(each.name for each in options_of(PageSelection)),
    "min_score",
    "exclude_site",
    "exclude_linked",
    "group_by_site",
    "exact",
)
"""The filters that a client of the service may set."""


@dataclass(frozen=True, slots=True)
class Offset:
    """Where in a list an answer begins."""

    offset: int = option(0, "number of results to skip", low=0)


@dataclass(frozen=True, slots=True)
class HitChoice:
    """Which fields of hits to return."""

    fields: tuple[str, ...] = choice_of(Hit)


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """The answers in the order of the questions, with an error for one that has no answer."""

    answers: list[RelatedPart | ErrorAnswer]
    took_ms: float


@dataclass(frozen=True, slots=True)
class RelatedQuestion:
    """A question within the limits of the service."""

    question: Question
    filters: Filters
    offset: int

    @classmethod
    def of(cls, asker: Asker, values: Values) -> "RelatedQuestion":
        """The question that these parameters make; raises an error if they are not valid."""
        limits = asker.settings.limits
        found = cls(values.to(Question), values.to(Filters), values.to(Offset).offset)
        asker.limit("k", found.filters.k, limits.k)
        asker.limit("offset", found.offset, limits.depth)
        for text in (found.question.text, found.question.unlike_text):
            asker.limit("length of text", len(text or ""), limits.text)
        return found

    def answer(self, index: Index, names: Sequence[str]) -> object:
        """The answer, with these fields of hits."""
        found = index.related_part(self.question, offset=self.offset, filters=self.filters)
        return with_fields(found, names)


async def get_related(request: Request) -> Response:
    """The pages most similar to a page of the crawl or a text, best first, and why."""
    return await _related(Asker.of(request), read_query(request, IN_QUERY))


async def post_related(request: Request) -> Response:
    """The same for input that is too long for a URL: a text, or an uploaded HTML page."""
    return await _related(Asker.of(request), await read_body(request, IN_BODY))


async def _related(asker: Asker, values: Values) -> Response:
    question, names = RelatedQuestion.of(asker, values), values.to(HitChoice).fields
    return await answer(asker, lambda index: question.answer(index, names))


async def post_batch(request: Request) -> Response:
    """Many questions at once. A question that cannot be answered does not fail the others."""
    start, asker = time.perf_counter(), Asker.of(request)
    each, shared = await read_batch(request, QUESTION, CHOICE)
    asker.limit("number of questions", len(each), asker.settings.limits.batch)
    questions = [_checked(asker, values) for values in each]
    hits = sum(one.filters.k for one in questions if isinstance(one, RelatedQuestion))
    asker.limit("k of all questions together", hits, BATCH_HITS)
    names = shared.to(HitChoice).fields
    parts = [questions[at : at + TOGETHER] for at in range(0, len(questions), TOGETHER)]
    found = await asyncio.gather(*(asker.ask(_answers, part, names) for part in parts))
    answers = b",".join(text for part in found for text in part)
    took = orjson.dumps(round((time.perf_counter() - start) * 1000, 3))
    return json_response(b'{"answers":[%b],"took_ms":%b}' % (answers, took))


def _checked(asker: Asker, values: Values) -> RelatedQuestion | PagekinError:
    try:
        return RelatedQuestion.of(asker, values)
    except (InputError, Refused) as error:
        return error


def _answers(
    index: Index, questions: Iterable[RelatedQuestion | PagekinError], names: Sequence[str]
) -> list[bytes]:
    """The answers to some questions of a batch as JSON."""
    return [_answer(index, each, names) for each in questions]


def _answer(index: Index, question: RelatedQuestion | PagekinError, names: Sequence[str]) -> bytes:
    if isinstance(question, PagekinError):
        return problem_of(question).to_json()
    try:
        return orjson.dumps(question.answer(index, names))
    except IndexFault:
        raise
    except (InputError, UnknownPage) as error:
        return problem_of(error).to_json()


CHOICE = options_of(HitChoice)
IN_QUERY = (
    *options_of(Question, "urls", "unlike", "text", "unlike_text"),
    *options_of(Filters, *FILTERS),
    *options_of(Offset),
    *CHOICE,
)
IN_BODY = (*IN_QUERY, *options_of(Question, "page"))
QUESTION = tuple(each for each in IN_BODY if each not in CHOICE)
"""The parameters of one question of a batch."""

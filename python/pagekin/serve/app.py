"""The application: the API, the pages, and what stands before them."""

from fastapi import FastAPI
from starlette.types import ASGIApp

from pagekin._core import VERSION
from pagekin.serve import api, pages
from pagekin.serve.errors import Telling
from pagekin.serve.guard import AnswerCache, BodyLimit, KeptAnswers, SafeHeaders
from pagekin.serve.service import Service
from pagekin.serve.settings import RequestLimits

__all__ = ["answering", "create_app", "guarded", "routed"]

_TELLING = Telling(pages.error_page)


def create_app(service: Service) -> ASGIApp:
    """The application of a worker."""
    return guarded(answering(service), service.settings.limits)


def answering(service: Service) -> KeptAnswers:
    """What answers, and keeps its answers."""
    inner = routed()
    inner.state.service = service
    _TELLING.add_to(inner)
    return KeptAnswers(inner, service.current, AnswerCache(service.settings.cache))


def guarded(app: ASGIApp, limits: RequestLimits) -> ASGIApp:
    """An application under the limits of bodies, whose responses are safe to look at."""
    return SafeHeaders(BodyLimit(app, _TELLING, limits.body, limits.seconds))


def routed() -> FastAPI:
    """Every address of the service, and their description."""
    app = FastAPI(
        title="pagekin",
        description="Related pages in a web crawl, and why.",
        version=VERSION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(api.router)
    app.include_router(pages.router)
    return app

"""The application: the API, the pages, and what stands before them."""

from importlib.metadata import version

from fastapi import FastAPI
from starlette.types import ASGIApp

from pagekin.serve import api, pages
from pagekin.serve.errors import Telling
from pagekin.serve.guard import AnswerCache, BodyLimit, KeptAnswers, SafeHeaders
from pagekin.serve.service import Service

__all__ = ["create_app", "routed"]


def create_app(service: Service) -> ASGIApp:
    """The application of a worker."""
    telling = Telling(pages.error_page)
    limits = service.settings.limits
    inner = routed()
    inner.state.service = service
    telling.add_to(inner)
    app: ASGIApp = KeptAnswers(inner, service.current, AnswerCache(service.settings.cache))
    app = BodyLimit(app, telling, limits.body, limits.seconds)
    return SafeHeaders(app)


def routed() -> FastAPI:
    """Every address of the service, and their description."""
    app = FastAPI(
        title="pagekin",
        description="Related pages in a web crawl, and why.",
        version=version("pagekin"),
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(api.router)
    app.include_router(pages.router)
    return app

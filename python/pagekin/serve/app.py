"""The ASGI application: the API, the pages, and the middleware before them."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pagekin.serve import api, pages
from pagekin.serve.admission import Admission
from pagekin.serve.cache import AnswerCache, CachedApp
from pagekin.serve.errors import ErrorResponses, Problem
from pagekin.serve.limits import BodyLimit, SafeHeaders
from pagekin.serve.observe import AccessLog, Observer
from pagekin.serve.service import Service

__all__ = ["cached_app", "create_app", "guard"]


def create_app(service: Service) -> ASGIApp:
    """The whole application of a worker."""
    return guard(cached_app(service), service)


def cached_app(service: Service) -> CachedApp:
    """The routes behind a cache of answers."""
    routes = [*api.routes(), *pages.routes(), Route("/metrics", _metrics)]
    inner = Starlette(routes=routes, exception_handlers=_errors(service).handlers())
    inner.router.redirect_slashes = False
    inner.state.service = service
    return CachedApp(inner, service.current, AnswerCache(service.settings.cache))


def guard(app: ASGIApp, service: Service, log: AccessLog | None = None) -> ASGIApp:
    """An application for those who may ask, with limits on bodies and safe headers, observed."""
    limits = service.settings.limits
    errors = _errors(service)
    limited = BodyLimit(app, errors, limits.body, limits.seconds)
    admitted = Admission(limited, errors, service.settings)
    return Observer(SafeHeaders(admitted), service.metrics, log)


def _errors(service: Service) -> ErrorResponses:
    """Errors, on pages with the menu of what is served."""

    def page(path: str, problem: Problem) -> str:
        return pages.error_page(service.current.snapshot, path, problem)

    return ErrorResponses(page)


async def _metrics(request: Request) -> Response:
    service: Service = request.app.state.service
    snapshot = service.current.snapshot
    counts = snapshot.index.counts
    text = service.metrics.text(counts["pages"], counts["bags"], snapshot.name)
    return Response(text, media_type="text/plain; version=0.0.4")

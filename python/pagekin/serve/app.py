"""The ASGI application: the API, the pages, and the middleware before them."""

from starlette.applications import Starlette
from starlette.types import ASGIApp

from pagekin.serve import api, pages
from pagekin.serve.cache import AnswerCache, CachedApp
from pagekin.serve.errors import ErrorResponses
from pagekin.serve.limits import BodyLimit, SafeHeaders
from pagekin.serve.service import Service
from pagekin.serve.settings import RequestLimits

__all__ = ["cached_app", "create_app", "guard"]

_ERRORS = ErrorResponses(pages.error_page)


def create_app(service: Service) -> ASGIApp:
    """The whole application of a worker."""
    return guard(cached_app(service), service.settings.limits)


def cached_app(service: Service) -> CachedApp:
    """The routes behind a cache of answers."""
    routes = [*api.routes(), *pages.routes()]
    inner = Starlette(routes=routes, exception_handlers=_ERRORS.handlers())
    inner.router.redirect_slashes = False
    inner.state.service = service
    return CachedApp(inner, service.current, AnswerCache(service.settings.cache))


def guard(app: ASGIApp, limits: RequestLimits) -> ASGIApp:
    """An application with limits on bodies, whose responses carry safe headers."""
    return SafeHeaders(BodyLimit(app, _ERRORS, limits.body, limits.seconds))

"""The HTTP API: endpoints, their parameters, and their description for programs and people."""

from collections.abc import Sequence

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pagekin.serve.api.answering import json_response
from pagekin.serve.api.docs import docs_page
from pagekin.serve.api.endpoints import ENDPOINTS
from pagekin.serve.api.openapi import Endpoint, openapi
from pagekin.serve.pages.menu import menu_of
from pagekin.serve.service import Asker

__all__ = ["DOCUMENT", "PATHS", "routes"]

PATHS = tuple(dict.fromkeys(each.path for each in ENDPOINTS))
DOCUMENT = openapi(ENDPOINTS)
_DOCUMENT_JSON = orjson.dumps(DOCUMENT)


def routes() -> list[Route]:
    """The routes of the API: one for each path, with all its methods."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for each in ENDPOINTS:
        paths.setdefault(each.path, {})[each.method] = each
    found = [_route(path, methods) for path, methods in paths.items()]
    return [*found, Route("/api/openapi.json", _openapi), Route("/api/docs", _docs)]


def _route(path: str, methods: dict[str, Endpoint]) -> Route:
    async def handle(request: Request) -> Response:
        endpoint = methods.get(request.method)
        if endpoint is None:
            allowed = ", ".join(sorted({*methods, "HEAD"}))
            raise HTTPException(405, headers={"allow": allowed})
        return await endpoint.handler(request)

    return Route(path, handle, methods=["DELETE", "GET", "OPTIONS", "PATCH", "POST", "PUT"])


async def _openapi(_: Request) -> Response:
    return json_response(_DOCUMENT_JSON)


async def _docs(request: Request) -> Response:
    asker = Asker.of(request)
    settings, menu = asker.settings, menu_of(asker.snapshot)
    page = docs_page(DOCUMENT, settings.limits, _address(request, settings.allow_host), menu)
    return Response(page, media_type="text/html")


def _address(request: Request, names: Sequence[str]) -> str:
    """The address of the service: a name that the operator gave it if the client used one, else
    the socket's. What else a client says of it is never shown."""
    for name in names:
        if request.url.hostname == name.rpartition(":")[0] or request.url.hostname == name:
            return f"https://{name}"
    host, port = request.scope["server"]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

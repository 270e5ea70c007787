"""The HTTP API: endpoints, their parameters, and their description for programs and people."""

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pagekin.serve.api.docs import docs_page
from pagekin.serve.api.endpoints import ENDPOINTS, json_response
from pagekin.serve.api.openapi import Endpoint, openapi

__all__ = ["DOCUMENT", "routes"]

DOCUMENT = openapi(ENDPOINTS)
_DOCUMENT_JSON = orjson.dumps(DOCUMENT)


def routes() -> list[Route]:
    """Every path of the API: one route a path, whatever its methods."""
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
    limits = request.app.state.service.settings.limits
    return Response(docs_page(DOCUMENT, limits), media_type="text/html")

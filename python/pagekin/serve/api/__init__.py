"""The HTTP API: one module a resource."""

from fastapi import APIRouter

from pagekin.serve.api import docs, evaluation, page, pairs, related, search, status

__all__ = ["router"]

router = APIRouter(prefix="/api")
for resource in (related, page, pairs, search, evaluation, status, docs):
    router.include_router(resource.router)

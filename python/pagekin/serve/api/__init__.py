"""The HTTP API: one module a resource."""

from fastapi import APIRouter

from pagekin.serve.api import docs, evaluation, page, pairs, related, search, status
from pagekin.serve.api.shape import GIVEN_ONCE

__all__ = ["router"]

router = APIRouter(prefix="/api", dependencies=[GIVEN_ONCE])
for resource in (related, page, pairs, search, evaluation, status, docs):
    router.include_router(resource.router)

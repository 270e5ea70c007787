"""`/api/docs`: the OpenAPI document as a page for people; nothing is loaded from elsewhere."""

from fastapi import APIRouter

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

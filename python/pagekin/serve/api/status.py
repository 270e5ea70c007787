"""`/api/health` and `/api/ready`: for whoever watches the service."""

from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter
from starlette.responses import Response

from pagekin.serve.api.parameters import NOTHING_ASKED
from pagekin.serve.api.shape import answer, responses
from pagekin.serve.current import OnDisk
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter(tags=["status"], dependencies=[NOTHING_ASKED])


@dataclass(frozen=True, slots=True)
class Health:
    """The process answers."""

    status: Literal["ok"]


@dataclass(frozen=True, slots=True)
class Ready:
    """What is served, and whether the place it came from still holds it.

    An index that is `missing`, `damaged` or `changed` on disk is served on as it was.
    """

    status: Literal["ready"]
    index: str
    pages: int
    urls: int
    on_disk: OnDisk


@router.get("/health", response_model=Health, responses=responses("get_health"))
async def get_health() -> Response:
    """Whether the process answers at all."""
    return answer(Health("ok"))


@router.get("/ready", response_model=Ready, responses=responses("get_ready"))
async def get_ready(asking: Asking) -> Response:
    """Whether questions are answered, and from which index."""
    counts = asking.snapshot.index.manifest.counts
    on_disk = asking.service.current.on_disk()
    name = asking.snapshot.name
    return answer(Ready("ready", name, counts["pages"], counts["bags"], on_disk))

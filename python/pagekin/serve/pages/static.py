"""`/static`: the style sheet, the script and the icon, which come with the package."""

import hashlib
from importlib.resources import files

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

__all__ = ["STAMP", "router"]

router = APIRouter()

KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
KEPT = {"cache-control": "public, max-age=31536000, immutable"}

_FILES = {
    file.name: file.read_bytes()
    for file in (files("pagekin.serve.pages") / "static").iterdir()
    if file.name.rpartition(".")[2] in KINDS
}
STAMP = hashlib.sha256(b"".join(_FILES[name] for name in sorted(_FILES))).hexdigest()[:12]
"""A part of their addresses that changes with them, so that browsers may keep them for ever."""


@router.get("/static/{name}")
async def static(name: str) -> Response:
    """A file of the pages."""
    if name not in _FILES:
        raise HTTPException(404, "there is no such file")
    return Response(_FILES[name], media_type=KINDS[name.rpartition(".")[2]], headers=KEPT)

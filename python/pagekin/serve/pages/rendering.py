"""From values to HTML, and the files that come with it. Everything is escaped: crawled text is
hostile."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pagekin._core import VERSION
from pagekin.query import both_about, subjects
from pagekin.serve.pages.addresses import readable, readable_host
from pagekin.serve.pages.forms import outward, to
from pagekin.serve.pages.languages import language_name
from pagekin.serve.pages.menu import menu_of
from pagekin.serve.service import Snapshot

__all__ = ["QuotePart", "base_name", "quote_parts", "render", "render_text", "static_file"]

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}

_FILES = {
    file.name: file.read_bytes()
    for file in (files("pagekin.serve.pages") / "static").iterdir()
    if file.name.rpartition(".")[2] in TYPES
}
STAMP = hashlib.sha256(b"".join(_FILES[name] for name in sorted(_FILES))).hexdigest()[:12]
"""A part of their addresses that changes with them, so that browsers may cache them for ever."""


@dataclass(frozen=True, slots=True)
class QuotePart:
    """A part of a quotation: words of an anchor, or words beside one."""

    text: str
    anchor: bool


def quote_parts(words: str) -> list[QuotePart]:
    """The parts of a quotation, whose anchors stand in brackets; words have none themselves."""
    parts: list[QuotePart] = []
    for number, piece in enumerate(words.split("[")):
        inside, closed, after = piece.partition("]")
        if number == 0 or not closed:
            inside, after = "", piece
        if number and closed:
            parts.append(QuotePart(inside or "a link without words", True))
        parts.append(QuotePart(after.replace("]", ""), False))
    return [part for part in parts if part.text]


def base_name(file: str) -> str:
    """The last part of the name of an archive."""
    return file.rstrip("/").rpartition("/")[2] or file


def render(snapshot: Snapshot, template: str, **values: Any) -> HTMLResponse:
    """A page of the service, which serves this snapshot."""
    text = render_text(template, root="./", menu=menu_of(snapshot), **values)
    return HTMLResponse(text, values.get("status", 200))


def render_text(template: str, **values: Any) -> str:
    """A template with its values; `root` is the relative address of the first page, and `menu` what
    there is."""
    return _environment().get_template(template).render(**values)


async def static_file(request: Request) -> Response:
    """A file of the pages."""
    name = request.path_params["name"]
    if name not in _FILES:
        raise HTTPException(404, "no such file")
    return Response(_FILES[name], media_type=TYPES[name.rpartition(".")[2]], headers=FOR_EVER)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("pagekin.serve.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        to=to,
        outward=outward,
        readable=readable,
        readable_host=readable_host,
        language_name=language_name,
        base_name=base_name,
        quote_parts=quote_parts,
        both_about=both_about,
        subjects=subjects,
        stamp=STAMP,
        version=VERSION,
    )
    return environment

"""From values to HTML. Everything is escaped: crawled text is hostile."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from pagekin._core import VERSION
from pagekin.query import subjects
from pagekin.serve.pages.links import outward, to
from pagekin.serve.pages.static import STAMP

__all__ = ["Quoted", "filled", "quoted", "render"]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A part of a quotation: words of an anchor, or words beside one."""

    text: str
    anchor: bool


def quoted(words: str) -> list[Quoted]:
    """The parts of a quotation, whose anchors stand in brackets; words have none themselves."""
    parts: list[Quoted] = []
    for number, piece in enumerate(words.split("[")):
        inside, closed, after = piece.partition("]")
        if number == 0 or not closed:
            inside, after = "", piece
        if number and closed:
            parts.append(Quoted(inside or "a link without words", True))
        parts.append(Quoted(after.replace("]", ""), False))
    return [part for part in parts if part.text]


def render(template: str, **values: Any) -> HTMLResponse:
    """A page of the service."""
    return HTMLResponse(filled(template, root="./", **values), values.get("status", 200))


def filled(template: str, **values: Any) -> str:
    """A template with its values; `root` is the way to the first page."""
    return _environment().get_template(template).render(**values)


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
        quoted=quoted,
        subjects=subjects,
        stamp=STAMP,
        version=VERSION,
    )
    return environment

"""The Sphinx extension: `extensions = ["pagekin.generators.sphinx"]`.

Sphinx writes a page before the last one is read, and an incremental build writes few pages. So a
page is written with two comments, and what stands between them is set when all pages are there. The
contents of pages are kept beside Sphinx' doctrees, for builds that do not write all of them.
"""

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.util import logging
from sphinx.util.osutil import relative_uri
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from pagekin._core import VERSION
from pagekin.errors import PagekinError
from pagekin.fields import Option, options_of
from pagekin.generators.documents import Document, RelatedDocument, RelatedDocuments
from pagekin.generators.html import nav, plain_text
from pagekin.generators.list_settings import ListSettings
from pagekin.generators.place import PLACE, set_list
from pagekin.generators.relate import relate

__all__ = ["setup"]

OPT_OUT = "no-related"
DONE = "done"
"""The digest of the inputs of the lists on the pages."""
_LOGGER = logging.getLogger(__name__)
_WHOLE = (SingleFileHTMLBuilder, SerializingHTMLBuilder)
"""Builders that write something else than a page for each document."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect to Sphinx."""
    for each in options_of(ListSettings):
        app.add_config_value(f"pagekin_{each.name}", each.default, "", _types(each))
    # Late, so that what other extensions add to a page is a part of it.
    app.connect("html-page-context", _keep_page, priority=900)
    app.connect("build-finished", _place_lists)
    return {"version": VERSION, "parallel_read_safe": True, "parallel_write_safe": True}


def _types(option: Option) -> tuple[type, ...]:
    if option.many:
        return list, tuple
    return (int, float) if option.kind is float else (option.kind,)


def _builder(app: Sphinx) -> StandaloneHTMLBuilder | None:
    """The builder, if it writes pages of a site."""
    found = app.builder
    if isinstance(found, StandaloneHTMLBuilder) and not isinstance(found, _WHOLE):
        return None if found.embedded else found
    return None


def _keep_page(
    app: Sphinx, name: str, _template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Keep the content of a page, and mark the place of its list."""
    builder = _builder(app)
    if builder is None or doctree is None or "body" not in context:
        return
    file = _file(builder, name)
    content = [plain_text(context.get("title", "")) or name, context["body"]]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content), encoding="utf-8")
    except OSError as error:
        _warn(f"the page takes no part ({error})", name)
        return
    context["body"] += f"\n{PLACE}\n"


def _folder(builder: StandaloneHTMLBuilder) -> Path:
    return Path(builder.doctreedir) / f"pagekin-{builder.name}"


def _file(builder: StandaloneHTMLBuilder, name: str) -> Path:
    """The file of a page: names of documents may be too long for the name of one file."""
    return _folder(builder) / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.json"


def _place_lists(app: Sphinx, exception: Exception | None) -> None:
    """Set the list of each page, unless nothing changed since they were set."""
    builder = _builder(app)
    if builder is None or exception is not None:
        return
    try:
        settings = _settings(app)
        names = [name for name in sorted(builder.env.found_docs) if _file(builder, name).exists()]
        state = _folder(builder) / DONE
        digest = _digest(builder, settings, names)
        if not state.exists() or state.read_text(encoding="utf-8") != digest:
            _set_lists(builder, settings, [_document(builder, name) for name in names])
            state.write_text(digest, encoding="utf-8")
    except (PagekinError, OSError) as error:
        _warn(f"pages have no new lists of related pages: {error}")


def _settings(app: Sphinx) -> ListSettings:
    given = {each.name: app.config[f"pagekin_{each.name}"] for each in options_of(ListSettings)}
    return ListSettings.of(given)


def _document(builder: StandaloneHTMLBuilder, name: str) -> Document:
    """A page as it was when Sphinx last wrote it."""
    title, body = json.loads(_file(builder, name).read_text(encoding="utf-8"))
    return Document(builder.get_target_uri(name), name, title, body, _wanted(builder, name))


def _wanted(builder: StandaloneHTMLBuilder, name: str) -> bool:
    return OPT_OUT not in builder.env.metadata.get(name, {})


def _digest(builder: StandaloneHTMLBuilder, settings: ListSettings, names: list[str]) -> str:
    """Of everything that lists are made of."""
    wanted = {name: _wanted(builder, name) for name in names}
    digest = hashlib.sha256(json.dumps([VERSION, asdict(settings), wanted]).encode())
    for name in names:
        digest.update(_file(builder, name).read_bytes())
    return digest.hexdigest()


def _set_lists(
    builder: StandaloneHTMLBuilder, settings: ListSettings, documents: list[Document]
) -> None:
    _LOGGER.info("relating pages...", nonl=True)
    found = relate(documents, settings, builder.config.html_baseurl or None)
    for name in found.failed:
        _warn("the page has no list of related pages, because it cannot be indexed", name)
    changed = sum(_set_list(builder, settings, each, found) for each in documents)
    _LOGGER.info(" %d with a list, %d changed", len(found.by_path), changed)


def _set_list(
    builder: StandaloneHTMLBuilder,
    settings: ListSettings,
    document: Document,
    found: RelatedDocuments,
) -> bool:
    """Set the list of a page in its file; whether that changed it."""
    related = found.by_path.get(document.path, [])
    shown = _html(settings, document.path, related)
    encoded = shown.encode(builder.config.html_output_encoding, "xmlcharrefreplace")
    return bool(set_list(Path(builder.get_outfilename(document.name)), encoded))


def _html(settings: ListSettings, path: str, related: list[RelatedDocument]) -> str:
    links = [
        (relative_uri(path, each.path) or os.curdir, each.title, settings.reason_for(each.words))
        for each in related
    ]
    return nav(settings.heading, links) if links else ""


def _warn(message: str, name: str | None = None) -> None:
    _LOGGER.warning("pagekin: %s", message, location=name, type="pagekin")

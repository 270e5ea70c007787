"""The MkDocs plugin: `plugins: [search, pagekin]`.

MkDocs reads all pages before it writes the first. Another process relates them meanwhile, and each
list is set in the file of its page when all are written.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs.config import config_options
from mkdocs.config.config_options import BaseConfigOption
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from pagekin.errors import PagekinError
from pagekin.fields import Option, options_of
from pagekin.generators.documents import Document, RelatedDocument, RelatedDocuments
from pagekin.generators.html import nav, plain_text
from pagekin.generators.list_settings import ListSettings
from pagekin.generators.place import PLACE, set_list
from pagekin.generators.process import RelatingProcess

__all__ = ["RelatedPagesPlugin"]

_LOGGER = get_plugin_logger("pagekin")


def _config_option(option: Option) -> BaseConfigOption:
    kind = config_options.Type((int, float) if option.kind is float else option.kind)
    if option.many:
        return config_options.ListOfItems(kind, default=[*option.default])
    kind.default = option.default
    return kind


class RelatedPagesPlugin(BasePlugin):
    """Adds its related pages to the content of each page."""

    config_scheme = tuple((each.name, _config_option(each)) for each in options_of(ListSettings))

    def __init__(self) -> None:
        self._process: RelatingProcess | None = None
        self._settings = ListSettings()
        self._pages: dict[str, Page] = {}
        self._documents: dict[str, Document] = {}

    def on_startup(self, **_: Any) -> None:
        """Tells MkDocs to keep this object while it serves: a dirty build reads few pages."""

    def on_pre_build(self, **_: Any) -> None:
        """Start the process that relates pages, which takes a moment."""
        given = {name: self.config[name] for name, _ in self.config_scheme}
        with self._warnings():
            self._settings = ListSettings.of(given)
            self._process = RelatingProcess()

    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Ask about the pages when all of them are read, and none is written."""
        pages = [file.page for file in files.documentation_pages() if file.page is not None]
        self._pages = {page.url: page for page in pages}
        read = {page.url: _document(page) for page in pages if page.content is not None}
        known = {url: self._documents[url] for url in self._pages if url in self._documents}
        self._documents = known | read
        if self._process and len(self._documents) < len(self._pages):
            _LOGGER.info("this build does not read all pages, so lists stay as they are")
            self._forget_process()
        with self._warnings():
            if self._process:
                documents = [*self._documents.values()]
                self._process.ask(documents, self._settings, config.site_url)
        return env

    @event_priority(-100)
    def on_page_context(self, context: Any, *, page: Page, **_: Any) -> Any:
        """Mark the place of a list, after plugins that look at the content, to which it does not
        belong."""
        page.content = f"{page.content}\n{PLACE}\n"
        return context

    def on_post_build(self, **_: Any) -> None:
        """Set the lists of all pages."""
        with self._warnings():
            if self._process:
                self._set_lists(self._process.answer())

    def on_build_error(self, **_: Any) -> None:
        """Forget a build that failed."""
        self._forget_process()

    def _forget_process(self) -> None:
        if self._process:
            self._process.end()
        self._process = None

    def _set_lists(self, found: RelatedDocuments) -> None:
        for name in found.failed:
            _LOGGER.warning(f"{name} has no related pages, because it cannot be indexed")
        for path, page in self._pages.items():
            shown = _html(self._settings, path, found.by_path.get(path, []))
            set_list(Path(page.file.abs_dest_path), shown.encode())

    @contextmanager
    def _warnings(self) -> Iterator[None]:
        """What fails is a warning, and this build goes on without lists."""
        try:
            yield
        except (PagekinError, OSError) as error:
            _LOGGER.warning(f"pages have no new lists of related pages: {error}")
            self._forget_process()


def _html(settings: ListSettings, path: str, related: Sequence[RelatedDocument]) -> str:
    links = [
        (get_relative_url(each.path, path), each.title, settings.reason_for(each.words))
        for each in related
    ]
    return nav(settings.heading, links) if links else ""


def _document(page: Page) -> Document:
    name = page.file.src_uri
    wanted = page.meta.get("related", True) is not False
    return Document(
        page.url, name, plain_text(page.title or "") or name, page.content or "", wanted
    )

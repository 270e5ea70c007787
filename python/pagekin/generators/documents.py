"""Documents of a site, and the related documents of each."""

from dataclasses import dataclass, field

__all__ = ["Document", "RelatedDocument", "RelatedDocuments"]


@dataclass(frozen=True, slots=True)
class Document:
    """A page of a site: its path as links write it, its name for its author, its title and the HTML
    of its content. A document that is not `wanted` is left out."""

    path: str
    name: str
    title: str
    body: str
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class RelatedDocument:
    """A related page, and the words that it has in common with the page."""

    path: str
    title: str
    words: list[str]


@dataclass(frozen=True, slots=True)
class RelatedDocuments:
    """The related pages by path, and the names of documents that could not be indexed."""

    by_path: dict[str, list[RelatedDocument]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

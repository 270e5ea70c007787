"""The crawls that related pages are judged on, and what people know of their pages."""

from dataclasses import dataclass
from pathlib import Path

from bench.measure import DATA, OUT

__all__ = ["CRAWLS", "FOLDER", "SharedCrawl"]

FOLDER = OUT / "quality"


@dataclass(frozen=True, slots=True)
class SharedCrawl:
    """A crawl with a directory, with see-also lists, or with neither; known items it always has."""

    name: str
    directory: Path | None = None
    see_also: Path | None = None

    @property
    def archive(self) -> Path:
        """Its WARC file."""
        return DATA / f"{self.name}.warc.gz"

    @property
    def folder(self) -> Path:
        """Where everything that is made of it is kept."""
        return FOLDER / self.name

    @property
    def default_index(self) -> Path:
        """The index by the default strategy: truths are matched with its pages."""
        return self.folder / "default.index"

    @property
    def truths(self) -> Path:
        """What is known of its pages, kept for a run."""
        return self.folder / "truths"


CRAWLS = {
    crawl.name: crawl
    for crawl in (
        SharedCrawl("schools", directory=DATA / "schools.directory.tsv"),
        SharedCrawl("universities", directory=DATA / "universities.classes.tsv"),
        SharedCrawl("manuals", directory=DATA / "manuals.directory.tsv"),
        SharedCrawl("numpy", see_also=DATA / "numpy.see-also.tsv"),
        SharedCrawl("encyclopedia", see_also=DATA / "encyclopedia.see-also.tsv"),
        SharedCrawl("modern"),
    )
}

"""What an index has, and how its build was fitted to the crawl, as text."""

from collections.abc import Mapping

from pagekin.cli.output import counted, printable
from pagekin.query import Overview

__all__ = ["fitted_text", "overview_text"]


def overview_text(seen: Overview) -> str:
    """What an index has, and how it was fitted to its crawl."""
    lines = [
        f"{counted(seen.pages, 'page')} of {counted(seen.sites, 'site')}, {seen.linked:,} linked "
        f"to but not crawled, {counted(seen.links, 'link')}, {counted(seen.terms, 'term')}",
        f"fitted to this crawl: {fitted_text(seen.fitted)}",
    ]
    lines += [f"site      {site.site}  {counted(site.pages, 'page')}" for site in seen.best_sites]
    lines += [f"page      {page.url}  {page.title}" for page in seen.best_pages]
    return "\n".join(map(printable, lines))


def fitted_text(weights: Mapping[str, float]) -> str:
    """The weights that were fitted to a crawl."""
    return ", ".join(f"{name} = {weight:g}" for name, weight in weights.items()) or "nothing"

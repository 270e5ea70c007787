"""The gallery: figures 13 and 14 of the paper for shared crawls, as docs/gallery.md.

    python -m bench.questions.gallery [--write]

Pages are drawn with a seed, not chosen: what a person who asks about any page sees.
"""

import argparse
import random
from collections.abc import Iterator

import pagekin
from bench.indexes import kept_index
from bench.measure import BENCH, DATA

CRAWLS = {
    "schools": "articles of the 2007 Schools Wikipedia Selection",
    "numpy": "the manual of NumPy",
    "manuals": "nine manuals",
}
PAGES = 4
HITS = 10
TERMS = 10
SEED = 13
PAGE = BENCH.parent / "docs" / "gallery.md"
HEAD = """\
# Gallery

What does pagekin answer? Here are pages of three crawls with their ten most related pages, by the
default strategy and the default filters, and the heaviest terms of their bags (figures 13 and 14
of the paper). The pages are drawn with a seed, not chosen. [data.md](data.md) says what the
crawls are.

    python -m bench.questions.gallery --write
"""


def main() -> int:
    """Ask, and print or write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write docs/gallery.md")
    options = parser.parse_args()
    if missing := [name for name in CRAWLS if not (DATA / f"{name}.warc.gz").exists()]:
        print(f"skipped: no {', '.join(missing)} in {DATA}, nothing was asked")
        return 0
    parts = [HEAD]
    for name, about in CRAWLS.items():
        with pagekin.open(kept_index(DATA / f"{name}.warc.gz")) as index:
            parts += [f"\n## {name}: {about}\n", *sections(index)]
    text = "\n".join(parts).rstrip("\n") + "\n"
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


def sections(index: pagekin.Index) -> Iterator[str]:
    """The answers to some pages with a title."""
    table = index.reader.tables["pages"].scan(["url", "title", "crawled"])
    urls = [row["url"] for row in table.to_pylist() if row["crawled"] and row["title"]]
    for url in sorted(random.Random(SEED).sample(urls, PAGES)):
        card, answer = index.show(url, terms=TERMS), index.related(url, k=HITS)
        yield f"### {cell(card.title or url)}\n"
        yield f"`{url}`\n"
        yield f"Heaviest terms: {cell(', '.join(term.term for term in card.terms))}.\n"
        yield "| | related page | similarity | because of |\n|---|---|---|---|"
        for rank, hit in enumerate(answer.hits, start=1):
            why = ", ".join(term.term for term in hit.why.terms[:5]) if hit.why else ""
            yield f"| {rank} | {cell(hit.title or hit.url)} | {hit.score:.2f} | {cell(why)} |"
        yield ""


def cell(text: str) -> str:
    """Text of a crawl that is only text in Markdown."""
    safe = "".join(f"\\{mark}" if mark in "\\`*_[]|<>#" else mark for mark in text)
    return " ".join(safe.split())


if __name__ == "__main__":
    raise SystemExit(main())

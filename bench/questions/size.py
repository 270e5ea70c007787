"""The size of an index beside that of tantivy with the same texts.

    python -m bench.questions.size [--write]

Both have the text of every crawled page, and both can be asked which pages are like one of them.
tantivy has a document a page with its URL, title and text, all stored, in one segment; pagekin is
built with the default strategy, and also has all URLs that are only linked to.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc
import tantivy

import pagekin
from bench.indexes import kept_index
from bench.measure import DATA, OUT
from bench.tables import put_table

__all__ = ["Sizes", "markdown", "sizes_of"]

CRAWLS = ("schools", "manuals", "encyclopedia")
TARGET = 1.5


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of a crawl and of its two indexes."""

    crawl: str
    compressed: int
    pagekin: int
    tantivy: int

    @property
    def ratio(self) -> float:
        """pagekin's index in those of tantivy."""
        return self.pagekin / self.tantivy


def main() -> int:
    """Index each crawl twice, print, and fail if the target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    options = parser.parse_args()
    archives = [DATA / f"{crawl}.warc.gz" for crawl in CRAWLS]
    missing = [archive.name for archive in archives if not archive.exists()]
    if missing:
        print(f"skipped: no {', '.join(missing)} in {DATA}, nothing was measured")
        return 0
    found = [sizes_of(archive) for archive in archives]
    text = markdown(found)
    print(text)
    if options.write:
        put_table("bench.questions.size", text)
    return int(any(sizes.ratio > TARGET for sizes in found))


def sizes_of(archive: Path) -> Sizes:
    """Index a crawl with both."""
    index = kept_index(archive)
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        index_with_tantivy(pagekin.open(index), Path(folder))
        other = bytes_in(Path(folder))
    crawl = archive.name.partition(".")[0]
    return Sizes(crawl, archive.stat().st_size, bytes_in(index), other)


def index_with_tantivy(index: pagekin.Index, folder: Path) -> None:
    """Index the crawled pages of an index with tantivy, which stores their texts."""
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("url", stored=True, tokenizer_name="raw")
    schema.add_text_field("title", stored=True, tokenizer_name="en_stem")
    schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
    made = tantivy.Index(schema.build(), path=str(folder))
    writer = made.writer(heap_size=1 << 30, num_threads=1)
    tables = index.reader.tables
    pages = tables["pages"].scan(["url", "title", "crawled"])
    crawled = pages.filter(pc.field("crawled")).select(["url", "title"]).to_batches()
    urls = (row for batch in crawled for row in batch.to_pylist())
    texts = (row for batch in tables["texts"].batches() for row in batch.to_pylist())
    for page, row in zip(urls, texts, strict=True):
        title, text = page["title"] or "", row["text"]
        writer.add_document(tantivy.Document(url=page["url"], title=title, text=text))
    writer.commit()
    writer.wait_merging_threads()


def bytes_in(folder: Path) -> int:
    """What the files of a folder take."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def markdown(found: list[Sizes]) -> str:
    """The table."""
    lines = [
        "| crawl | compressed crawl, MB | pagekin, MB | tantivy, MB | ratio |",
        "| --- | --- | --- | --- | --- |",
    ]
    for sizes in found:
        parts = (f"{each / 1e6:.1f}" for each in (sizes.compressed, sizes.pagekin, sizes.tantivy))
        lines.append(f"| {sizes.crawl} | {' | '.join(parts)} | {sizes.ratio:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

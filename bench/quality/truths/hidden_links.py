"""Hidden links: does the audit find links again that were taken out of a crawl?

    python -m bench.quality.truths.hidden_links numpy manuals

One link of every page that has one outside of templates is drawn with a seed. Its tag is taken out
of the page, its words stay. The crawl is built anew, and the missing links of each page are judged:
is the hidden link among the first one, three or ten?
"""

import html
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from urllib.parse import urljoin

import pagekin
from bench.indexes import kept_index
from bench.measure import DATA
from pagekin import _core
from pagekin.audit import Audit, AuditQuestion
from tests.crawls import read_warc, write_warc
from tests.reference import Capture

__all__ = ["draw_links", "hide_links", "judge"]

FIRST = (1, 3, 10)
ANCHOR = re.compile(rb"<a\b[^>]*?\bhref\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>]+)[^>]*>", re.I | re.S)


def draw_links(index: Path, seed: int = 1) -> dict[str, str]:
    """One link of every page to another of its site, of those that no template has."""
    reader = pagekin.open(index).reader
    pages = reader.tables["pages"].scan(["id", "url", "site", "crawled"]).to_pylist()
    known = {page["id"]: page for page in pages if page["crawled"]}
    links = reader.tables["links"].scan(["target", "source", "template"]).to_pylist()
    in_template: dict[tuple[int, int], bool] = defaultdict(bool)
    for link in links:
        in_template[link["source"], link["target"]] |= bool(link["template"])
    targets: dict[str, list[str]] = defaultdict(list)
    for (source, target), template in in_template.items():
        one, other = known.get(source), known.get(target)
        if one and other and one["site"] == other["site"] and not template:
            targets[one["url"]].append(other["url"])
    drawn = random.Random(seed)
    return {url: drawn.choice(sorted(targets[url])) for url in sorted(targets)}


def hide_links(archive: Path, hidden: dict[str, str], out: Path) -> None:
    """Copy the pages of an archive without the tags of these links."""
    write_warc(out, (_shown(capture, hidden) for capture in read_warc(archive)))


def _shown(capture: Capture, hidden: dict[str, str]) -> Capture:
    link = hidden.get(_core.canonical(capture.url) or "")
    return capture._replace(body=_without(capture.body, capture.url, link)) if link else capture


def _without(body: bytes, url: str, link: str) -> bytes:
    def shown(match: re.Match[bytes]) -> bytes:
        href = html.unescape(match[1].strip(b"\"'").decode("utf-8", "replace")).strip()
        try:
            leads_there = _core.canonical(urljoin(url, href).partition("#")[0]) == link
        except ValueError:
            leads_there = False
        return b"" if leads_there else match[0]

    return ANCHOR.sub(shown, body)


def judge(audit: Audit, hidden: dict[str, str]) -> dict[int, float]:
    """The share of hidden links among the first suggestions of their pages."""
    suggested: dict[str, list[str | None]] = defaultdict(list)
    for finding in audit.of_kinds(["missing-link"]):
        suggested[finding.url].append(finding.target)
    return {
        most: sum(link in suggested[url][:most] for url, link in hidden.items()) / len(hidden)
        for most in FIRST
    }


def _judge_crawl(name: str) -> None:
    archive = DATA / f"{name}.warc.gz"
    hidden = draw_links(kept_index(archive))
    with tempfile.TemporaryDirectory(prefix="pagekin-") as folder:
        copy = Path(folder) / "hidden.warc.gz"
        hide_links(archive, hidden, copy)
        pagekin.build(copy, Path(folder) / "index")
        index = pagekin.open(Path(folder) / "index")
        pages = index.reader.tables["pages"].scan(["url", "site"]).to_pylist()
        sites = {page["url"]: page["site"] for page in pages}
        for site in sorted({sites[url] for url in hidden}):
            own = {url: link for url, link in hidden.items() if sites[url] == site}
            start = time.perf_counter()
            audit = index.audit(AuditQuestion(site, per_page=max(FIRST), min_score=0.0))
            took = time.perf_counter() - start
            found = " ".join(f"@{most} {share:.2f}" for most, share in judge(audit, own).items())
            print(f"{site}: {audit.pages:,} pages in {took:.1f} s, {len(own):,} hidden: {found}")


if __name__ == "__main__":
    for crawl in sys.argv[1:] or ["numpy"]:
        _judge_crawl(crawl)

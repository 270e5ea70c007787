"""Sources of documentation sites, written from HTML pages: Markdown and reStructuredText."""

import html
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin.sample import sample_sites
from tests.crawls import SHARED, read_warc

MANUALS = SHARED / "manuals.warc.gz"
DJANGO = "http://python-django-doc.docs.example/html/"
HOSTS = ("www.hedgerow.example", "www.skywatch.example", "marketbell.example")
"""The sites of the sample that make a small site together."""
BLOCKS = {"h1", "h2", "h3", "h4", "p", "li", "pre", "dt", "dd"}
LEVELS = "=-~^"


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph or code; inline texts with the pages that they link to."""

    kind: str
    parts: tuple[tuple[str, str | None], ...]

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.parts)


def block(kind: str, text: str) -> Block:
    """A block without links."""
    return Block(kind, ((text, None),))


Pages = dict[str, list[Block]]
"""Blocks by the name of a page, without an ending."""


def manual() -> Pages:
    """The pages of a real manual, without its indexes, release notes and listings of source."""
    bodies: dict[str, bytes] = {}
    for capture in read_warc(MANUALS):
        name = capture.url.removeprefix(DJANGO)
        if name != capture.url and not re.match(r"_modules|releases|\w*index|search", name):
            bodies[capture.url] = capture.body
    names = {url: url.removeprefix(DJANGO).removesuffix(".html") for url in bodies}
    return {names[url]: [*_blocks(url, body, names, ".yui-g")] for url, body in bodies.items()}


def sample() -> Pages:
    """A few dozen pages about gardens, the weather and shares."""
    bodies: dict[str, bytes] = {}
    for file in sample_sites().rglob("*.html"):
        path = file.relative_to(sample_sites()).as_posix()
        if path.startswith(HOSTS):
            bodies[f"http://{path}"] = file.read_bytes()
    names = {url: _named(url) for url in bodies}
    known = names | {url.removesuffix("index.html"): name for url, name in names.items()}
    found = {names[url]: [*_blocks(url, body, known, "body")] for url, body in bodies.items()}
    # Without the menus, which stand above the heading.
    return {
        name: [*dropwhile(lambda each: each.kind != "h1", blocks)] for name, blocks in found.items()
    }


def _named(url: str) -> str:
    return url.removeprefix("http://").removeprefix("www.").replace(".example", "")[:-5]


def _blocks(url: str, body: bytes, names: Mapping[str, str], root: str) -> Iterator[Block]:
    tree = LexborHTMLParser(body.decode("utf-8", "replace"))
    for node in tree.css(f"{root} *"):
        inner = (child for child in node.traverse() if child != node)
        if node.tag in BLOCKS and not any(child.tag in BLOCKS for child in inner):
            parts = tuple(_parts(node, url, names))
            if any(text.strip() for text, _ in parts):
                yield Block(node.tag, parts)


def _parts(
    node: LexborNode, url: str, names: Mapping[str, str]
) -> Iterator[tuple[str, str | None]]:
    """The texts of a block. Links to other pages keep their targets."""
    for each in node.traverse(include_text=True):
        if each.tag == "-text":
            text = each.text() if node.tag == "pre" else re.sub(r"\s+", " ", each.text())
            yield text.replace("¶", ""), _target(each, url, names)


def _target(text: LexborNode, url: str, names: Mapping[str, str]) -> str | None:
    above = text.parent
    while above is not None and above.tag not in BLOCKS:
        if above.tag == "a":
            address = urldefrag(urljoin(url, above.attributes.get("href") or "")).url
            return names.get(address)
        above = above.parent
    return None


def write_markdown(folder: Path, pages: Pages) -> None:
    """The sources of an MkDocs site."""
    for name, blocks in pages.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(_markdown(name, each) for each in blocks), encoding="utf-8")


def _markdown(name: str, block: Block) -> str:
    if block.kind == "pre":
        return f"```\n{block.text.strip()}\n```"
    text = "".join(_markdown_part(name, *part) for part in block.parts).strip()
    if block.kind[0] == "h":
        return f"{'#' * int(block.kind[1])} {text}"
    return f"- {text}" if block.kind == "li" else text


def _markdown_part(name: str, text: str, target: str | None) -> str:
    escaped = html.escape(re.sub(r"([\\`*_{}\[\]#|])", r"\\\1", text), quote=False)
    if target is None or not text.strip():
        return escaped
    return f"[{escaped}]({posixpath.relpath(f'{target}.md', posixpath.dirname(name) or '.')})"


def write_rst(folder: Path, pages: Pages) -> None:
    """The sources of a Sphinx project. Its start lists all folders, and each folder its pages."""
    for name, blocks in pages.items():
        path = folder / f"{name}.rst"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(map(_rst, blocks)) + "\n", encoding="utf-8")
    folders: dict[str, list[str]] = {}
    for name in pages:
        if name != "index":
            folders.setdefault(name.partition("/")[0], []).append(name)
    for top, names in folders.items():
        _write_contents(folder / f"contents-of-{top}.rst", top, names)
    _write_contents(folder / "index.rst", "Start", [f"contents-of-{top}" for top in folders])


def _write_contents(path: Path, title: str, names: list[str]) -> None:
    head = "" if path.exists() else f"{title}\n{'=' * 40}\n"
    listed = "".join(f"   /{name}\n" for name in names)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{head}\n.. toctree::\n   :maxdepth: 1\n\n{listed}")


def _rst(block: Block) -> str:
    if block.kind == "pre":
        lines = "\n".join(f"   {line}" for line in block.text.strip().splitlines())
        return f"::\n\n{lines}"
    if block.kind[0] == "h":
        title = _escaped(block.text.strip())
        return f"{title}\n{LEVELS[int(block.kind[1]) - 1] * 2 * len(title)}"
    text = "".join(_rst_part(*part) for part in block.parts).strip()
    return f"- {text}" if block.kind == "li" else text


def _rst_part(text: str, target: str | None) -> str:
    if target is None or not text.strip():
        return _escaped(text)
    return f"\\ :doc:`{_escaped(text.strip())} </{target}>`\\ "


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_|:<>\-.])", r"\\\1", text)

"""Every command that writes, with an old state, and how to tell the old state from the new one."""

import contextlib
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

import pagekin
from pagekin.cli import main
from pagekin.errors import IndexCorrupt
from pagekin.strategy import presets
from tests.archives import members, page

__all__ = ["COMMANDS", "NOTHING", "WritingCommand", "write_old_state"]

NOTHING = "nothing"
"""The state of what was never written."""
LITTLE = ("--memory", "1MB", "--threads", "1")
"""So little memory that what is between two stages goes to the disk."""
GRID = "[[product]]\nkinds = { content = 1, anchor = [0.25, 1] }\n"


TEXTS = {
    "one": "apples and pears grow on old trees in gardens",
    "two": "pears and plums ripen on trees in late summer",
    "four": "gardens have apples and flowers in summer",
}
"""Pages that have something in common and are no copies, so that more hits are other answers."""


@dataclass(frozen=True, slots=True)
class WritingCommand:
    """Words for the command line in a folder, and what a reader finds there afterwards.

    `state` raises an error if that is broken.
    """

    words: tuple[str, ...]
    state: Callable[[Path], str]


def write_old_state(folder: Path) -> None:
    """Two indexes, their answers, an export and a signature."""
    first = [page(name, text) for name, text in TEXTS.items()]
    second = [page("three", "and some more words")]
    for name, pages in {"first": first, "second": second, "all": first + second}.items():
        (folder / f"{name}.warc.gz").write_bytes(members(*pages))
    strategy, settings = presets()["content"], pagekin.Settings(threads=1)
    for name, source in {"index": "first", "other": "second"}.items():
        source_file = folder / f"{source}.warc.gz"
        pagekin.build(source_file, folder / name, strategy=strategy, settings=settings)
    index = pagekin.Index(folder / "index")
    index.precompute(folder / "answers.parquet", k=1, threads=1)
    index.export(folder / "site", k=1, threads=1)
    for name in ("old", "new"):
        _write_keys(folder, name)
    index.sign(folder / "old.pem")
    classes = (
        "http://one.example/\tA/B\n",
        "http://two.example/\tA/B\n",
        "http://three.example/\tA/C\n",
    )
    (folder / "classes.tsv").write_text("".join(classes))
    (folder / "grid.toml").write_text(GRID)
    (folder / "content.toml").write_text(strategy.to_toml())


def _write_keys(folder: Path, name: str) -> None:
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / f"{name}.pem").write_bytes(private)
    (folder / f"{name}.pub").write_bytes(public)


def _index(name: str) -> Callable[[Path], str]:
    def state(folder: Path) -> str:
        if not (folder / name / "manifest.json").exists():
            return NOTHING
        index = pagekin.Index(folder / name)
        index.check()
        return index.reader.manifest.checksum

    return state


def _parquet(name: str) -> Callable[[Path], str]:
    def state(folder: Path) -> str:
        if not (folder / name).exists():
            return NOTHING
        return hashlib.sha256(repr(pq.read_table(folder / name).to_pylist()).encode()).hexdigest()

    return state


def _text(name: str) -> Callable[[Path], str]:
    def state(folder: Path) -> str:
        return (folder / name).read_text() if (folder / name).exists() else NOTHING

    return state


def _site(folder: Path) -> str:
    told = json.loads((folder / "site/related.json").read_text())
    digest = hashlib.sha256(json.dumps(told).encode())
    pages = sorted((folder / "site" / told["folder"]).glob("*/*.json"))
    assert len(pages) == told["pages"], f"{len(pages)} of {told['pages']} pages are there"
    for path in pages:
        digest.update(json.dumps(json.loads(path.read_text())).encode())
    return digest.hexdigest()


def _signer(folder: Path) -> str:
    index = pagekin.Index(folder / "index")
    for name in ("old", "new"):
        try:
            index.check(signed_by=folder / f"{name}.pub")
        except IndexCorrupt as error:
            if "not one of this key" not in str(error):
                raise
        else:
            return name
    raise AssertionError("nobody signed the index")


def _sweep(folder: Path) -> str:
    """What a sweep that goes on finds: the same, whatever there was."""
    with contextlib.chdir(folder):
        assert main([*SWEEP]) == 0
    return _parquet("compared/results.parquet")(folder)


SWEEP = (
    *("sweep", "all.warc.gz", "--directory", "classes.tsv", "--grid", "grid.toml"),
    *("-o", "compared", "--threads", "1"),
)

COMMANDS = {
    "index": WritingCommand(("index", "all.warc.gz", "-o", "index", *LITTLE), _index("index")),
    "index anew": WritingCommand(
        ("index", "all.warc.gz", "-o", "deep/below/new", *LITTLE), _index("deep/below/new")
    ),
    "add": WritingCommand(("add", "index", "second.warc.gz", *LITTLE), _index("index")),
    "remove": WritingCommand(("remove", "index", "http://two.example/", *LITTLE), _index("index")),
    "compact": WritingCommand(("compact", "index", *LITTLE), _index("index")),
    "merge": WritingCommand(("merge", "index", "other", "-o", "other", *LITTLE), _index("other")),
    "precompute": WritingCommand(
        ("precompute", "index", "-o", "answers.parquet", "-k", "2", "--threads", "1"),
        _parquet("answers.parquet"),
    ),
    "export": WritingCommand(("export", "index", "-o", "site", "-k", "2", "--threads", "1"), _site),
    "export of data": WritingCommand(
        ("export", "index", "--data", "data.json", "--site", "one.example", "--threads", "1"),
        _text("data.json"),
    ),
    "dump": WritingCommand(("dump", "index", "pages", "-o", "p.parquet"), _parquet("p.parquet")),
    "dump of captures": WritingCommand(
        ("dump", "index", "captures", "-o", "index.cdxj"), _text("index.cdxj")
    ),
    "sign": WritingCommand(("sign", "index", "--key", "new.pem"), _signer),
    "sweep": WritingCommand(SWEEP, _sweep),
}
"""The commands by name."""

"""The files of an export, against single queries; and their atomic publication."""

import fcntl
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pagekin
from pagekin import Filters
from pagekin.errors import EngineError
from pagekin.export import file_name
from pagekin.export.reasons import reason_words
from pagekin.work.progress import SilentProgress
from tests.archives import run
from tests.crawls import SCHOOLS

site = importlib.import_module("pagekin.export.site")
answering = importlib.import_module("pagekin.export.answers")
BESIDE = ["demo.css", "demo.html", "related.js", "related.json"]


def exported(folder: Path) -> dict[str, Any]:
    """The content of an export, by URL; every file must be where its URL hashes to."""
    manifest = json.loads((folder / "related.json").read_text())
    assert manifest["format"] == 1
    found: dict[str, Any] = {}
    for file in (folder / manifest["folder"]).glob("*/*.json"):
        pages = json.loads(file.read_bytes())
        assert all(file.match(file_name(url)) for url in pages)
        found |= pages
    assert len(found) == manifest["pages"]
    return found


def single(index: pagekin.Index, filters: Filters) -> dict[str, Any]:
    """The same by one query per page."""
    found = {}
    for row in index.reader.tables["pages"].scan(["id", "url", "title", "crawled"]).to_pylist():
        more = Filters(k=4 * filters.k, exclude_site=filters.exclude_site)
        hits = [hit for hit in index.related(row["url"], filters=more).hits if hit.crawled]
        if row["crawled"] and hits:
            found[row["url"]] = {
                "title": index.show(row["url"]).title or row["url"],
                "related": [
                    {
                        "url": hit.url,
                        "title": hit.title or hit.url,
                        "site": hit.site,
                        "score": hit.score,
                        "replay": hit.replay,
                        "terms": reason_words(term.term for term in hit.why.terms),
                        "linked_by": None,
                    }
                    for hit in hits[: filters.k]
                ],
            }
    return found


@pytest.mark.parametrize("filters", [Filters(k=3), Filters(k=5, exclude_site=True)], ids=str)
def test_export_matches_single_queries(index: Path, tmp_path: Path, filters: Filters) -> None:
    opened = pagekin.open(index)
    told = opened.export(tmp_path, filters=filters)
    found = exported(tmp_path)
    assert found == single(opened, filters)
    assert told.pages == len(found) > 90
    assert told.demo.read_text().count("<section>") == 3
    assert all(len(each["related"]) == filters.k for each in found.values())


def test_group_by_site_keeps_the_best_crawled_page_of_a_site(index: Path, tmp_path: Path) -> None:
    opened = pagekin.open(index)
    filters = Filters(k=60, group_by_site=True, exact=True)
    opened.export(tmp_path, filters=filters)
    for url, page in exported(tmp_path).items():
        hits = opened.related(url, filters=filters).hits
        assert [each["url"] for each in page["related"]] == [hit.url for hit in hits]
        assert len({hit.site for hit in hits}) == len(hits) and all(hit.crawled for hit in hits)


def test_same_index_gives_same_files_with_any_threads(index: Path, tmp_path: Path) -> None:
    opened = pagekin.open(index)
    for name, threads in (("one", 1), ("three", 3)):
        opened.export(tmp_path / name, filters=Filters(k=3), threads=threads)
    names = [sorted(path.name for path in (tmp_path / name).iterdir()) for name in ("one", "three")]
    assert names[0] == names[1]
    assert exported(tmp_path / "one") == exported(tmp_path / "three")


def test_new_export_replaces_only_the_old_one(index: Path, tmp_path: Path) -> None:
    opened = pagekin.open(index)
    (tmp_path / "pages-of-mine").mkdir()
    (tmp_path / ".exporting-left-by-one-that-was-killed").mkdir()
    folders = []
    for k in (1, 2, 2):
        opened.export(tmp_path, filters=Filters(k=k))
        (folder,) = tmp_path.glob("pages-????????????????")
        folders.append(folder.name)
        assert max(len(page["related"]) for page in exported(tmp_path).values()) == k
    assert folders[0] != folders[1] == folders[2]
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == sorted([*BESIDE, folders[2], "pages-of-mine"])


@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_export_repairs_a_damaged_export(index: Path, tmp_path: Path, harm: str) -> None:
    opened = pagekin.open(index)
    opened.export(tmp_path, filters=Filters(k=2))
    before = exported(tmp_path)
    file = next(iter(sorted(tmp_path.glob("pages-*/*/*.json"))))
    file.write_bytes(file.read_bytes()[:-9]) if harm == "cut" else file.unlink()
    opened.export(tmp_path, filters=Filters(k=2))
    assert exported(tmp_path) == before
    assert not [*tmp_path.glob(".*")]


def test_answers_are_written_incrementally(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "PAGES", 4)
    seen = []

    class Watched(SilentProgress):
        def advance(self, amount: int = 1) -> None:
            seen.append(len([*tmp_path.glob(".exporting-*/*/*.json")]) // amount)

    pagekin.open(index).export(tmp_path, filters=Filters(k=2), threads=1, progress=Watched())
    assert seen == sorted(seen) and seen[0] < 3 and seen[-1] > 90


def test_failed_export_keeps_the_old_one(index: Path, tmp_path: Path) -> None:
    opened = pagekin.open(index)
    opened.export(tmp_path, filters=Filters(k=1))
    before = exported(tmp_path)

    class Failing(SilentProgress):
        def advance(self, amount: int = 1) -> None:
            raise KeyboardInterrupt(amount)

    with pytest.raises(KeyboardInterrupt):
        opened.export(tmp_path, filters=Filters(k=2), progress=Failing())
    assert exported(tmp_path) == before
    assert not [*tmp_path.glob(".exporting-*")]


def test_folder_is_locked_during_an_export(index: Path, tmp_path: Path) -> None:
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(EngineError, match="another export is writing here"):
        pagekin.open(index).export(tmp_path, filters=Filters())
    os.close(handle)
    assert not [*tmp_path.iterdir()]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_file_name_is_valid_for_any_url(text: str) -> None:
    name = file_name(f"http://a.example/{text}")
    assert len(name) == 22 and name.isascii()
    assert name[2] == "/" and name.endswith(".json")
    int(name.replace("/", "").removesuffix(".json"), 16)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "cb/f29ce484222325.json"),
        ("a", "af/63dc4c8601ec8c.json"),
        ("foobar", "85/944171f73967e8.json"),
    ],
)
def test_file_name_hash_is_fnv_1a(text: str, name: str) -> None:
    """Test vectors of its authors."""
    assert file_name(text) == name


def test_urls_with_the_same_hash_share_a_file(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = pagekin.open(index)
    expected = single(opened, Filters(k=1))
    monkeypatch.setattr(site, "file_name", lambda _: "aa/aa.json")
    opened.export(tmp_path, filters=Filters(k=1))
    (file,) = tmp_path.glob("pages-*/aa/aa.json")
    assert json.loads(file.read_bytes()) == expected


def test_export_command_writes_files_and_reports_count(
    index: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "related"
    ran = run(capfd, "export", index, "-o", folder, "-k", "2", "--exclude-site")
    found = exported(folder)
    assert ran.code == 0
    assert ran.out == f"{len(found)} pages in {folder}; see {folder / 'demo.html'}\n"
    assert found == single(pagekin.open(index), Filters(k=2, exclude_site=True))
    mask = os.umask(0)
    os.umask(mask)
    for path in folder.rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o777 if path.is_dir() else 0o666) & ~mask


@pytest.mark.parametrize("words", [("-k", "0"), ("--min-score", "2"), ("--threads", "0"), ()])
def test_bad_arguments_are_rejected(
    index: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    output = ("-o", str(tmp_path / "new")) if words else ()
    assert run(capfd, "export", index, *output, *words).code == 2
    assert not [*tmp_path.iterdir()]


def test_unwritable_output_is_reported(
    index: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    ran = run(capfd, "export", index, "-o", tmp_path / "file" / "related")
    assert ran.code == 2
    assert "the export cannot be written" in ran.last
    assert ran.last.endswith("choose another place: what should be a folder is a file")


@pytest.mark.slow
@pytest.mark.skipif(not SCHOOLS.exists(), reason="no schools.warc.gz: see docs/data.md")
def test_killed_export_keeps_the_old_one(tmp_path: Path) -> None:
    pagekin.build(SCHOOLS, tmp_path / "index")
    folder = tmp_path / "related"
    folder.mkdir()
    (folder / "related.json").write_text("what was there before")
    words = ["export", str(tmp_path / "index"), "-o", str(folder)]
    child = subprocess.Popen([sys.executable, "-m", "pagekin", *words], stderr=subprocess.DEVNULL)
    while child.poll() is None and not [*folder.glob(".exporting-*/*/*.json")]:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    assert child.wait(60) == -signal.SIGKILL
    assert (folder / "related.json").read_text() == "what was there before"
    assert not [*folder.glob("pages-*")]

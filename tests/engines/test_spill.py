"""Spilled data have a form number, and a build resumes only from data of that form."""

from hashlib import sha256
from pathlib import Path

import pytest

from pagekin import _core
from pagekin.crawl.feed import NamedSource
from pagekin.strategy import Strategy
from pagekin.work.partitions import FilePart
from pagekin.work.settings import Limits
from tests.archives import page

LIMITS = Limits()
FORM = 8
BYTES = {"run": "7a0e60c672ee5f47", "bags": "12278ad29b0e4cd3", "counts": "94f5bf272e59173e"}


def test_changed_spill_bytes_require_a_new_form_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("crawl.warc").write_bytes(
        page("garden", "a garden <a href=//rose.example/>of roses</a>")
        + page("rose", "<a href=//garden.example/>back</a> <a href=//tulip.example/>more</a>")
    )
    strategy = _core.Strategy(Strategy().to_core())
    queue = _core.Queue([NamedSource("crawl.warc")])
    extracted = _core.extract(queue, strategy, Path(), 0, 1 << 20, LIMITS)
    [run] = extracted.runs
    merger = _core.Merger(
        _core.SupersededCaptures(), _core.Templates([]), _core.Aliases([]), strategy, 0
    )
    merger.merge([FilePart(run.place, 0, run.ends[-1])], Path("bags"), Path("counts"))
    files = {"run": Path(str(run.place)), "bags": Path("bags"), "counts": Path("counts")}
    told = {name: sha256(path.read_bytes()).hexdigest()[:16] for name, path in files.items()}
    assert (_core.SPILL_FORM, told) == (FORM, BYTES), "raise FORM in spill/mod.rs and here"


def test_segment_contains_only_the_files_of_its_own_pages(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    for number in range(200):
        (tmp_path / "site" / f"page-{number}.html").write_text("<p>garden")
    queue = _core.Queue([NamedSource(str(tmp_path / "site"), "http://a.example/")])
    strategy = _core.Strategy(Strategy().to_core())
    extracted = _core.extract(queue, strategy, tmp_path, 6, 1 << 20, LIMITS)
    [run] = extracted.runs
    written = Path(str(run.place)).read_bytes()
    assert extracted.pages == 200
    assert [written.count(b"/page-%d.html" % number) for number in (0, 77, 199)] == [5, 5, 5], (
        "a page's URL: page, target, list of captures; its file: page and list"
    )

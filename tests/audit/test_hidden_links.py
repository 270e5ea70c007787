"""Links that are hidden in a real manual are found again."""

from pathlib import Path

import pytest

import pagekin
from bench.quality.truths.hidden_links import draw_links, hide_links, judge
from pagekin.audit import AuditQuestion
from tests.crawls import SHARED

NUMPY = SHARED / "numpy.warc.gz"


@pytest.mark.slow
@pytest.mark.skipif(not NUMPY.exists(), reason="the shared crawls are not here (docs/data.md)")
def test_at_least_half_of_hidden_links_are_among_the_first_ten(tmp_path: Path) -> None:
    pagekin.build(NUMPY, tmp_path / "whole.index")
    hidden = draw_links(tmp_path / "whole.index")
    hide_links(NUMPY, hidden, tmp_path / "hidden.warc.gz")
    pagekin.build(tmp_path / "hidden.warc.gz", tmp_path / "hidden.index")
    audit = pagekin.open(tmp_path / "hidden.index").audit(AuditQuestion(per_page=10, min_score=0))
    assert len(hidden) > 900
    assert judge(audit, hidden)[10] >= 0.5

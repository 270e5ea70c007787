"""Build summaries: counts are summed, reasons and failures are sorted."""

from pagekin.work.outcome import MAX_FAILURES, BuildSummary, Failure


def test_summaries_add_up_and_survive_json() -> None:
    one = BuildSummary(captures=3, pages=2, skipped={"truncated": 1}, bytes_read=10)
    other = BuildSummary(captures=4, skipped={"not HTML": 2, "truncated": 1}, bytes_read=5)
    other.failures = [Failure(f"{number}.warc", 0, "is broken", "") for number in (2, 1)]
    total = BuildSummary.total(
        BuildSummary.from_json(summary.to_json()) for summary in (one, other)
    )
    assert (total.captures, total.pages, total.bytes_read) == (7, 2, 15)
    assert list(total.skipped.items()) == [("not HTML", 2), ("truncated", 2)]
    assert [failure.source for failure in total.failures] == ["1.warc", "2.warc"]


def test_first_thousand_failures_are_kept_and_the_rest_counted() -> None:
    failures = [Failure(f"{number:05}", 0, "is broken", "") for number in range(3000)]
    total = BuildSummary.total([BuildSummary(failures=failures)])
    assert total.failures[:MAX_FAILURES] == failures[:MAX_FAILURES]
    assert len(total.failures) == MAX_FAILURES + 1
    assert "2,000 more" in total.failures[-1].reason

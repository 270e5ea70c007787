"""The section of a report on the paper: its claims with verdicts, and windows of every kind."""

from collections.abc import Sequence

from pagekin.evaluation.measures import Gamma, Orthogonality
from pagekin.evaluation.report.claims import JudgedClaim, Verdict, findings, orthogonality_claims
from pagekin.evaluation.report.html_parts import number, paragraph, section, span, symbol, table
from pagekin.evaluation.report.statements import statements, window_gaps
from pagekin.evaluation.report.windows import window_sizes
from pagekin.evaluation.selection import Result, Sweep

__all__ = ["findings_section"]


def findings_section(swept: Sweep) -> str:
    """Each claim of the paper and what this crawl says to it."""
    known = {result.contender.key: result for result in swept.results}
    about_gamma = findings(known, swept.gamma)
    if not about_gamma:
        return ""
    orthogonal = findings(known, Orthogonality(), orthogonality_claims())
    rows = [_row(finding, symbol(swept.gamma)) for finding in about_gamma]
    rows += [_row(finding, "orthogonality") for finding in orthogonal]
    heads = ("the paper says", "by", "advantage", "interval", "on this crawl")
    told = statements(known, swept.gamma)
    return section(
        "The paper's findings on this crawl",
        _summed_up(
            [(each.claim.sentence, each.verdict) for each in (*about_gamma, *orthogonal)]
            + [(each.sentence, each.verdict) for each in told]
        ),
        table(heads, rows),
        table(
            ("the paper also says", "found", "on this crawl"),
            [(each.sentence, each.found, each.verdict) for each in told],
        ),
        _gaps(known, swept.gamma),
        _windows(swept, known),
    )


def _row(finding: JudgedClaim, measure: str) -> tuple[str, ...]:
    return (
        finding.claim.sentence,
        measure,
        f"{finding.difference:+.3f}",
        span(finding.low, finding.high),
        finding.verdict,
    )


def _summed_up(found: Sequence[tuple[str, Verdict]]) -> str:
    verdicts = [verdict for _, verdict in found]
    failed = [sentence for sentence, verdict in found if verdict == "does not hold"]
    text = f"{verdicts.count('holds')} of {len(found)} hold on this crawl"
    if failed:
        text += f"; these do not: {'; '.join(failed)}"
    return paragraph(f"{text}. Of {verdicts.count('cannot tell')} this directory cannot tell.")


def _gaps(known: dict[str, Result], gamma: Gamma) -> str:
    gaps = window_gaps(known, gamma)
    if not gaps:
        return ""
    note = "The paper says that more inlinks close the gap between kinds of windows."
    heads = ("inlinks", "W = 32", "syntactic", f"gap in {symbol(gamma)}")
    rows = [
        (
            gap.inlinks,
            number(gap.basic),
            number(gap.syntactic),
            f"{gap.basic - gap.syntactic:+.3f}",
        )
        for gap in gaps
    ]
    return paragraph(note) + table(heads, rows)


def _windows(swept: Sweep, known: dict[str, Result]) -> str:
    sizes = window_sizes(swept, known)
    if not sizes:
        return ""
    note = (
        "Average sizes of windows over all links of the crawl, in words beside the anchor; stop "
        "words are included here, and do not count towards W. In the paper, syntactic windows have "
        "about 3 words on either side, topical ones about 21."
    )
    heads = (
        "windows",
        "links",
        "words before",
        "words after",
        symbol(swept.gamma),
        "orthogonality",
    )
    rows = [
        (
            size.name,
            f"{size.links:,}",
            number(size.before, 1),
            number(size.after, 1),
            number(size.result.measure(swept.gamma)),
            number(size.result.measure(Orthogonality())),
        )
        for size in sizes
    ]
    return paragraph(note) + table(heads, rows)

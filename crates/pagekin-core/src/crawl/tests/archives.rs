//! Archives of other tools, sound and damaged, from the folder `PAGEKIN_DATA` (docs/data.md).

use super::*;

fn data(name: &str) -> Option<PathBuf> {
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("PAGEKIN_DATA")
        .map_or(usual, PathBuf::from)
        .join(name);
    if !path.exists() {
        eprintln!("skipped: {name} is not at {}", path.display());
        return None;
    }
    Some(path)
}

fn check(name: &str, summary: &str, sizes: &[usize]) {
    let Some(path) = data(&format!("archives/{name}")) else {
        return;
    };
    let read = read_source(&Source::File(path), &Limits::default());
    assert_eq!(read.summary(), summary, "{name}");
    assert_eq!(
        read.pages.iter().map(|p| p.body.len()).collect::<Vec<_>>(),
        sizes,
        "{name}"
    );
    assert!(read.errors.is_empty(), "{name}");
}

#[test]
fn sound_archives_of_other_tools_are_read() {
    check(
        "good/example.warc",
        "example.com/ | 2 request, 1 revisit, 2 crawl information",
        &[1270],
    );
    check(
        "good/example.warc.gz",
        "example.com/ | 2 request, 1 revisit, 2 crawl information",
        &[1270],
    );
    check(
        "good/example.arc",
        "example.com/ | 1 crawl information",
        &[1270],
    );
    check(
        "good/example.arc.gz",
        "example.com/ | 1 crawl information",
        &[1270],
    );
    check(
        "good/example-iana.org-chunked.warc",
        "www.iana.org/ | 1 request, 1 crawl information",
        &[7223],
    );
    // Four of the six are entries of the WACZ that are not WARC files.
    check(
        "good/valid_example_1.wacz",
        "www.example.com/ | 1 request, 6 crawl information",
        &[1256],
    );
}

#[test]
fn sound_records_of_damaged_archives_are_read() {
    // One gzip member for the whole file.
    check(
        "bad/example-bad-non-chunked.warc.gz",
        "example.com/ | 2 request, 1 revisit, 2 crawl information",
        &[1270],
    );
    check(
        "bad/example-bad.warc.gz.bad",
        "example.com?example=1 | 1 status 3xx, 2 request, 1 revisit, 1 crawl information",
        &[1270],
    );
    // One record spread over three gzip members.
    check(
        "bad/example-wrong-chunks.warc.gz",
        "example.com/ | 1 request",
        &[1270],
    );
    // A length two bytes too short.
    check(
        "bad/example-trunc.warc",
        "example.com/ | 1 damaged, 1 request, 2 crawl information",
        &[1270],
    );
    // A line without a date, and two records that claim more than there is.
    check(
        "bad/badexample.arc.gz",
        " | 3 truncated, 1 not http, 1 not HTML, 1 crawl information",
        &[],
    );
    // No line break between its records.
    check(
        "bad/IAH-20080430204825-00000-blackbook-truncated.arc",
        "www.archive.org/ www.archive.org/index.php | 1 not http, 5 not HTML, 1 crawl information",
        &[366, 28681],
    );
    let Some(path) = data("archives/bad/invalid_example_1.wacz") else {
        return;
    };
    let read = read_source(&Source::File(path), &Limits::default());
    assert!(read.errors[0].reason.contains("without a WARC"));
}

//! Every kind of source, undamaged.

use super::*;
use std::fs;

fn three() -> Vec<Vec<u8>> {
    vec![
        record("warcinfo", "", b"software: x"),
        page("a"),
        record("request", "http://a", b"GET /"),
        page("b"),
        page("c"),
    ]
}

const SUMMARY: &str = "a b c | 1 request, 1 crawl information";

#[test]
fn warc_is_read_plain_gzipped_by_record_and_gzipped_as_a_whole() {
    for bytes in [three().concat(), members(&three()), gzip(&three().concat())] {
        let read = read_both(&bytes);
        assert_eq!(read.summary(), SUMMARY);
        let page = &read.pages[0];
        assert_eq!(
            (page.date, page.charset.as_deref(), page.truncated),
            (Some(1_577_934_245), Some("utf-8"), false)
        );
    }
}

#[test]
fn offsets_lead_back_to_the_record() {
    let records = three();
    let bytes = members(&records);
    for page in read_both(&bytes).pages {
        let again = read_file(&bytes[page.offset as usize..], &Limits::default());
        assert_eq!(again.pages[0].body, page.body);
    }
    let plain = records.concat();
    for page in read_both(&plain).pages {
        assert!(plain[page.offset as usize..].starts_with(b"WARC/1.1"));
    }
    let whole: Vec<_> = read_both(&gzip(&plain))
        .pages
        .iter()
        .map(|p| p.offset)
        .collect();
    let same: Vec<_> = read_both(&plain).pages.iter().map(|p| p.offset).collect();
    assert_eq!(whole, same);
}

#[test]
fn records_may_span_members() {
    let bytes = three().concat();
    for size in [1, 7, 100, 301] {
        let members: Vec<u8> = bytes.chunks(size).flat_map(gzip).collect();
        assert_eq!(read_both(&members).summary(), SUMMARY, "{size}");
    }
}

#[test]
fn many_records_are_read_in_many_batches() {
    let records: Vec<_> = (0..3000)
        .map(|i| {
            record(
                "response",
                &format!("http://{i}"),
                &http("", &[b"<p>".as_slice(), &[b'x'; 3000]].concat()),
            )
        })
        .collect();
    for bytes in [records.concat(), gzip(&records.concat()), members(&records)] {
        let read = read_both(&bytes);
        let want: Vec<_> = (0..3000).map(|i| format!("http://{i}")).collect();
        let got: Vec<_> = read.pages.into_iter().map(|p| p.url).collect();
        assert!(got == want && read.skips.total() == 0);
    }
}

#[test]
fn zstd_is_read_with_and_without_a_dictionary() {
    let records: Vec<_> = (0..200)
        .map(|i| page(&format!("site{i}.example/page")))
        .collect();
    let frames: Vec<u8> = records
        .iter()
        .flat_map(|r| zstd::encode_all(r.as_slice(), 3).unwrap())
        .collect();
    assert_eq!(read_both(&frames).pages.len(), 200);
    assert_eq!(
        read_both(&zstd::encode_all(records.concat().as_slice(), 3).unwrap())
            .pages
            .len(),
        200
    );
    let dictionary = zstd::dict::from_samples(&records, 4 << 10).unwrap();
    let mut encoder = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let body: Vec<u8> = records
        .iter()
        .flat_map(|r| encoder.compress(r).unwrap())
        .collect();
    assert!(body.len() < frames.len());
    for stored in [
        dictionary.clone(),
        zstd::encode_all(dictionary.as_slice(), 3).unwrap(),
    ] {
        let size = (stored.len() as u32).to_le_bytes();
        let file = [&[0x5D, 0x2A, 0x4D, 0x18], &size[..], &stored, &body].concat();
        let read = read_both(&file);
        assert_eq!(
            (read.pages.len(), read.skips.to_string().as_str()),
            (200, "none")
        );
        assert_eq!(read.pages[0].offset, stored.len() as u64 + 8);
    }
    let broken = [&[0x5D, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4], &body[..]].concat();
    assert!(read_file(&broken, &Limits::default()).errors[0]
        .reason
        .contains("dictionary"));
}

fn arc(url: &str, kind: &str, block: &[u8]) -> Vec<u8> {
    [
        format!("{url} 1.2.3.4 20200102030405 {kind} {}\n", block.len()).as_bytes(),
        block,
        b"\n",
    ]
    .concat()
}

#[test]
fn arc_is_read_in_both_versions() {
    let first = arc(
        "filedesc://x.arc",
        "text/plain",
        b"1 0 x\nURL IP-address Archive-date Content-type Archive-length\n",
    );
    let html = http("Content-Type: text/html\r\n", b"<p>x");
    let second = format!(
        "http://two 1.2.3.4 20200102030405 text/html 200 - - 0 x.arc {}\n",
        html.len()
    );
    let second = [second.as_bytes(), &html, b"\n"].concat();
    let records = [
        first,
        arc("http://one", "text/html", &html),
        second,
        arc("dns:x", "text/dns", b"1"),
    ];
    for bytes in [records.concat(), members(&records), gzip(&records.concat())] {
        let read = read_both(&bytes);
        assert_eq!(read.summary(), "one two | 1 not http, 1 crawl information");
        assert_eq!(read.pages[0].date, Some(1_577_934_245));
    }
}

#[test]
fn arc_with_odd_header_lines_is_read() {
    let html = http("Content-Type: text/html\r\n", b"<p>x");
    let line = |line: &str| [line.as_bytes(), &html, b"\n"].concat();
    let length = html.len();
    let records = [
        arc("filedesc://x.arc", "text/plain", b"1 0 x\n"),
        arc("http://one/a b  c", "text/html", &html),
        line(&format!(
            "http://two  1.2.3.4  20200102030405  text/html  {length}\n"
        )),
        line(&format!("http://three 1.2.3.4 20200102030405  {length}\n")),
        line(&format!("http://four 20200102030405 text/html {length}\n")),
        arc("http://five", "no-type", b"<html><p>HTTP 0.9"),
        arc("http://six", "text/html", &html),
    ];
    for bytes in [records.concat(), members(&records), gzip(&records.concat())] {
        let read = read_both(&bytes);
        let summary = "one/a b  c two three four five six | 1 crawl information";
        assert_eq!(read.summary(), summary);
    }
}

#[test]
fn records_whose_line_ends_were_changed_are_read() {
    let head = "Content-Type: text/html\r\nServer: x\r\n";
    let records = [
        arc("filedesc://x.arc", "text/plain", b"1 0 x\r\ny\r\n"),
        arc("http://one/a b", "text/html", &http(head, b"<p>x\r\ny")),
        arc("http://two", "text/html", &http(head, b"<p>x")),
    ];
    let lines = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
    let arcs = lines(records.concat()).into_bytes();
    assert_eq!(
        read_both(&arcs).summary(),
        "one/a b two | 1 crawl information"
    );
    let warcs = lines([page("a"), page("b")].concat()).into_bytes();
    assert_eq!(read_both(&warcs).summary(), "a b | none");
    // A file that was cut short has lost more than that.
    let cut = &arcs[..arcs.len() - 12];
    assert_eq!(
        read_both(cut).summary(),
        "one/a b | 1 truncated, 1 crawl information"
    );
}

#[test]
fn folder_is_read_in_order_and_without_link_loops() {
    let files = [
        ("index.html", "<p>root"),
        ("b/index.html", "<p>b"),
        ("b/x y.HTM", "<p>xy"),
        ("a.xhtml", "<p>a"),
        ("c.txt", "no"),
        ("d.html", ""),
    ];
    let folder = ScratchFile::folder(&files);
    #[cfg(unix)]
    std::os::unix::fs::symlink(&folder.0, folder.0.join("b/loop")).unwrap();
    let source = |root: &Path, base: &str| Source::Folder {
        root: root.to_owned(),
        base_url: base.to_owned(),
        follow_links: false,
    };
    let read = read_source(&source(&folder.0, "http://s.example/x"), &Limits::default());
    assert_eq!(
        read.summary(),
        "s.example/x/a.xhtml s.example/x/b/ s.example/x/b/x%20y.HTM s.example/x/ | 1 empty body"
    );
    assert!(read.files[2].ends_with("x y.HTM") && read.pages[2].file == 2);
    let small = Limits {
        body: 5,
        ..Limits::default()
    };
    assert_eq!(
        read_source(&source(&folder.0, "http://s.example/"), &small).summary(),
        "s.example/a.xhtml s.example/b/ s.example/b/x%20y.HTM | 1 too large, 1 empty body"
    );
    assert!(
        read_source(&source(&folder.0, "s.example"), &small).errors[0]
            .reason
            .contains("base URL")
    );
    fs::remove_dir_all(&folder.0).unwrap();
    assert!(
        read_source(&source(&folder.0, "http://s.example"), &small).errors[0]
            .reason
            .contains("no such file")
    );
}

#[test]
fn file_that_is_not_an_archive_is_reported_with_advice() {
    let limits = Limits::default();
    for (bytes, reason) in [
        (&b""[..], "is empty"),
        (b"hello world\n", "not a WARC"),
        (b"\x1f\x8bnonsense", "no WARC or ARC record"),
        (&gzip(b"hello"), "no WARC or ARC record"),
        (b"PK\x03\x04nonsense", "broken zip"),
    ] {
        let read = read_file(bytes, &limits);
        assert!(read.pages.is_empty() && read.skips.total() == 0);
        assert_eq!(read.errors.len(), 1);
        assert!(
            read.errors[0].to_string().contains(reason),
            "{}",
            read.errors[0]
        );
        assert!(!read.errors[0].advice.is_empty());
    }
    let missing = read_source(&Source::File("no/such.warc".into()), &limits);
    assert_eq!(
        missing.errors[0].to_string(),
        "no/such.warc: no such file (at byte 0); check the path"
    );
    assert!(
        read_source(&Source::File(std::env::temp_dir()), &limits).errors[0]
            .advice
            .contains("base URL")
    );
}

#[test]
fn readers_and_batches_are_send() {
    fn sent<T: Send>() {}
    sent::<CrawlReader>();
    sent::<Batch>();
    sent::<Scratch>();
    sent::<CrawlError>();
}

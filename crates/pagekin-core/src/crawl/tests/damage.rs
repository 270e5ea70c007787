//! Damaged archives: lost records are counted, all others are read.

use super::*;
use flate2::{Compress, FlushCompress, Status};

fn pages() -> Vec<Vec<u8>> {
    ["a", "b", "c"].map(page).to_vec()
}

#[test]
fn garbage_between_records_is_skipped() {
    let [a, b, c] = ["a", "b", "c"].map(page);
    let junk = b"some junk\r\nand more\n".to_vec();
    assert_eq!(
        read_both(&[a.clone(), junk.clone(), b.clone(), c.clone()].concat()).summary(),
        "a b c | 1 damaged"
    );
    assert_eq!(
        read_both(&[junk.clone(), a.clone(), b.clone()].concat()).summary(),
        "a b | 1 damaged"
    );
    assert_eq!(
        read_both(&gzip(&[a.clone(), junk.clone(), b.clone()].concat())).summary(),
        "a b | 1 damaged"
    );
    assert_eq!(
        read_both(&[gzip(&a), junk.clone(), gzip(&b), gzip(&junk), gzip(&c)].concat()).summary(),
        "a b c | 2 damaged"
    );
    assert_eq!(
        read_both(&[gzip(&a), vec![0; 5000], gzip(&b), vec![0; 99]].concat()).summary(),
        "a b | none"
    );
}

#[test]
fn damaged_members_are_skipped() {
    for at in [3, 12, 60, 150] {
        let mut parts: Vec<_> = pages().iter().map(|p| gzip(p)).collect();
        let at = at.min(parts[1].len() - 1);
        parts[1][at] ^= 0xFF;
        assert_eq!(
            read_both(&parts.concat()).summary(),
            "a c | 1 damaged",
            "{at}"
        );
    }
    let mut parts: Vec<_> = pages().iter().map(|p| gzip(p)).collect();
    let crc = parts[1].len() - 8;
    parts[1][crc] ^= 1;
    assert_eq!(read_both(&parts.concat()).summary(), "a c | 1 damaged");
    let mut first = members(&pages());
    first[20] ^= 0xFF;
    assert_eq!(read_both(&first).summary(), "b c | 1 damaged");
    let mut frames: Vec<_> = pages()
        .iter()
        .map(|p| zstd::encode_all(p.as_slice(), 3).unwrap())
        .collect();
    frames[1].truncate(60);
    assert_eq!(read_both(&frames.concat()).summary(), "a c | 1 damaged");
}

#[test]
fn truncated_files_are_read_up_to_the_last_whole_record() {
    let plain = pages().concat();
    let packed = members(&pages());
    let second = page("a").len() + 30;
    assert_eq!(
        read_both(&plain[..plain.len() - 20]).summary(),
        "a b | 1 truncated"
    );
    assert_eq!(
        read_both(&packed[..packed.len() - 20]).summary(),
        "a b | 1 truncated"
    );
    assert_eq!(
        read_both(&packed[..packed.len() - 4]).summary(),
        "a b c | none"
    );
    assert_eq!(read_both(&plain[..second]).summary(), "a | 1 truncated");
    let whole = gzip(&plain);
    assert_eq!(
        read_both(&whole[..whole.len() - 12]).skips.to_string(),
        "1 truncated"
    );
    for cut in 1..plain.len() {
        let read = read_file(&plain[..cut], &Limits::default());
        let counted = read.pages.len() + read.skips.total() as usize + read.errors.len();
        assert_eq!(counted, cut.div_ceil(page("a").len()), "{cut}");
    }
}

pub(super) fn with_length(name: &str, change: i64) -> Vec<u8> {
    let text = String::from_utf8(page(name)).unwrap();
    let (_, after) = text.split_once("Content-Length: ").unwrap();
    let length = after.split("\r\n").next().unwrap();
    let wrong = length.parse::<i64>().unwrap() + change;
    text.replacen(length, &wrong.to_string(), 1).into_bytes()
}

#[test]
fn wrong_lengths_do_not_lose_other_records() {
    for (change, want) in [
        (-50, "a b c | 1 damaged"),
        (2, "a b c | none"),
        (50, "a c | 1 truncated"),
        (10_000, "a c | 1 truncated"),
        (1 << 33, "a c | 1 too large"),
    ] {
        let records = [page("a"), with_length("b", change), page("c")];
        let expected = |summary: String| assert_eq!(summary, want, "{change}");
        expected(read_both(&records.concat()).summary());
        expected(read_both(&gzip(&records.concat())).summary());
        expected(read_both(&members(&records)).summary());
    }
    let swallowing = [
        page("a"),
        record("request", "http://a", b"GET /"),
        page("b"),
    ]
    .concat();
    let swallowing = String::from_utf8(swallowing)
        .unwrap()
        .replace("Length: 5\r", "Length: 99\r");
    assert_eq!(
        read_both(swallowing.as_bytes()).summary(),
        "a b | 1 request"
    );
}

#[test]
fn bad_warc_headers_are_skipped() {
    let no_length = page("b")
        .strip_prefix(b"WARC/1.1\r\n")
        .map(|_| {
            String::from_utf8(page("b"))
                .unwrap()
                .replacen("Content-Length", "X", 1)
        })
        .unwrap();
    let odd_length =
        String::from_utf8(page("b"))
            .unwrap()
            .replacen("Content-Length: ", "Content-Length: -", 1);
    let no_type = String::from_utf8(page("b"))
        .unwrap()
        .replacen("WARC-Type", "X", 1);
    for bad in [no_length, odd_length, no_type] {
        let records = [page("a"), bad.into_bytes(), page("c")];
        assert_eq!(
            read_both(&records.concat()).summary(),
            "a c | 1 bad WARC header"
        );
        assert_eq!(
            read_both(&members(&records)).summary(),
            "a c | 1 bad WARC header"
        );
    }
    let bare = String::from_utf8(pages().concat())
        .unwrap()
        .replace("\r\n", "\n");
    assert_eq!(
        read_file(bare.as_bytes(), &Limits::default()).pages[0].url,
        "http://a"
    );
}

#[test]
fn records_beyond_the_limit_are_skipped() {
    let limits = Limits {
        record: 5_000,
        ..Limits::default()
    };
    let large = record(
        "response",
        "http://large",
        &http("Content-Type: text/html\r\n", &b"<p>text\n".repeat(100_000)),
    );
    let resource = record("resource", "http://large", &vec![b'x'; 100_000]);
    let records = [page("a"), large.clone(), page("b"), resource, page("c")];
    for bytes in [records.concat(), gzip(&records.concat()), members(&records)] {
        for read in [read_file(&bytes, &limits), read_pipe(&bytes, &limits)] {
            assert_eq!(read.summary(), "a b c | 1 too large, 1 resource");
        }
    }
    // First in its file, before it is known whether each record has its own member.
    let records = [large, page("b")];
    for bytes in [records.concat(), gzip(&records.concat()), members(&records)] {
        for read in [read_file(&bytes, &limits), read_pipe(&bytes, &limits)] {
            assert_eq!(read.summary(), "b | 1 too large");
        }
    }
}

#[test]
fn plain_record_of_2_gb_is_skipped_by_seeking() {
    use std::io::{Seek, SeekFrom};
    let scrap = ScratchFile::file(&page("a"));
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&scrap.0)
        .unwrap();
    let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://big\r\nContent-Length: 2147483648\r\n\r\n";
    file.write_all(head.as_bytes()).unwrap();
    let end = file.seek(SeekFrom::End(0)).unwrap() + (2 << 30);
    file.set_len(end).unwrap();
    file.write_all(b"\r\n\r\n").unwrap();
    file.write_all(&page("b")).unwrap();
    let read = read_source(&Source::File(scrap.0.clone()), &Limits::default());
    assert_eq!(read.summary(), "a b | 1 too large");
}

/// A gzip member that inflates to `head` and `mib` MiB of zero bytes.
pub(super) fn bomb(head: &[u8], mib: usize) -> Vec<u8> {
    let mut deflate = Compress::new(Compression::best(), false);
    let mut block = |bytes: &[u8], flush| {
        let mut out = Vec::with_capacity(bytes.len() + 1000);
        assert_ne!(
            deflate.compress_vec(bytes, &mut out, flush).unwrap(),
            Status::BufError
        );
        out
    };
    let head = block(head, FlushCompress::Full);
    let zeros = block(&vec![0; 1 << 20], FlushCompress::Full);
    [
        &[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3][..],
        &head,
        &zeros.repeat(mib),
        &[3, 0],
        &[0; 8],
    ]
    .concat()
}

#[test]
fn decompression_bomb_in_a_record_is_skipped() {
    let head = |length: u64| {
        format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://big\r\nContent-Length: {length}\r\n\r\n")
    };
    let large = bomb(head(4 << 30).as_bytes(), 4096);
    let bytes = [gzip(&page("a")), large, gzip(&page("b"))].concat();
    assert_eq!(read_both(&bytes).summary(), "a b | 1 too large");
    // A record that claims a small size and goes on within its member.
    let limits = Limits {
        record: 1 << 20,
        ..Limits::default()
    };
    let liar = bomb(
        [head(23).as_bytes(), b"HTTP/1.1 200 OK\r\n\r\n<p>x\r\n\r\n"]
            .concat()
            .as_slice(),
        4096,
    );
    let bytes = [gzip(&page("a")), liar, gzip(&page("b"))].concat();
    assert_eq!(read_file(&bytes, &limits).summary(), "a big b | 1 damaged");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "inflates 1 GiB: run it in release mode")]
fn decompression_bomb_as_a_file_is_reported() {
    let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://big\r\nContent-Length: 9999999999\r\n\r\n";
    let bytes = bomb(&[page("a"), head.as_bytes().to_vec()].concat(), 10_000);
    let read = read_file(&bytes, &Limits::default());
    assert_eq!(read.summary(), "a | 1 too large");
    assert!(
        read.errors[0].reason.contains("bytes for each stored"),
        "{}",
        read.errors[0]
    );
}

#[test]
fn flood_of_line_breaks_is_skipped_as_junk() {
    let bytes = [page("a"), vec![b'\n'; 1 << 20], page("b")].concat();
    assert_eq!(read_both(&bytes).summary(), "a b | 1 damaged");
}

struct FailingStream(Cursor<Vec<u8>>);

impl std::io::Read for FailingStream {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(out)? {
            0 => Err(std::io::Error::other("the disk is dying")),
            n => Ok(n),
        }
    }
}

#[test]
fn failed_read_is_reported_after_the_records_before_it() {
    let limits = Limits::default();
    for bytes in [
        page("a"),
        gzip(&page("a")),
        zstd::encode_all(page("a").as_slice(), 3).unwrap(),
    ] {
        let size = bytes.len() as u64;
        let opened = open_pipe("x", Box::new(FailingStream(Cursor::new(bytes)))).unwrap();
        let read = drain(&mut CrawlReader::new(opened, &limits), &limits);
        assert_eq!(read.errors.len(), 1);
        assert_eq!(read.errors[0].offset, size);
        assert!(read.errors[0].reason.contains("dying"));
    }
}

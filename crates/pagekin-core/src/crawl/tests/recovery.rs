//! Damage next to a sound record must not lose that record.

use super::damage::{bomb, with_length};
use super::*;

fn arc(name: &str, longer: usize) -> Vec<u8> {
    let body = http(
        "Content-Type: text/html\r\n",
        format!("<p>{name}").as_bytes(),
    );
    let length = body.len() + longer;
    let line = format!("http://{name} 1.2.3.4 20200102030405 text/html {length}\n");
    [line.into_bytes(), body, b"\n".to_vec()].concat()
}

#[test]
fn length_that_ends_within_the_next_header_is_corrected() {
    for longer in 3..200 {
        // Up to the next record, exactly.
        let want = match longer {
            3 | 4 => "a b c | none",
            5..=23 => "a b c | 1 damaged",
            _ => "a c | 1 truncated",
        };
        let records = [page("a"), with_length("b", longer), page("c")];
        assert_eq!(read_both(&records.concat()).summary(), want, "{longer}");
        assert_eq!(
            read_both(&gzip(&records.concat())).summary(),
            want,
            "{longer}"
        );
    }
    for longer in 2..60 {
        let records = [arc("a", 0), arc("b", longer), arc("c", 0)];
        let read = read_both(&records.concat());
        let want = match longer {
            2..=45 => "a b c | 1 damaged",
            _ => "a c | 1 truncated",
        };
        assert_eq!(read.summary(), want, "{longer}");
    }
}

/// As when a writer is killed and the next one appends to its file.
#[test]
fn record_after_a_truncated_one_is_read() {
    let kinds: [fn(&str) -> Vec<u8>; 2] = [page, |name| arc(name, 0)];
    for page in kinds {
        let head = page("b").iter().position(|&byte| byte == b'<').unwrap();
        for cut in head..page("b").len() {
            let bytes = [page("a"), page("b")[..cut].to_vec(), page("c")].concat();
            for read in [read_both(&bytes), read_both(&gzip(&bytes))] {
                let urls: Vec<_> = read.pages.iter().map(|page| page.url.as_str()).collect();
                assert!(
                    urls.contains(&"http://a") && urls.contains(&"http://c"),
                    "{cut}: {urls:?}"
                );
                let whole = urls.len() == 3;
                assert!(whole || read.skips.total() > 0, "{cut}: {}", read.summary());
            }
        }
    }
}

#[test]
fn record_after_junk_without_a_line_break_is_read() {
    let junks: [&[u8]; 4] = [b"garbage", b"\xef\xbb\xbf", b"1 WARC/1.", &[0; 50_000]];
    let kinds: [fn(&str) -> Vec<u8>; 2] = [page, |name| arc(name, 0)];
    for (junk, page) in junks.iter().flat_map(|junk| kinds.map(|page| (junk, page))) {
        let first = [junk.to_vec(), page("a"), page("b")].concat();
        assert_eq!(read_both(&first).summary(), "a b | 1 damaged", "{junk:?}");
        let between = [page("a"), junk.to_vec(), page("b"), page("c")].concat();
        assert_eq!(
            read_both(&between).summary(),
            "a b c | 1 damaged",
            "{junk:?}"
        );
        assert_eq!(read_both(&gzip(&between)).summary(), "a b c | 1 damaged");
        let all: Vec<u8> = ["a", "b", "c"]
            .map(|name| [junk.to_vec(), page(name)].concat())
            .concat();
        assert_eq!(read_both(&all).summary(), "a b c | 3 damaged", "{junk:?}");
    }
}

#[test]
fn compressed_file_with_a_damaged_start_is_read() {
    let gzipped = members(&["a", "b", "c"].map(page));
    let frames = ["a", "b", "c"].map(|name| zstd::encode_all(page(name).as_slice(), 3).unwrap());
    for whole in [gzipped.clone(), frames.concat()] {
        for at in 0..4 {
            let mut broken = whole.clone();
            broken[at] ^= 0x40;
            assert_eq!(read_both(&broken).summary(), "b c | 1 damaged", "{at}");
        }
        assert_eq!(read_both(&whole[100..]).summary(), "b c | 1 damaged");
        let later = [b"hello world\n", &whole[..]].concat();
        assert_eq!(read_both(&later).summary(), "a b c | 1 damaged");
    }
    // A plain file stays plain, whatever it contains.
    let held = record("resource", "http://x", &gzipped);
    let plain = [b"junk".to_vec(), held, page("d")].concat();
    assert_eq!(read_both(&plain).summary(), "d | 1 damaged, 1 resource");
}

#[test]
fn empty_zstd_dictionary_is_ignored() {
    let frame = zstd::encode_all(page("a").as_slice(), 3).unwrap();
    let bytes = [&[0x5D, 0x2A, 0x4D, 0x18, 0, 0, 0, 0][..], &frame].concat();
    assert_eq!(read_both(&bytes).summary(), "a | none");
}

#[test]
fn position_reaches_the_end_of_a_truncated_file() {
    let plain = [page("a"), page("b")].concat();
    let cut = ScratchFile::file(&plain[..plain.len() - 60]);
    let limits = Limits::default();
    let mut reader = CrawlReader::open(&Source::File(cut.0.clone()), &limits).unwrap();
    assert_eq!(drain(&mut reader, &limits).summary(), "a | 1 truncated");
    assert_eq!(reader.position(), plain.len() as u64 - 60);
}

#[test]
fn headers_without_an_end_are_skipped_in_linear_time() {
    let heads = b"WARC/1.0\r\nA: b\r\n".repeat(1 << 20);
    let bytes = [page("a"), heads, b"\r\n".to_vec(), page("b")].concat();
    let read = read_file(&bytes, &Limits::default());
    assert_eq!(read.pages.len(), 2);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "inflates 2 GiB: run it in release mode")]
fn large_record_with_a_correct_length_is_skipped() {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://big\r\nContent-Length: {}\r\n\r\n",
        2u64 << 30
    );
    let mut whole = bomb(&[page("a"), head.into_bytes()].concat(), 2048);
    // Cut off the end of the data and the trailer, which are not read here.
    whole.truncate(whole.len() - 10);
    let rest = [b"\r\n\r\n".to_vec(), page("b")].concat();
    let stored = [
        &[1, rest.len() as u8, (rest.len() >> 8) as u8][..],
        &(!(rest.len() as u16)).to_le_bytes(),
        &rest,
    ];
    whole.extend_from_slice(&stored.concat());
    assert_eq!(
        read_file(&whole, &Limits::default()).summary(),
        "a b | 1 too large"
    );
}

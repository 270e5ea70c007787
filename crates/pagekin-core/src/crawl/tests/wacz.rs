//! Zip files, sound and with one damaged entry.

use super::*;

fn zip_of(entries: &[(&str, Vec<u8>, bool)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes, deflated) in entries {
        let method = if *deflated {
            zip::CompressionMethod::Deflated
        } else {
            zip::CompressionMethod::Stored
        };
        zip.start_file(
            *name,
            zip::write::SimpleFileOptions::default().compression_method(method),
        )
        .unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn wacz_is_read_with_each_kind_of_entry() {
    let bytes = zip_of(&[
        ("archive/one.warc", page("a"), true),
        (
            "archive/two.warc.gz",
            members(&[page("b"), page("c")]),
            false,
        ),
        ("archive/bad.warc.gz", b"nonsense".to_vec(), false),
        ("archive/last.warc.gz", members(&[page("d")]), true),
        ("datapackage.json", b"{}".to_vec(), true),
    ]);
    let read = read_file(&bytes, &Limits::default());
    assert_eq!(read.summary(), "a b c d | 1 crawl information");
    let names: Vec<_> = read
        .pages
        .iter()
        .map(|p| read.files[p.file as usize].rsplit('#').next().unwrap_or(""))
        .collect();
    assert_eq!(
        names,
        [
            "archive/one.warc",
            "archive/two.warc.gz",
            "archive/two.warc.gz",
            "archive/last.warc.gz"
        ]
    );
    assert_eq!(read.errors.len(), 1);
    assert!(read.errors[0].source.ends_with("#archive/bad.warc.gz"));
    assert!(read_pipe(&bytes, &Limits::default()).errors[0]
        .reason
        .contains("pipe"));
    let empty = zip_of(&[("a.txt", b"x".to_vec(), false)]);
    assert!(read_file(&empty, &Limits::default()).errors[0]
        .reason
        .contains("without a WARC"));
}

/// A zip file of the pages a, b and c, each an entry `archive/NAME.warc`.
fn three() -> Vec<u8> {
    let entry = |name: &'static str, page| (name, page, false);
    zip_of(&[
        entry("archive/a.warc", page("a")),
        entry("archive/b.warc", page("b")),
        entry("archive/c.warc", page("c")),
    ])
}

/// Offsets of the headers with this magic number.
fn headers(zip: &[u8], magic: &[u8]) -> Vec<usize> {
    let starts = zip.windows(4).enumerate();
    starts
        .filter(|(_, bytes)| *bytes == magic)
        .map(|(start, _)| start)
        .collect()
}

fn local(zip: &[u8], entry: usize) -> usize {
    headers(zip, b"PK\x03\x04")[entry]
}

fn central(zip: &[u8], entry: usize) -> usize {
    headers(zip, b"PK\x01\x02")[entry]
}

/// Overwrites bytes of a zip file.
fn patched(mut zip: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    zip[at..at + bytes.len()].copy_from_slice(bytes);
    zip
}

/// URLs, and failures without the name of the outer file.
fn summary(zip: &[u8]) -> (String, Vec<String>) {
    let read = read_file(zip, &Limits::default());
    let failures = read.errors.iter().map(|error| {
        let text = error.to_string();
        text[text.find('#').unwrap_or(0)..].to_owned()
    });
    (read.summary(), failures.collect())
}

#[test]
fn damaged_entry_is_reported_and_the_others_are_read() {
    let again = "(at byte 0); fetch or pack the zip file again";
    let no_header = format!("has no header where the zip file's directory says {again}");
    let reaches = format!("reaches into another part of the zip file, or past its end {again}");
    let large = [0xFF, 0xFF, 0xFF, 0x7F];
    for entry in 0..3 {
        let zip = three();
        let (head, listed) = (local(&zip, entry), central(&zip, entry));
        let size = u32::from_le_bytes(zip[listed + 20..][..4].try_into().unwrap());
        for (at, bytes, reason) in [
            (
                listed + 8,
                &[1][..],
                "is encrypted (at byte 0); pack the zip file again without a password",
            ),
            (
                listed + 10,
                &[99],
                "uses an unknown compression method (at byte 0); \
                 pack the zip file again with stored or deflated entries",
            ),
            (listed + 20, &large, &reaches),
            (listed + 20, &(size + 200).to_le_bytes(), &reaches),
            (listed + 42, &large, &no_header),
            (head, b"XXXX", &no_header),
        ] {
            let names = ["a", "b", "c"];
            let good: Vec<_> = names
                .iter()
                .filter(|name| **name != names[entry])
                .copied()
                .collect();
            let (urls, failures) = summary(&patched(zip.clone(), at, bytes));
            assert_eq!(urls, format!("{} | none", good.join(" ")), "{reason}");
            assert_eq!(
                failures,
                [format!("#archive/{}.warc: {reason}", names[entry])]
            );
        }
    }
}

#[test]
fn entries_with_the_same_name_are_all_read() {
    let mut zip = three();
    for at in 0..zip.len() {
        if zip[at..].starts_with(b"archive/b.warc") {
            zip[at + 8] = b'a';
        }
    }
    assert_eq!(summary(&zip), ("a b c | none".to_owned(), vec![]));
}

#[test]
fn overlapping_entries_are_read_once() {
    let zip = three();
    let (first, last) = (local(&zip, 0) as u32, central(&zip, 2));
    let (urls, failures) = summary(&patched(zip, last + 42, &first.to_le_bytes()));
    assert_eq!(urls, "a b | none");
    assert_eq!(failures.len(), 1);
    assert!(failures[0].starts_with("#archive/c.warc: reaches into another part"));
}

#[test]
fn damaged_directory_is_reported() {
    let zip = three();
    let cut = &zip[..zip.len() - 30];
    let read = read_file(cut, &Limits::default());
    assert!(read.pages.is_empty());
    assert_eq!(
        read.errors[0].reason,
        "is a broken zip file: it has no sound directory"
    );
    let third = central(&zip, 2);
    let read = read_file(&patched(zip, third, b"XXXX"), &Limits::default());
    assert_eq!(read.summary(), "a b | none");
    assert_eq!(
        read.errors[0].reason,
        "is a broken zip file: its directory ends after 2 of its entries"
    );
}

#[test]
fn arc_that_ends_with_a_zip_file_is_read_as_arc() {
    let zip = zip_of(&[("a.txt", b"x".to_vec(), false)]);
    let arc = format!(
        "http://a/ 1.2.3.4 20200102030405 text/html 33\nHTTP/1.1 200 OK\n\n<p>some text</p>\n\
         http://b/ 1.2.3.4 20200102030405 application/zip {}\n",
        zip.len()
    );
    let read = read_file(&[arc.as_bytes(), &zip].concat(), &Limits::default());
    assert!(read.errors.is_empty(), "{:?}", read.errors);
    assert_eq!(read.pages.len(), 1);
}

//! What the crawl's fuzz targets run.

use std::io::Cursor;

use super::containers::open_pipe;
use super::record_start::RecordFormat;
use super::{Batch, CrawlReader, Limits, Record, Scratch};

const LIMITS: Limits = Limits {
    record: 4_000,
    body: 3_000,
    header: 1_000,
    url: 100,
    as_of: None,
};

/// Reads any bytes as a stream of archives: within the limits, and nothing is silently empty.
pub fn framing(bytes: &[u8]) {
    let Ok(opened) = open_pipe("-", Box::new(Cursor::new(bytes.to_vec()))) else {
        return;
    };
    let mut reader = CrawlReader::new(opened, &LIMITS);
    let (mut batch, mut scratch, mut counted) = (Batch::default(), Scratch::default(), 0);
    loop {
        match reader.fill(&mut batch) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => counted += 1,
        }
        for record in batch.records() {
            counted += 1;
            decode(&record, &mut scratch);
        }
    }
    assert!(counted + reader.skips().total() > 0, "silently empty");
}

/// Decodes any bytes as an HTTP response, and what an index says of it.
pub fn decoding(bytes: &[u8]) {
    let head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\r\n";
    let mut scratch = Scratch::default();
    for (head, format) in [
        (&head[..], RecordFormat::Warc),
        (
            b"http://a.example/ 1.2.3.4 20200102030405 text/html 9\n",
            RecordFormat::Arc,
        ),
    ] {
        let record = Record {
            head,
            block: bytes,
            offset: 0,
            file: 0,
            format,
            length: None,
            skip: None,
        };
        decode(&record, &mut scratch);
    }
}

fn decode(record: &Record<'_>, scratch: &mut Scratch) {
    if let Ok(capture) = record.decode(&LIMITS, scratch) {
        assert!(capture.body.len() as u64 <= LIMITS.body, "a long body");
        assert!(!capture.body.is_empty(), "an empty body");
    }
    // Errors are as good as entries.
    let _ = record.listing(&LIMITS, scratch);
}

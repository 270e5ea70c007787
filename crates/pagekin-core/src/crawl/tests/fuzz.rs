//! Mutated archives: no panic and bounded output, from a file as from a pipe.

use super::*;

/// A linear congruential generator, so that each run is the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(5) {
            let at = self.below(bytes.len());
            match self.below(6) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..(at + self.below(200)).min(bytes.len()))),
                2 => {
                    let piece = bytes[at..(at + self.below(300)).min(bytes.len())].to_vec();
                    let to = self.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
                3 if at < bytes.len() => bytes[at] = self.below(256) as u8,
                4 if at < bytes.len() => bytes[at] = b"0123456789\r\n: "[self.below(14)],
                _ if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                _ => {}
            }
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let chunked = record(
        "response",
        "http://d",
        &http(
            "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n",
            b"4\r\n<p>x\r\n0\r\n\r\n",
        ),
    );
    let packed = record(
        "response",
        "http://e",
        &http(
            "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
            &gzip(b"<p>packed"),
        ),
    );
    let zstd_body = zstd::encode_all(b"<p>packed packed packed".as_slice(), 3).unwrap();
    let zstd_body = record(
        "response",
        "http://f",
        &http("Content-Encoding: zstd\r\n", &zstd_body),
    );
    let records = vec![
        page("a"),
        record("request", "http://a", b"GET /"),
        chunked,
        packed,
        zstd_body,
        page("b"),
    ];
    let block = http("", b"<p>arc");
    let line = format!(
        "http://arc 1.2.3.4 20200102030405 text/html {}\n",
        block.len()
    );
    let arc = [
        line.as_bytes(),
        &block,
        b"\n",
        line.as_bytes(),
        &block,
        b"\n",
    ]
    .concat();
    let frames = records
        .iter()
        .flat_map(|r| zstd::encode_all(r.as_slice(), 3).unwrap())
        .collect();
    vec![
        records.concat(),
        members(&records),
        gzip(&records.concat()),
        gzip(&arc),
        arc,
        frames,
    ]
}

#[test]
fn mutated_archives_are_read_within_limits() {
    let mut chance = Chance(7);
    let limits = Limits {
        record: 4_000,
        body: 3_000,
        header: 1_000,
        url: 100,
        as_of: None,
    };
    for seed in seeds() {
        for round in 0..400 {
            let mut bytes = seed.clone();
            chance.mutate(&mut bytes);
            let read = if round % 8 == 0 {
                read_file(&bytes, &limits)
            } else {
                read_pipe(&bytes, &limits)
            };
            assert!(read.pages.len() < 40 && read.skips.total() < 200);
            assert!(read
                .pages
                .iter()
                .all(|p| p.body.len() <= 3_000 && p.url.len() <= 300));
            let counted = read.pages.len() + read.skips.total() as usize + read.errors.len();
            assert!(counted > 0, "nothing is silently empty");
        }
    }
}

#[test]
fn noise_yields_no_pages() {
    let mut chance = Chance(11);
    for magic in [
        &b"\x1F\x8B\x08\0"[..],
        b"\x28\xB5\x2F\xFD",
        b"WARC/1.0\r\n",
        b"PK\x03\x04",
        b"\x5D\x2A\x4D\x18",
        b"http://a 1.2.3.4 20200102030405 t 9\n",
        b"",
    ] {
        for _ in 0..60 {
            let mut bytes = magic.to_vec();
            bytes.extend((0..chance.below(2_000)).map(|_| chance.below(256) as u8));
            let read = read_file(&bytes, &Limits::default());
            assert!(read.pages.is_empty());
            assert!(read.skips.total() + read.errors.len() as u64 > 0);
        }
    }
}

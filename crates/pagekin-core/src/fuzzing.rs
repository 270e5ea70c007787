//! Fuzz targets: whatever the bytes, nothing panics, hangs or breaks a promise. A test runs them on the files
//! in `fuzz/corpus`, and on mutations of these.

use std::fs;
use std::path::Path;

use crate::crawl::fuzzing::{decoding, framing};
use crate::pages::fuzzing::html;
use crate::url::{canonical, variant_key, Resolver};

/// A target, which panics where something is wrong.
type FuzzTarget = fn(&[u8]);

/// All targets by name.
const TARGETS: [(&str, FuzzTarget); 4] = [
    ("framing", framing),
    ("decoding", decoding),
    ("html", html),
    ("urls", urls),
];

/// Resolves a reference on a base, the two lines of a text: the result is canonical, and the quick way
/// leads there as the library does.
fn urls(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (base, reference) = text.split_once('\n').unwrap_or((&text, ""));
    let Some(page) = canonical(base) else {
        return;
    };
    assert_eq!(canonical(&page).as_ref(), Some(&page), "{base:?}");
    variant_key(&page);
    let Some(resolver) = Resolver::new(&page, None) else {
        return;
    };
    let target = resolver.resolve(reference);
    if let Some(target) = &target {
        assert_eq!(
            canonical(target).as_ref(),
            Some(target),
            "{reference:?} on {page:?}"
        );
    }
    let mut plain = Vec::new();
    if resolver.resolve_plain(reference.as_bytes(), &mut plain) {
        let plain = String::from_utf8(plain).ok();
        assert_eq!(plain, target, "{reference:?} on {page:?}");
    }
}

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

    /// Cuts, repeats, inserts or changes a few bytes.
    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            let end = (at + self.below(64)).min(bytes.len());
            match self.below(5) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
                3 => bytes.insert(at, self.below(256) as u8),
                _ if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                _ => {}
            }
        }
    }
}

#[test]
fn kept_inputs_and_their_mutations_break_no_promise() {
    const MUTATIONS: usize = 100;
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, target) in TARGETS {
        let entries = fs::read_dir(corpus.join(name)).expect("a folder for each target");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("readable").path())
            .collect();
        paths.sort();
        assert!(paths.len() > 5, "{name} has {}", paths.len());
        let mut chance = Chance(7);
        for path in paths {
            let kept = fs::read(path).expect("readable");
            target(&kept);
            for _ in 0..MUTATIONS {
                let mut bytes = kept.clone();
                chance.mutate(&mut bytes);
                target(&bytes);
            }
        }
    }
}

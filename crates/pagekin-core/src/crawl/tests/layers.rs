//! Guard: the parts of `crawl` depend on each other in one direction only.

use std::fs;
use std::path::{Path, PathBuf};

/// A part may use those before it.
const ORDER: [&str; 12] = [
    "error",
    "skips",
    "media",
    "record_start",
    "inflate",
    "framing",
    "decode",
    "containers",
    "source",
    "reader",
    "read_back",
    "fuzzing",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("readable");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let files = paths.map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    files.flatten().collect()
}

/// The parts that a file names, by `crate::crawl::` or, from the top, by `super::`.
fn uses(text: &str, is_top: bool) -> Vec<usize> {
    let part = |name: &&str| {
        let by_super = is_top && text.contains(&format!("super::{name}"));
        by_super || text.contains(&format!("crate::crawl::{name}::"))
    };
    (0..ORDER.len()).filter(|&at| part(&ORDER[at])).collect()
}

#[test]
fn parts_use_only_parts_before_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/crawl");
    let mut seen = 0;
    for path in files(&root) {
        let inside = path.strip_prefix(&root).expect("inside").to_owned();
        let part = inside.iter().next().expect("a name").to_string_lossy();
        let part = part.trim_end_matches(".rs");
        let Some(at) = ORDER.iter().position(|&name| name == part) else {
            assert!(["mod", "tests"].contains(&part), "{part} has no place");
            continue;
        };
        let text = fs::read_to_string(&path).expect("readable");
        let is_top = inside.iter().count() == 1 || inside.ends_with("mod.rs");
        for used in uses(&text, is_top) {
            assert!(used <= at, "{part} uses {}", ORDER[used]);
            seen += 1;
        }
    }
    assert!(seen > 10);
}

//! One-way flow: a module sees only what stands before it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From left to right: the ground floor, the line of stages, and what stands beside the line.
#[rustfmt::skip]
const ORDER: [&str; 21] = [
    "hash", "interrupt", "url", "columns", "sorting", "spill", "text", "strategy", // the ground floor
    "crawl", "pages", "fragments", "concepts", "bags", "sketches", "index", "query", // the line
    "graph", "evaluation", "audit", "extract", "fuzzing", // beside it
];
const BESIDE: [&str; 5] = ["graph", "evaluation", "audit", "extract", "fuzzing"];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// Every module of the core with the modules that its files name after `crate::`.
fn uses() -> BTreeSet<(String, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut uses) = (Vec::new(), BTreeSet::new());
    rust_files(&source, &mut files);
    for file in files {
        let inside = file.strip_prefix(&source).expect("a file of the source");
        let first = inside.components().next().expect("a name");
        let module = Path::new(first.as_os_str()).file_stem().expect("a name");
        let text = fs::read_to_string(&file).expect("source");
        for path in text.split("crate::").skip(1) {
            let end = path.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            let used = &path[..end.unwrap_or(path.len())];
            uses.insert((module.to_string_lossy().into_owned(), used.to_owned()));
        }
    }
    uses
}

fn place(module: &str) -> usize {
    let place = ORDER.iter().position(|&name| name == module);
    place.unwrap_or_else(|| panic!("{module} has no place in the order"))
}

#[test]
fn modules_use_only_modules_before_them() {
    let uses = uses();
    assert!(uses.len() > 40, "the walk finds the paths");
    for (module, used) in uses.iter().filter(|(module, used)| module != used) {
        assert!(place(used) < place(module), "{module} uses {used}");
        assert!(!BESIDE.contains(&used.as_str()), "{module} uses {used}");
    }
}

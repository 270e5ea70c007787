use std::fs;
use std::path::PathBuf;

use super::*;

/// A folder of its own, gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pagekin-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn files(&self) -> usize {
        fs::read_dir(&self.0).expect("the folder").count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const HEADER: u64 = frame::HEADER as u64;

/// Three parts: 30, 24 and 28 bytes with their headers.
fn parts() -> Parts {
    let mut parts = Parts::with_capacity(8);
    for part in [&b"garden"[..], b"", b"kiln"] {
        parts.put(|out| out.extend_from_slice(part));
    }
    parts
}

fn single(bytes: &[u8]) -> Parts {
    Parts::single(0, |out| out.extend_from_slice(bytes))
}

fn location(source: &SpillSource, start: u64, end: u64) -> PartLocation {
    PartLocation {
        source: source.clone(),
        range: start..end,
    }
}

fn check(source: &SpillSource) {
    assert_eq!(source.write(parts()).expect("written"), [30, 54, 82]);
    let read = |start, end| {
        location(source, start, end)
            .read()
            .map(|part| part.to_vec())
    };
    assert_eq!(read(0, 30).expect("a part"), b"garden");
    assert_eq!(read(30, 54).expect("a part"), b"");
    assert_eq!(read(54, 82).expect("a part"), b"kiln");
    assert!(source.whole().is_err(), "three frames");
    assert!(read(54, 83).is_err(), "more than there is");
    assert!(read(54, 81).is_err(), "less than a part");
    assert!(read(54, 53).is_err(), "the end before the start");
    let two = location(source, 0, 54);
    let frames = two.read_frames().expect("two frames");
    assert_eq!(frames.iter().collect::<Vec<_>>(), [&b"garden"[..], b""]);
    assert_eq!(&*two.read_first().expect("the first of two"), b"garden");
}

#[test]
fn data_within_the_budget_stay_in_memory() {
    let folder = Folder::new("fits");
    let store = SpillStore::with_memory(folder.0.clone(), 82);
    let first = store.file("a");
    check(&first);
    assert_eq!(folder.files(), 0);
    check(&store.file("b"));
    assert_eq!(
        folder.files(),
        0,
        "what was on disk is gone with its last owner"
    );
    drop(first);
    check(&store.file("c"));
    assert_eq!(folder.files(), 0);
}

#[test]
fn data_beyond_the_budget_go_to_disk_whole() {
    let folder = Folder::new("spills");
    let store = SpillStore::with_memory(folder.0.clone(), 81);
    let source = store.file("a");
    check(&source);
    assert_eq!(folder.files(), 1, "the last part exceeds the budget");
    let other = store.file("b");
    let mut writer = SpillWriter::new(&other);
    writer.put_frame(|out| out.extend_from_slice(b"garden"));
    writer.put_frame(|out| out.extend_from_slice(b"tractor"));
    writer.end_part().expect("in memory");
    let more = |out: &mut Vec<u8>| out.extend_from_slice(&[7; 80]);
    writer.put(more).expect("spilled");
    assert_eq!(writer.finish().expect("written"), [61, 61 + HEADER + 80]);
    assert_eq!(folder.files(), 2, "the second part exceeds the budget");
    let first = location(&other, 0, 61);
    assert_eq!(first.read_frames().expect("two frames").iter().len(), 2);
    store.file("c").write(single(&[7; 57])).expect("written");
    assert_eq!(folder.files(), 2, "what others took is free again");
}

#[test]
fn dropped_writer_frees_its_memory() {
    let folder = Folder::new("dropped");
    let store = SpillStore::with_memory(folder.0.clone(), 30);
    let source = store.file("a");
    let mut writer = SpillWriter::new(&source);
    writer
        .put(|out| out.extend_from_slice(b"garden"))
        .expect("in memory");
    drop(writer);
    store.file("b").write(single(b"garden")).expect("in memory");
    assert_eq!(folder.files(), 0);
}

#[test]
fn files_without_a_budget_stay_on_disk() {
    let folder = Folder::new("stays");
    let store = SpillStore::on_disk(folder.0.clone());
    check(&store.file("a"));
    assert_eq!(folder.files(), 1);
    let nothing = store.file("b");
    assert_eq!(nothing.write(Parts::default()).expect("written"), [0; 0]);
    assert!(nothing.whole().is_err(), "no frame");
}

#[test]
fn file_of_the_store_is_written_once() {
    let folder = Folder::new("once");
    let store = SpillStore::with_memory(folder.0.clone(), 164);
    let source = store.file("a");
    check(&source);
    assert!(source.write(parts()).is_err());
    check(&store.file("b"));
    assert_eq!(folder.files(), 0, "what was refused takes no memory");
}

#[test]
fn missing_folder_is_an_error() {
    let nowhere = std::env::temp_dir().join("pagekin-nowhere");
    let store = SpillStore::with_memory(nowhere.clone(), 3);
    assert!(store.file("a").write(parts()).is_err());
    let missing = SpillStore::on_disk(nowhere).file("a");
    assert!(matches!(missing.whole(), Err(SpillError::Io(_))));
}

#[test]
fn every_flipped_bit_of_a_file_is_detected() {
    let folder = Folder::new("flipped");
    let source = SpillStore::on_disk(folder.0.clone()).file("a");
    let mut writer = SpillWriter::new(&source);
    writer.put_frame(|out| out.extend_from_slice(b"captures"));
    writer.put_frame(|out| out.extend_from_slice(b"words and links"));
    let end = {
        writer.end_part().expect("written");
        writer.finish().expect("written")[0]
    };
    let part = location(&source, 0, end);
    let SpillSource::Path(path) = &source else {
        panic!("a file");
    };
    let sound = fs::read(path).expect("read");
    for bit in 0..8 * sound.len() {
        let mut bytes = sound.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(path, &bytes).expect("written");
        let error = part.read_frames().expect_err("a flipped bit");
        let told = error.to_string();
        assert!(
            told.contains("a: damaged") && told.ends_with("build again"),
            "{told}"
        );
        let in_first = bit / 8 < frame::HEADER + b"captures".len();
        assert_eq!(part.read_first().is_err(), in_first, "bit {bit}");
    }
    for length in 0..sound.len() {
        fs::write(path, &sound[..length]).expect("written");
        assert!(part.read_frames().is_err(), "cut at {length}");
    }
}

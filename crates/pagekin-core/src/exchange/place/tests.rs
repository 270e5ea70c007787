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

fn parts() -> Parts {
    let mut parts = Parts::with_capacity(8);
    for part in [&b"garden"[..], b"", b"kiln"] {
        parts.put(|out| out.extend_from_slice(part));
    }
    assert_eq!(
        parts.iter().collect::<Vec<_>>(),
        [&b"garden"[..], b"", b"kiln"]
    );
    parts
}

fn check(place: &Place) {
    assert_eq!(place.write(parts()).expect("written"), [6, 6, 10]);
    assert_eq!(&*place.whole().expect("read"), b"gardenkiln");
    assert_eq!(&*place.part(6..10).expect("read"), b"kiln");
    assert_eq!(&*place.part(3..3).expect("read"), b"");
    assert!(place.part(6..11).is_err(), "more than there is");
    let (start, end) = (7, 6);
    assert!(place.part(start..end).is_err(), "the end before the start");
}

#[test]
fn what_fits_stays_in_memory() {
    let folder = Folder::new("fits");
    let exchange = Exchange::with_room(folder.0.clone(), 10);
    let first = exchange.place("a");
    check(&first);
    assert_eq!(folder.files(), 0);
    check(&exchange.place("b"));
    assert_eq!(folder.files(), 0, "what was on disk is gone with its place");
    drop(first);
    check(&exchange.place("c"));
    assert_eq!(folder.files(), 0);
}

#[test]
fn what_does_not_fit_goes_to_disk_whole() {
    let folder = Folder::new("spills");
    let exchange = Exchange::with_room(folder.0.clone(), 9);
    let place = exchange.place("a");
    check(&place);
    assert_eq!(folder.files(), 1, "the last part had no room");
    let other = exchange.place("b");
    other.write(b"tractor".to_vec()).expect("written");
    assert_eq!(folder.files(), 1, "the room of the first was given back");
}

#[test]
fn a_writer_that_is_dropped_gives_its_room_back() {
    let folder = Folder::new("dropped");
    let exchange = Exchange::with_room(folder.0.clone(), 6);
    let place = exchange.place("a");
    let mut writer = PartWriter::new(&place);
    writer
        .put(|out| out.extend_from_slice(b"garden"))
        .expect("room");
    drop(writer);
    exchange.place("b").write(b"garden".to_vec()).expect("room");
    assert_eq!(folder.files(), 0);
}

#[test]
fn files_without_room_stay() {
    let folder = Folder::new("stays");
    check(&Exchange::on_disk(folder.0.clone()).place("a"));
    assert_eq!(folder.files(), 1);
    let nothing = Exchange::on_disk(folder.0.clone()).place("b");
    assert_eq!(nothing.write(Parts::default()).expect("written"), [0; 0]);
    assert_eq!(&*nothing.whole().expect("read"), b"");
}

#[test]
fn a_slot_is_written_once() {
    let folder = Folder::new("once");
    let exchange = Exchange::with_room(folder.0.clone(), 20);
    let place = exchange.place("a");
    check(&place);
    assert!(place.write(parts()).is_err());
    check(&exchange.place("b"));
    assert_eq!(folder.files(), 0, "the room of what was refused is free");
}

#[test]
fn a_missing_folder_is_an_error() {
    let nowhere = std::env::temp_dir().join("pagekin-nowhere");
    assert!(Exchange::with_room(nowhere.clone(), 3)
        .place("a")
        .write(parts())
        .is_err());
    assert!(Exchange::on_disk(nowhere).place("a").whole().is_err());
}

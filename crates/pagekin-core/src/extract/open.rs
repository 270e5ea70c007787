//! A source that several threads take the records of: one of them decompresses at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::crawl::{Batch, CrawlError, CrawlReader, Skips};

/// Records that a thread takes at once.
#[derive(Default)]
pub(super) struct Load {
    pub batch: Batch,
    /// The place in the source of the first record.
    pub first: u64,
    /// Names of its files, and the reader's number of the first of them.
    files: (usize, Vec<String>),
}

impl Load {
    /// The name of a file, by the reader's number.
    pub fn file(&self, number: u32) -> &str {
        let (first, names) = &self.files;
        &names[number as usize - first]
    }
}

/// What reading meets besides records while a load is taken.
#[derive(Default)]
pub(super) struct ReadTally {
    /// Stored bytes read.
    pub bytes: u64,
    /// Parts of the source that could not be read.
    pub failures: Vec<CrawlError>,
    /// Records skipped while framing, handed over once the source is at its end.
    pub skips: Skips,
}

/// A source that is open.
pub(super) struct OpenSource(Mutex<Inflater>);

impl OpenSource {
    pub fn new(reader: CrawlReader) -> Self {
        Self(Mutex::new(Inflater {
            reader,
            done: false,
            counted: 0,
            records: 0,
        }))
    }

    /// Replaces the load with the next records; false when the source has no more.
    pub fn take(&self, load: &mut Load, tally: &mut ReadTally) -> bool {
        load.batch.clear();
        lock(&self.0).fill(load, tally)
    }
}

struct Inflater {
    reader: CrawlReader,
    done: bool,
    counted: u64,
    records: u64,
}

impl Inflater {
    /// Replaces the load with the next records; false when there are none.
    fn fill(&mut self, load: &mut Load, tally: &mut ReadTally) -> bool {
        while !self.done {
            let filled = self.reader.fill(&mut load.batch);
            let position = self.reader.position();
            tally.bytes += position.saturating_sub(self.counted);
            self.counted = position;
            match filled {
                Ok(true) => {
                    load.first = self.records;
                    self.records += load.batch.len() as u64;
                    let first = load.batch.first_file() as usize;
                    load.files = (first, self.reader.files()[first..].to_vec());
                    return true;
                }
                Ok(false) => {
                    self.done = true;
                    tally.skips.add(self.reader.skips());
                }
                Err(error) => tally.failures.push(error),
            }
        }
        false
    }
}

/// A thread that panicked leaves nothing half done that others would read.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::thread;

    use super::*;
    use crate::crawl::{Limits, Source};

    const PAGES: usize = 40;

    /// A folder of pages that are several loads.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let root = std::env::temp_dir().join(format!("pagekin-{name}-{}", std::process::id()));
            fs::create_dir_all(&root).expect("a folder");
            for page in 0..PAGES {
                fs::write(root.join(format!("{page:02}.html")), vec![b'x'; 200_000])
                    .expect("a page");
            }
            Self(root)
        }

        fn open(&self) -> OpenSource {
            let source = Source::Folder {
                root: self.0.clone(),
                base_url: "http://a.example/".into(),
                follow_links: false,
            };
            OpenSource::new(CrawlReader::open(&source, &Limits::default()).expect("a reader"))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// The places of the records that a thread takes until none is left, and the bytes read.
    fn all_taken(source: &OpenSource) -> (Vec<u64>, u64) {
        let (mut load, mut tally, mut places) = (Load::default(), ReadTally::default(), Vec::new());
        while source.take(&mut load, &mut tally) {
            places.extend((load.first..).take(load.batch.len()));
        }
        (places, tally.bytes)
    }

    #[test]
    fn each_record_is_taken_once_by_any_number_of_threads() {
        let folder = Folder::new("taken-once");
        for threads in [1, 2, 5] {
            let source = folder.open();
            let (mut places, mut bytes) = (Vec::new(), 0);
            thread::scope(|scope| {
                let workers: Vec<_> = (0..threads)
                    .map(|_| scope.spawn(|| all_taken(&source)))
                    .collect();
                for worker in workers {
                    let (taken, read) = worker.join().expect("a thread that ends well");
                    places.extend(taken);
                    bytes += read;
                }
            });
            places.sort_unstable();
            assert_eq!(places, (0..PAGES as u64).collect::<Vec<_>>(), "{threads}");
            assert_eq!(bytes, PAGES as u64 * 200_000, "{threads}");
        }
    }

    #[test]
    fn load_is_a_part_of_the_source() {
        let folder = Folder::new("part");
        let source = folder.open();
        let (mut load, mut tally) = (Load::default(), ReadTally::default());
        assert!(source.take(&mut load, &mut tally));
        assert!(load.batch.len() < PAGES);
    }
}

//! A source that several threads take the records of.
//!
//! Inflating is done by one thread at a time. So that others seldom wait for it, the one that
//! inflates leaves a second load for whoever comes meanwhile.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::crawl::{Batch, CrawlError, Reader, Skips};

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

/// What is met besides records while a load is taken.
#[derive(Default)]
pub(super) struct Met {
    /// Stored bytes read.
    pub bytes: u64,
    /// Parts of the source that could not be read.
    pub failures: Vec<CrawlError>,
    /// What was skipped while framing, told once the source is at its end.
    pub skips: Skips,
}

/// A source that is open.
pub(super) struct OpenSource {
    state: Mutex<State>,
    /// Told when there is a spare load, and when nobody inflates any more.
    changed: Condvar,
}

struct State {
    /// None while a thread has it.
    inflater: Option<Inflater>,
    /// A load that is there for anybody, or one that is empty and lends its memory.
    spare: Load,
    is_helped: bool,
}

impl OpenSource {
    pub fn new(reader: Reader) -> Self {
        let inflater = Inflater {
            reader,
            done: false,
            counted: 0,
            records: 0,
        };
        Self {
            state: Mutex::new(State {
                inflater: Some(inflater),
                spare: Load::default(),
                is_helped: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// From now on several threads take from this source.
    pub fn expect_help(&self) {
        lock(&self.state).is_helped = true;
    }

    /// Replaces the load with the next records; false when the source has no more.
    pub fn take(&self, load: &mut Load, met: &mut Met) -> bool {
        load.batch.clear();
        let Some(mut inflater) = self.inflater(load) else {
            return true;
        };
        let mut filled = inflater.fill(load, met);
        if filled && self.leave(load) {
            // The load that is inflated last is still in a near cache.
            filled = inflater.fill(load, met);
        }
        drop(inflater);
        filled || self.take_spare(load)
    }

    /// The inflater; none if a spare load was there to be taken instead.
    fn inflater(&self, load: &mut Load) -> Option<HeldInflater<'_>> {
        let mut state = lock(&self.state);
        loop {
            if let Some(inflater) = state.inflater.take() {
                return Some(HeldInflater {
                    source: self,
                    inflater: Some(inflater),
                });
            }
            if state.take_spare(load) {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Leaves the load to whoever comes first, if others come and there is none for them.
    fn leave(&self, load: &mut Load) -> bool {
        let mut state = lock(&self.state);
        let wanted = state.is_helped && state.spare.batch.is_empty();
        if wanted {
            std::mem::swap(&mut state.spare, load);
            self.changed.notify_one();
        }
        wanted
    }

    fn take_spare(&self, load: &mut Load) -> bool {
        lock(&self.state).take_spare(load)
    }
}

impl State {
    /// Changes an empty load for the spare one, if that has any records.
    fn take_spare(&mut self, load: &mut Load) -> bool {
        let there = !self.spare.batch.is_empty();
        if there {
            std::mem::swap(&mut self.spare, load);
        }
        there
    }
}

/// The inflater of a source in the hands of a thread, given back when it is dropped.
struct HeldInflater<'a> {
    source: &'a OpenSource,
    /// There until then.
    inflater: Option<Inflater>,
}

impl HeldInflater<'_> {
    fn fill(&mut self, load: &mut Load, met: &mut Met) -> bool {
        let inflater = self.inflater.as_mut();
        inflater.is_some_and(|inflater| inflater.fill(load, met))
    }
}

impl Drop for HeldInflater<'_> {
    fn drop(&mut self) {
        lock(&self.source.state).inflater = self.inflater.take();
        self.source.changed.notify_all();
    }
}

struct Inflater {
    reader: Reader,
    done: bool,
    counted: u64,
    records: u64,
}

impl Inflater {
    /// Replaces the load with the next records; false when there are none.
    fn fill(&mut self, load: &mut Load, met: &mut Met) -> bool {
        while !self.done {
            let filled = self.reader.fill(&mut load.batch);
            let position = self.reader.position();
            met.bytes += position.saturating_sub(self.counted);
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
                    met.skips.add(self.reader.skips());
                }
                Err(error) => met.failures.push(error),
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
    use std::time::Duration;

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
            };
            OpenSource::new(Reader::open(&source, &Limits::default()).expect("a reader"))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// The places of the records that a thread takes until there are no more, and the bytes read.
    fn all_taken(source: &OpenSource) -> (Vec<u64>, u64) {
        let (mut load, mut met, mut places) = (Load::default(), Met::default(), Vec::new());
        while source.take(&mut load, &mut met) {
            places.extend((load.first..).take(load.batch.len()));
        }
        (places, met.bytes)
    }

    #[test]
    fn every_record_is_taken_once_by_any_number_of_threads() {
        let folder = Folder::new("taken-once");
        for threads in [1, 2, 5] {
            let source = folder.open();
            source.expect_help();
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
    fn whoever_comes_while_another_inflates_has_the_spare_load() {
        let folder = Folder::new("spare");
        let source = folder.open();
        source.expect_help();
        let (mut mine, mut theirs, mut met) = (Load::default(), Load::default(), Met::default());
        assert!(source.take(&mut mine, &mut met));
        let held = source.inflater(&mut Load::default());
        assert!(held.is_some(), "nobody inflates");
        assert!(source.take(&mut theirs, &mut met));
        assert_eq!(theirs.first, 0);
        assert_eq!(mine.first, theirs.batch.len() as u64);
        thread::scope(|scope| {
            let waits = scope.spawn(|| source.take(&mut theirs, &mut met));
            thread::sleep(Duration::from_millis(50));
            assert!(!waits.is_finished(), "there is one spare load");
            drop(held);
            assert!(waits.join().is_ok_and(|taken| taken));
        });
    }

    #[test]
    fn a_thread_alone_inflates_nothing_ahead() {
        let folder = Folder::new("alone");
        let source = folder.open();
        let (mut load, mut met) = (Load::default(), Met::default());
        assert!(source.take(&mut load, &mut met));
        assert!(lock(&source.state).spare.batch.is_empty());
        assert!(load.batch.len() < PAGES);
    }
}

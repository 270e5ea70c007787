//! A work queue of sources, with a condition variable for threads that wait for work.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::open::{lock, OpenSource};
use crate::crawl::{CrawlError, CrawlReader, Limits, Source};
use crate::pages::HoldOut;

/// Which records of the sources are worked on, if others work on the rest:
/// of every `of` records the one in this `place`.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// Below `of`.
    pub place: u64,
    /// How many shares there are, at least one.
    pub of: u64,
}

impl Default for Share {
    fn default() -> Self {
        Self { place: 0, of: 1 }
    }
}

impl Share {
    pub(super) fn has(self, record: u64) -> bool {
        record % self.of == self.place
    }

    /// Whether this one counts what all shares see: bytes, gaps, failures.
    pub(super) fn counts(self) -> bool {
        self.place == 0
    }
}

/// The sources still to be read, and how far the work has come.
#[derive(Default)]
pub struct Queue {
    state: Mutex<QueueState>,
    /// Told whenever a source was opened, or could not be.
    opened: Condvar,
    pub(super) next_run: AtomicU32,
    pub(super) share: Share,
    pub(super) hold_out: Option<HoldOut>,
    /// Stored bytes read.
    pub bytes: AtomicU64,
    /// Set to make every thread stop at its next batch.
    pub cancelled: AtomicBool,
}

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<Source>,
    /// How many are being opened.
    opening: usize,
    open: Vec<Arc<OpenSource>>,
}

/// What a thread does next.
enum Task {
    Open(Source),
    Help(Arc<OpenSource>),
}

/// How often somebody who waits for a source to be opened looks whether all is called off.
const PATIENCE: Duration = Duration::from_millis(20);

impl Queue {
    /// A queue of these sources.
    pub fn new(sources: impl IntoIterator<Item = Source>) -> Self {
        let state = QueueState {
            waiting: sources.into_iter().collect(),
            ..QueueState::default()
        };
        Self {
            state: Mutex::new(state),
            ..Self::default()
        }
    }

    /// The queue with its runs numbered from `first` on, for a crawl that is
    /// read from several queues.
    pub fn numbered_from(self, first: u32) -> Self {
        Self {
            next_run: AtomicU32::new(first),
            ..self
        }
    }

    /// The queue for one share of the records, the others being worked on
    /// from other queues of the same sources.
    pub fn shared(self, share: Share) -> Self {
        Self { share, ..self }
    }

    /// The queue with something left out of the evidence, to judge it by.
    pub fn holding_out(self, hold_out: Option<HoldOut>) -> Self {
        Self { hold_out, ..self }
    }

    /// The next source to work on: a new one, or one to help with.
    pub(super) fn turn(
        &self,
        limits: &Limits,
        failures: &mut Vec<CrawlError>,
    ) -> Option<Arc<OpenSource>> {
        loop {
            let source = match self.next()? {
                Task::Open(source) => source,
                Task::Help(open) => return Some(open),
            };
            // Not under the lock: opening a pipe may take as long as it likes.
            let opened = CrawlReader::open(&source, limits)
                .map(OpenSource::new)
                .map(Arc::new);
            self.has_opened(opened.as_ref().ok());
            match opened {
                Ok(opened) => return Some(opened),
                Err(error) if self.share.counts() => failures.push(error),
                Err(_) => {}
            }
        }
    }

    /// While another thread opens the last source it is waited for: there may be work for two.
    fn next(&self) -> Option<Task> {
        let mut state = lock(&self.state);
        loop {
            if let Some(source) = state.waiting.pop_front() {
                state.opening += 1;
                return Some(Task::Open(source));
            }
            if let Some(open) = state.open.first() {
                return Some(Task::Help(Arc::clone(open)));
            }
            if state.opening == 0 || self.cancelled.load(Ordering::Relaxed) {
                return None;
            }
            let waited = self.opened.wait_timeout(state, PATIENCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn has_opened(&self, source: Option<&Arc<OpenSource>>) {
        let mut state = lock(&self.state);
        state.opening -= 1;
        state.open.extend(source.map(Arc::clone));
        self.opened.notify_all();
    }

    pub(super) fn close(&self, source: &Arc<OpenSource>) {
        lock(&self.state)
            .open
            .retain(|open| !Arc::ptr_eq(open, source));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// A queue whose only source somebody is just opening.
    fn opening() -> (Queue, Source) {
        let queue = Queue::new([Source::Folder {
            root: concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../python/pagekin/sample/sites"
            )
            .into(),
            base_url: "http://a.example/".into(),
            follow_links: false,
        }]);
        let Some(Task::Open(source)) = queue.next() else {
            panic!("there is a source to open");
        };
        (queue, source)
    }

    #[test]
    fn thread_waits_for_a_source_that_another_opens() {
        let (queue, source) = opening();
        thread::scope(|scope| {
            let helper = scope.spawn(|| queue.turn(&Limits::default(), &mut Vec::new()).is_some());
            thread::sleep(3 * PATIENCE);
            assert!(!helper.is_finished());
            let reader = CrawlReader::open(&source, &Limits::default());
            queue.has_opened(reader.map(OpenSource::new).map(Arc::new).as_ref().ok());
            assert!(helper.join().is_ok_and(|helped| helped));
        });
    }

    #[test]
    fn thread_stops_waiting_for_a_source_that_cannot_be_opened() {
        let (queue, _) = opening();
        thread::scope(|scope| {
            let helper = scope.spawn(|| queue.turn(&Limits::default(), &mut Vec::new()).is_some());
            queue.has_opened(None);
            assert!(helper.join().is_ok_and(|helped| !helped));
        });
    }

    #[test]
    fn threads_do_not_wait_after_cancellation() {
        let (queue, _) = opening();
        queue.cancelled.store(true, Ordering::Relaxed);
        assert!(queue.turn(&Limits::default(), &mut Vec::new()).is_none());
    }
}

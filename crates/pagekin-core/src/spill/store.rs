//! Where spilled parts live: a memory budget, and a folder for parts beyond it.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::source::SpillSource;

/// A folder for data between stages, and the number of bytes that may stay in memory.
#[derive(Debug, Clone)]
pub struct SpillStore {
    folder: PathBuf,
    budget: Option<Arc<MemoryBudget>>,
}

impl SpillStore {
    /// Everything becomes a file of the folder, and stays there.
    pub fn on_disk(folder: PathBuf) -> Self {
        Self {
            folder,
            budget: None,
        }
    }

    /// Parts within the budget stay in memory.
    pub fn with_memory(folder: PathBuf, bytes: u64) -> Self {
        let budget = MemoryBudget(AtomicU64::new(bytes));
        Self {
            folder,
            budget: Some(Arc::new(budget)),
        }
    }

    /// A file of the store that is yet to be written.
    pub fn file(&self, name: &str) -> SpillSource {
        let path = self.folder.join(name);
        match &self.budget {
            None => SpillSource::Path(path),
            Some(budget) => SpillSource::File(Arc::new(SpillFile {
                path,
                budget: Arc::clone(budget),
                content: OnceLock::new(),
            })),
        }
    }
}

/// Bytes that may still be held in memory.
#[derive(Debug)]
pub(super) struct MemoryBudget(AtomicU64);

impl MemoryBudget {
    pub(super) fn take(&self, bytes: u64) -> bool {
        let less = |left: u64| left.checked_sub(bytes);
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        self.0.fetch_update(set, fetch, less).is_ok()
    }

    pub(super) fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A file of the store, in memory or on disk, that is written once. It is removed with its last
/// owner.
#[derive(Debug)]
pub struct SpillFile {
    pub(super) path: PathBuf,
    pub(super) budget: Arc<MemoryBudget>,
    pub(super) content: OnceLock<Content>,
}

#[derive(Debug)]
pub(super) enum Content {
    Memory(Vec<u8>),
    Disk,
}

impl Drop for SpillFile {
    fn drop(&mut self) {
        match self.content.take() {
            Some(Content::Memory(bytes)) => self.budget.give_back(bytes.len() as u64),
            // A file that cannot be removed now is removed with the folder.
            Some(Content::Disk) => drop(fs::remove_file(&self.path)),
            None => {}
        }
    }
}

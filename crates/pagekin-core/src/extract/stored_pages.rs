//! An index to runs: its pages are made again from their texts and layouts, without their bytes.
//!
//! They give the evidence that their captures gave. Threads share the work by ranges of rows.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use thiserror::Error;

use super::runs::RunWriter;
use super::{ExtractSummary, Product, Settings, Share};
use crate::index::{StoredRow, StoredShard, TableError};
use crate::pages::PageParser;

/// Rows of a table that a thread works on at once.
const STEP: usize = 128;

/// Why pages of an index become no runs.
#[derive(Debug, Error)]
pub enum ExtractError {
    /// The index is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A run cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A table of a shard.
#[derive(Clone, Copy)]
enum Rows {
    Pages,
    Standby,
    Captures,
}

/// Rows of a table of a shard.
struct StoredRows {
    shard: usize,
    table: Rows,
    rows: Range<usize>,
}

/// The pages of an index that threads share, and how far they have come.
pub struct StoredPages {
    shards: Vec<StoredShard>,
    /// The URLs whose captures and redirects are left out.
    without: HashSet<String>,
    tasks: Vec<StoredRows>,
    next: AtomicUsize,
    next_run: AtomicU32,
    /// Rows that have been read.
    rows: AtomicU64,
    /// Set to make every thread stop soon.
    pub cancelled: AtomicBool,
}

impl StoredPages {
    /// The pages of an index but those with these URLs, for runs that are numbered from `first_run`.
    pub fn new(shards: Vec<StoredShard>, without: HashSet<String>, first_run: u32) -> Self {
        let mut tasks = Vec::new();
        for (shard, rows) in shards.iter().enumerate() {
            let tables = [
                (Rows::Pages, rows.pages()),
                (Rows::Standby, rows.standby()),
                (Rows::Captures, rows.captures()),
            ];
            for (table, end) in tables {
                tasks.extend((0..end).step_by(STEP).map(|start| StoredRows {
                    shard,
                    table,
                    rows: start..end.min(start + STEP),
                }));
            }
        }
        Self {
            shards,
            without,
            tasks,
            next: AtomicUsize::new(0),
            next_run: AtomicU32::new(first_run),
            rows: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
        }
    }

    /// The pages of one share of the rows, the others being worked on elsewhere.
    pub fn shared(mut self, share: Share) -> Self {
        let tasks = std::mem::take(&mut self.tasks);
        let own = (0..).zip(tasks).filter(|&(number, _)| share.has(number));
        self.tasks = own.map(|(_, task)| task).collect();
        self
    }

    /// Fails at the first row that no build writes.
    pub fn check(&self) -> Result<(), TableError> {
        let mut parser = PageParser::default();
        while let Some(task) = self.take() {
            self.read(task, &mut |row| match row {
                StoredRow::Redirect(_) | StoredRow::Listed(..) => Ok::<_, TableError>(()),
                StoredRow::Capture { table, page, .. } => {
                    let added = parser.add_stored(&page);
                    added.map_err(|fault| table.error(fault))
                }
            })?;
            parser.clear();
        }
        Ok(())
    }

    /// The share of the rows that has been read.
    pub fn done(&self) -> f64 {
        let rows = self.tasks.iter().map(|task| task.rows.len());
        self.rows.load(Ordering::Relaxed) as f64 / rows.sum::<usize>().max(1) as f64
    }

    fn take(&self) -> Option<&StoredRows> {
        if self.cancelled.load(Ordering::Relaxed) {
            return None;
        }
        self.tasks.get(self.next.fetch_add(1, Ordering::Relaxed))
    }

    fn read<E: From<TableError>>(
        &self,
        task: &StoredRows,
        visit: &mut impl FnMut(StoredRow<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let shard = &self.shards[task.shard];
        match task.table {
            Rows::Pages => shard.read_pages(task.rows.clone(), visit)?,
            Rows::Standby => shard.read_standby(task.rows.clone(), visit)?,
            Rows::Captures => shard.read_captures(task.rows.clone(), visit)?,
        }
        let rows = task.rows.len() as u64;
        self.rows.fetch_add(rows, Ordering::Relaxed);
        Ok(())
    }
}

/// Works on the pages until none is left.
pub fn extract_stored(
    pages: &StoredPages,
    product: Product<'_>,
    settings: &Settings,
) -> Result<ExtractSummary, ExtractError> {
    let mut runs = RunWriter::new(PageParser::default(), &pages.next_run, product, settings);
    while let Some(task) = pages.take() {
        pages.read(task, &mut |row| pages.add(row, &mut runs))?;
    }
    Ok(runs.finish()?)
}

impl StoredPages {
    fn add(&self, row: StoredRow<'_>, runs: &mut RunWriter<'_>) -> Result<(), ExtractError> {
        let (table, mut page, file) = match row {
            StoredRow::Listed(listed, file) => {
                if !self.without.contains(listed.url) {
                    runs.list(&listed, file);
                }
                return Ok(());
            }
            StoredRow::Redirect(url) => {
                if !self.without.contains(url) {
                    runs.parser.add_stored_redirect(url);
                }
                return Ok(());
            }
            StoredRow::Capture { table, page, file } => (table, page, file),
        };
        if self.without.contains(page.url) {
            return Ok(());
        }
        runs.done.captures += 1;
        page.file = runs.file(file);
        let added = runs.parser.add_stored(&page);
        added.map_err(|fault| table.error(fault))?;
        runs.done.pages += 1;
        Ok(runs.write_if_full()?)
    }
}

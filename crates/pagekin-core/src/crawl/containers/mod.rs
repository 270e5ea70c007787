//! Containers: the files that make up a source. Each kind of source lists its files, and the
//! reader opens them one after another.

mod file;
mod folder;
mod wacz;

use std::collections::VecDeque;
use std::path::PathBuf;

use super::inflate::MemberStream;
use super::{CrawlError, MediaType, Skips};

pub(super) use file::{open_file, open_pipe};
pub(super) use folder::{names_page, open_folder};

/// The files of a source, in the order in which they are read.
pub(super) struct SourceFiles {
    pub files: VecDeque<SourceFile>,
    /// What was skipped while listing them.
    pub skips: Skips,
    /// Total size in stored bytes, if known.
    pub size: Option<u64>,
}

/// A file of a source that is still to be read.
pub(super) enum SourceFile {
    /// A WARC or ARC file, opened when its turn comes.
    Archive {
        name: String,
        size: u64,
        open: Box<dyn FnOnce() -> Result<MemberStream, CrawlError> + Send>,
    },
    /// A file that is one page.
    Page(PageFile),
    /// A file that could not be opened.
    Failed(CrawlError),
}

/// A file that is one page.
pub(super) struct PageFile {
    pub path: PathBuf,
    pub media: MediaType,
    pub url: String,
    /// How much of the URL is that of the folder that was given.
    pub base: usize,
    pub size: u64,
}

impl SourceFile {
    /// Size in stored bytes.
    fn size(&self) -> u64 {
        match self {
            Self::Archive { size, .. } | Self::Page(PageFile { size, .. }) => *size,
            Self::Failed(_) => 0,
        }
    }
}

impl SourceFiles {
    /// Files whose sizes are known.
    fn new(files: VecDeque<SourceFile>, skips: Skips) -> Self {
        let size = Some(files.iter().map(SourceFile::size).sum());
        Self { files, skips, size }
    }
}

//! Reading parts back, from memory as they are and from disk through a check.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::frame::{FrameFault, Frames, Header, HEADER};
use super::store::{Content, MemoryBudget, SpillFile};
use super::writer::{Parts, SpillWriter};
use crate::columns::CodecError;

/// Why a part cannot be read or written.
#[derive(Debug, Error)]
pub enum SpillError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file is damaged.
    #[error("{}: damaged intermediate data ({fault}): check the disk, then build again", path.display())]
    Frame {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: FrameFault,
    },
    /// The bytes are intact but do not fit together.
    #[error(transparent)]
    Codec(#[from] CodecError),
}

/// Where parts are, or will be.
#[derive(Debug, Clone)]
pub enum SpillSource {
    /// In a file that stays.
    Path(PathBuf),
    /// In a file of the store.
    File(Arc<SpillFile>),
}

impl SpillSource {
    /// The frame of a source that holds one part of one frame.
    pub fn whole(&self) -> Result<Cow<'_, [u8]>, SpillError> {
        let end = match self.memory() {
            Some(bytes) => bytes.len() as u64,
            None => std::fs::metadata(self.path())?.len(),
        };
        self.frame(0..end)
    }

    /// The frame of a part that has one.
    fn frame(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SpillError> {
        let frames = self.frames(range)?;
        frames.into_single().map_err(|fault| self.damage(fault))
    }

    /// The frames of a part.
    fn frames(&self, range: Range<u64>) -> Result<Frames<'_>, SpillError> {
        let bytes = self.bytes(range)?;
        let frames = match bytes {
            Cow::Borrowed(bytes) => Frames::of_memory(bytes),
            Cow::Owned(bytes) => Frames::of_file(bytes),
        };
        frames.map_err(|fault| self.damage(fault))
    }

    /// The first frame of a part, without reading the others.
    fn first_frame(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SpillError> {
        let header = self.bytes(range.start..range.end.min(range.start + HEADER as u64))?;
        let header = Header::read(&header).ok_or(FrameFault::Magic { at: 0 });
        let header = header.map_err(|fault| self.damage(fault))?;
        let end = range.start.saturating_add(header.length);
        let end = end.saturating_add(HEADER as u64);
        self.frame(range.start..end.min(range.end))
    }

    /// Writes parts; returns where each ends.
    pub fn write(&self, parts: Parts) -> io::Result<Vec<u64>> {
        let mut writer = SpillWriter::new(self);
        writer.put_all(parts)?;
        writer.finish()
    }

    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SpillError> {
        let missing = || {
            self.damage(FrameFault::Length {
                expected: range.end.saturating_sub(range.start),
                found: 0,
            })
        };
        if let Some(bytes) = self.memory() {
            let range = range.start as usize..range.end as usize;
            return bytes.get(range).map(Cow::Borrowed).ok_or_else(missing);
        }
        let length = range.end.checked_sub(range.start).ok_or_else(missing)?;
        let mut file = File::open(self.path())?;
        file.seek(SeekFrom::Start(range.start))?;
        let mut bytes = vec![0; length as usize];
        file.read_exact(&mut bytes)
            .map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => missing(),
                _ => error.into(),
            })?;
        Ok(Cow::Owned(bytes))
    }

    fn damage(&self, fault: FrameFault) -> SpillError {
        let path = self.path().to_owned();
        SpillError::Frame { path, fault }
    }

    fn memory(&self) -> Option<&[u8]> {
        match self {
            Self::Path(_) => None,
            Self::File(file) => match file.content.get() {
                Some(Content::Memory(bytes)) => Some(bytes),
                _ => None,
            },
        }
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Path(path) => path,
            Self::File(file) => &file.path,
        }
    }

    pub(super) fn budget(&self) -> Option<&MemoryBudget> {
        match self {
            Self::Path(_) => None,
            Self::File(file) => Some(&file.budget),
        }
    }
}

/// A part of a source.
#[derive(Debug, Clone)]
pub struct PartLocation {
    /// Where it is.
    pub source: SpillSource,
    /// Where it begins and ends there.
    pub range: Range<u64>,
}

impl PartLocation {
    /// The frame of a part that has one.
    pub fn read(&self) -> Result<Cow<'_, [u8]>, SpillError> {
        self.source.frame(self.range.clone())
    }

    /// All frames.
    pub fn read_frames(&self) -> Result<Frames<'_>, SpillError> {
        self.source.frames(self.range.clone())
    }

    /// The first frame, without reading the others.
    pub fn read_first(&self) -> Result<Cow<'_, [u8]>, SpillError> {
        self.source.first_frame(self.range.clone())
    }
}

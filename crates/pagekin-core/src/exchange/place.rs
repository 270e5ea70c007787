//! Where stages leave what later ones read: in memory while there is room, on disk then.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::iter;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A folder for what stages hand on, and how much of it may stay in memory.
#[derive(Debug, Clone)]
pub struct Exchange {
    folder: PathBuf,
    room: Option<Arc<Room>>,
}

impl Exchange {
    /// Everything becomes a file of the folder, and stays there.
    pub fn on_disk(folder: PathBuf) -> Self {
        Self { folder, room: None }
    }

    /// What fits into so many bytes stays in memory.
    pub fn with_room(folder: PathBuf, bytes: u64) -> Self {
        let room = Room(AtomicU64::new(bytes));
        Self {
            folder,
            room: Some(Arc::new(room)),
        }
    }

    /// A place for something yet to be written.
    pub fn place(&self, name: &str) -> Place {
        let path = self.folder.join(name);
        match &self.room {
            None => Place::File(path),
            Some(room) => Place::Slot(Arc::new(Slot {
                path,
                room: Arc::clone(room),
                content: OnceLock::new(),
            })),
        }
    }
}

/// Bytes that may still be held in memory.
#[derive(Debug)]
struct Room(AtomicU64);

impl Room {
    fn take(&self, bytes: u64) -> bool {
        let less = |room: u64| room.checked_sub(bytes);
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        self.0.fetch_update(set, fetch, less).is_ok()
    }

    fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A place of the exchange that takes what is written once. It is gone, in memory or on disk,
/// with the last who knows of it.
#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    room: Arc<Room>,
    content: OnceLock<Content>,
}

#[derive(Debug)]
enum Content {
    Memory(Vec<u8>),
    File,
}

impl Drop for Slot {
    fn drop(&mut self) {
        match self.content.take() {
            Some(Content::Memory(bytes)) => self.room.give_back(bytes.len() as u64),
            // What cannot be removed now goes with the folder.
            Some(Content::File) => drop(fs::remove_file(&self.path)),
            None => {}
        }
    }
}

/// Where bytes are, or will be.
#[derive(Debug, Clone)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// In a slot of the exchange.
    Slot(Arc<Slot>),
}

impl Place {
    /// A part of what was written here.
    pub fn part(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        if let Some(bytes) = self.held() {
            let range = range.start as usize..range.end as usize;
            let part = bytes.get(range).ok_or(io::ErrorKind::UnexpectedEof)?;
            return Ok(Cow::Borrowed(part));
        }
        let mut file = File::open(self.path())?;
        file.seek(SeekFrom::Start(range.start))?;
        let length = range.end.checked_sub(range.start);
        let mut bytes = vec![0; length.ok_or(io::ErrorKind::UnexpectedEof)? as usize];
        file.read_exact(&mut bytes)?;
        Ok(Cow::Owned(bytes))
    }

    /// All that was written here.
    pub fn whole(&self) -> io::Result<Cow<'_, [u8]>> {
        match self.held() {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => fs::read(self.path()).map(Cow::Owned),
        }
    }

    /// Writes parts; returns where each ends.
    pub fn write(&self, parts: impl Into<Parts>) -> io::Result<Vec<u64>> {
        let Parts { bytes, ends } = parts.into();
        let mut writer = PartWriter::new(self);
        writer.put(|out| *out = bytes)?;
        writer.ends = ends;
        writer.finish()
    }

    fn held(&self) -> Option<&[u8]> {
        match self {
            Self::File(_) => None,
            Self::Slot(slot) => match slot.content.get() {
                Some(Content::Memory(bytes)) => Some(bytes),
                _ => None,
            },
        }
    }

    fn path(&self) -> &PathBuf {
        match self {
            Self::File(path) => path,
            Self::Slot(slot) => &slot.path,
        }
    }

    fn room(&self) -> Option<&Room> {
        match self {
            Self::File(_) => None,
            Self::Slot(slot) => Some(&slot.room),
        }
    }
}

/// Parts one after another, in one piece.
#[derive(Debug, Default)]
pub struct Parts {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl Parts {
    /// No part yet, for about so many bytes; what is not needed of them is never touched.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
            ends: Vec::new(),
        }
    }

    /// Adds a part: what is appended to the bytes given.
    pub fn put(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        append(&mut self.bytes);
        self.ends.push(self.bytes.len() as u64);
    }

    /// Each part.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = iter::once(&0).chain(&self.ends);
        let bounds = starts.zip(&self.ends);
        bounds.map(|(&start, &end)| &self.bytes[start as usize..end as usize])
    }
}

impl From<Vec<u8>> for Parts {
    /// One part.
    fn from(bytes: Vec<u8>) -> Self {
        let ends = vec![bytes.len() as u64];
        Self { bytes, ends }
    }
}

/// Parts on their way to a place. They gather in memory until there is no room for them.
pub struct PartWriter<'a> {
    place: &'a Place,
    gathered: Vec<u8>,
    taken: u64,
    file: Option<File>,
    ends: Vec<u64>,
}

impl<'a> PartWriter<'a> {
    /// A writer to a place that nothing was written to.
    pub fn new(place: &'a Place) -> Self {
        Self::with_capacity(place, 0)
    }

    /// The same, for about so many bytes; what is not needed of them is never touched.
    pub fn with_capacity(place: &'a Place, bytes: usize) -> Self {
        Self {
            place,
            gathered: Vec::with_capacity(bytes),
            taken: 0,
            file: None,
            ends: Vec::new(),
        }
    }

    /// Writes the next part: what is appended to the bytes given.
    pub fn put(&mut self, append: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let before = self.gathered.len();
        append(&mut self.gathered);
        let length = (self.gathered.len() - before) as u64;
        self.ends.push(self.ends.last().unwrap_or(&0) + length);
        let is_room =
            self.file.is_none() && self.place.room().is_some_and(|room| room.take(length));
        if is_room {
            self.taken += length;
            return Ok(());
        }
        self.spill()
    }

    /// Moves what is gathered to the file.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::create(self.place.path())?),
        };
        let done = file.write_all(&self.gathered);
        self.gathered.clear();
        self.give_back();
        done
    }

    fn give_back(&mut self) {
        let taken = std::mem::take(&mut self.taken);
        if let Some(room) = self.place.room() {
            room.give_back(taken);
        }
    }

    /// Where each part ends.
    pub fn finish(mut self) -> io::Result<Vec<u64>> {
        let ends = std::mem::take(&mut self.ends);
        let Place::Slot(slot) = self.place else {
            if self.file.is_none() {
                self.spill()?;
            }
            return Ok(ends);
        };
        let content = if self.file.is_some() {
            Content::File
        } else {
            let mut bytes = std::mem::take(&mut self.gathered);
            bytes.shrink_to_fit();
            Content::Memory(bytes)
        };
        if slot.content.set(content).is_err() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        // The room is the slot's now.
        self.taken = 0;
        Ok(ends)
    }
}

impl Drop for PartWriter<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests;

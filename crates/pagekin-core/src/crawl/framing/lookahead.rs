//! Lookahead of the framer: inflates more bytes and notes the members that start in them.

use std::io;
use std::ops::Range;

use super::batch::Batch;
use super::framer::{Framer, FramingError, MemberStart};
use crate::crawl::inflate::PullState;
use crate::crawl::record_start::{begins, blank_len, find_anywhere, RecordFormat, LINE};

/// Minimum space given to the inflater, and maximum that is inflated ahead of need.
pub(in crate::crawl) const CHUNK: usize = 256 << 10;
/// Why fewer bytes are available than requested.
pub(in crate::crawl) enum Shortfall {
    /// A member that starts a record begins at this index of the batch.
    Fence(usize),
    End,
    Cut,
    Broken,
}

/// What comes after a record.
pub(in crate::crawl) enum Follower {
    /// Another record, or the end of the member or the file.
    Record,
    Junk,
    Broken,
}

impl Framer {
    /// Skips line breaks. More of them than any writer produces are left to be skipped as junk.
    pub(in crate::crawl) fn skip_blank(
        &mut self,
        batch: &mut Batch,
    ) -> Result<Result<(), Shortfall>, FramingError> {
        let mut passed = 0;
        loop {
            let blank = blank_len(&batch.data[self.pos..batch.len]);
            passed += blank;
            if self.pos + blank < batch.len || passed > LINE {
                self.pos += blank.saturating_sub(usize::from(passed > LINE));
                return Ok(Ok(()));
            }
            self.pos += blank;
            self.compact(batch);
            if let Err(shortfall) = self.ensure(batch, 1)? {
                return Ok(Err(shortfall));
            }
        }
    }

    /// What comes after a record that ends at `end`.
    pub(in crate::crawl) fn follower(
        &mut self,
        batch: &mut Batch,
        record_end: usize,
        begins_member: bool,
    ) -> Result<Follower, FramingError> {
        let mut end = record_end;
        loop {
            end += blank_len(&batch.data[end..batch.len]);
            if end - record_end > LINE {
                return Ok(Follower::Junk);
            }
            let at_member_end =
                end == batch.len && !self.stream.open && self.stream.fault.is_none();
            if self.memberwise.is_none() && (end < batch.len || at_member_end) {
                self.memberwise = Some(begins_member && at_member_end && !self.stream.is_plain());
            }
            if end < batch.len {
                let known = begins(&batch.data[end..batch.len], self.format);
                if known || batch.len - end >= LINE {
                    return Ok(if known {
                        Follower::Record
                    } else {
                        Follower::Junk
                    });
                }
            } else if begins_member && at_member_end {
                return Ok(Follower::Record);
            }
            match self.pull(batch, LINE)? {
                PullState::More | PullState::MemberEnd => {}
                PullState::Broken => return Ok(Follower::Broken),
                PullState::End | PullState::Cut if end == batch.len => return Ok(Follower::Record),
                PullState::End | PullState::Cut => return Ok(Follower::Junk),
            }
        }
    }

    /// Whether the body ends within an ARC header line, the rest of which may look like another one.
    pub(in crate::crawl) fn cuts_a_line(&self, batch: &Batch, body: Range<usize>) -> bool {
        if self.format != Some(RecordFormat::Arc) {
            return false;
        }
        let rest = &batch.data[body.end..batch.len.min(body.end + LINE)];
        if rest.first().is_none_or(|byte| b"\r\n".contains(byte)) {
            return false;
        }
        let from = body.start + memchr::memrchr(b'\n', &batch.data[body.clone()]).unwrap_or(0);
        let to = body.end + memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        find_anywhere(&batch.data[from..to], self.format).is_some_and(|at| from + at < body.end)
    }

    /// Makes `n` bytes from `pos` on available.
    pub(in crate::crawl) fn ensure(
        &mut self,
        batch: &mut Batch,
        n: usize,
    ) -> Result<Result<(), Shortfall>, FramingError> {
        loop {
            if let Some(at) = self.fence(batch, n) {
                return Ok(Err(Shortfall::Fence(at)));
            }
            let have = batch.len - self.pos;
            if have >= n {
                return Ok(Ok(()));
            }
            // Grow with the data that arrived, never with a claimed length.
            match self.pull(batch, (n - have).min(have.max(CHUNK)))? {
                PullState::More | PullState::MemberEnd => {}
                PullState::End => return Ok(Err(Shortfall::End)),
                PullState::Cut if batch.len - self.pos >= n => {}
                PullState::Cut => return Ok(Err(Shortfall::Cut)),
                PullState::Broken if batch.len - self.pos >= n => {}
                PullState::Broken => return Ok(Err(Shortfall::Broken)),
            }
        }
    }

    /// The first member that starts a record within the next `n` bytes, after the first byte.
    pub(in crate::crawl) fn fence(&self, batch: &Batch, n: usize) -> Option<usize> {
        let from = self.offset(batch);
        let until = from.saturating_add(n as u64);
        let mark = self.marks.iter().find(|m| m.at > from && m.at < until)?;
        Some(self.pos + (mark.at - from) as usize)
    }

    /// The stored offset of the record at `pos`, if it starts a member.
    pub(in crate::crawl) fn stored_at(&self, batch: &Batch) -> Option<u64> {
        let at = self.offset(batch);
        self.marks.iter().find(|m| m.at == at).map(|m| m.stored)
    }

    /// Number of stored bytes that hold the record from `pos` to `end`; `None` unless they suffice to
    /// read it: in a compressed file, the record must have a member of its own, or several.
    pub(in crate::crawl) fn stored_length(&self, batch: &Batch, end: usize) -> Option<u64> {
        if self.stream.is_plain() {
            return Some((end - self.pos) as u64);
        }
        let from = self.stored_at(batch)?;
        let behind = end + blank_len(&batch.data[end..batch.len]);
        let to = if behind == batch.len {
            (!self.stream.open).then(|| self.stream.input.offset())?
        } else {
            let at = self.offset(batch) + (behind - self.pos) as u64;
            self.marks.iter().find(|mark| mark.at == at)?.stored
        };
        to.checked_sub(from)
    }

    /// Offset of `pos` in the inflated bytes.
    pub(in crate::crawl) fn offset(&self, batch: &Batch) -> u64 {
        self.end - (batch.len - self.pos) as u64
    }

    /// Inflates more bytes. Takes a whole member where there is space, because the inflater
    /// copies its window each time it returns.
    pub(in crate::crawl) fn pull(
        &mut self,
        batch: &mut Batch,
        room: usize,
    ) -> io::Result<PullState> {
        let now = self.offset(batch);
        while self.marks.front().is_some_and(|m| m.at < now) {
            self.marks.pop_front();
        }
        let ahead = self.stream.is_plain() || self.memberwise == Some(false);
        let limit = if ahead { room.max(CHUNK) } else { usize::MAX };
        let len = batch.len;
        let space = batch.space(room.max(CHUNK));
        let limit = limit.min(space.len());
        let pull = self.stream.pull(&mut space[..limit])?;
        if let Some(stored) = pull.first {
            // Other members are not recorded: there may be one for each byte.
            if begins(&space[..pull.n], self.format) {
                self.marks.push_back(MemberStart {
                    at: self.end,
                    stored,
                });
            }
        }
        batch.len = len + pull.n;
        self.end += pull.n as u64;
        Ok(pull.state)
    }
}

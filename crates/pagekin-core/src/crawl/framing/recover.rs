//! Recovery of the framer from records that are not what their headers claim.

use std::io;

use super::batch::Batch;
use super::framer::{Framer, FramingError, RecordClaim};
use super::lookahead::{Shortfall, CHUNK};
use crate::crawl::inflate::PullState;
use crate::crawl::record_start::{begins, blank_len, find, find_anywhere, head_end, LINE};
use crate::crawl::Skip;

/// How far into a file of unknown format the first record is searched for.
const SEARCH: u64 = 16 << 20;
/// Skipping junk stops at this size if the junk also inflates by this ratio.
const JUNK: u64 = 1 << 30;
const RATIO: u64 = 100;

/// A block of up to this size is skipped whatever its compression ratio.
const BELIEVED: u64 = 4 << 30;

/// After this many failed jumps over large records of a plain file, no more are tried.
const JUMPS: u32 = 16;

/// The bytes to skip before the next record.
#[derive(Clone, Copy)]
pub(in crate::crawl) enum Junk {
    /// Bytes that belong to no record; the next record may start anywhere in them.
    Gap,
    /// The block of a record, with its claimed length. The next record starts on a new line.
    Block(u64),
}

impl Framer {
    /// Handles a record that ends before its claimed length or within its header.
    pub(in crate::crawl) fn short(
        &mut self,
        batch: &mut Batch,
        shortfall: Shortfall,
        claim: Option<&RecordClaim>,
    ) -> Result<(), FramingError> {
        let skip = claim.and_then(|c| c.skip);
        match shortfall {
            Shortfall::Broken => self.fault(batch, Skip::Damaged),
            Shortfall::Fence(at) => {
                self.skips.count(skip.unwrap_or(Skip::Truncated));
                self.pos = at;
                Ok(())
            }
            Shortfall::End | Shortfall::Cut => {
                // Search after the header, or after the first byte if the header is incomplete.
                let behind = claim.map_or(1, |c| c.head - 1);
                let rest = &batch.data[self.pos + behind..batch.len];
                let inside = find_anywhere(rest, self.format).map(|at| self.pos + behind + at);
                let is_whole = matches!(shortfall, Shortfall::End);
                match (inside, claim) {
                    (Some(next), Some(claim)) => self.cut_off(batch, claim, next),
                    (Some(next), None) => {
                        self.skips.count(Skip::Truncated);
                        self.pos = next;
                        Ok(())
                    }
                    (None, Some(claim))
                        if is_whole
                            && has_lost_returns(&batch.data[self.pos..batch.len], claim) =>
                    {
                        let end = batch.len;
                        self.accept(batch, claim, end);
                        Ok(())
                    }
                    _ => self.fault(batch, skip.unwrap_or(Skip::Truncated)),
                }
            }
        }
    }

    /// Handles a record in whose claimed length another one starts, at index `next` of the batch.
    pub(in crate::crawl) fn cut_off(
        &mut self,
        batch: &mut Batch,
        claim: &RecordClaim,
        next: usize,
    ) -> Result<(), FramingError> {
        if has_lost_returns(&batch.data[self.pos..next], claim) {
            self.accept(batch, claim, next);
        } else {
            self.skips.count(claim.skip.unwrap_or(Skip::Truncated));
            self.pos = next;
        }
        Ok(())
    }

    /// Drops the rest of a damaged member and goes on with the next sound one.
    pub(in crate::crawl) fn fault(
        &mut self,
        batch: &mut Batch,
        skip: Skip,
    ) -> Result<(), FramingError> {
        self.skips.count(skip);
        self.resync(batch)
    }

    fn resync(&mut self, batch: &mut Batch) -> Result<(), FramingError> {
        self.pos = batch.len;
        self.marks.clear();
        self.done = !self.stream.resync()?;
        Ok(())
    }

    /// Skips a record beyond the limit, where possible without inflating or reading it.
    pub(in crate::crawl) fn pass_large(
        &mut self,
        batch: &mut Batch,
        claim: &RecordClaim,
    ) -> Result<(), FramingError> {
        self.skips.count(claim.skip.unwrap_or(Skip::TooLarge));
        let to = self
            .offset(batch)
            .saturating_add(claim.head as u64)
            .saturating_add(claim.length);
        if self.stream.is_plain() && self.false_jumps < JUMPS {
            if self.jump(to)? {
                self.pos = batch.len;
                self.end = to;
                return Ok(());
            }
            self.false_jumps += 1;
        }
        let alone = self.stored_at(batch).is_some() && self.memberwise != Some(false);
        let back = self.stream.input.offset();
        // If the member may hold other records, undo a search that found nothing.
        if alone && (self.memberwise.is_some() || self.stream.input.len().is_some()) {
            if self.stream.next_member()? {
                self.pos = batch.len;
                self.marks.clear();
                return Ok(());
            }
            if self.memberwise.is_some() {
                self.done = true;
                return Ok(());
            }
            self.stream.input.seek(back)?;
        }
        self.pos += claim.head - 1;
        self.pass_junk(batch, Junk::Block(claim.length))
    }

    /// Seeks in a plain file, if the end or another record is at the offset.
    fn jump(&mut self, to: u64) -> io::Result<bool> {
        let input = &mut self.stream.input;
        let back = input.offset();
        if input.len().is_none_or(|len| to > len) || !input.seek(to)? {
            return Ok(false);
        }
        let bytes = input.peek(LINE)?;
        let blank = blank_len(bytes);
        let sound = bytes.len() == blank || begins(&bytes[blank..], self.format);
        input.seek(if sound { to } else { back })?;
        Ok(sound)
    }

    /// Skips bytes up to the start of the next record.
    pub(in crate::crawl) fn pass_junk(
        &mut self,
        batch: &mut Batch,
        junk: Junk,
    ) -> Result<(), FramingError> {
        let stored = self.stream.input.offset();
        let (find, believed): (fn(&[u8], _) -> _, _) = match junk {
            Junk::Gap => (find_anywhere, 0),
            Junk::Block(length) if length <= BELIEVED => (find, length),
            Junk::Block(_) => (find, 0),
        };
        let mut passed = 0;
        loop {
            if let Some(at) = find(&batch.data[self.pos..batch.len], self.format) {
                self.pos += at;
                return Ok(());
            }
            if let Some(at) = self.fence(batch, usize::MAX) {
                self.pos = at;
                return Ok(());
            }
            // The next record may start in the last line.
            let tail = (batch.len - self.pos).min(LINE);
            passed += (batch.len - self.pos - tail) as u64;
            self.pos = batch.len - tail;
            self.compact(batch);
            if self.hopeless(passed, believed, stored)? {
                self.pos = batch.len;
                self.marks.clear();
                self.done = self.stream.is_plain() || !self.stream.next_member()?;
                return Ok(());
            }
            match self.pull_chunk(batch)? {
                PullState::More | PullState::MemberEnd => {}
                PullState::End => {
                    self.done = true;
                    return Ok(());
                }
                PullState::Cut | PullState::Broken => return self.resync(batch),
            }
        }
    }

    /// Inflates a chunk, across members that may be tiny, up to one that starts a record.
    /// Reports an end or a fault only after all bytes before it were searched.
    fn pull_chunk(&mut self, batch: &mut Batch) -> Result<PullState, FramingError> {
        let start = self.end;
        loop {
            let state = self.pull(batch, CHUNK)?;
            let goes_on = matches!(state, PullState::More | PullState::MemberEnd);
            if !goes_on && self.end == start {
                return Ok(state);
            }
            if !goes_on || self.end - start >= CHUNK as u64 / 2 || !self.marks.is_empty() {
                return Ok(PullState::More);
            }
        }
    }

    /// Whether to give up on the current junk; giving up on the file is a [`FramingError`].
    fn hopeless(&self, passed: u64, believed: u64, since: u64) -> Result<bool, FramingError> {
        if self.memberwise == Some(true) && passed > self.limits.record {
            return Ok(true);
        }
        if self.stream.is_plain() {
            return Ok(!self.found_record && passed > SEARCH);
        }
        let stored = self.stream.input.offset().saturating_sub(since).max(1);
        if passed > believed + JUNK && passed / stored > RATIO {
            return Err(FramingError::Bomb(passed / stored));
        }
        Ok(false)
    }
}

/// Whether a record is shorter than claimed because its line ends were turned into line feeds, which
/// takes a byte from each line: the header of a response has carriage returns.
pub(super) fn has_lost_returns(record: &[u8], claim: &RecordClaim) -> bool {
    let Some(block) = record.get(claim.head..) else {
        return false;
    };
    let header = match claim.skip {
        Some(_) => block,
        None if block.starts_with(b"HTTP/") => &block[..head_end(block, 0).unwrap_or(0)],
        None => b"",
    };
    let missing = claim.length.saturating_sub(block.len() as u64);
    let lines = memchr::memchr_iter(b'\n', block).count() as u64;
    !header.is_empty() && !header.contains(&b'\r') && missing <= lines
}

//! Framing: finds where records start and end in inflated bytes, without trusting their lengths.
//!
//! A record is accepted only if another record, the end of its member or the end of the file
//! follows it. Otherwise its claimed length is wrong, and the next record is searched for inside
//! it and then after it.

use std::collections::VecDeque;
use std::io;

use super::batch::{Batch, RecordRange};
use super::lookahead::{Follower, Shortfall};
use super::recover::{has_lost_returns, Junk};
use crate::crawl::inflate::MemberStream;
use crate::crawl::record_start::RecordFormat;
use crate::crawl::record_start::{
    arc_line, before_scheme, find_anywhere, head_end, warc_frame, LINE,
};
use crate::crawl::{Limits, Skip, Skips};

/// A batch is full at this size, small enough to stay in the CPU cache until its records are
/// decoded.
pub(in crate::crawl) const BATCH: usize = 1 << 20;
/// Length of a line break and an empty line, minus one byte.
const ENDING: u64 = 3;

/// Why framing cannot go on.
pub(in crate::crawl) enum FramingError {
    Io(io::Error),
    /// A decompression bomb, with its ratio of inflated to stored bytes.
    Bomb(u64),
}

impl From<io::Error> for FramingError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A member that starts with a record: its offset in the inflated and in the stored bytes.
pub(in crate::crawl) struct MemberStart {
    pub at: u64,
    pub stored: u64,
}

/// A record as its head describes it.
pub(in crate::crawl) struct RecordClaim {
    pub head: usize,
    pub length: u64,
    pub skip: Option<Skip>,
    pub format: RecordFormat,
}

/// The records of one file.
pub(in crate::crawl) struct Framer {
    pub stream: MemberStream,
    pub skips: Skips,
    /// Whether any record was found; without one, the file is not an archive.
    pub found_record: bool,
    pub(in crate::crawl) limits: Limits,
    pub(in crate::crawl) file: u32,
    pub(in crate::crawl) format: Option<RecordFormat>,
    /// Whether each member is one record, once that is known.
    pub(in crate::crawl) memberwise: Option<bool>,
    /// Bytes that were inflated beyond the last batch.
    pub(in crate::crawl) carry: Vec<u8>,
    /// Start of the bytes in the batch that are not framed yet.
    pub(in crate::crawl) pos: usize,
    /// Offset of the end of the batch in the inflated bytes.
    pub(in crate::crawl) end: u64,
    pub(in crate::crawl) marks: VecDeque<MemberStart>,
    pub(in crate::crawl) done: bool,
    pub(in crate::crawl) false_jumps: u32,
    /// Offset in the inflated bytes up to which the search found no end of a header.
    headless: u64,
}

impl Framer {
    /// A framer of a plain stream that begins at this offset.
    pub fn starting_at(self, offset: u64) -> Self {
        let end = if self.stream.is_plain() { offset } else { 0 };
        Self { end, ..self }
    }

    pub fn new(stream: MemberStream, limits: Limits, file: u32) -> Self {
        Self {
            stream,
            skips: Skips::default(),
            found_record: false,
            limits,
            file,
            format: None,
            memberwise: None,
            carry: Vec::new(),
            pos: 0,
            end: 0,
            marks: VecDeque::new(),
            done: false,
            false_jumps: 0,
            headless: 0,
        }
    }

    /// Adds records to the batch until it is full. False at the end of the file.
    pub fn fill(&mut self, batch: &mut Batch) -> Result<bool, FramingError> {
        self.fill_up_to(batch, BATCH)
    }

    /// Adds records to the batch until they have this many bytes. False at the end of the file.
    pub fn fill_up_to(&mut self, batch: &mut Batch, bytes: usize) -> Result<bool, FramingError> {
        self.pos = batch.len;
        batch.push(&self.carry);
        self.carry.clear();
        while !self.done && batch.records_end() < bytes {
            self.compact(batch);
            self.next(batch)?;
        }
        if !self.done {
            self.carry
                .extend_from_slice(&batch.data[self.pos..batch.len]);
        }
        batch.len = batch.records_end();
        Ok(!self.done)
    }

    /// Drops the bytes that were passed over, once they are many or nothing else is left.
    pub(in crate::crawl) fn compact(&mut self, batch: &mut Batch) {
        let kept = batch.records_end();
        if self.pos == batch.len || self.pos - kept > BATCH {
            batch.data.copy_within(self.pos..batch.len, kept);
            batch.len -= self.pos - kept;
            self.pos = kept;
        }
    }

    fn next(&mut self, batch: &mut Batch) -> Result<(), FramingError> {
        match self.skip_blank(batch)? {
            Ok(()) => {}
            Err(Shortfall::Fence(_) | Shortfall::End) => {
                self.done = true;
                return Ok(());
            }
            Err(Shortfall::Cut) => return self.fault(batch, Skip::Truncated),
            Err(Shortfall::Broken) => return self.fault(batch, Skip::Damaged),
        }
        // A shortfall is reported when the header is parsed.
        let _ = self.ensure(batch, 8)?;
        let bytes = &batch.data[self.pos..batch.len];
        if self.format != Some(RecordFormat::Arc) && bytes.starts_with(b"WARC/") {
            return self.next_warc(batch);
        }
        if self.format != Some(RecordFormat::Warc) && bytes[0].is_ascii_alphabetic() {
            return self.next_arc(batch);
        }
        self.skips.count(Skip::Damaged);
        self.pass_junk(batch, Junk::Gap)
    }

    fn next_warc(&mut self, batch: &mut Batch) -> Result<(), FramingError> {
        let at = self.offset(batch);
        // Every line may start another header without an end; do not search the same bytes again.
        let searched = usize::try_from(self.headless.saturating_sub(at)).unwrap_or(0);
        let head = match self.search(batch, searched, head_end)? {
            Ok(Some(head)) => head,
            Ok(None) => {
                self.headless = at + (self.limits.header as u64).saturating_sub(ENDING);
                return self.overlong(batch, Skip::BadWarcHeader);
            }
            Err(shortfall) => return self.short(batch, shortfall, None),
        };
        let Some((length, skip)) = warc_frame(&batch.data[self.pos..self.pos + head]) else {
            self.skips.count(Skip::BadWarcHeader);
            self.pos += head - 1;
            return self.pass_junk(batch, Junk::Gap);
        };
        self.format = Some(RecordFormat::Warc);
        self.frame(
            batch,
            &RecordClaim {
                head,
                length,
                skip,
                format: RecordFormat::Warc,
            },
        )
    }

    fn next_arc(&mut self, batch: &mut Batch) -> Result<(), FramingError> {
        let line_end = |bytes: &[u8], from: usize| {
            memchr::memchr(b'\n', bytes.get(from..)?).map(|i| from + i + 1)
        };
        let head = match self.search(batch, 0, line_end)? {
            Ok(Some(head)) => head,
            Ok(None) if self.format.is_some() => return self.overlong(batch, Skip::UrlTooLong),
            Err(shortfall) if self.format.is_some() => return self.short(batch, shortfall, None),
            _ => 0,
        };
        let line = &batch.data[self.pos..self.pos + head];
        let Some(arc) = arc_line(line) else {
            self.skips.count(Skip::Damaged);
            return self.pass_junk(batch, Junk::Gap);
        };
        let junk = before_scheme(arc.url);
        if junk > 0 {
            self.skips.count(Skip::Damaged);
            self.pos += junk;
            return Ok(());
        }
        let length = arc.length;
        let skip = arc.url.starts_with(b"filedesc:").then_some(Skip::Info);
        self.format = Some(RecordFormat::Arc);
        self.frame(
            batch,
            &RecordClaim {
                head,
                length,
                skip,
                format: RecordFormat::Arc,
            },
        )
    }

    /// Searches until `find` succeeds; `None` if it does not within the longest allowed header.
    /// The first `searched` bytes are skipped.
    fn search(
        &mut self,
        batch: &mut Batch,
        mut searched: usize,
        find: impl Fn(&[u8], usize) -> Option<usize>,
    ) -> Result<Result<Option<usize>, Shortfall>, FramingError> {
        loop {
            let bytes = &batch.data[self.pos..batch.len];
            let have = bytes.len();
            let limit = self.limits.header;
            if let Some(end) = find(&bytes[..have.min(limit)], searched) {
                return Ok(self
                    .fence(batch, end)
                    .map_or(Ok(Some(end)), |at| Err(Shortfall::Fence(at))));
            }
            if have >= limit {
                return Ok(Ok(None));
            }
            searched = searched.max(have.saturating_sub(ENDING as usize));
            if let Err(shortfall) = self.ensure(batch, have + 1)? {
                return Ok(Err(shortfall));
            }
        }
    }

    /// Skips a header beyond the limit, as a URL that is too long or for the given reason.
    fn overlong(&mut self, batch: &mut Batch, otherwise: Skip) -> Result<(), FramingError> {
        let head = &batch.data[self.pos..self.pos + self.limits.header];
        let line = memchr::memrchr(b'\n', head).map_or(0, |i| i + 1);
        let name = &head[line..(line + 16).min(head.len())];
        let is_url = name.eq_ignore_ascii_case(b"warc-target-uri:");
        self.skips
            .count(if is_url { Skip::UrlTooLong } else { otherwise });
        self.found_record = true;
        self.pass_junk(batch, Junk::Block(0))
    }

    /// Accepts, skips or truncates the record that the claim describes.
    fn frame(&mut self, batch: &mut Batch, claim: &RecordClaim) -> Result<(), FramingError> {
        self.found_record = true;
        if claim.length > self.limits.record {
            return self.pass_large(batch, claim);
        }
        let total = claim.head + claim.length as usize;
        if let Err(shortfall) = self.ensure(batch, total)? {
            return self.short(batch, shortfall, Some(claim));
        }
        let mut end = self.pos + total;
        let stored = self.stored_at(batch);
        let body = self.pos + claim.head - 1..end;
        match self.follower(batch, end, stored.is_some())? {
            Follower::Broken if stored.is_some() => return self.fault(batch, Skip::Damaged),
            Follower::Broken => {}
            Follower::Record if !self.cuts_a_line(batch, body.clone()) => {}
            Follower::Record | Follower::Junk => {
                if let Some(at) = find_anywhere(&batch.data[body.clone()], self.format) {
                    return self.cut_off(batch, claim, body.start + at);
                }
                // The length reaches into the next head.
                let seen = &batch.data[body.start..batch.len.min(end + LINE)];
                let next = find_anywhere(seen, self.format).map(|at| body.start + at);
                if let Some(next) = next.filter(|&next| next < end) {
                    if !has_lost_returns(&batch.data[self.pos..next], claim) {
                        self.skips.count(Skip::Damaged);
                    }
                    end = next;
                }
            }
        }
        self.accept(batch, claim, end);
        Ok(())
    }

    /// Takes the record up to `end`.
    pub(in crate::crawl) fn accept(&mut self, batch: &mut Batch, claim: &RecordClaim, end: usize) {
        match claim.skip {
            Some(skip) if !skip.is_capture() => self.skips.count(skip),
            skip => batch.entries.push(RecordRange {
                start: self.pos,
                head: claim.head,
                end,
                offset: (self.stored_at(batch)).unwrap_or_else(|| self.offset(batch)),
                file: self.file,
                format: claim.format,
                length: self.stored_length(batch, end),
                skip,
            }),
        }
        self.pos = end;
    }
}

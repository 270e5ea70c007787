//! Buffered stored bytes: a part of a file, which can seek, or a pipe.
//!
//! Offsets count from the start of the part, not of the file it lies in.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes read at once, and the limit of every look-ahead but [`Input::look_ahead`].
pub(in crate::crawl) const BUFFER: usize = 256 << 10;
/// The limit of [`Input::look_ahead`].
pub(in crate::crawl) const FURTHEST: usize = 1 << 20;

enum Bytes {
    Part { file: File, base: u64, len: u64 },
    Pipe(Box<dyn Read + Send>),
}

/// A buffered reader that can look ahead and, within a file, go back.
pub(in crate::crawl) struct Input {
    bytes: Bytes,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset of the next byte to read from `bytes`.
    read_at: u64,
    /// A failed read inside a decoder, which would hide its kind.
    fault: Option<io::Error>,
    /// A failed read while looking ahead; reported when its bytes are needed.
    ahead: Option<io::Error>,
}

impl Input {
    pub fn pipe(bytes: Box<dyn Read + Send>) -> Self {
        Self::new(Bytes::Pipe(bytes))
    }

    pub fn part(mut file: File, base: u64, len: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(base))?;
        Ok(Self::new(Bytes::Part { file, base, len }))
    }

    fn new(bytes: Bytes) -> Self {
        Self {
            bytes,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            read_at: 0,
            fault: None,
            ahead: None,
        }
    }

    /// Offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.read_at - (self.end - self.start) as u64
    }

    /// Length in bytes, where it is known.
    pub fn len(&self) -> Option<u64> {
        match self.bytes {
            Bytes::Part { len, .. } => Some(len),
            Bytes::Pipe(_) => None,
        }
    }

    /// The buffered bytes.
    pub fn buffered(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    pub fn consume(&mut self, n: usize) {
        self.start = (self.start + n).min(self.end);
    }

    /// The next bytes, at least `n` of them (at most [`BUFFER`]) unless the end is near.
    pub fn peek(&mut self, n: usize) -> io::Result<&[u8]> {
        while self.end - self.start < n.min(self.buffer.len()) {
            if self.end == self.buffer.len() {
                self.make_room();
            }
            let got = self.read_more()?;
            if got == 0 {
                break;
            }
            self.read_at += got as u64;
            self.end += got;
        }
        Ok(self.buffered())
    }

    /// Moves the buffered bytes to the front and frees the memory of a long look-ahead.
    fn make_room(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end < BUFFER {
            self.buffer.truncate(BUFFER);
        }
    }

    /// The next bytes up to `reach`, which is at most [`FURTHEST`], or fewer if a read fails.
    pub fn look_ahead(&mut self, reach: usize) -> &[u8] {
        if self.buffer.len() < reach {
            self.buffer.resize(reach.min(FURTHEST), 0);
        }
        self.ahead = self.peek(reach).err();
        self.buffered()
    }

    fn read_more(&mut self) -> io::Result<usize> {
        match self.ahead.take() {
            Some(error) => Err(error),
            None => read_some(&mut self.bytes, self.read_at, &mut self.buffer[self.end..]),
        }
    }

    /// Moves to an offset. False, without moving, when that is not possible.
    pub fn seek(&mut self, to: u64) -> io::Result<bool> {
        let buffer_at = self.read_at - self.end as u64;
        if (buffer_at..=self.read_at).contains(&to) {
            self.start = (to - buffer_at) as usize;
            return Ok(true);
        }
        let Bytes::Part { file, base, len } = &mut self.bytes else {
            return Ok(false);
        };
        if to > *len {
            return Ok(false);
        }
        file.seek(SeekFrom::Start(*base + to))?;
        self.read_at = to;
        self.ahead = None;
        (self.start, self.end) = (0, 0);
        Ok(true)
    }

    /// Ends the input at an offset, if it is a part of a file.
    pub fn end_at(&mut self, end: u64) {
        if let Bytes::Part { len, .. } = &mut self.bytes {
            *len = end.min(*len);
        }
    }

    /// The earliest offset, from `to` on, that can still be reached.
    pub fn reachable(&self, to: u64) -> u64 {
        match self.bytes {
            Bytes::Part { .. } => to,
            Bytes::Pipe(_) => to.max(self.read_at - self.end as u64),
        }
    }

    /// Reads into `out`, bypassing the buffer when it is empty.
    pub fn read_into(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end {
            self.ahead.take().map_or(Ok(()), Err)?;
            let got = read_some(&mut self.bytes, self.read_at, out)?;
            self.read_at += got as u64;
            (self.start, self.end) = (0, 0);
            return Ok(got);
        }
        let n = out.len().min(self.end - self.start);
        out[..n].copy_from_slice(&self.buffer[self.start..self.start + n]);
        self.start += n;
        Ok(n)
    }

    /// The failed read inside a decoder, if there was one.
    pub fn take_fault(&mut self) -> Option<io::Error> {
        self.fault.take()
    }
}

impl Read for Input {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let filled = self.peek(1).map(|_| ());
        let result = filled.and_then(|()| {
            if self.start == self.end {
                Ok(0)
            } else {
                self.read_into(out)
            }
        });
        result.map_err(|error| {
            let kind = error.kind();
            self.fault = Some(error);
            io::Error::from(kind)
        })
    }
}

fn read_some(bytes: &mut Bytes, at: u64, out: &mut [u8]) -> io::Result<usize> {
    loop {
        let result = match bytes {
            Bytes::Part { file, len, .. } => {
                let left = usize::try_from(len.saturating_sub(at)).unwrap_or(usize::MAX);
                let n = out.len().min(left);
                file.read(&mut out[..n])
            }
            Bytes::Pipe(pipe) => pipe.read(out),
        };
        match result {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Trickle(u8, bool);

    impl Read for Trickle {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let n = out.len().min(3).min(usize::from(10 - self.0));
            for byte in &mut out[..n] {
                *byte = self.0;
                self.0 += 1;
            }
            Ok(n)
        }
    }

    #[test]
    fn pipe_seeks_back_within_its_buffer() -> io::Result<()> {
        let mut input = Input::pipe(Box::new(Trickle(0, false)));
        assert_eq!(input.peek(5)?[..5], [0, 1, 2, 3, 4]);
        input.consume(5);
        assert_eq!(input.offset(), 5);
        assert!(input.seek(2)?);
        assert!(!input.seek(50)?);
        assert_eq!(input.peek(100)?, [2, 3, 4, 5, 6, 7, 8, 9]);
        Ok(())
    }
}

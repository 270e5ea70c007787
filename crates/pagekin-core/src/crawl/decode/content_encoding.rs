//! Decoding of `Content-Encoding`, up to a limit and without trusting the header.
//!
//! Checksums of bodies are ignored, as in browsers: the archive has its own.

use std::io::Read;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::crawl::inflate::{gzip_header, GzipHeader, ZSTD_MAGIC};
use crate::crawl::MediaType;

/// Space that a decoder is given at once.
const STEP: usize = 64 << 10;
/// Largest window of a zstd body, as RFC 9659 sets it for HTTP.
const ZSTD_WINDOW: u64 = 8 << 20;
/// Number of bytes that are inspected for binary data.
const LOOK: usize = 1445;

/// How decoding ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Whole,
    /// The input ended early; the output so far is valid.
    Cut,
    /// The output exceeds the limit.
    TooLarge,
    /// The input is damaged, or the encoding is unknown.
    Bad,
    /// The body is not encoded, whatever the header says.
    Plain,
}

/// Decodes one encoding of `body` into the empty `out`.
pub(super) fn undo(name: &[u8], body: &[u8], limit: usize, out: &mut Vec<u8>) -> Outcome {
    let outcome = match name.to_ascii_lowercase().as_slice() {
        b"" | b"identity" => Outcome::Plain,
        b"gzip" | b"x-gzip" => gunzip(body, limit, out),
        b"deflate" => inflate_either(body, limit, out),
        b"br" => unbrotli(body, limit, out),
        b"zstd" => unzstd(body, limit, out),
        _ => Outcome::Bad,
    };
    let useless = matches!(outcome, Outcome::Bad | Outcome::Cut) && out.is_empty();
    if (useless || outcome == Outcome::Bad) && MediaType::of_first_bytes(body).is_some() {
        return Outcome::Plain;
    }
    outcome
}

/// The outcome for a body that is not encoded as its header says.
fn unencoded(body: &[u8]) -> Outcome {
    if is_text(body) {
        Outcome::Plain
    } else {
        Outcome::Bad
    }
}

/// Whether a body is text rather than binary data.
fn is_text(body: &[u8]) -> bool {
    let marks: [&[u8]; 2] = [b"\xFE\xFF", b"\xFF\xFE"];
    let binary = |byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    marks.iter().any(|mark| body.starts_with(mark)) || !body.iter().take(LOOK).any(binary)
}

fn gunzip(mut body: &[u8], limit: usize, out: &mut Vec<u8>) -> Outcome {
    match gzip_header(body) {
        GzipHeader::Bad => return unencoded(body),
        GzipHeader::Short => return Outcome::Cut,
        GzipHeader::Len(_) => {}
    }
    while let GzipHeader::Len(header) = gzip_header(body) {
        let (used, outcome) = inflate(&body[header..], limit, out);
        if outcome != Outcome::Whole {
            return outcome;
        }
        // A member ends with eight bytes of checksum and length, if they are present.
        body = body.get(header + used + 8..).unwrap_or(&[]);
    }
    Outcome::Whole
}

/// Inflates deflate data with a zlib wrapper, or without one, as some servers send it.
fn inflate_either(body: &[u8], limit: usize, out: &mut Vec<u8>) -> Outcome {
    let [first, second, ..] = *body else {
        return Outcome::Cut;
    };
    let wrapped =
        first & 0x0F == 8 && u16::from_be_bytes([first, second]) % 31 == 0 && second & 0x20 == 0;
    if wrapped {
        let (_, outcome) = inflate(&body[2..], limit, out);
        if outcome != Outcome::Bad {
            return outcome;
        }
        out.clear();
    }
    inflate(body, limit, out).1
}

/// Inflates raw deflate data; returns the number of bytes used, and the outcome.
fn inflate(body: &[u8], limit: usize, out: &mut Vec<u8>) -> (usize, Outcome) {
    let mut raw = Decompress::new(false);
    loop {
        out.reserve(STEP.max(out.len()).min(limit.saturating_sub(out.len()) + 1));
        let before = raw.total_out();
        let used = raw.total_in() as usize;
        let result = raw.decompress_vec(&body[used..], out, FlushDecompress::None);
        let used = raw.total_in() as usize;
        if out.len() > limit {
            return (used, Outcome::TooLarge);
        }
        match result {
            Ok(Status::StreamEnd) => return (used, Outcome::Whole),
            Err(_) => return (used, Outcome::Bad),
            Ok(_) if used == body.len() && raw.total_out() == before => {
                return (used, Outcome::Cut)
            }
            Ok(_) => {}
        }
    }
}

fn unbrotli(body: &[u8], limit: usize, out: &mut Vec<u8>) -> Outcome {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new(alloc(), alloc(), alloc());
    let (mut available_in, mut read, mut total) = (body.len(), 0, 0);
    loop {
        let mut written = out.len();
        let mut available_out = STEP.max(written).min(limit.saturating_sub(written) + 1);
        out.resize(written + available_out, 0);
        let result = BrotliDecompressStream(
            &mut available_in,
            &mut read,
            body,
            &mut available_out,
            &mut written,
            out,
            &mut total,
            &mut state,
        );
        out.truncate(written);
        if written > limit {
            return Outcome::TooLarge;
        }
        match result {
            BrotliResult::ResultSuccess => return Outcome::Whole,
            BrotliResult::NeedsMoreInput => return Outcome::Cut,
            BrotliResult::NeedsMoreOutput => {}
            BrotliResult::ResultFailure => return Outcome::Bad,
        }
    }
}

fn unzstd(mut body: &[u8], limit: usize, out: &mut Vec<u8>) -> Outcome {
    if !body.starts_with(&ZSTD_MAGIC) {
        return unencoded(body);
    }
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(ZSTD_WINDOW);
    while body.starts_with(&ZSTD_MAGIC) {
        if decoder.reset(&mut body).is_err() {
            return if body.is_empty() {
                Outcome::Cut
            } else {
                Outcome::Bad
            };
        }
        while !decoder.is_finished() {
            let block = decoder.decode_blocks(&mut body, BlockDecodingStrategy::UptoBlocks(1));
            let cut = block.is_err() && body.is_empty();
            let rest = (limit + 1).saturating_sub(out.len()) as u64;
            if (&mut decoder).take(rest).read_to_end(out).is_err() {
                return Outcome::Bad;
            }
            if out.len() > limit {
                return Outcome::TooLarge;
            }
            if block.is_err() {
                return if cut { Outcome::Cut } else { Outcome::Bad };
            }
        }
    }
    Outcome::Whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_distinguished_from_binary_data() {
        for text in ["", "plain", "\u{e9}\t\x1b$B", "a\r\n\x0c"] {
            assert!(is_text(text.as_bytes()), "{text}");
        }
        assert!(is_text(b"\xff\xfe<\0"));
        assert!(!is_text(b"\x1f\x8b\x08") && !is_text(b"<\0"));
    }
}

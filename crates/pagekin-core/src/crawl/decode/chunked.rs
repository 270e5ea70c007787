//! Decoding of `Transfer-Encoding: chunked`, as leniently as browsers do.

use memchr::memchr;

/// How a chunked body ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Chunks {
    /// The body is not chunked, whatever its header says.
    None,
    /// Complete, up to the last, empty chunk.
    Whole,
    /// A chunk is truncated or missing; the bytes before it are valid.
    Partial,
}

/// Appends the contents of the chunks to `out`.
pub(super) fn dechunk(body: &[u8], out: &mut Vec<u8>) -> Chunks {
    let Some((mut size, mut rest)) = chunk_size(body) else {
        return Chunks::None;
    };
    while size > 0 {
        let n = rest.len().min(size);
        out.extend_from_slice(&rest[..n]);
        if n < size {
            return Chunks::Partial;
        }
        let body = rest[n..].strip_prefix(b"\r").unwrap_or(&rest[n..]);
        let Some(next) = body.strip_prefix(b"\n").and_then(chunk_size) else {
            return Chunks::Partial;
        };
        (size, rest) = next;
    }
    Chunks::Whole
}

/// The size at the start of a chunk, and what follows its line.
fn chunk_size(body: &[u8]) -> Option<(usize, &[u8])> {
    let window = &body[..body.len().min(256)];
    let end = memchr(b'\n', window)?;
    let line = body[..end].trim_ascii_end();
    let digits = line.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    let extension = line[digits..].trim_ascii_start();
    if digits == 0 || digits > 15 || !(extension.is_empty() || extension[0] == b';') {
        return None;
    }
    let size = std::str::from_utf8(&line[..digits]).ok()?;
    let size = usize::from_str_radix(size, 16).ok()?;
    Some((size, &body[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_partial_and_unchunked_bodies_are_distinguished() {
        for (body, want, chunks) in [
            (
                "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n",
                "abcde",
                Chunks::Whole,
            ),
            ("3\nabc\n0\n", "abc", Chunks::Whole),
            (
                "0003 \r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
                "abc",
                Chunks::Whole,
            ),
            ("5\r\nabc", "abc", Chunks::Partial),
            ("2\r\nabc\r\n0\r\n", "ab", Chunks::Partial),
            ("3\r\nabc\r\n", "abc", Chunks::Partial),
            ("<html>\n", "", Chunks::None),
            ("fffffffffffffffff\r\nabc", "", Chunks::None),
            ("", "", Chunks::None),
        ] {
            let mut out = Vec::new();
            assert_eq!(dechunk(body.as_bytes(), &mut out), chunks, "{body}");
            assert_eq!(out, want.as_bytes(), "{body}");
        }
    }
}

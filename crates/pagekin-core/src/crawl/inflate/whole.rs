//! Decompression of whole gzip members, which is faster than streaming.
//!
//! libdeflate needs the whole member and space for all of its bytes. A member ends where the
//! next one starts or at the end of the file, and its trailer holds its size and checksum. If
//! they do not match, or the member is larger than the buffers, nothing is consumed and the
//! member is streamed.

use libdeflater::{crc32, Decompressor};
use memchr::memmem;

use super::gunzip::MAGIC;
use super::input::{Input, BUFFER, FURTHEST};

/// Checksum and size.
const TRAILER: usize = 8;
/// Possible ends of a member that are tried: random data contain a false one in 16 MiB.
const TRIES: usize = 2;

/// Inflates the next member, if all of it is buffered, and returns its inflated size.
pub(in crate::crawl) fn inflate_whole(
    input: &mut Input,
    inflater: &mut Decompressor,
    out: &mut [u8],
) -> Option<usize> {
    let reach = look_for_end(input);
    let bytes = input.buffered();
    let at_end = (bytes.len() < reach).then_some(bytes.len());
    let ends = memmem::find_iter(bytes, &MAGIC).chain(at_end);
    let found = ends
        .take(TRIES)
        .find_map(|end| Some((end, inflate_to(&bytes[..end], inflater, out)?)));
    if let Some((end, _)) = found {
        input.consume(end);
    }
    found.map(|(_, size)| size)
}

/// Looks ahead to where another member may start; returns the limit of the look-ahead.
fn look_for_end(input: &mut Input) -> usize {
    let lacks_end = |bytes: &[u8]| memmem::find(bytes, &MAGIC).is_none();
    if lacks_end(input.buffered()) {
        let bytes = input.look_ahead(BUFFER);
        if bytes.len() >= BUFFER && lacks_end(bytes) {
            input.look_ahead(FURTHEST);
            return FURTHEST;
        }
    }
    BUFFER
}

fn inflate_to(member: &[u8], inflater: &mut Decompressor, out: &mut [u8]) -> Option<usize> {
    let (data, trailer) = member.split_last_chunk::<TRAILER>()?;
    let [c0, c1, c2, c3, size @ ..] = *trailer;
    let size = u32::from_le_bytes(size) as usize;
    let out = out.get_mut(..size)?;
    let made = inflater.deflate_decompress(data, out).ok()?;
    let right = made == size && crc32(out) == u32::from_le_bytes([c0, c1, c2, c3]);
    right.then_some(size)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use flate2::{write::GzEncoder, Compression};

    use super::*;

    const HEADER: usize = 10;

    fn member(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    /// The inflated bytes, and the number of stored bytes left.
    fn inflated(stored: &[u8], room: usize) -> (Option<Vec<u8>>, usize) {
        let mut input = Input::pipe(Box::new(io::Cursor::new(stored[HEADER..].to_vec())));
        let mut out = vec![0; room];
        let size = inflate_whole(&mut input, &mut Decompressor::new(), &mut out);
        let left = input.peek(BUFFER).expect("memory").len();
        (size.map(|size| out[..size].to_vec()), left)
    }

    #[test]
    fn member_ends_at_the_next_or_with_the_file() {
        let (one, two) = (member(b"one garden"), member(b"two"));
        let both = [one.clone(), two.clone()].concat();
        assert_eq!(
            inflated(&both, 100),
            (Some(b"one garden".to_vec()), two.len())
        );
        assert_eq!(inflated(&one, 10), (Some(b"one garden".to_vec()), 0));
    }

    #[test]
    fn members_that_do_not_match_are_left_to_the_stream() {
        let one = member(b"one garden");
        let untouched = one.len() - HEADER;
        assert_eq!(inflated(&one, 9), (None, untouched));
        assert_eq!(
            inflated(&[&one[..], b"junk"].concat(), 100),
            (None, untouched + 4)
        );
        assert_eq!(inflated(&one[..one.len() - 1], 100), (None, untouched - 1));
        let mut broken = one.clone();
        broken[untouched] ^= 1;
        assert_eq!(inflated(&broken, 100), (None, untouched));
    }

    #[test]
    fn member_larger_than_the_usual_buffer_is_inflated() {
        let mut state = 7u32;
        let noise: Vec<u8> = (0..2 * BUFFER)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8 & 0x7f
            })
            .collect();
        let (one, two) = (member(&noise), member(b"two"));
        assert!((BUFFER..FURTHEST).contains(&one.len()));
        let both = [one.clone(), two.clone()].concat();
        assert_eq!(
            inflated(&both, 4 * BUFFER),
            (Some(noise.clone()), two.len())
        );
        assert_eq!(inflated(&one, 4 * BUFFER), (Some(noise.clone()), 0));
        let more = member(&noise.repeat(3));
        assert_eq!(inflated(&more, 8 * BUFFER).0, None);
    }

    #[test]
    fn magic_number_within_data_is_not_taken_for_a_member() {
        // Stored, not compressed, so that the magic stands in the data.
        let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
        encoder
            .write_all(&[&MAGIC[..], b"garden"].concat())
            .expect("memory");
        let stored = encoder.finish().expect("memory");
        let (made, left) = inflated(&stored, 100);
        assert_eq!((made.map(|made| made.len()), left), (Some(9), 0));
    }
}

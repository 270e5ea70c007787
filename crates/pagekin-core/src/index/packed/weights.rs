//! A weight for every page of a segment, in blocks of 128: bytes that SIMD widens, and patches.
//!
//! A block is how many weights are patched (a byte, with 129 added if there are nibbles), the low
//! byte of every weight, perhaps four more bits of every weight, and the patches: a place and the
//! bits above. Nibble i is in the low half of byte i, nibble i + ⌈n / 2⌉ in the high half.

use crate::columns::PACKED_BLOCK;

/// Room for the weights of a block.
pub type WeightBlock = [u16; PACKED_BLOCK];

/// Added to the number of patches if there are nibbles.
const NIBBLES: u8 = PACKED_BLOCK as u8 + 1;
/// Bits of a weight without and with a nibble.
const WIDTHS: [u32; 2] = [8, 12];

/// Appends a block of at most 128 weights.
pub fn put_weights(weights: &[u16], out: &mut Vec<u8>) {
    let patched = |width: u32| weights.iter().filter(move |&&weight| weight >> width > 0);
    let [bytes, nibbles] = WIDTHS.map(|width| patched(width).count());
    // A patch takes as long as a nibble for eight weights.
    let has_nibbles = bytes > nibbles + weights.len() / 8 && nibbles <= (u8::MAX - NIBBLES).into();
    let (width, patches, flag) = match has_nibbles {
        true => (WIDTHS[1], nibbles, NIBBLES),
        false => (WIDTHS[0], bytes, 0),
    };
    out.push(patches as u8 + flag);
    out.extend(weights.iter().map(|&weight| weight as u8));
    if has_nibbles {
        let nibble = |weight: &u16| (weight >> 8 & 0xf) as u8;
        let (low, high) = weights.split_at(weights.len().div_ceil(2));
        let high = high.iter().map(nibble).chain([0]);
        out.extend(
            low.iter()
                .zip(high)
                .map(|(low, high)| nibble(low) | high << 4),
        );
    }
    for (at, &weight) in (0..)
        .zip(weights)
        .filter(|(_, &weight)| weight >> width > 0)
    {
        out.extend([at, (weight >> width) as u8]);
    }
}

/// Reads a block of this many weights, at most 128, from the beginning of some bytes; returns the
/// others. `None` if they are no such block.
#[inline]
pub fn read_weights<'a>(
    bytes: &'a [u8],
    count: usize,
    weights: &mut WeightBlock,
) -> Option<&'a [u8]> {
    let (&head, rest) = bytes.split_first()?;
    let has_nibbles = head >= NIBBLES;
    let patches = if has_nibbles { head - NIBBLES } else { head };
    let weights = weights.get_mut(..count)?;
    let (low, mut rest) = rest.split_at_checked(count)?;
    for (weight, &low) in weights.iter_mut().zip(low) {
        *weight = low.into();
    }
    if has_nibbles {
        let nibbles;
        (nibbles, rest) = rest.split_at_checked(count.div_ceil(2))?;
        let (first, second) = weights.split_at_mut(nibbles.len());
        for (weight, &nibble) in first.iter_mut().zip(nibbles) {
            *weight |= u16::from(nibble & 0xf) << 8;
        }
        for (weight, &nibble) in second.iter_mut().zip(nibbles) {
            *weight |= u16::from(nibble >> 4) << 8;
        }
    }
    let (patches, rest) = rest.split_at_checked(2 * usize::from(patches))?;
    let width = WIDTHS[usize::from(has_nibbles)];
    for &[at, bits] in patches.as_chunks::<2>().0 {
        *weights.get_mut(usize::from(at))? |= u16::from(bits) << width;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(seed: u32, count: usize) -> Vec<u16> {
        let mut state = seed.wrapping_mul(2_654_435_761) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let width = seed % 17;
        (0..count)
            .map(|_| match next() % (2 + seed % 40) {
                0 => next() as u16,
                _ => (next() & ((1 << width) - 1)) as u16,
            })
            .collect()
    }

    fn packed(weights: &[u16]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_weights(weights, &mut bytes);
        bytes
    }

    fn unpacked(bytes: &[u8], count: usize) -> Option<Vec<u16>> {
        let mut block = [7; PACKED_BLOCK];
        let rest = read_weights(bytes, count, &mut block)?;
        rest.is_empty().then(|| block[..count].to_vec())
    }

    #[test]
    fn weights_are_read_back() {
        for seed in 0..4_000 {
            let count = [1, 2, 3, 64, 127, 128][seed as usize % 6];
            let weights = weights(seed, count);
            assert_eq!(unpacked(&packed(&weights), count), Some(weights), "{seed}");
        }
        let large = [u16::MAX; PACKED_BLOCK];
        assert_eq!(
            unpacked(&packed(&large), PACKED_BLOCK),
            Some(large.to_vec())
        );
    }

    #[test]
    fn damaged_weights_never_panic() {
        for seed in 0..300 {
            let count = [1, 64, 127, 128][seed as usize % 4];
            let bytes = packed(&weights(seed, count));
            for cut in 0..bytes.len() {
                assert_eq!(unpacked(&bytes[..cut], count), None);
            }
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                for bit in 0..8 {
                    changed[at] ^= 1 << bit;
                    let _ = unpacked(&changed, count);
                }
            }
        }
        assert_eq!(read_weights(&[0; 300], 129, &mut [0; PACKED_BLOCK]), None);
    }
}

//! A block of pages as bytes, to be kept and read again for every strategy.
//!
//! `PKPAGES2`, the XXH3 (64 bits) of all that follows, then the columns as the
//! exchange writes arrays. Whatever does not fit together is damage.

use xxhash_rust::xxh3::xxh3_64;

use super::block::{Anchor, Break, PageBlock, PageRow};
use crate::exchange::{Damage, Pack, Unpack};
use crate::text::{Interner, Strings};

const MAGIC: &[u8; 8] = b"PKPAGES2";
const HEAD: usize = 16;

/// The block and the names of the files that its pages came from.
pub fn pack_block(block: &PageBlock, files: &[String]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.resize(HEAD, 0);
    put_strings(files.iter().map(String::as_str), &mut out);
    let words = 0..block.vocabulary.len() as u32;
    put_strings(words.map(|word| block.vocabulary.get(word)), &mut out);
    let urls = 0..block.urls.len() as u32;
    put_strings(urls.map(|url| block.urls.get(url)), &mut out);
    out.put_bytes(block.titles.as_bytes());
    put_rows(&block.rows, &mut out);
    out.put_small(&block.title_words);
    out.put_small(&block.words);
    let anchors = block.anchors.iter();
    let anchors: Vec<u32> = anchors
        .flat_map(|anchor| [anchor.first, anchor.last, anchor.target])
        .collect();
    out.put_small(&anchors);
    let positions: Vec<u32> = block.breaks.iter().map(|at| at.position).collect();
    let kinds: Vec<u8> = block.breaks.iter().map(|at| at.kinds).collect();
    out.put_small(&positions);
    out.put_bytes(&kinds);
    let sum = xxh3_64(&out[HEAD..]);
    out[8..HEAD].copy_from_slice(&sum.to_le_bytes());
    out
}

/// The block that [`pack_block`] wrote, and the names of its files.
pub fn unpack_block(bytes: &[u8]) -> Result<(PageBlock, Vec<String>), Damage> {
    let (head, rest) = bytes.split_at_checked(HEAD).ok_or(Damage { at: 0 })?;
    if &head[..8] != MAGIC || head[8..] != xxh3_64(rest).to_le_bytes() {
        return Err(Damage { at: 0 });
    }
    let from = &mut Unpack::new(rest);
    let files = strings(from)?;
    let block = PageBlock {
        vocabulary: numbered(from, Interner::intern)?,
        urls: numbered(from, Strings::intern)?,
        titles: text(from.bytes()?)?.to_owned(),
        rows: rows(from)?,
        title_words: from.small()?,
        words: from.small()?,
        anchors: anchors(from)?,
        breaks: breaks(from)?,
    };
    if fits(&block, files.len()) {
        Ok((block, files))
    } else {
        Err(Damage { at: HEAD })
    }
}

fn put_strings<'a>(strings: impl Iterator<Item = &'a str>, out: &mut Vec<u8>) {
    let mut bytes = Vec::new();
    let ends: Vec<u64> = strings
        .map(|text| {
            bytes.extend_from_slice(text.as_bytes());
            bytes.len() as u64
        })
        .collect();
    out.put_bytes(&bytes);
    out.put_u64s(&ends);
}

fn put_rows(rows: &[PageRow], out: &mut Vec<u8>) {
    let small = |of: fn(&PageRow) -> u32| rows.iter().map(of).collect::<Vec<_>>();
    let large = |of: fn(&PageRow) -> u64| rows.iter().map(of).collect::<Vec<_>>();
    out.put_u32s(&small(|row| row.url));
    out.put_u32s(&small(|row| row.file));
    out.put_u64s(&large(|row| row.offset));
    out.put_u32s(&small(|row| u32::from(row.date.is_some())));
    out.put_u64s(&large(|row| row.date.unwrap_or_default() as u64));
    out.put_u64s(&large(|row| row.digest));
    out.put_u64s(&large(|row| row.title_end as u64));
    out.put_u64s(&large(|row| row.title_words_end as u64));
    out.put_u64s(&large(|row| row.words_end as u64));
    out.put_u64s(&large(|row| row.anchors_end as u64));
    out.put_u64s(&large(|row| row.breaks_end as u64));
}

fn text(bytes: &[u8]) -> Result<&str, Damage> {
    std::str::from_utf8(bytes).map_err(|error| Damage {
        at: error.valid_up_to(),
    })
}

fn strings(from: &mut Unpack<'_>) -> Result<Vec<String>, Damage> {
    let (bytes, ends) = (from.bytes()?, from.u64s()?);
    let mut start = 0;
    let cut = |end: u64| {
        let part = bytes.get(start..end as usize).ok_or(Damage { at: start })?;
        start = end as usize;
        Ok(text(part)?.to_owned())
    };
    ends.into_iter().map(cut).collect()
}

/// A set of strings that were written in the order of their numbers.
fn numbered<T: Default>(
    from: &mut Unpack<'_>,
    intern: fn(&mut T, &[u8]) -> u32,
) -> Result<T, Damage> {
    let mut set = T::default();
    for (number, text) in strings(from)?.iter().enumerate() {
        if intern(&mut set, text.as_bytes()) as usize != number {
            return Err(Damage { at: number });
        }
    }
    Ok(set)
}

fn rows(from: &mut Unpack<'_>) -> Result<Vec<PageRow>, Damage> {
    let (url, file, offset) = (from.u32s()?, from.u32s()?, from.u64s()?);
    let (dated, date, digest) = (from.u32s()?, from.u64s()?, from.u64s()?);
    let ends = [
        from.u64s()?,
        from.u64s()?,
        from.u64s()?,
        from.u64s()?,
        from.u64s()?,
    ];
    let lengths = [
        file.len(),
        offset.len(),
        dated.len(),
        date.len(),
        digest.len(),
    ];
    let mut lengths = lengths.into_iter().chain(ends.iter().map(Vec::len));
    if lengths.any(|length| length != url.len()) {
        return Err(Damage { at: url.len() });
    }
    let row = |at: usize| PageRow {
        url: url[at],
        file: file[at],
        offset: offset[at],
        date: (dated[at] == 1).then_some(date[at] as i64),
        digest: digest[at],
        title_end: ends[0][at] as usize,
        title_words_end: ends[1][at] as usize,
        words_end: ends[2][at] as usize,
        anchors_end: ends[3][at] as usize,
        breaks_end: ends[4][at] as usize,
    };
    Ok((0..url.len()).map(row).collect())
}

fn anchors(from: &mut Unpack<'_>) -> Result<Vec<Anchor>, Damage> {
    let numbers = from.small()?;
    let anchors = numbers.chunks_exact(3).map(|numbers| Anchor {
        first: numbers[0],
        last: numbers[1],
        target: numbers[2],
    });
    if numbers.len() % 3 == 0 {
        Ok(anchors.collect())
    } else {
        Err(Damage { at: numbers.len() })
    }
}

fn breaks(from: &mut Unpack<'_>) -> Result<Vec<Break>, Damage> {
    let (positions, kinds) = (from.small()?, from.bytes()?);
    if positions.len() != kinds.len() {
        return Err(Damage { at: kinds.len() });
    }
    let breaks = positions.into_iter().zip(kinds);
    Ok(breaks
        .map(|(position, &kinds)| Break { position, kinds })
        .collect())
}

/// Whether every number of the block leads somewhere.
fn fits(block: &PageBlock, files: usize) -> bool {
    let known = |words: &[u32]| {
        words
            .iter()
            .all(|&word| (word as usize) < block.vocabulary.len())
    };
    let ends = |row: &PageRow| {
        [
            row.title_end,
            row.title_words_end,
            row.words_end,
            row.anchors_end,
            row.breaks_end,
        ]
    };
    let lengths = [
        block.titles.len(),
        block.title_words.len(),
        block.words.len(),
        block.anchors.len(),
        block.breaks.len(),
    ];
    let mut last = [0; 5];
    for row in &block.rows {
        let here = ends(row);
        let grow = here.iter().zip(last).all(|(&end, start)| end >= start);
        if !grow || row.file as usize >= files || row.url as usize >= block.urls.len() {
            return false;
        }
        last = here;
    }
    last == lengths
        && known(&block.words)
        && known(&block.title_words)
        && block
            .rows
            .iter()
            .all(|row| block.titles.is_char_boundary(row.title_end))
        && (0..block.len()).all(|page| page_fits(block, page))
}

fn page_fits(block: &PageBlock, page: usize) -> bool {
    let page = block.page(page);
    let words = page.words.len() as u32;
    let mut anchors = page.anchors.iter();
    anchors.all(|anchor| {
        anchor.first <= anchor.last
            && anchor.last <= words
            && (anchor.target as usize) < block.urls.len()
    }) && page.breaks.iter().all(|at| at.position <= words)
}

#[cfg(test)]
mod tests;

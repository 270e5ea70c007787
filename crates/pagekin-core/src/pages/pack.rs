//! A block of pages as bytes, to be kept and read again for every strategy.
//!
//! The columns as arrays, in a frame of the spill store. Whatever does not fit together is
//! refused.

use super::block::{Anchor, Break, PageBlock, PageRow};
use crate::columns::{check_length, ArrayReader, ArrayWriter, CodecError, Column, StringColumn};
use crate::text::{StringInterner, WordInterner};

/// Appends the block and the names of the files that its pages came from.
pub fn pack_block(block: &PageBlock, files: &[String], out: &mut Vec<u8>) {
    put_strings(files.iter().map(String::as_str), out);
    let words = 0..block.vocabulary.len() as u32;
    put_strings(words.map(|word| block.vocabulary.get(word)), out);
    let urls = 0..block.urls.len() as u32;
    put_strings(urls.map(|url| block.urls.get(url)), out);
    put_strings(std::iter::once(block.titles.as_str()), out);
    put_rows(&block.rows, out);
    out.put_u32s(&block.title_words);
    out.put_u32s(&block.words);
    let anchors = block.anchors.iter();
    let anchors: Vec<u32> = anchors
        .flat_map(|anchor| [anchor.first, anchor.last, anchor.target])
        .collect();
    out.put_u32s(&anchors);
    let positions: Vec<u32> = block.breaks.iter().map(|at| at.position).collect();
    let kinds: Vec<u8> = block.breaks.iter().map(|at| at.kinds).collect();
    out.put_u32s(&positions);
    out.put_bytes(&kinds);
}

/// The block that [`pack_block`] wrote, and the names of its files.
pub fn unpack_block(bytes: &[u8]) -> Result<(PageBlock, Vec<String>), CodecError> {
    let from = &mut ArrayReader::new(bytes);
    let files = strings(from)?;
    let block = PageBlock {
        vocabulary: numbered(from, WordInterner::intern)?,
        urls: numbered(from, StringInterner::intern)?,
        titles: strings(from)?.concat(),
        rows: rows(from)?,
        title_words: from.u32s()?,
        words: from.u32s()?,
        anchors: anchors(from)?,
        breaks: breaks(from)?,
    };
    let sound = fits(&block, files.len());
    check_length("sound blocks of pages", 1, sound.into())?;
    Ok((block, files))
}

fn put_strings<'a>(strings: impl Iterator<Item = &'a str>, out: &mut Vec<u8>) {
    let mut column = StringColumn::default();
    strings.for_each(|text| column.push(text.as_bytes()));
    column.write(out);
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

fn strings(from: &mut ArrayReader<'_>) -> Result<Vec<String>, CodecError> {
    let mut column = StringColumn::default();
    column.read(from)?;
    let texts = column.texts()?;
    Ok((0..column.len())
        .map(|row| texts.get(row).to_owned())
        .collect())
}

/// A set of strings that were written in the order of their numbers.
fn numbered<T: Default>(
    from: &mut ArrayReader<'_>,
    intern: fn(&mut T, &[u8]) -> u32,
) -> Result<T, CodecError> {
    let mut set = T::default();
    for (number, text) in strings(from)?.iter().enumerate() {
        let found = intern(&mut set, text.as_bytes()) as usize;
        check_length("distinct strings", number, found)?;
    }
    Ok(set)
}

fn rows(from: &mut ArrayReader<'_>) -> Result<Vec<PageRow>, CodecError> {
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
    for length in lengths.into_iter().chain(ends.iter().map(Vec::len)) {
        check_length("pages of a block", url.len(), length)?;
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

fn anchors(from: &mut ArrayReader<'_>) -> Result<Vec<Anchor>, CodecError> {
    let numbers = from.u32s()?;
    let (anchors, rest) = numbers.as_chunks();
    check_length("numbers of no anchor", 0, rest.len())?;
    let anchor = |&[first, last, target]: &[u32; 3]| Anchor {
        first,
        last,
        target,
    };
    Ok(anchors.iter().map(anchor).collect())
}

fn breaks(from: &mut ArrayReader<'_>) -> Result<Vec<Break>, CodecError> {
    let (positions, kinds) = (from.u32s()?, from.bytes()?);
    check_length("kinds of breaks", positions.len(), kinds.len())?;
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

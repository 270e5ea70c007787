//! A block of pages as bytes, to be kept and read again for every strategy.
//!
//! The columns as arrays, in a frame of the spill store, without the texts, which no strategy
//! needs. Columns that do not fit together are refused.

use super::block::{Anchor, Break, PageBlock, PageRow};
use crate::columns::{check_length, ArrayReader, CodecError, Column, StringColumn};
use crate::text::{Language, StringInterner, WordInterner};

/// Appends the block and the names of the files that its pages came from.
pub fn pack_block(block: &PageBlock, files: &[String], out: &mut Vec<u8>) {
    put_strings(files.iter().map(String::as_str), out);
    let words = 0..block.vocabulary.len() as u32;
    put_strings(words.map(|word| block.vocabulary.get(word)), out);
    let urls = 0..block.urls.len() as u32;
    put_strings(urls.map(|url| block.urls.get(url)), out);
    block.rows.write(out);
    block.redirects.write(out);
    block.titles.write(out);
    block.title_words.write(out);
    block.words.write(out);
    block.anchors.write(out);
    block.breaks.write(out);
}

/// The block that [`pack_block`] wrote, and the names of its files.
pub fn unpack_block(bytes: &[u8]) -> Result<(PageBlock, Vec<String>), CodecError> {
    let from = &mut ArrayReader::new(bytes);
    let files = strings(from)?;
    let mut block = PageBlock {
        vocabulary: numbered(from, WordInterner::intern)?,
        urls: numbered(from, StringInterner::intern)?,
        ..PageBlock::default()
    };
    block.rows.read(from)?;
    block.redirects.read(from)?;
    block.titles.read(from)?;
    block.title_words.read(from)?;
    block.words.read(from)?;
    block.anchors.read(from)?;
    block.breaks.read(from)?;
    let sound = fits(&block, files.len());
    check_length("sound blocks of pages", 1, sound.into())?;
    Ok((block, files))
}

fn put_strings<'a>(strings: impl Iterator<Item = &'a str>, out: &mut Vec<u8>) {
    let mut column = StringColumn::default();
    strings.for_each(|text| column.push(text.as_bytes()));
    column.write(out);
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

impl Column for Vec<PageRow> {
    fn clear(&mut self) {
        Vec::clear(self);
    }

    fn write(&self, out: &mut Vec<u8>) {
        let small = |of: fn(&PageRow) -> u32| self.iter().map(of).collect::<Vec<_>>();
        let large = |of: fn(&PageRow) -> u64| self.iter().map(of).collect::<Vec<_>>();
        small(|row| row.url).write(out);
        small(|row| row.file).write(out);
        small(|row| row.canonical).write(out);
        small(|row| u32::from(row.date.is_some())).write(out);
        small(|row| row.language.map_or(0, Language::number)).write(out);
        large(|row| row.date.unwrap_or_default() as u64).write(out);
        large(|row| row.offset).write(out);
        large(|row| row.digest).write(out);
    }

    fn read(&mut self, from: &mut ArrayReader<'_>) -> Result<(), CodecError> {
        let (url, file, canonical) = (from.u32s()?, from.u32s()?, from.u32s()?);
        let (dated, language) = (from.u32s()?, from.u32s()?);
        let (date, offset, digest) = (from.u64s()?, from.u64s()?, from.u64s()?);
        let lengths = [file.len(), dated.len(), date.len(), offset.len()];
        let others = [canonical.len(), digest.len(), language.len()];
        for length in lengths.into_iter().chain(others) {
            check_length("pages of a block", url.len(), length)?;
        }
        let row = |at: usize| PageRow {
            url: url[at],
            file: file[at],
            offset: offset[at],
            date: (dated[at] == 1).then_some(date[at] as i64),
            since: (dated[at] == 1).then_some(date[at] as i64),
            digest: digest[at],
            canonical: canonical[at],
            language: Language::numbered(language[at]),
        };
        *self = (0..url.len()).map(row).collect();
        Ok(())
    }
}

impl Column for Vec<Anchor> {
    fn clear(&mut self) {
        Vec::clear(self);
    }

    fn write(&self, out: &mut Vec<u8>) {
        let numbers = |anchor: &Anchor| [anchor.first, anchor.last, anchor.target];
        self.iter().flat_map(numbers).collect::<Vec<_>>().write(out);
    }

    fn read(&mut self, from: &mut ArrayReader<'_>) -> Result<(), CodecError> {
        let numbers = from.u32s()?;
        let (anchors, rest) = numbers.as_chunks();
        check_length("numbers of no anchor", 0, rest.len())?;
        let anchor = |&[first, last, target]: &[u32; 3]| Anchor {
            first,
            last,
            target,
        };
        *self = anchors.iter().map(anchor).collect();
        Ok(())
    }
}

impl Column for Vec<Break> {
    fn clear(&mut self) {
        Vec::clear(self);
    }

    fn write(&self, out: &mut Vec<u8>) {
        let positions: Vec<u32> = self.iter().map(|at| at.position).collect();
        let kinds: Vec<u8> = self.iter().map(|at| at.kinds).collect();
        positions.write(out);
        kinds.write(out);
    }

    fn read(&mut self, from: &mut ArrayReader<'_>) -> Result<(), CodecError> {
        let (positions, kinds) = (from.u32s()?, from.bytes()?);
        check_length("kinds of breaks", positions.len(), kinds.len())?;
        let breaks = positions.into_iter().zip(kinds);
        *self = breaks
            .map(|(position, &kinds)| Break { position, kinds })
            .collect();
        Ok(())
    }
}

/// Whether every page has a row in each column, and every number of the block leads somewhere.
fn fits(block: &PageBlock, files: usize) -> bool {
    let columns = [
        block.titles.len(),
        block.title_words.len(),
        block.words.len(),
        block.anchors.len(),
        block.breaks.len(),
    ];
    let mut redirects = block.redirects.iter();
    columns.iter().all(|&rows| rows == block.len())
        && redirects.all(|&url| (url as usize) < block.urls.len())
        && std::str::from_utf8(block.titles.values()).is_ok()
        && (0..block.len()).all(|page| page_fits(block, page, files))
}

fn page_fits(block: &PageBlock, page: usize, files: usize) -> bool {
    let page = block.page(page);
    let is_url = |url: u32| (url as usize) < block.urls.len();
    let is_word = |&word: &u32| (word as usize) < block.vocabulary.len();
    let words = page.words.len() as u32;
    let mut anchors = page.anchors.iter();
    is_url(page.url)
        && page.canonical.is_none_or(is_url)
        && (page.file as usize) < files
        && page.words.iter().chain(page.title_words).all(is_word)
        && anchors.all(|anchor| {
            anchor.first <= anchor.last && anchor.last <= words && is_url(anchor.target)
        })
        && page.breaks.iter().all(|at| at.position <= words)
}

#[cfg(test)]
mod tests;

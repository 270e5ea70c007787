//! One shard: the tables of the pages whose ids begin alike, row by row.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt16Type, UInt32Type, UInt64Type};
use arrow_array::Array;

use super::bag::Bag;
use super::mapped::MappedTable;
use super::sealed::Fault;

/// The tables of a shard. Rows of `pages`, `bags` and `sketches` are of the same page.
#[derive(Debug)]
pub struct Shard {
    /// `url`, `site`, `title`, `crawled`.
    pub pages: MappedTable,
    /// `id`, `terms`, `weights`.
    pub bags: MappedTable,
    /// H: `sketch`.
    pub sketches: MappedTable,
    /// I: `value`, `row`; one batch a position.
    pub inverse: MappedTable,
    /// `target`, `source`, `from`, `first`, `last`, `to`.
    pub links: MappedTable,
    /// `words`.
    pub words: MappedTable,
    /// `term`, `rows`, `weights`.
    pub holders: MappedTable,
}

/// The bags that hold a term.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// Their rows, ascending.
    pub rows: &'a [u32],
    /// The weight of the term in each.
    pub weights: &'a [u16],
}

/// What a page is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card<'a> {
    /// Its canonical URL.
    pub url: &'a str,
    /// Its site.
    pub site: &'a str,
    /// Its title, if it was fetched.
    pub title: Option<&'a str>,
    /// Whether it was fetched.
    pub crawled: bool,
}

/// A link's window and anchor: `from`, `first`, `last`, `to`.
pub type Window = [u32; 4];

impl Shard {
    /// The columns that are read of each table, in the order of the fields.
    pub const COLUMNS: [(&'static str, &'static [&'static str]); 7] = [
        ("pages", &["url", "site", "title", "crawled"]),
        ("bags", &["id", "terms", "weights"]),
        ("sketches", &["sketch"]),
        ("inverse", &["value", "row"]),
        (
            "links",
            &["target", "source", "from", "first", "last", "to"],
        ),
        ("words", &["words"]),
        ("holders", &["term", "rows", "weights"]),
    ];

    /// How many pages it has.
    pub fn rows(&self) -> usize {
        self.bags.rows()
    }

    /// The row of a page.
    pub fn row_of(&self, id: u64) -> Result<Option<usize>, Fault> {
        let row = self.bags.partition_point(|row| Ok(self.id(row)? < id))?;
        Ok((row < self.rows() && self.id(row)? == id).then_some(row))
    }

    /// The id of the page in a row.
    pub fn id(&self, row: usize) -> Result<u64, Fault> {
        self.bags.number::<UInt64Type>(row, 0)
    }

    /// The bag in a row.
    pub fn bag(&self, row: usize) -> Result<Bag<'_>, Fault> {
        let (batch, at) = self.bags.find(row)?;
        let terms = self.bags.list::<UInt64Type>(batch, 1, at)?;
        let weights = self.bags.list::<UInt16Type>(batch, 2, at)?;
        if terms.len() != weights.len() {
            return Err(self
                .bags
                .fault("a bag has more terms than weights, or fewer"));
        }
        Ok(Bag { terms, weights })
    }

    /// Tells the holders of each of some terms, which ascend, by the term's number.
    /// Whoever reads them has them [checked](Self::check_held).
    pub fn held<'a>(
        &'a self,
        terms: &[u64],
        mut tell: impl FnMut(usize, Held<'a>),
    ) -> Result<(), Fault> {
        let table = &self.holders;
        table.find_keys(terms, |batch, found| {
            let rows = table.lists::<UInt32Type>(batch, 1)?;
            let weights = table.lists::<UInt16Type>(batch, 2)?;
            for &(number, at) in found {
                let (rows, weights) = (rows.at(at)?, weights.at(at)?);
                if rows.len() != weights.len() {
                    return Err(table.fault("a term has more holders than weights, or fewer"));
                }
                tell(number, Held { rows, weights });
            }
            Ok(())
        })
    }

    /// Fails unless these holders of a term are as they were written.
    pub fn check_held(&self, held: Held<'_>) -> Result<(), Fault> {
        self.holders.check_values(held.rows)?;
        self.holders.check_values(held.weights)
    }

    /// The sketch in a row.
    pub fn sketch(&self, row: usize) -> Result<&[u32], Fault> {
        sketch_in(&self.sketches, row)
    }

    /// The words of the page in a row, if it was fetched.
    pub fn words(&self, row: usize) -> Result<Option<&str>, Fault> {
        let (batch, at) = self.words.find(row)?;
        let words = batch.column(0).as_string_opt::<i64>();
        let words = words.ok_or_else(|| self.words.wrong_column())?;
        Ok(words.is_valid(at).then(|| words.value(at)))
    }

    /// The values of a position in order, and the row of each; not yet checked.
    pub fn position(&self, position: usize) -> Result<(&[u32], &[u32]), Fault> {
        let batch = self.inverse.batch(position)?;
        Ok((
            self.inverse.numbers::<UInt32Type>(batch, 0)?,
            self.inverse.numbers::<UInt32Type>(batch, 1)?,
        ))
    }

    /// What the page in a row is called.
    pub fn card(&self, row: usize) -> Result<Card<'_>, Fault> {
        let (batch, at) = self.pages.find(row)?;
        let wrong = || self.pages.wrong_column();
        let text = |column: usize| {
            batch
                .column(column)
                .as_string_opt::<i32>()
                .ok_or_else(wrong)
        };
        let title = text(2)?;
        Ok(Card {
            url: text(0)?.value(at),
            site: text(1)?.value(at),
            title: title.is_valid(at).then(|| title.value(at)),
            crawled: batch
                .column(3)
                .as_boolean_opt()
                .ok_or_else(wrong)?
                .value(at),
        })
    }

    /// The rows of the links to a page, which are in order of the linking page.
    pub fn links_to(&self, target: u64) -> Result<Range<usize>, Fault> {
        let links = &self.links;
        let start =
            links.partition_point(|row| Ok(links.number::<UInt64Type>(row, 0)? < target))?;
        let end = links.partition_point(|row| Ok(links.number::<UInt64Type>(row, 0)? <= target))?;
        Ok(start..end)
    }

    /// The linking pages of some links, batch by batch: the first link, and the pages.
    pub fn sources(&self, links: Range<usize>) -> Result<Vec<(usize, &[u64])>, Fault> {
        let mut parts = Vec::new();
        let mut first = links.start;
        while first < links.end {
            let (batch, at) = self.links.find(first)?;
            let end = batch.num_rows().min(at + links.end - first);
            let sources = &self.links.numbers::<UInt64Type>(batch, 1)?[at..end];
            self.links.check_values(sources)?;
            parts.push((first, sources));
            first += sources.len();
        }
        Ok(parts)
    }

    /// The first link of a page among `links`, all of which have one target.
    pub fn link_from(&self, source: u64, links: Range<usize>) -> Result<Option<usize>, Fault> {
        for (first, sources) in self.sources(links)? {
            let at = sources.partition_point(|&page| page < source);
            if at < sources.len() {
                return Ok((sources[at] == source).then_some(first + at));
            }
        }
        Ok(None)
    }

    /// Where a link's words are.
    pub fn window(&self, link: usize) -> Result<Window, Fault> {
        let mut window = [0; 4];
        for (at, place) in window.iter_mut().enumerate() {
            *place = self.links.number::<UInt32Type>(link, 2 + at)?;
        }
        Ok(window)
    }
}

/// The sketch in a row of H, whose only column is read.
fn sketch_in(table: &MappedTable, row: usize) -> Result<&[u32], Fault> {
    let (batch, at) = table.find(row)?;
    let wrong = || table.wrong_column();
    let list = batch.column(0).as_fixed_size_list_opt().ok_or_else(wrong)?;
    let size = list.value_length() as usize;
    let values = list
        .values()
        .as_primitive_opt::<UInt32Type>()
        .ok_or_else(wrong)?;
    let sketch = values
        .values()
        .get(at * size..(at + 1) * size)
        .ok_or_else(wrong)?;
    table.check_values(sketch)?;
    Ok(sketch)
}

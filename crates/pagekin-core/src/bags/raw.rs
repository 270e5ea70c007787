//! Merged bags before they are weighed, and their bytes on disk.

use crate::exchange::{Damage, Pack, Unpack};

/// A term of a raw bag: how often it is content, and its weight as anchor or
/// link in [`UNIT`](crate::strategy::UNIT)s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub term: u32,
    pub content: u32,
    pub linked: u64,
}

/// The raw bags of one partition, in order of URL ids.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RawBags {
    pub(crate) urls: Vec<u64>,
    /// The distinct terms, in order.
    pub(crate) terms: Vec<u64>,
    pub(crate) ends: Vec<u64>,
    pub(crate) entries: Vec<Entry>,
}

impl RawBags {
    /// The bags as bytes.
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(
            self.entries.len() * 12 + self.terms.len() * 8 + self.urls.len() * 16,
        );
        out.put_u64s(&self.urls);
        out.put_u64s(&self.terms);
        out.put_u64s(&self.ends);
        out.put_u32s(
            &self
                .entries
                .iter()
                .map(|entry| entry.term)
                .collect::<Vec<_>>(),
        );
        out.put_u32s(
            &self
                .entries
                .iter()
                .map(|entry| entry.content)
                .collect::<Vec<_>>(),
        );
        out.put_u64s(
            &self
                .entries
                .iter()
                .map(|entry| entry.linked)
                .collect::<Vec<_>>(),
        );
        out
    }

    /// The bags that [`RawBags::pack`] wrote.
    pub fn unpack(bytes: &[u8]) -> Result<Self, Damage> {
        let from = &mut Unpack::new(bytes);
        let (urls, terms, ends) = (from.u64s()?, from.u64s()?, from.u64s()?);
        let (term, content, linked) = (from.u32s()?, from.u32s()?, from.u64s()?);
        let entries = term
            .into_iter()
            .zip(content)
            .zip(linked)
            .map(|((term, content), linked)| Entry {
                term,
                content,
                linked,
            })
            .collect();
        Ok(Self {
            urls,
            terms,
            ends,
            entries,
        })
    }

    /// The distinct terms, in order.
    pub fn terms(&self) -> &[u64] {
        &self.terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_bags_come_back() {
        let raw = RawBags {
            urls: vec![1, 2],
            terms: vec![7, 9],
            ends: vec![1, 2],
            entries: vec![
                Entry {
                    term: 0,
                    content: 3,
                    linked: 0,
                },
                Entry {
                    term: 1,
                    content: 0,
                    linked: 5,
                },
            ],
        };
        assert_eq!(RawBags::unpack(&raw.pack()), Ok(raw));
    }
}

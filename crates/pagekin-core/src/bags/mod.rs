//! Evidence to bags: merging by URL, document frequencies, weights, integers.
//!
//! Everything here is done for one partition at a time, and nothing depends on
//! how the crawl was cut into runs or partitions.

mod about;
mod accumulate;
mod captures;
mod chosen;
mod frequencies;
mod lexicon;
mod merge;
mod postings;
mod quantise;
mod rank;
mod raw;
mod spread;
mod sums;
mod tables;
mod text;
mod touched;
mod weigh;
mod words;

pub use captures::{distinct_urls, superseded, Superseded};
pub use chosen::pack_frequencies;
pub use frequencies::{frequencies_of, look_up, pack_terms, unpack_frequencies};
pub use lexicon::{merge_lexicon, pack_term_counts, LexiconPart};
pub use merge::Merged;
pub use postings::{merge_postings, pack_postings, posting_batch, Postings};
pub use quantise::{Quantiser, TOTAL};
pub(crate) use rank::Ranks;
pub use raw::RawBags;
pub use tables::{bag_batch, lexicon_batch, link_batch, page_batch};
pub use text::{weigh_text, Text};
pub use weigh::{weigh, Bags};

//! Evidence to bags: merging by URL, document frequencies, weights, integers.
//!
//! Everything here is done for one partition at a time, and nothing depends on
//! how the crawl was cut into runs or partitions.

mod addresses;
mod captures;
mod inversion;
mod lexicon;
mod merge;
mod raw;
mod tables;
mod templates;
mod weigh;

pub use addresses::{merge_addresses, pack_addresses, AddressRange, Aliases};
pub use captures::latest::{captures_of, distinct_urls, superseded, SupersededCaptures};
pub use captures::layouts::{layout_batch, standby_batch};
pub use captures::table::capture_batch;
pub use inversion::{merge_postings, pack_postings, posting_batch, Postings};
pub use lexicon::{
    frequencies_of, look_up, merge_lexicon, pack_frequencies, pack_term_counts, pack_terms,
    LexiconRange,
};
pub use merge::{count_urls, CrawlFacts, MergedPartition};
pub use raw::RawBags;
pub use tables::{bag_batch, lexicon_batch, link_batch, page_batch, text_batch};
pub use templates::{merge_pagelet_counts, pack_pagelet_counts, Templates};
pub use weigh::quantise::Quantiser;
pub use weigh::text::{weigh_text, Text};
pub use weigh::{weigh, WeighedBags};

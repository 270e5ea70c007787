//! Pages to evidence about URLs, cut by partition.
//!
//! A page is evidence about itself (its words) and about every page it links
//! to (the words around the link, and the fact that it links). A run holds the fragments of one
//! batch of pages, one block a partition of the URLs that they are about. A block has its own
//! words and URLs, so that it can be moved anywhere as plain bytes.

mod block;
mod block_terms;
mod capture_list;
mod layouts;
mod links;
mod moved;
mod page_block;
mod pagelets;
mod run;
mod windows;

pub(crate) use block::REDIRECT;
pub use block::{CaptureColumns, FragmentBlock, NO_DATE};
pub use capture_list::{CaptureList, ListedCapture};
pub use links::LinkColumns;
pub use moved::MovedLinks;
pub use page_block::Fragments;
pub(crate) use pagelets::is_navigation;
pub use run::write_run;
pub use windows::{PageWindows, Window};

//! What the stages hand to each other: runs, made of self-contained segments.
//!
//! A run is the evidence of one block of pages, cut by the partition of the URL
//! that each piece is about. A segment is one partition's share of a run, with
//! its own words and URLs, so that it can be moved anywhere as plain bytes.

mod bytes;
mod found;
mod links;
mod place;
mod run;
mod segment;
mod strings;

pub use bytes::{Damage, Pack, Unpack};
pub use found::Fragments;
pub use place::{Exchange, PartWriter, Parts, Place, Slot};
pub use run::write_run;
pub use segment::{Segment, SegmentPages, NO_DATE};
pub(crate) use strings::{Strings, Texts};

/// The form of what stages hand to each other. It grows whenever those bytes change, so that a build goes
/// on from nothing that it would read wrongly.
pub const FORM: u32 = 2;

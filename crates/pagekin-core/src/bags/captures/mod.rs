//! Captures of URLs: which one counts, which others are kept, and what a rebuild needs of each.

pub(super) mod forged;
pub(super) mod latest;
pub(super) mod layouts;
pub(super) mod standby;
pub(super) mod table;

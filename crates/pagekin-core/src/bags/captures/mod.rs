//! Captures of URLs: the latest counts, the others stand by; what a rebuild needs of each.

pub(super) mod forged;
pub(super) mod latest;
pub(super) mod layouts;
pub(super) mod standby;
pub(super) mod table;

//! Files of the index: mapped, verified as they are read, decompressed within bounds.

pub(super) mod batch;
pub(super) mod checksums;
pub(super) mod compressed;
pub(super) mod table;
pub(super) mod verified;

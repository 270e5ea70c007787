//! Decompression: gzip members, zstd frames and plain files, also damaged ones.

mod detect;
mod gunzip;
mod input;
mod resync;
mod stream;
mod unzstd;
mod whole;

pub(super) use detect::open_stream;
pub(super) use gunzip::{gzip_header, GzipHeader};
pub(super) use input::Input;
pub(super) use stream::{MemberStream, PullState};
pub(super) use unzstd::MAGIC as ZSTD_MAGIC;

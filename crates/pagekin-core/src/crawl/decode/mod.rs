//! Phase two: from a framed record to a capture.
//!
//! Decoding needs only the bytes of one record, so any thread can do it.

mod archived;
mod capture;
mod chunked;
mod content_encoding;
mod date;
mod fields;
mod http_parts;
mod listing;
mod payload_digest;
mod redirect;

pub use archived::ArchivedRecord;
pub use capture::{Capture, Scratch};
pub use listing::{CaptureKind, Listing};
pub use redirect::Redirect;

//! Phase two: from a framed record to a capture.
//!
//! Decoding needs only the bytes of one record, so any thread can do it.

mod capture;
mod chunked;
mod content_encoding;
mod date;
mod fields;
mod redirect;

pub use capture::{Capture, Scratch};
pub use redirect::Redirect;

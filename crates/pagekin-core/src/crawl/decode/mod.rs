//! Phase two: from a framed record to a capture.
//!
//! Decoding needs only the bytes of one record, so any thread can do it.

mod capture;
mod chunked;
mod date;
mod encoding;
mod fields;
mod sniff;

pub use capture::{Capture, Scratch};

//! Phase two: from a framed record to a capture.
//!
//! Works on the bytes of one record alone, so that any thread may do it.

mod capture;
mod chunked;
mod date;
mod encoding;
mod fields;
mod sniff;

pub use capture::{Capture, Scratch};

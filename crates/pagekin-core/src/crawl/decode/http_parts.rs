//! An HTTP response as status, header and body (RFC 9112, section 2).

use super::fields::status;
use crate::crawl::record_start::head_end;

/// A response, after any interim (1xx) ones.
#[derive(Clone, Copy)]
pub(super) struct HttpParts<'a> {
    pub status: u16,
    /// The status line and the header fields.
    pub head: &'a [u8],
    pub body: &'a [u8],
}

impl<'a> HttpParts<'a> {
    /// The parts of a block; `None` without a status line, or with a header above the limit.
    pub fn of(mut block: &'a [u8], limit: usize) -> Option<Self> {
        loop {
            block = block.trim_ascii_start();
            let (head, body) = split_head(block, limit)?;
            let parts = Self {
                status: status(first_line(head))?,
                head,
                body,
            };
            if !matches!(parts.status, 100..=199) || !body.starts_with(b"HTTP") {
                return Some(parts);
            }
            block = body;
        }
    }

    /// The header fields.
    pub fn fields(&self) -> &'a [u8] {
        &self.head[first_line(self.head).len()..]
    }
}

fn first_line(head: &[u8]) -> &[u8] {
    head.split(|&byte| byte == b'\n').next().unwrap_or(head)
}

/// Splits header and body. A block that ends within its header has no body; `None` if the header
/// exceeds the limit.
fn split_head(block: &[u8], limit: usize) -> Option<(&[u8], &[u8])> {
    match head_end(&block[..block.len().min(limit)], 0) {
        Some(end) => Some(block.split_at(end)),
        None if block.len() < limit => Some((block, &[])),
        None => None,
    }
}

//! A page's bytes for the library, which tell how far it has read.

use std::cell::Cell;
use std::convert::Infallible;

use html5gum::Reader;
use memchr::memchr3;

/// Reads `html` from `at` on and moves `at` along.
pub(super) struct Cursor<'a> {
    html: &'a [u8],
    at: &'a Cell<usize>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(html: &'a [u8], at: &'a Cell<usize>) -> Self {
        Self { html, at }
    }

    fn rest(&self) -> &'a [u8] {
        &self.html[self.at.get()..]
    }

    fn pass(&self, bytes: usize) {
        self.at.set(self.at.get() + bytes);
    }
}

impl Reader for Cursor<'_> {
    type Error = Infallible;

    #[inline]
    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        let byte = self.html.get(self.at.get()).copied();
        self.pass(usize::from(byte.is_some()));
        Ok(byte)
    }

    #[inline]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        _: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        let rest = self.rest();
        if rest.is_empty() {
            return Ok(None);
        }
        // A needle alone, or all before the first.
        let length = first_of(needle, rest).map_or(rest.len(), |at| at.max(1));
        self.pass(length);
        Ok(Some(&rest[..length]))
    }

    #[inline]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Infallible> {
        let start = self.rest().get(..text.len());
        let same = start.is_some_and(|start| {
            start == text || !case_sensitive && start.eq_ignore_ascii_case(text)
        });
        self.pass(if same { text.len() } else { 0 });
        Ok(same)
    }
}

/// Scripts and styles, the long stretches, are searched for three bytes.
#[inline]
fn first_of(needle: &[u8], text: &[u8]) -> Option<usize> {
    if let [one, two, three] = *needle {
        return memchr3(one, two, three, text);
    }
    text.iter().position(|byte| needle.contains(byte))
}

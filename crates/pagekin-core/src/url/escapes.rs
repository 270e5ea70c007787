//! Percent-encoding normalisation (RFC 3986, section 6.2.2).

use std::borrow::Cow;

/// Normalises every percent escape.
pub(super) fn normalise_escapes(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'%', text.as_bytes()) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    let mut rest = &text[first..];
    // The number of following characters that could complete a lone % to an escape.
    let mut guarded: usize = 0;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        guarded = guarded.saturating_sub(at);
        rest = &rest[at..];
        let Some(byte) = escaped(rest.as_bytes()) else {
            out.push('%');
            rest = &rest[1..];
            guarded = 2;
            continue;
        };
        if is_bare(byte) && guarded == 0 {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        guarded = guarded.saturating_sub(1);
        rest = &rest[3..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether RFC 3986 calls a character unreserved.
pub(super) fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// The byte that the escape at the start stands for.
pub(super) fn escaped(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| text.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    Some((digit(1)? * 16 + digit(2)?) as u8)
}

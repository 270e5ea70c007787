//! Fast path for references that need no URL parser.
//!
//! Most references are a path or a URL whose characters are already canonical. Their target is
//! concatenated here; all others go to the parser. A test compares the two.

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::escapes::{escaped, is_bare};
use super::{Resolver, LONGEST_URL};

/// Characters, besides letters and digits, that are never escaped and have no special meaning
/// after the host.
const PLAIN: &[u8] = b"-_~/.,:;@=+!()*$&?";

const STAYS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < PLAIN.len() {
        table[PLAIN[at] as usize] = true;
        at += 1;
    }
    table
};

impl Resolver {
    /// Appends the target of a plain reference to `targets`; false if the reference is not plain
    /// and [`Resolver::resolve`] must be used.
    pub fn resolve_plain(&self, reference: &[u8], targets: &mut Vec<u8>) -> bool {
        let Some((start, rest)) = self.parts(reference) else {
            return false;
        };
        let begins_part = |dot: usize| dot == 0 || rest[dot - 1] == b'/';
        let dots = memchr_iter(b'.', rest).any(begins_part);
        if dots || start.len() + rest.len() > LONGEST_URL {
            return false;
        }
        targets.extend_from_slice(start);
        targets.extend_from_slice(rest);
        true
    }

    /// Whether the reference certainly has a scheme other than http and https.
    pub fn is_foreign(reference: &[u8]) -> bool {
        let named = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        let Some(end) = reference.iter().position(|&byte| !named(byte)) else {
            return false;
        };
        let scheme = &reference[..end];
        let web = [&b"http"[..], b"https"];
        reference[end] == b':'
            && scheme.first().is_some_and(u8::is_ascii_alphabetic)
            && !web.iter().any(|name| scheme.eq_ignore_ascii_case(name))
    }

    /// The start of the target, and the rest of it.
    fn parts<'a>(&'a self, reference: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let end = plain_length(reference);
        if !matches!(reference.get(end), None | Some(b'#')) {
            return None;
        }
        let reference = &reference[..end];
        match path_of_absolute(reference) {
            Some(path) => Some(reference.split_at(reference.len() - path.len())),
            None if self.is_plain => self.split(reference),
            None => None,
        }
    }

    /// The folder that a reference without a host is relative to, and its path in that folder.
    fn split<'a>(&'a self, reference: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let root = &self.base.as_str().as_bytes()[..=self.root];
        match reference {
            [b'/', b'/', rest @ ..] => {
                let scheme = &self.base.as_str().as_bytes()[..=self.base.scheme().len()];
                return path_after_host(rest).map(|_| (scheme, reference));
            }
            [b'?', ..] | [] => return None,
            [b'/', path @ ..] => return Some((root, path)),
            _ if reference.contains(&b':') => return None,
            _ => {}
        }
        let (mut folder, mut path) = (&self.base.as_str().as_bytes()[..self.folder], reference);
        while let Some(rest) = path.strip_prefix(b"../") {
            path = rest;
            let above = memrchr(b'/', &folder[..folder.len() - 1]).map_or(0, |at| at + 1);
            folder = &folder[..above.max(root.len())];
        }
        Some((folder, path))
    }
}

/// Length of the prefix of a reference that is already canonical.
fn plain_length(reference: &[u8]) -> usize {
    let mut end = 0;
    while let Some(&byte) = reference.get(end) {
        end += match byte {
            _ if STAYS[byte as usize] => 1,
            b'%' if is_normal_escape(&reference[end..]) => 3,
            _ => break,
        };
    }
    end
}

/// Whether an escape is in canonical form.
fn is_normal_escape(text: &[u8]) -> bool {
    let digits = text.get(1..3).unwrap_or_default();
    !digits.iter().any(u8::is_ascii_lowercase) && escaped(text).is_some_and(|byte| !is_bare(byte))
}

/// The path of an absolute URL whose host is already canonical.
fn path_of_absolute(reference: &[u8]) -> Option<&[u8]> {
    let rest = reference
        .strip_prefix(b"http://")
        .or_else(|| reference.strip_prefix(b"https://"))?;
    path_after_host(rest)
}

/// The path after a host that is already canonical. Hosts that may be a number or an encoded name
/// are not.
fn path_after_host(rest: &[u8]) -> Option<&[u8]> {
    let (host, path) = rest.split_at(memchr(b'/', rest)?);
    let is_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let plain = host
        .iter()
        .all(|byte| is_name(byte) || b"-.".contains(byte));
    let last = host.rsplit(|&byte| byte == b'.').next()?.first()?;
    let encoded = memmem::find(host, b"--").is_some();
    (plain && last.is_ascii_lowercase() && !encoded).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASES: [&str; 7] = [
        "http://a.example/",
        "http://a.example/x/y/z.html?q=1/2",
        "https://a.example:81/x//y",
        "http://a.example/x%20y/z",
        "http://a.example/%7eann/",
        "http://192.0.2.1/x/",
        "http://a.example/..x/y",
    ];

    const PIECES: [&str; 52] = [
        "http://",
        "https://",
        "HTTP://",
        "//",
        "/",
        "/",
        "/",
        "..",
        "../",
        ".",
        "./",
        "...",
        "a.example",
        "b.example",
        "B.example",
        "1.2.3.4",
        "b.1",
        "b.0x1",
        "xn--bcher-kva",
        "a--b",
        "-a.b-",
        "localhost",
        "a.b.",
        "a..b",
        "_a.b",
        ":80",
        ":81",
        ":",
        "@",
        "x",
        "garden",
        "y.html",
        "?",
        "?q=1",
        "&r=2",
        "#",
        "#top",
        "%41",
        "%2F",
        "%C3%BC",
        "%2e",
        "%",
        "ftp:",
        " ",
        "é",
        "'",
        "\\",
        "mailto:",
        "~ann",
        "|",
        "^",
        "[",
    ];

    /// A generator of the same numbers in every run.
    fn numbers() -> impl FnMut(usize) -> usize {
        let mut state = 7u64;
        move |below| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as usize % below
        }
    }

    fn plain(resolver: &Resolver, reference: &str) -> Option<String> {
        let mut target = Vec::new();
        resolver
            .resolve_plain(reference.as_bytes(), &mut target)
            .then(|| String::from_utf8(target).expect("ASCII"))
    }

    #[test]
    fn plain_references_resolve_like_the_parser() {
        let mut next = numbers();
        let mut found = 0;
        for base in BASES {
            let resolver = Resolver::new(base, None).expect("a base");
            for _ in 0..40_000 {
                let reference: String = (0..=next(6)).map(|_| PIECES[next(PIECES.len())]).collect();
                let parsed = resolver.resolve(&reference);
                if Resolver::is_foreign(reference.trim().as_bytes()) {
                    assert_eq!(parsed, None, "{reference} on {base}");
                }
                if let Some(target) = plain(&resolver, &reference) {
                    found += 1;
                    assert_eq!(Some(target), parsed, "{reference} on {base}");
                }
            }
        }
        assert!(found > 10_000, "only {found} were plain");
    }

    #[test]
    fn schemes_other_than_http_are_foreign() {
        for reference in [
            "mailto:a",
            "javascript:void(0)",
            "Tel:+1",
            "a.b+c-d:x",
            "a:",
        ] {
            assert!(Resolver::is_foreign(reference.as_bytes()), "{reference}");
        }
        for reference in ["", "x", "http:x", "HTTPS:", "a/b:c", "1a:b", ":x", "a\tb:c"] {
            assert!(!Resolver::is_foreign(reference.as_bytes()), "{reference}");
        }
    }

    #[test]
    fn usual_references_are_plain() {
        let resolver = Resolver::new("http://a.example/x/y/z.html", None).expect("a base");
        for (reference, target) in [
            ("/garden?q=1&r=2#top", "http://a.example/garden?q=1&r=2"),
            ("w.html", "http://a.example/x/y/w.html"),
            ("../../../w/", "http://a.example/w/"),
            ("https://b.example/w:1", "https://b.example/w:1"),
            ("//b.example/w%20x", "http://b.example/w%20x"),
        ] {
            assert_eq!(plain(&resolver, reference).as_deref(), Some(target));
        }
        for reference in [
            "",
            "#top",
            "?q",
            "//b.example",
            "a:b",
            "w/../v",
            "http://b.example",
            "%41",
            "http://1.2/",
        ] {
            assert_eq!(plain(&resolver, reference), None, "{reference}");
        }
    }
}

//! A folder of HTML files as a crawl: which files, in which order, under which URL.
//!
//! Files are listed by path, so that the same folder gives the same captures in
//! the same order on every machine; a folder reached twice by links is read once.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The HTML files under `root`, relative to it, sorted by path.
pub(super) fn html_files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([fs::canonicalize(root)?]);
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let path = folder.join(entry?.file_name());
            let full = root.join(&path);
            // A link that leads nowhere is not a page; reading it tells nothing more.
            let Ok(meta) = fs::metadata(&full) else {
                continue;
            };
            if meta.is_dir() {
                if seen.insert(fs::canonicalize(&full)?) {
                    folders.push(path);
                }
            } else if meta.is_file() && is_html_name(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_html_name(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    ["html", "htm", "xhtml"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

/// The base as the URL of a folder: http or https, ending in `/`.
pub(super) fn base_of(text: &str) -> Option<String> {
    let mut base = url::Url::parse(text).ok()?;
    if !matches!(base.scheme(), "http" | "https") {
        return None;
    }
    base.set_query(None);
    base.set_fragment(None);
    let mut base = String::from(base);
    if !base.ends_with('/') {
        base.push('/');
    }
    Some(base)
}

/// The URL of a file: the base and the percent-encoded path; an index page has
/// the URL of its folder.
pub(super) fn url_of(base: &str, path: &Path) -> String {
    let mut url = base.to_owned();
    let parts: Vec<_> = path.iter().collect();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        if last && *part == "index.html" {
            break;
        }
        encode_into(&mut url, part.as_encoded_bytes());
        if !last {
            url.push('/');
        }
    }
    url
}

fn encode_into(url: &mut String, name: &[u8]) {
    for &byte in name {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_files() {
        let url = |path: &str| url_of("http://a.example/x/", Path::new(path));
        assert_eq!(url("index.html"), "http://a.example/x/");
        assert_eq!(url("b/index.html"), "http://a.example/x/b/");
        assert_eq!(
            url("b/the 100% é?.htm"),
            "http://a.example/x/b/the%20100%25%20%C3%A9%3F.htm"
        );
    }

    #[test]
    fn bases() {
        assert_eq!(
            base_of("https://a.example").as_deref(),
            Some("https://a.example/")
        );
        assert_eq!(
            base_of("http://a.example/b?c#d").as_deref(),
            Some("http://a.example/b/")
        );
        assert_eq!(base_of("a.example"), None);
        assert_eq!(base_of("file:///tmp"), None);
    }
}

//! A folder of pages as a crawl: which files, in which order, under which URL.
//!
//! Files are sorted by path, so that the same folder gives the same captures in the same
//! order on every machine. A folder that symbolic links reach twice is read once, and links
//! that lead out of the folder are refused unless they are allowed. Each page or folder that cannot
//! be read is a failure of its own.

use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use super::{PageFile, SourceFile, SourceFiles};
use crate::crawl::{CrawlError, MediaType, Skips};
use crate::url::{self, INDEX_PAGE};

/// A path relative to the root, with the page's type and size or the reason why it cannot be read.
type FolderEntry = (PathBuf, Result<(MediaType, u64), CrawlError>);

/// Opens a folder of pages.
pub(in crate::crawl) fn open_folder(
    root: &Path,
    base_url: &str,
    follow_links: bool,
) -> Result<SourceFiles, CrawlError> {
    let name = root.display().to_string();
    let Some(base) = base_of(base_url) else {
        let reason = format!("the base URL {base_url:?} is not an http or https URL");
        return Err(CrawlError::new(
            &name,
            0,
            reason,
            "give one such as http://site.example/",
        ));
    };
    let found = page_files(root, follow_links).map_err(|e| CrawlError::io(&name, 0, &e))?;
    if found.is_empty() {
        let reason = format!("holds no {} file", MediaType::file_names());
        let advice = "check the path, or rename the pages";
        return Err(CrawlError::new(&name, 0, reason, advice));
    }
    let files = found
        .into_iter()
        .map(|(path, page)| match page {
            Ok((media, size)) => SourceFile::Page(PageFile {
                url: url_of(&base, &path),
                base: base.len(),
                path: root.join(&path),
                media,
                size,
            }),
            Err(error) => SourceFile::Failed(error),
        })
        .collect();
    Ok(SourceFiles::new(files, Skips::default()))
}

/// The files under `root` whose names are those of pages, sorted by path.
fn page_files(root: &Path, follow_links: bool) -> io::Result<Vec<FolderEntry>> {
    let real_root = fs::canonicalize(root)?;
    let mut walk = FolderWalk {
        root,
        seen: HashSet::from([real_root.clone()]),
        boundary: (!follow_links).then_some(real_root),
        folders: Vec::new(),
        found: Vec::new(),
    };
    walk.list(&PathBuf::new())?;
    while let Some(folder) = walk.folders.pop() {
        if let Err(error) = walk.enter(&folder) {
            walk.failed(folder, &error);
        }
    }
    walk.found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(walk.found)
}

struct FolderWalk<'a> {
    root: &'a Path,
    seen: HashSet<PathBuf>,
    /// The folder that links may not lead out of.
    boundary: Option<PathBuf>,
    /// Folders still to be listed.
    folders: Vec<PathBuf>,
    found: Vec<FolderEntry>,
}

impl FolderWalk<'_> {
    fn enter(&mut self, folder: &Path) -> io::Result<()> {
        if self.seen.insert(fs::canonicalize(self.root.join(folder))?) {
            self.list(folder)?;
        }
        Ok(())
    }

    fn list(&mut self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join(folder))? {
            let entry = entry?;
            self.look_at(&entry, folder.join(entry.file_name()));
        }
        Ok(())
    }

    fn look_at(&mut self, entry: &DirEntry, path: PathBuf) {
        let media = MediaType::of_file_name(&path);
        match (fs::metadata(entry.path()), media) {
            (Ok(meta), _) if (meta.is_dir() || media.is_some()) && self.leads_out(entry) => {
                let advice = "copy what it leads to, or allow it with --follow-links";
                self.refused(path, "is a link that leads out of the folder", advice);
            }
            (Ok(meta), _) if meta.is_dir() => self.folders.push(path),
            (Ok(meta), Some(media)) if meta.is_file() => {
                self.found.push((path, Ok((media, meta.len()))));
            }
            (Ok(_), Some(_)) => self.refused(path, "is a pipe, socket or device", "leave it out"),
            (Err(error), _) if media.is_some() || may_be_folder(entry, &error) => {
                if is_link(entry) && error.kind() != io::ErrorKind::PermissionDenied {
                    self.refused(path, "is a dangling link", "fix or remove it");
                } else {
                    self.failed(path, &error);
                }
            }
            _ => {}
        }
    }

    /// Whether an entry is a link out of the folder. A link that cannot be resolved leads nowhere.
    fn leads_out(&self, entry: &DirEntry) -> bool {
        let Some(boundary) = self.boundary.as_ref().filter(|_| is_link(entry)) else {
            return false;
        };
        fs::canonicalize(entry.path()).is_ok_and(|real| !real.starts_with(boundary))
    }

    fn failed(&mut self, path: PathBuf, error: &io::Error) {
        let error = CrawlError::io(&self.name(&path), 0, error);
        self.found.push((path, Err(error)));
    }

    fn refused(&mut self, path: PathBuf, reason: &str, advice: &str) {
        let error = CrawlError::new(&self.name(&path), 0, reason, advice);
        self.found.push((path, Err(error)));
    }

    fn name(&self, path: &Path) -> String {
        self.root.join(path).display().to_string()
    }
}

fn is_link(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_symlink())
}

/// Whether an entry without metadata may be a folder. A dangling link is not.
fn may_be_folder(entry: &DirEntry, error: &io::Error) -> bool {
    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
    is_folder || (is_link(entry) && error.kind() == io::ErrorKind::PermissionDenied)
}

/// The base as the URL of a folder: http or https, ending in `/`.
fn base_of(text: &str) -> Option<String> {
    let mut base = ::url::Url::parse(text).ok()?;
    if !matches!(base.scheme(), "http" | "https") {
        return None;
    }
    base.set_query(None);
    base.set_fragment(None);
    let mut base = String::from(base);
    if !base.ends_with('/') {
        base.push('/');
    }
    url::canonical(&base)
}

/// The URL of a file: the base and the percent-encoded path; an index page has
/// the URL of its folder.
fn url_of(base: &str, path: &Path) -> String {
    let mut url = base.to_owned();
    let parts: Vec<_> = path.iter().collect();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        if last && *part == INDEX_PAGE {
            break;
        }
        encode_into(&mut url, part.as_encoded_bytes());
        if !last {
            url.push('/');
        }
    }
    url
}

/// Whether a file may be the page of this canonical URL: by its name alone.
pub(in crate::crawl) fn names_page(path: &Path, url: &str) -> bool {
    const HOST: &str = "http://host/";
    let Some(name) = path.file_name() else {
        return false;
    };
    let path = url.split('?').next().unwrap_or(url);
    let last = path.rsplit('/').next().unwrap_or_default();
    let mut encoded = String::from(HOST);
    encode_into(&mut encoded, name.as_encoded_bytes());
    let known = url::canonical(&encoded).is_some_and(|known| known[HOST.len()..] == *last);
    known || (last.is_empty() && name == INDEX_PAGE)
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
    fn url_of_a_file_is_its_encoded_path_under_the_base() {
        let url = |path: &str| url_of("http://a.example/x/", Path::new(path));
        assert_eq!(url("index.html"), "http://a.example/x/");
        assert_eq!(url("b/index.html"), "http://a.example/x/b/");
        assert_eq!(
            url("b/the 100% é?.htm"),
            "http://a.example/x/b/the%20100%25%20%C3%A9%3F.htm"
        );
    }

    #[test]
    fn base_is_an_http_url_that_ends_with_a_slash() {
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

//! The error of a file that cannot be read: what is wrong, where, and what to do.

use std::error::Error;
use std::fmt;
use std::io;

/// A source, or a file inside it, that could not be read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrawlError {
    /// The file, or `outer.wacz#inner` for a file inside a WACZ.
    pub source: String,
    /// Where in that file, in bytes as stored.
    pub offset: u64,
    /// What is wrong.
    pub reason: String,
    /// What to do about it.
    pub advice: String,
}

impl CrawlError {
    pub(super) fn new(name: &str, offset: u64, reason: impl Into<String>, advice: &str) -> Self {
        Self {
            source: name.to_owned(),
            offset,
            reason: reason.into(),
            advice: advice.to_owned(),
        }
    }

    pub(super) fn io(name: &str, offset: u64, error: &io::Error) -> Self {
        let advice = match error.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "give yourself permission to read it",
            io::ErrorKind::InvalidFilename => "give it a shorter path",
            io::ErrorKind::IsADirectory => "give a base URL to read it as a folder of HTML",
            _ => "copy the file to sound storage, or leave it out",
        };
        Self::new(name, offset, describe(error), advice)
    }

    /// A file in which no record was found.
    pub(super) fn no_archive(name: &str, plain: bool, offset: u64) -> Self {
        let (reason, advice) = if plain {
            (
                "is not a WARC, ARC or WACZ",
                "check that it is the right file",
            )
        } else {
            (
                "is compressed, but no WARC or ARC record could be read from it",
                "fetch it again, or check that it is the right file",
            )
        };
        Self::new(name, offset, reason, advice)
    }

    /// A decompression bomb: a small file that inflates to gigabytes without a record.
    pub(super) fn bomb(name: &str, offset: u64, ratio: u64) -> Self {
        let reason =
            format!("over 1 GiB without a record inflated from it, {ratio} bytes for each stored");
        let advice = "leave it out, or compress it by record";
        Self::new(name, offset, reason, advice)
    }
}

// By hand: `thiserror` takes a field named `source` for the error's cause.
impl fmt::Display for CrawlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            source,
            offset,
            reason,
            advice,
        } = self;
        write!(f, "{source}: {reason} (at byte {offset}); {advice}")
    }
}

impl Error for CrawlError {}

fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "is a folder, not a file".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

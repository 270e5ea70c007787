//! Where captures come from: the one place that names the kinds of sources.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use super::containers::{open_file, open_folder, open_pipe, SourceFiles};
use super::CrawlError;

/// Where captures come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A WARC, ARC or WACZ file, compressed or not; its name does not matter.
    File(PathBuf),
    /// A folder of pages, whose URLs are their paths under a base.
    Folder {
        /// The folder.
        root: PathBuf,
        /// The URL of the folder.
        base_url: String,
        /// Whether symbolic links may lead out of it.
        follow_links: bool,
    },
    /// Standard input: a WARC or ARC, compressed or not.
    Stdin,
    /// A named pipe through which a remote file is streamed.
    Pipe {
        /// The pipe.
        path: PathBuf,
        /// The name of the remote file.
        name: String,
    },
}

impl Source {
    /// Lists the files of the source.
    pub(super) fn open(&self) -> Result<SourceFiles, CrawlError> {
        match self {
            Self::File(path) => open_file(path),
            Self::Folder {
                root,
                base_url,
                follow_links,
            } => open_folder(root, base_url, *follow_links),
            Self::Stdin => open_pipe("-", Box::new(io::stdin())),
            Self::Pipe { path, name } => {
                let pipe = File::open(path).map_err(|error| CrawlError::io(name, 0, &error))?;
                open_pipe(name, Box::new(pipe))
            }
        }
    }
}

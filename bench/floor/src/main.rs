//! The floor: read a WARC that is gzip by record, inflate it and walk its records.
//!
//! Nobody can read a crawl for less, so every other figure of the benchmark is a
//! multiple of this. One core, one output buffer that is used again for each
//! record, checksums verified, nothing kept.
//!
//!     floor FILE PASSES    one JSON object on standard output

mod inflate;

use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::process::ExitCode;
use std::time::Instant;

use inflate::{Inflate, LIBRARIES};
use memchr::memmem;

/// What was met on one pass; equal for every pass and library.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Walked {
    records: u64,
    bytes: u64,
}

struct Timing {
    wall: f64,
    cpu: f64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, passes] = arguments.as_slice() else {
        eprintln!("usage: floor FILE PASSES");
        return ExitCode::from(64);
    };
    match passes
        .parse()
        .map_err(io::Error::other)
        .and_then(|passes| run(path, passes))
    {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("floor: {path}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Times every library, turn about, so that a slow moment hits all of them.
fn run(path: &str, passes: usize) -> io::Result<String> {
    let mut libraries: Vec<_> = LIBRARIES
        .iter()
        .map(|(name, new)| (*name, new(), Vec::new()))
        .collect();
    let mut stored = Vec::with_capacity(fs::metadata(path)?.len() as usize + 1);
    let mut first = None;
    for _ in 0..passes {
        for (_, inflate, timings) in &mut libraries {
            let (wall, cpu) = (Instant::now(), cpu_seconds()?);
            let walked = pass(path, &mut stored, inflate.as_mut())?;
            timings.push(Timing {
                wall: wall.elapsed().as_secs_f64(),
                cpu: cpu_seconds()? - cpu,
            });
            if *first.get_or_insert(walked) != walked {
                return Err(io::Error::other("the libraries disagree"));
            }
        }
    }
    let walked = first.unwrap_or_default();
    let timed: Vec<String> = libraries
        .iter()
        .map(|(name, _, timings)| json(name, timings))
        .collect();
    let Walked { records, bytes } = walked;
    Ok(format!(
        r#"{{"records": {records}, "bytes": {bytes}, "libraries": [{}]}}"#,
        timed.join(", ")
    ))
}

fn json(name: &str, timings: &[Timing]) -> String {
    let passes: Vec<String> = timings
        .iter()
        .map(|t| format!(r#"{{"wall": {:.6}, "cpu": {:.6}}}"#, t.wall, t.cpu))
        .collect();
    format!(r#"{{"name": "{name}", "passes": [{}]}}"#, passes.join(", "))
}

/// Seconds this thread has been on a core.
fn cpu_seconds() -> io::Result<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: Option<f64> = text.split(' ').next().and_then(|field| field.parse().ok());
    nanoseconds
        .map(|n| n / 1e9)
        .ok_or_else(|| io::Error::other("no schedstat"))
}

fn pass(path: &str, stored: &mut Vec<u8>, inflate: &mut dyn Inflate) -> io::Result<Walked> {
    stored.clear();
    File::open(path)?.read_to_end(stored)?;
    let (mut walked, mut at) = (Walked::default(), 0);
    while at < stored.len() {
        let (used, member) = inflate.member(&stored[at..])?;
        walk(member, &mut walked)?;
        at += used;
    }
    Ok(walked)
}

/// Steps from record to record by their lengths. A member holds whole records.
fn walk(mut member: &[u8], walked: &mut Walked) -> io::Result<()> {
    while !member.is_empty() {
        let record = record_length(member).ok_or_else(|| io::Error::other("not gzip by record"))?;
        walked.records += 1;
        walked.bytes += record as u64;
        member = member
            .get(record..)
            .ok_or_else(|| io::Error::other("a record ends early"))?;
    }
    Ok(())
}

/// Bytes of the record at the start: header, block and the two empty lines after it.
fn record_length(member: &[u8]) -> Option<usize> {
    let header_end = memmem::find(member, b"\r\n\r\n")? + 4;
    let header = member
        .strip_prefix(b"WARC/")
        .map(|_| &member[..header_end])?;
    let block = header
        .split(|&byte| byte == b'\n')
        .find_map(content_length)?;
    Some(header_end + block + 4)
}

fn content_length(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    let value = line
        .get(NAME.len()..)
        .filter(|_| line[..NAME.len()].eq_ignore_ascii_case(NAME))?;
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

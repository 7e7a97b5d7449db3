//! What is wrong with the files of a set: errors with their lines, and counted warnings.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Maximum number of problems in the message of an error.
const MAX_LISTED: usize = 10;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    pub file: PathBuf,
    /// Its number, from 1.
    pub line: usize,
}

impl Location {
    /// Creates the location of a line.
    pub fn new(file: &Path, line: usize) -> Location {
        Location {
            file: file.to_owned(),
            line,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// Why a set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// A file or folder cannot be read.
    #[error("{} cannot be read: {error}", .path.display())]
    Unreadable {
        path: PathBuf,
        error: std::io::Error,
    },
    /// Lines of its files cannot be used: all of them, each with what is wrong.
    #[error("{}", listed(.0))]
    Lines(Vec<(Location, String)>),
    /// There is no set, or nothing in it can be measured.
    #[error("{0}")]
    Unusable(String),
}

fn listed(problems: &[(Location, String)]) -> String {
    let mut lines: Vec<String> = problems
        .iter()
        .take(MAX_LISTED)
        .map(|(location, problem)| format!("{location}: {problem}"))
        .collect();
    if problems.len() > MAX_LISTED {
        lines.push(format!("more lines: {}", problems.len() - MAX_LISTED));
    }
    lines.join("\n")
}

/// Lines that cannot be used, collected so that one run names all of them.
#[derive(Debug, Default)]
pub struct Problems(Vec<(Location, String)>);

impl Problems {
    /// Adds a line, with what is wrong.
    pub fn add(&mut self, location: Location, problem: impl Into<String>) {
        self.0.push((location, problem.into()));
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fails if there is any.
    pub fn check(self) -> Result<(), SetError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(SetError::Lines(self.0))
        }
    }
}

/// What is left out of a set, or counts otherwise than its author may expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WarningKind {
    UnknownDocument,
    UnknownQuery,
    RepeatedJudgement,
    QueryWithoutJudgement,
    QueryWithoutRelevant,
    BlankQuery,
    BlankDocument,
    CommentOnUnknownDocument,
    UnreadableDate,
}

impl WarningKind {
    /// Returns what is counted, and what becomes of it.
    fn texts(self) -> (&'static str, &'static str) {
        let left_out = "they are left out";
        match self {
            WarningKind::UnknownDocument => (
                "judgements of documents that the set lacks",
                "relevant ones count as not found",
            ),
            WarningKind::UnknownQuery => ("judgements of queries that the set lacks", left_out),
            WarningKind::RepeatedJudgement => ("repeated judgements", "they are counted once"),
            WarningKind::QueryWithoutJudgement => ("queries without a judgement", left_out),
            WarningKind::QueryWithoutRelevant => ("queries without a relevant document", left_out),
            WarningKind::BlankQuery => ("queries without words", left_out),
            WarningKind::BlankDocument => ("documents without text", "nothing finds them"),
            WarningKind::CommentOnUnknownDocument => {
                ("comments on documents that the set lacks", left_out)
            }
            WarningKind::UnreadableDate => ("dates that cannot be read", "they count as unknown"),
        }
    }
}

/// Returns a sentence about something that is counted, with its first line.
pub fn counted(first: &Location, what: &str, count: usize, consequence: &str) -> String {
    let here = if count > 1 { ", the first here" } else { "" };
    format!("{first}: {what}: {count}{here}; {consequence}")
}

/// How often something was left out, and where first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub kind: WarningKind,
    pub count: usize,
    pub first: Location,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, consequence) = self.kind.texts();
        f.write_str(&counted(&self.first, what, self.count, consequence))
    }
}

/// The warnings about a set.
#[derive(Clone, Debug, Default)]
pub struct Warnings(BTreeMap<WarningKind, (usize, Location)>);

impl Warnings {
    /// Counts a line.
    pub fn add(&mut self, kind: WarningKind, location: Location) {
        self.0.entry(kind).or_insert((0, location)).0 += 1;
    }

    /// Returns them, each kind once.
    pub fn list(&self) -> Vec<Warning> {
        let warnings = self.0.iter().map(|(kind, (count, first))| Warning {
            kind: *kind,
            count: *count,
            first: first.clone(),
        });
        warnings.collect()
    }

    /// Returns how often this was counted.
    pub fn count(&self, kind: WarningKind) -> usize {
        self.0.get(&kind).map_or(0, |(count, _)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(line: usize) -> Location {
        Location::new(Path::new("qrels/test.tsv"), line)
    }

    #[test]
    fn warnings_are_counted_and_name_the_first_line() {
        let mut warnings = Warnings::default();
        warnings.add(WarningKind::UnknownDocument, location(3));
        warnings.add(WarningKind::UnknownDocument, location(7));
        warnings.add(WarningKind::UnknownQuery, location(9));
        let texts: Vec<String> = warnings.list().iter().map(Warning::to_string).collect();
        assert_eq!(
            texts,
            [
                "qrels/test.tsv:3: judgements of documents that the set lacks: 2, the first here; relevant ones count as not found",
                "qrels/test.tsv:9: judgements of queries that the set lacks: 1; they are left out",
            ]
        );
        assert_eq!(warnings.count(WarningKind::UnknownDocument), 2);
        assert_eq!(warnings.count(WarningKind::BlankQuery), 0);
    }

    #[test]
    fn error_lists_the_first_lines_and_counts_the_others() {
        let mut problems = Problems::default();
        for line in 1..=12 {
            problems.add(location(line), "is not JSON");
        }
        let message = problems.check().unwrap_err().to_string();
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), MAX_LISTED + 1);
        assert_eq!(lines[0], "qrels/test.tsv:1: is not JSON");
        assert_eq!(lines[10], "more lines: 2");
        assert!(Problems::default().check().is_ok());
    }
}

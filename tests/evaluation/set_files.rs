//! Finds the sets in a folder, and their files.
//!
//! A set is a folder in one of two forms. A file may be packed by gzip (`.gz`), and judgements may be
//! `.tsv` or `.txt`.
//!
//! ```text
//! Quarry's   docs.jsonl  SPLIT.queries.jsonl  SPLIT.qrels.tsv  [comments.jsonl]     SPLIT: dev
//! BEIR's     corpus.jsonl  queries.jsonl  qrels/SPLIT.tsv                           SPLIT: test
//! ```

use super::warnings::SetError;
use std::path::{Path, PathBuf};

/// The split of a set in Quarry's form that is measured by default.
const SPLIT: &str = "dev";
/// The split of a set in BEIR's form that is measured by default.
const BEIR_SPLIT: &str = "test";
/// How the names of files of judgements end.
const JUDGEMENTS: [&str; 2] = ["tsv", "txt"];

/// The files of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetFiles {
    /// The name of its folder.
    pub name: String,
    pub documents: PathBuf,
    pub queries: PathBuf,
    pub judgements: PathBuf,
    pub comments: Option<PathBuf>,
}

impl SetFiles {
    /// Returns the name of the set with comments, or without.
    pub fn set_name(&self, with_comments: bool) -> String {
        let suffix = if with_comments { " with comments" } else { "" };
        format!("{}{suffix}", self.name)
    }
}

/// The sets of a folder.
#[derive(Debug, Default)]
pub struct FoundSets {
    /// In the order of their names.
    pub sets: Vec<SetFiles>,
    /// What other sets lack, one sentence for each.
    pub incomplete: Vec<String>,
}

/// Finds the sets in a folder, or that which the folder is. Fails if there is none.
pub fn find(folder: &Path, split: Option<&str>) -> Result<FoundSets, SetError> {
    let mut found = FoundSets::default();
    let mut folders = vec![folder.to_owned()];
    let has_one = documents_of(folder).is_some() || has_queries(folder);
    if !has_one {
        let unreadable = |error| SetError::Unreadable {
            path: folder.to_owned(),
            error,
        };
        folders.clear();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            folders.push(entry.map_err(unreadable)?.path());
        }
        folders.sort();
    }
    for folder in &folders {
        match files_of(folder, split) {
            Some(Ok(files)) => found.sets.push(files),
            Some(Err(missing)) => found.incomplete.push(missing),
            None => {}
        }
    }
    if found.sets.is_empty() {
        let mut message = format!(
            "{} has no set: a folder with docs.jsonl, SPLIT.queries.jsonl and SPLIT.qrels.tsv, or with corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv (docs/relevance.md)",
            folder.display()
        );
        for missing in &found.incomplete {
            message.push('\n');
            message.push_str(missing);
        }
        return Err(SetError::Unusable(message));
    }
    Ok(found)
}

/// Returns the file with the documents of a set, and whether it has BEIR's form.
fn documents_of(folder: &Path) -> Option<(PathBuf, bool)> {
    let own = existing(folder, "docs.jsonl").map(|path| (path, false));
    own.or_else(|| existing(folder, "corpus.jsonl").map(|path| (path, true)))
}

/// Whether there are queries or judgements of a set.
fn has_queries(folder: &Path) -> bool {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.any(|name| name.trim_end_matches(".gz").ends_with("queries.jsonl") || name == "qrels")
}

/// Returns a file that is there, packed or not.
fn existing(folder: &Path, name: &str) -> Option<PathBuf> {
    let paths = [folder.join(name), folder.join(format!("{name}.gz"))];
    paths.into_iter().find(|path| path.is_file())
}

/// Returns the files of a set; `None` for another folder, and an error for a set that lacks a file.
fn files_of(folder: &Path, split: Option<&str>) -> Option<Result<SetFiles, String>> {
    let Some((documents, is_beir)) = documents_of(folder) else {
        let missing = format!(
            "{} is left out: it has no corpus.jsonl (or docs.jsonl)",
            folder.display()
        );
        return has_queries(folder).then_some(Err(missing));
    };
    let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = name.file_name().map_or_else(
        || "set".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    let split = split.unwrap_or(if is_beir { BEIR_SPLIT } else { SPLIT });
    let queries = if is_beir {
        "queries.jsonl".to_owned()
    } else {
        format!("{split}.queries.jsonl")
    };
    let judgements = if is_beir {
        format!("qrels/{split}")
    } else {
        format!("{split}.qrels")
    };
    let missing = |file: &str| {
        Some(Err(format!(
            "{} is left out: it has no {file}",
            folder.display()
        )))
    };
    let Some(queries_path) = existing(folder, &queries) else {
        return missing(&queries);
    };
    let judgements_path = JUDGEMENTS
        .iter()
        .find_map(|extension| existing(folder, &format!("{judgements}.{extension}")));
    let Some(judgements_path) = judgements_path else {
        return missing(&format!("{judgements}.tsv"));
    };
    Some(Ok(SetFiles {
        name,
        documents,
        queries: queries_path,
        judgements: judgements_path,
        comments: existing(folder, "comments.jsonl"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates empty files.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn sets_of_both_forms_are_found_and_other_folders_are_not() {
        let folder = folder(&[
            "b/docs.jsonl.gz",
            "b/dev.queries.jsonl",
            "b/dev.qrels.tsv",
            "b/comments.jsonl.gz",
            "a/corpus.jsonl",
            "a/queries.jsonl",
            "a/qrels/test.tsv",
            "load/news.jsonl.gz",
            "README.md",
        ]);
        let found = find(folder.path(), None).unwrap();
        let names: Vec<&str> = found.sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(found.incomplete, [""; 0]);
        assert_eq!(
            found.sets[0].judgements,
            folder.path().join("a/qrels/test.tsv")
        );
        assert_eq!(found.sets[0].comments, None);
        assert_eq!(
            found.sets[1].documents,
            folder.path().join("b/docs.jsonl.gz")
        );
        assert_eq!(
            found.sets[1].comments,
            Some(folder.path().join("b/comments.jsonl.gz"))
        );
    }

    #[test]
    fn folder_of_one_set_is_that_set() {
        let folder = folder(&[
            "trec/corpus.jsonl",
            "trec/queries.jsonl",
            "trec/qrels/test.txt",
        ]);
        let found = find(&folder.path().join("trec"), None).unwrap();
        assert_eq!(found.sets[0].name, "trec");
        assert_eq!(found.sets.len(), 1);
    }

    #[test]
    fn set_without_the_split_is_named() {
        let folder = folder(&[
            "a/docs.jsonl",
            "a/held.queries.jsonl",
            "a/held.qrels.tsv",
            "b/docs.jsonl",
            "b/dev.queries.jsonl",
            "b/dev.qrels.tsv",
        ]);
        let found = find(folder.path(), Some("held")).unwrap();
        assert_eq!(found.sets.len(), 1);
        let b = folder.path().join("b");
        assert_eq!(
            found.incomplete,
            [format!(
                "{} is left out: it has no held.queries.jsonl",
                b.display()
            )]
        );
        let message = find(folder.path(), Some("tets")).unwrap_err().to_string();
        assert!(message.contains("has no set"), "{message}");
        assert!(
            message.contains("it has no tets.queries.jsonl"),
            "{message}"
        );
    }

    #[test]
    fn set_without_documents_is_named() {
        let folder = folder(&[
            "a/queries.jsonl",
            "a/qrels/test.tsv",
            "b/corpus.jsonl",
            "b/queries.jsonl",
            "b/qrels/test.tsv",
            "other/notes.txt",
        ]);
        let a = folder.path().join("a");
        let missing = format!(
            "{} is left out: it has no corpus.jsonl (or docs.jsonl)",
            a.display()
        );
        let found = find(folder.path(), None).unwrap();
        assert_eq!(
            (found.sets.len(), found.incomplete),
            (1, vec![missing.clone()])
        );
        let message = find(&a, None).unwrap_err().to_string();
        assert!(message.contains(&missing), "{message}");
    }

    #[test]
    fn missing_folder_is_an_error() {
        let message = find(Path::new("/nonexistent/sets"), None)
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with("/nonexistent/sets cannot be read: "),
            "{message}"
        );
    }
}

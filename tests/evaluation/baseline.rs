//! Saved runs, `target/relevance/NAME.json`: the figures and first hits of each query, so that a later
//! run can be compared query by query.

use super::figures::QueryFigures;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u32 = 1;

/// Why a baseline cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("there is no baseline {name}: {} does not exist; save one with --save-baseline {name}", .path.display())]
    Missing { name: String, path: PathBuf },
    #[error("the baseline {} cannot be read: {problem}; remove the file", .path.display())]
    Damaged { path: PathBuf, problem: String },
    #[error("the baseline {} cannot be written: {error}", .path.display())]
    Unwritable {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{0:?} is no name of a baseline: letters, digits, `-`, `_` and `.` are allowed")]
    Name(String),
}

/// What a run is of: a set, a form of its queries, and an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunKey {
    pub set: String,
    pub form: String,
    pub by: String,
}

impl RunKey {
    /// Returns the text that filters are matched with.
    pub fn id(&self) -> String {
        format!("{}/{}/{}", self.set, self.form, self.by)
    }
}

/// A saved run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRun {
    #[serde(flatten)]
    pub key: RunKey,
    /// Number of documents of the set. With others, a comparison is not one of rankings.
    pub documents: usize,
    pub queries: Vec<QueryFigures>,
}

#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    runs: Vec<SavedRun>,
}

/// The runs of a baseline.
#[derive(Debug, Default)]
pub struct Baseline {
    pub runs: Vec<SavedRun>,
}

/// Returns the file of a baseline.
pub fn path(folder: &Path, name: &str) -> Result<PathBuf, BaselineError> {
    let is_allowed = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_allowed) {
        return Err(BaselineError::Name(name.to_owned()));
    }
    Ok(folder.join(format!("{name}.json")))
}

impl Baseline {
    /// Loads a baseline; `None` if it was never saved.
    pub fn load(folder: &Path, name: &str) -> Result<Option<Baseline>, BaselineError> {
        let path = path(folder, name)?;
        let damaged = |problem: String| BaselineError::Damaged {
            path: path.clone(),
            problem,
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(damaged(error.to_string())),
        };
        let file: File = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if file.version != VERSION {
            return Err(damaged(format!("it has format {}", file.version)));
        }
        Ok(Some(Baseline { runs: file.runs }))
    }

    /// Loads a baseline that must be there.
    pub fn load_existing(folder: &Path, name: &str) -> Result<Baseline, BaselineError> {
        let path = path(folder, name)?;
        Baseline::load(folder, name)?.ok_or(BaselineError::Missing {
            name: name.to_owned(),
            path,
        })
    }

    /// Returns the run of the same set, form and engine.
    pub fn find(&self, key: &RunKey) -> Option<&SavedRun> {
        self.runs.iter().find(|run| run.key == *key)
    }

    /// Adds runs, in place of earlier ones with the same key.
    pub fn replace(&mut self, runs: Vec<SavedRun>) {
        for run in runs {
            match self.runs.iter_mut().find(|known| known.key == run.key) {
                Some(known) => *known = run,
                None => self.runs.push(run),
            }
        }
    }

    /// Saves the runs. A file that was there is kept whole until the new one is.
    pub fn save(self, folder: &Path, name: &str) -> Result<PathBuf, BaselineError> {
        let path = path(folder, name)?;
        let file = File {
            version: VERSION,
            runs: self.runs,
        };
        let new = path.with_added_extension("new");
        let outcome = std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::File::create(&new))
            .and_then(|writer| {
                serde_json::to_writer(std::io::BufWriter::new(writer), &file)
                    .map_err(std::io::Error::from)
            })
            .and_then(|()| std::fs::rename(&new, &path));
        match outcome {
            Ok(()) => Ok(path),
            Err(error) => Err(BaselineError::Unwritable { path, error }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(form: &str, ndcg: f64) -> SavedRun {
        SavedRun {
            key: RunKey {
                set: "hadoop".to_owned(),
                form: form.to_owned(),
                by: "quarry".to_owned(),
            },
            documents: 7,
            queries: vec![QueryFigures {
                id: "q1".to_owned(),
                ndcg_at_10: ndcg,
                mrr_at_10: 1.0 / 3.0,
                recall_at_100: 1.0,
                hits: vec!["a".to_owned()],
            }],
        }
    }

    #[test]
    fn saved_runs_are_loaded_and_replaced_one_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("relevance");
        assert!(Baseline::load(&folder, "x").unwrap().is_none());
        let mut baseline = Baseline::default();
        baseline.replace(vec![run("any word", 0.5), run("short", 0.1)]);
        baseline.save(&folder, "x").unwrap();
        let mut baseline = Baseline::load_existing(&folder, "x").unwrap();
        baseline.replace(vec![run("short", 0.2), run("typo", 0.3)]);
        baseline.save(&folder, "x").unwrap();
        let baseline = Baseline::load_existing(&folder, "x").unwrap();
        let expected = [run("any word", 0.5), run("short", 0.2), run("typo", 0.3)];
        assert_eq!(baseline.runs, expected);
        assert_eq!(baseline.find(&run("short", 0.0).key), Some(&expected[1]));
        assert_eq!(baseline.find(&run("prefix", 0.0).key), None);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn missing_damaged_and_badly_named_baselines_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let message = |name: &str| {
            Baseline::load_existing(folder, name)
                .unwrap_err()
                .to_string()
        };
        assert!(
            message("x").starts_with("there is no baseline x: "),
            "{}",
            message("x")
        );
        std::fs::write(folder.join("x.json"), "{\"version\": 1").unwrap();
        assert!(
            message("x").contains("x.json cannot be read: "),
            "{}",
            message("x")
        );
        std::fs::write(folder.join("x.json"), "{\"version\": 9, \"runs\": []}").unwrap();
        assert!(message("x").contains("it has format 9"), "{}", message("x"));
        for name in ["", "../x", ".x", "a b"] {
            assert!(message(name).contains("is no name of a baseline"), "{name}");
        }
    }
}

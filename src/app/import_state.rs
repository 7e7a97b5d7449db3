//! The import that was started in the browser: how far it has come, and what it found.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where an import reads from.
#[derive(Clone, Debug, Default)]
pub struct ImportSource {
    /// The address of the database.
    pub database: String,
    /// Its password, if the address does not have it.
    pub password: Option<String>,
    /// The folder with the files, if they are imported.
    pub files: Option<PathBuf>,
}

/// What happens now, or has happened.
#[derive(Clone, Debug, Default)]
pub enum ImportPhase {
    /// Nothing.
    #[default]
    Idle,
    /// A step is running.
    Running {
        /// The table.
        step: String,
        done: u64,
        total: u64,
    },
    /// It is complete: rows by table, with how many of them could not be imported, and notes.
    Finished {
        tables: Vec<(String, u64, u64)>,
        notes: Vec<String>,
    },
    /// It has stopped.
    Failed(String),
}

/// The state of the import.
#[derive(Clone, Debug, Default)]
pub struct Import {
    pub phase: ImportPhase,
    /// Whether nothing is written: the check before the import.
    pub is_check: bool,
    pub source: ImportSource,
    /// The token of the browser that started it, which alone sees it.
    pub token: String,
}

/// The import of a service; there is one at a time.
#[derive(Debug, Default)]
pub struct ImportState(Mutex<Import>);

impl ImportState {
    fn lock(&self) -> MutexGuard<'_, Import> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a copy of the state.
    pub fn get(&self) -> Import {
        self.lock().clone()
    }

    /// Starts an import. Returns `false` if one is running.
    pub fn start(&self, source: ImportSource, is_check: bool, token: &str) -> bool {
        let mut import = self.lock();
        if matches!(import.phase, ImportPhase::Running { .. }) {
            return false;
        }
        *import = Import {
            phase: ImportPhase::Running {
                step: "connecting".to_owned(),
                done: 0,
                total: 0,
            },
            is_check,
            source,
            token: token.to_owned(),
        };
        true
    }

    /// Changes the phase. The password is forgotten when nothing more is to be read.
    pub fn set_phase(&self, phase: ImportPhase) {
        let mut import = self.lock();
        if matches!(phase, ImportPhase::Finished { .. }) && !import.is_check {
            import.source.password = None;
        }
        import.phase = phase;
    }

    /// Starts a step with this number of rows.
    pub fn start_step(&self, label: &str, rows: u64) {
        self.set_phase(ImportPhase::Running {
            step: label.to_owned(),
            done: 0,
            total: rows,
        });
    }

    /// Adds rows of the current step.
    pub fn advance(&self, rows: u64) {
        if let ImportPhase::Running { done, .. } = &mut self.lock().phase {
            *done += rows;
        }
    }
}

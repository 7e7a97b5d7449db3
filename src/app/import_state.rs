//! The import that was started in the browser: how far it has come, and what it found.

use quarry_store::files::blobs::KeptFile;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The cookie with the token of the browser that imports.
pub const COOKIE: &str = "import";
/// Maximum number of bytes of an uploaded database.
pub const MAX_UPLOAD: u64 = 8 * 1024 * 1024 * 1024;

/// Where an import reads from.
#[derive(Clone, Debug, Default)]
pub struct ImportSource {
    /// The address of the database.
    pub database: String,
    /// Its password, if the address does not have it.
    pub password: Option<String>,
    /// The folder with the files, if they are imported.
    pub files: Option<PathBuf>,
    /// The database as it was uploaded. The file exists as long as this.
    pub upload: Option<Arc<KeptFile>>,
}

/// What happens now, or has happened.
#[derive(Clone, Debug, Default)]
pub enum ImportPhase {
    /// Nothing.
    #[default]
    Idle,
    /// The browser shall upload the database.
    AwaitingUpload,
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
    /// Whether it shall stop.
    pub is_cancelled: bool,
}

/// The import that this node runs, of which the other nodes know from the store that there is one
/// ([`Catalogue::is_importing`](quarry_domain::catalogue::Catalogue::is_importing)). The browser that
/// started it must come back to this node.
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
            is_cancelled: false,
        };
        true
    }

    /// Waits for a database to be uploaded. Returns `false` if an import is running.
    pub fn await_upload(&self, source: ImportSource, token: &str) -> bool {
        let mut import = self.lock();
        if matches!(import.phase, ImportPhase::Running { .. }) {
            return false;
        }
        *import = Import {
            phase: ImportPhase::AwaitingUpload,
            is_check: true,
            source,
            token: token.to_owned(),
            is_cancelled: false,
        };
        true
    }

    /// Whether the browser with this token shall upload a database.
    pub fn accepts_upload(&self, token: Option<&str>) -> bool {
        let import = self.lock();
        matches!(import.phase, ImportPhase::AwaitingUpload) && token == Some(import.token.as_str())
    }

    /// Forgets an import that was not started, because the installation is set up otherwise.
    pub fn forget(&self) {
        let mut import = self.lock();
        if !matches!(import.phase, ImportPhase::Running { .. }) {
            *import = Import::default();
        }
    }

    /// Lets a running import stop after the rows that it is writing.
    pub fn cancel(&self) {
        self.lock().is_cancelled = true;
    }

    /// Whether the import shall stop.
    pub fn is_cancelled(&self) -> bool {
        self.lock().is_cancelled
    }

    /// Changes the phase. Password and upload are forgotten when nothing more is to be read.
    pub fn set_phase(&self, phase: ImportPhase) {
        let mut import = self.lock();
        let is_over = match phase {
            ImportPhase::Finished { .. } => !import.is_check,
            ImportPhase::Failed(_) => import.is_check,
            _ => false,
        };
        if is_over {
            import.source.password = None;
            import.source.upload = None;
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

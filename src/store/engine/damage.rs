//! The log of damaged values. A page may read the same row thousands of times.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Maximum number of problems that are logged.
const MAX_PROBLEMS: usize = 1000;

/// The problems that were logged.
static LOGGED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Logs a problem with a value, once per process.
pub(super) fn log(problem: &str) {
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.len() < MAX_PROBLEMS && logged.insert(problem.to_owned()) {
        tracing::error!(
            problem,
            "a value of the records is damaged: it is shown as missing, 0 or 1970, or its row is left out; `quarry doctor` names the rows"
        );
    }
}

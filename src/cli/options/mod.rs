//! Options that several commands share.

mod backup_options;
pub(crate) mod global_options;
pub(crate) mod mail_options;
mod monitoring_options;
pub(crate) mod service_options;
pub(crate) mod tls_options;

use std::path::Path;

/// Returns a path as the text of a value.
pub fn path_text(path: &Path) -> String {
    path.display().to_string()
}

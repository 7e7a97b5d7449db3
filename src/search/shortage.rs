//! Distinguishes a shortage of resources from damage to the index.
//!
//! Without file descriptors, memory or disk space, tantivy fails with I/O errors that look like
//! those of a damaged index. A rebuild would need even more resources, so these errors must be
//! recognized however tantivy wraps them.

use quarry_store::disk;
use std::error::Error;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use tantivy::TantivyError;
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};

/// `ENFILE` and `EMFILE`, which have no [`ErrorKind`]; their numbers are the same on every Unix.
#[cfg(unix)]
const TOO_MANY_OPEN_FILES: [i32; 2] = [23, 24];
/// `ERROR_TOO_MANY_OPEN_FILES`.
#[cfg(windows)]
const TOO_MANY_OPEN_FILES: [i32; 1] = [4];

/// Whether a shortage of file descriptors, memory or disk space caused the error.
pub(crate) fn is_shortage(error: &(dyn Error + 'static)) -> bool {
    if let Some(io) = io_error(error)
        && (is_shortage_kind(io) || io.get_ref().is_some_and(|inner| is_shortage(inner)))
    {
        return true;
    }
    error.source().is_some_and(is_shortage)
}

/// Whether an I/O error itself is a shortage.
pub(crate) fn is_shortage_kind(error: &io::Error) -> bool {
    disk::is_full(error)
        || error.kind() == ErrorKind::OutOfMemory
        || error
            .raw_os_error()
            .is_some_and(|code| TOO_MANY_OPEN_FILES.contains(&code))
}

/// Returns the I/O error that this error is or wraps. tantivy does not return it as a source.
fn io_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e io::Error> {
    if let Some(error) = error.downcast_ref::<io::Error>() {
        return Some(error);
    }
    if let Some(error) = error.downcast_ref::<Arc<io::Error>>() {
        return Some(error);
    }
    if let Some(
        TantivyError::IoError(error) | TantivyError::LockFailure(LockError::IoError(error), _),
    ) = error.downcast_ref()
    {
        return Some(error);
    }
    if let Some(LockError::IoError(error)) = error.downcast_ref() {
        return Some(error);
    }
    if let Some(OpenReadError::IoError { io_error, .. }) = error.downcast_ref() {
        return Some(io_error);
    }
    if let Some(OpenWriteError::IoError { io_error, .. }) = error.downcast_ref() {
        return Some(io_error);
    }
    if let Some(
        OpenDirectoryError::IoError { io_error, .. }
        | OpenDirectoryError::FailedToCreateTempDir(io_error),
    ) = error.downcast_ref()
    {
        return Some(io_error);
    }
    match error.downcast_ref() {
        Some(DeleteError::IoError { io_error, .. }) => Some(io_error),
        _ => None,
    }
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use crate::SearchError;
    use std::path::PathBuf;

    const SHORTAGES: [(&str, i32); 4] = [
        ("ENOMEM", 12),
        ("ENFILE", 23),
        ("EMFILE", 24),
        ("ENOSPC", 28),
    ];
    const OTHERS: [(&str, i32); 3] = [("ENOENT", 2), ("EIO", 5), ("EACCES", 13)];

    fn path() -> PathBuf {
        PathBuf::from("meta.json")
    }

    /// Returns an operating system error in each form in which it reaches the indexer.
    fn wrapped(code: i32) -> Vec<SearchError> {
        let io = || io::Error::from_raw_os_error(code);
        let engine: [TantivyError; 6] = [
            io().into(),
            OpenReadError::wrap_io_error(io(), path()).into(),
            OpenWriteError::wrap_io_error(io(), path()).into(),
            OpenDirectoryError::wrap_io_error(io(), path()).into(),
            LockError::wrap_io_error(io()).into(),
            io::Error::other(OpenReadError::wrap_io_error(io(), path())).into(),
        ];
        let nested = [
            io::Error::other(io()),
            io::Error::other(DeleteError::IoError {
                io_error: Arc::new(io()),
                filepath: path(),
            }),
        ];
        engine
            .into_iter()
            .map(SearchError::from)
            .chain(nested.map(SearchError::from))
            .chain([SearchError::from(io())])
            .collect()
    }

    #[test]
    fn shortages_are_recognized_in_every_wrapping() {
        for (name, code) in SHORTAGES {
            for error in wrapped(code) {
                assert!(error.is_shortage(), "{name}: {error:?}");
            }
        }
    }

    #[test]
    fn other_errors_are_not_shortages() {
        for (name, code) in OTHERS {
            for error in wrapped(code) {
                assert!(!error.is_shortage(), "{name}: {error:?}");
            }
        }
        assert!(!SearchError::Damaged.is_shortage() && !SearchError::NotReady.is_shortage());
    }

    #[test]
    fn quota_is_a_shortage() {
        assert!(
            is_shortage_kind(&ErrorKind::QuotaExceeded.into())
                && is_shortage_kind(&ErrorKind::FileTooLarge.into())
        );
    }
}

//! Usage errors, which have an exit code of their own.

use quarry_actions::ActionError;
use quarry_config::ConfigError;
use quarry_domain::values::edit_distance::nearest;
use quarry_import::{ImportError, SourceError};
use std::io::ErrorKind;

/// A mistake in the command or its arguments, as one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl UsageError {
    /// Creates the error about an unknown name of a `what`, with the most similar known name.
    pub fn unknown<'n>(
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> UsageError {
        let hint =
            nearest(name, known).map_or(String::new(), |name| format!(", did you mean {name}?"));
        UsageError(format!("there is no {what} {name:?}{hint}"))
    }
}

/// Returns 2 for a usage error, 1 for everything else.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    let is_rejected = matches!(
        error.downcast_ref(),
        Some(ActionError::Invalid(_) | ActionError::NotFound)
    );
    let is_invalid_source = matches!(
        error.downcast_ref(),
        Some(
            ImportError::Occupied(_)
                | ImportError::OtherSource
                | ImportError::Source(
                    SourceError::InvalidUrl(_)
                        | SourceError::NoFile(_)
                        | SourceError::NotRedmine(..)
                        | SourceError::Parameter(_)
                )
        )
    );
    if is_rejected || is_invalid_source || error.is::<UsageError>() || error.is::<ConfigError>() {
        2
    } else {
        1
    }
}

/// Whether the reader of standard output has closed the pipe, which is not an error.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_name_is_reported_with_the_most_similar_one() {
        let known = ["alice", "bob"];
        assert_eq!(
            UsageError::unknown("user", "alcie", known).to_string(),
            "there is no user \"alcie\", did you mean alice?"
        );
        assert_eq!(
            UsageError::unknown("user", "zacharias", known).to_string(),
            "there is no user \"zacharias\""
        );
    }

    #[test]
    fn usage_errors_have_their_own_exit_code() {
        assert_eq!(exit_code(&UsageError(String::new()).into()), 2);
        assert_eq!(exit_code(&ActionError::invalid("").into()), 2);
        assert_eq!(exit_code(&ActionError::Forbidden.into()), 1);
        assert_eq!(exit_code(&anyhow::anyhow!("the disk is full")), 1);
    }
}

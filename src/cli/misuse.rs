//! Mistakes of the person who typed the command, told from everything else by the exit code.

use crate::actions::Refused;
use crate::config::ConfigError;
use crate::domain::nearest::nearest;
use crate::import::{ImportError, SourceError};
use std::io::ErrorKind;

/// The command was wrong. The text is one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Misuse(pub String);

impl Misuse {
    /// A name that is not known, with the nearest one that is. `what` says what it would be the name of.
    pub fn unknown<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> Misuse {
        let hint = nearest(name, known).map_or(String::new(), |name| format!(", did you mean {name}?"));
        Misuse(format!("there is no {what} {name:?}{hint}"))
    }
}

/// 2 for a mistake in the command, 1 for everything else.
pub fn exit_code(problem: &anyhow::Error) -> u8 {
    let refused = matches!(problem.downcast_ref(), Some(Refused::Invalid(_) | Refused::NotFound));
    let source = matches!(
        problem.downcast_ref(),
        Some(
            ImportError::Occupied(_)
                | ImportError::Other
                | ImportError::Source(
                    SourceError::Address(_) | SourceError::NoFile(_) | SourceError::NotRedmine(..) | SourceError::Parameter(_)
                )
        )
    );
    if refused || source || problem.is::<Misuse>() || problem.is::<ConfigError>() { 2 } else { 1 }
}

/// Whether whoever read our output has gone away, which is their right.
pub fn is_closed_pipe(problem: &anyhow::Error) -> bool {
    problem.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_comes_with_the_nearest_one() {
        let known = ["alice", "bob"];
        assert_eq!(Misuse::unknown("user", "alcie", known).to_string(), "there is no user \"alcie\", did you mean alice?");
        assert_eq!(Misuse::unknown("user", "zacharias", known).to_string(), "there is no user \"zacharias\"");
    }

    #[test]
    fn mistakes_in_the_command_have_an_exit_code_of_their_own() {
        assert_eq!(exit_code(&Misuse(String::new()).into()), 2);
        assert_eq!(exit_code(&Refused::Invalid(Vec::new()).into()), 2);
        assert_eq!(exit_code(&Refused::Forbidden.into()), 1);
        assert_eq!(exit_code(&anyhow::anyhow!("the disk is full")), 1);
    }
}

//! What does the process say about itself?
//!
//! Log events go to standard error, as lines for people or as JSON for collectors; standard output is for what was asked.
//! Invariant: a secret is never part of an event; who logs a request leaves keys and passwords out.
//! May import: `config`.

use crate::config::LogFormat;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

/// Logging cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is none.
    #[error("the log filter {filter:?} cannot be used: {problem}; it is something like info or quarry=debug,warn")]
    Filter {
        /// What was given.
        filter: String,
        /// What is wrong with it.
        problem: tracing_subscriber::filter::ParseError,
    },
    /// Something else has begun already.
    #[error(transparent)]
    Begun(#[from] TryInitError),
}

/// Begins to log what passes the filter, for the rest of the process.
pub fn begin(filter: &str, format: LogFormat) -> Result<(), TelemetryError> {
    let parsed = EnvFilter::builder().parse(filter);
    let filter = parsed.map_err(|problem| TelemetryError::Filter { filter: filter.to_owned(), problem })?;
    let events = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => events.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).finish().try_init()?,
        LogFormat::Json => events.json().flatten_event(true).finish().try_init()?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_is_none_is_named() {
        let refusal = begin("quarry=loud", LogFormat::Text).unwrap_err().to_string();
        assert!(refusal.starts_with("the log filter \"quarry=loud\" cannot be used: "), "{refusal}");
    }
}

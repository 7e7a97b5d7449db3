//! Logging.
//!
//! Log events go to standard error as text or JSON; standard output is for the output of commands.
//! Invariant: an event never contains a secret; API keys and passwords of requests are not logged.
//! May import: `config`, `domain`.

mod format;

use format::{JsonEvents, TextEvents};
use quarry_config::LogFormat;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

/// Why logging cannot be initialized.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is malformed.
    #[error(
        "the log filter {filter:?} is invalid: {problem}; use something like info or quarry=debug,audit=info,warn"
    )]
    Filter {
        /// The filter.
        filter: String,
        /// The parse error.
        problem: tracing_subscriber::filter::ParseError,
    },
    /// A logger has been set already.
    #[error(transparent)]
    AlreadyInitialized(#[from] TryInitError),
}

/// Rules in addition to those of the filter. They keep the driver of PostgreSQL silent, which logs
/// the values of every statement, and the client of IMAP, which logs passwords; and they let the
/// ids of requests pass.
const OWN_RULES: [&str; 3] = ["tokio_postgres=warn", "async_imap=warn", "request_id=error"];

/// Initializes logging with this filter, for the rest of the process.
pub fn init(filter: &str, format: LogFormat) -> Result<(), TelemetryError> {
    let parsed = EnvFilter::builder().parse(filter).and_then(|parsed| {
        OWN_RULES.into_iter().try_fold(parsed, |parsed, rule| {
            Ok(parsed.add_directive(rule.parse()?))
        })
    });
    let filter = parsed.map_err(|problem| TelemetryError::Filter {
        filter: filter.to_owned(),
        problem,
    })?;
    // Otherwise the subscriber reports a failed write to standard error, and panics if that fails,
    // too. On a full disk, requests would fail because of the log.
    let events = tracing_subscriber::fmt()
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match format {
        LogFormat::Text => events
            .with_ansi(has_colors())
            .event_format(TextEvents)
            .finish()
            .try_init()?,
        LogFormat::Json => events
            .json()
            .event_format(JsonEvents::new())
            .finish()
            .try_init()?,
    }
    Ok(())
}

/// Whether events are coloured: on a terminal, unless the environment variable `NO_COLOR` has a value.
fn has_colors() -> bool {
    let is_off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !is_off && std::io::stderr().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_filter_is_reported() {
        let message = init("quarry=loud", LogFormat::Text)
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with("the log filter \"quarry=loud\" is invalid: "),
            "{message}"
        );
    }
}

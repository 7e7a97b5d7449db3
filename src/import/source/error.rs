//! Why the source cannot be read.

use quarry_store::tls::TlsError;

/// Why the source cannot be read; each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The URL is invalid or of an unsupported engine.
    #[error(
        "{0:?} is not the URL of a supported database: write sqlite:PATH, postgres://USER:PASSWORD@HOST/NAME or mysql://USER:PASSWORD@HOST/NAME"
    )]
    InvalidUrl(String),
    /// There is no such file.
    #[error("there is no file {0}")]
    NoFile(String),
    /// The database is not a Redmine's.
    #[error("{0} is not the database of a Redmine: {1}")]
    NotRedmine(String, String),
    /// The version is before 4.2.
    #[error("this Redmine is older than 4.2 ({0}): upgrade it to 4.2 or later first")]
    TooOld(String),
    /// The version is after 7.0.
    #[error("this Redmine is newer than 7.0 ({0}): use a newer Quarry")]
    TooNew(String),
    /// A parameter of the URL is invalid.
    #[error("{0}")]
    Parameter(String),
    /// An encrypted connection cannot be established.
    #[error("no TLS connection to the database can be established: {0}")]
    Tls(String),
    /// The user or the password is wrong.
    #[error("the database rejects the user or the password: {0}")]
    Password(String),
    /// No server accepts the connection.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The connection was lost.
    #[error(
        "the connection to the database was lost: {0}; what was imported so far stays, run the same command again"
    )]
    Connection(String),
    /// A statement failed.
    #[error("the database cannot be read: {0}")]
    Statement(String),
}

impl From<TlsError> for SourceError {
    fn from(error: TlsError) -> Self {
        match error {
            TlsError::Parameter(problem) => SourceError::Parameter(problem),
            TlsError::Connection(problem) => SourceError::Tls(problem),
        }
    }
}

impl SourceError {
    /// Returns the error about an invalid URL.
    pub fn invalid_url(url: &str) -> SourceError {
        SourceError::InvalidUrl(without_password(url))
    }
}

/// Returns the URL without its password.
pub fn without_password(url: &str) -> String {
    let url = match url.split_once('?') {
        Some((before, _)) if url.contains("://") => before,
        _ => url,
    };
    let Some((before, host)) = url.rsplit_once('@') else {
        return url.to_owned();
    };
    match before
        .split_once("://")
        .map(|(scheme, user)| (scheme, user.split(':').next().unwrap_or_default()))
    {
        Some((scheme, user)) => format!("{scheme}://{user}@{host}"),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn password_is_removed_from_the_url() {
        assert_eq!(
            without_password("postgres://me:sec:r@t@host/db"),
            "postgres://me@host/db"
        );
        assert_eq!(
            without_password("postgres://host/db?user=me&password=secret"),
            "postgres://host/db"
        );
        assert_eq!(without_password("sqlite:a@b?c"), "sqlite:a@b?c");
    }
}

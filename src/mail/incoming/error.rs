//! Why a mail cannot be parsed.

/// Why a mail cannot be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// It is larger than [`MAX_MAIL_SIZE`](super::MAX_MAIL_SIZE).
    #[error("The mail is larger than 30 MiB.")]
    TooLarge,
    /// It has no header.
    #[error("This is not a mail: it has no header.")]
    NoHeader,
    /// The header of the mail or of a part is too long.
    #[error("The header of the mail is too long.")]
    LongHeader,
    /// A header names too many addresses.
    #[error("The mail names too many addresses.")]
    TooManyAddresses,
    /// It has too many parts.
    #[error("The mail has too many parts.")]
    TooManyParts,
    /// Its parts are nested too deeply.
    #[error("The parts of the mail are nested too deeply.")]
    NestedTooDeeply,
}

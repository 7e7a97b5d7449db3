//! Permits to compare a secret with what a client has sent.

/// A permit to compare one password, code or client secret with the stored one.
///
/// Every function that compares a secret takes a permit by value, so that none can be called
/// without the limits on guesses. Only `http::server::limits::logins` issues permits; `clippy.toml`
/// forbids it elsewhere (operations 13.2).
#[derive(Debug)]
pub struct GuessPermit(());

impl GuessPermit {
    /// Issues a permit, for an attempt that has passed the limits on guesses.
    pub fn issue() -> GuessPermit {
        GuessPermit(())
    }
}

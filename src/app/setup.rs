//! The set-up of a new installation in the browser, for which a code is printed in the terminal.
//!
//! The code is derived from the secret and the current epoch, so that it works on every node. With
//! SQLite each start begins an epoch, so it prints another code, until there is a user. Nothing of
//! the set-up is stored before it is complete, so an interrupted one starts again. Invariant: nobody
//! without the code becomes the administrator, and an installation with users is never set up.

use quarry_domain::accounts::guess_permit::GuessPermit;
use quarry_domain::catalogue::Catalogue;
use quarry_store::Secrets;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use subtle::ConstantTimeEq;

/// Letters and digits that are easy to tell apart.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Number of characters of a code: 100 bits.
const CODE_LENGTH: usize = 20;
/// Number of characters between two hyphens.
const GROUP_LENGTH: usize = 5;

/// The set-up, if it was started.
#[derive(Debug, Default)]
pub struct Setup {
    /// The fingerprint of the code; empty when there is nothing to set up.
    code: OnceLock<[u8; 32]>,
    /// Whether the set-up is known to be complete.
    is_over: AtomicBool,
}

impl Setup {
    /// Starts the set-up. Returns the code of this epoch of the store.
    pub fn start(&self, secrets: &Secrets, epoch: &str) -> String {
        let code = code(secrets, epoch);
        // A second call changes nothing, and its code is not accepted.
        let _ = self.code.set(fingerprint(secrets, &code));
        let groups: Vec<&str> = (0..CODE_LENGTH)
            .step_by(GROUP_LENGTH)
            .filter_map(|start| code.get(start..start + GROUP_LENGTH))
            .collect();
        groups.join("-")
    }

    /// Whether the installation waits to be set up, or for an import to be completed. Users that
    /// were added on the command line end that, too.
    pub fn is_pending(&self, catalogue: &Catalogue) -> bool {
        let is_pending =
            self.may_be_pending() && (catalogue.users.is_empty() || catalogue.is_importing);
        if !is_pending {
            self.is_over.store(true, Ordering::Release);
        }
        is_pending
    }

    /// Whether the set-up was started by this process and is not known to be complete. Costs
    /// nothing.
    pub fn may_be_pending(&self) -> bool {
        self.code.get().is_some() && !self.is_over.load(Ordering::Acquire)
    }

    /// Whether this is the code. Case, spaces and hyphens do not matter.
    pub fn accepts(&self, _permit: GuessPermit, secrets: &Secrets, code: &str) -> bool {
        let code: String = code
            .chars()
            .filter(|c| c.is_ascii_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect();
        self.code
            .get()
            .is_some_and(|expected| fingerprint(secrets, &code).ct_eq(expected).into())
    }
}

fn fingerprint(secrets: &Secrets, code: &str) -> [u8; 32] {
    secrets.fingerprint(&["setup code", code])
}

/// Returns letters and digits, of five bits each.
fn code(secrets: &Secrets, epoch: &str) -> String {
    let digest = secrets.fingerprint(&["letters of the setup code", epoch]);
    let bytes = digest.iter().take(CODE_LENGTH);
    bytes
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::accounts::user::User;
    use quarry_domain::ids::UserId;
    use quarry_store::Store;

    #[allow(clippy::disallowed_methods, reason = "the test guesses on purpose")]
    fn accepts(setup: &Setup, secrets: &Secrets, code: &str) -> bool {
        setup.accepts(GuessPermit::issue(), secrets, code)
    }

    #[test]
    fn only_the_first_code_is_accepted_however_it_is_typed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let setup = Setup::default();
        let secrets = store.secrets();
        assert!(!accepts(&setup, secrets, ""));
        let code = setup.start(secrets, "first epoch");
        assert_eq!(
            code.split('-').map(str::len).collect::<Vec<_>>(),
            [5, 5, 5, 5]
        );
        assert!(setup.is_pending(&Catalogue::default()));
        for typed in [
            code.clone(),
            code.to_uppercase(),
            format!(" {} ", code.replace('-', " ")),
            code.replace('-', ""),
        ] {
            assert!(accepts(&setup, secrets, &typed), "{typed}");
        }
        assert!(!accepts(&setup, secrets, &code[..22]) && !accepts(&setup, secrets, ""));
        let second = setup.start(secrets, "second epoch");
        assert!(!accepts(&setup, secrets, &second) && accepts(&setup, secrets, &code));
        store.close();
    }

    #[test]
    fn set_up_lasts_until_an_import_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let setup = Setup::default();
        setup.start(store.secrets(), "epoch");
        let mut catalogue = Catalogue::default();
        assert!(setup.is_pending(&catalogue));
        catalogue.users.insert(UserId(1), User::default());
        catalogue.is_importing = true;
        assert!(setup.is_pending(&catalogue));
        catalogue.is_importing = false;
        assert!(!setup.is_pending(&catalogue) && !setup.may_be_pending());
    }
}

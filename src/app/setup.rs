//! The set-up of a new installation in the browser, for which a code is printed in the terminal.
//!
//! The code lives in memory: each start prints another one, until there is a user. Nothing of the
//! set-up is stored before it is complete, so an interrupted one starts again. Invariant: nobody
//! without the code becomes the administrator, and an installation with users is never set up.

use quarry_domain::accounts::guess_permit::GuessPermit;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::clock::Entropy;
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
    /// Whether an import is under way: the set-up lasts until it is complete.
    is_importing: AtomicBool,
}

impl Setup {
    /// Starts the set-up. Returns the code, which is stored nowhere.
    pub fn start(&self, secrets: &Secrets, entropy: &dyn Entropy) -> String {
        let code = random_text(entropy, CODE_LENGTH);
        // A second call changes nothing, and its code is not accepted.
        let _ = self.code.set(fingerprint(secrets, &code));
        let groups: Vec<&str> = (0..CODE_LENGTH)
            .step_by(GROUP_LENGTH)
            .filter_map(|start| code.get(start..start + GROUP_LENGTH))
            .collect();
        groups.join("-")
    }

    /// Whether the installation waits to be set up. Users that were added on the command line end
    /// that, too.
    pub fn is_pending(&self, catalogue: &Catalogue) -> bool {
        self.code.get().is_some() && (catalogue.users.is_empty() || self.is_importing())
    }

    /// Whether an import is under way, or has failed and can be continued. Nobody may write in
    /// between: the ids belong to records that are not imported yet.
    pub fn is_importing(&self) -> bool {
        self.is_importing.load(Ordering::Acquire)
    }

    /// Starts or ends the time of an import.
    pub fn set_importing(&self, is_importing: bool) {
        self.is_importing.store(is_importing, Ordering::Release);
    }

    /// Whether the set-up was started by this process.
    pub fn was_started(&self) -> bool {
        self.code.get().is_some()
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

/// Returns random letters and digits, of five bits each.
fn random_text(entropy: &dyn Entropy, length: usize) -> String {
    let mut bytes = vec![0u8; length];
    entropy.fill(&mut bytes);
    bytes
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::accounts::user::User;
    use quarry_domain::clock::SystemEntropy;
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
        assert!(!accepts(&setup, secrets, "") && !setup.is_pending(&Catalogue::default()));
        let code = setup.start(secrets, &SystemEntropy);
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
        let second = setup.start(secrets, &SystemEntropy);
        assert!(!accepts(&setup, secrets, &second) && accepts(&setup, secrets, &code));
        store.close();
    }

    #[test]
    fn set_up_lasts_until_an_import_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let setup = Setup::default();
        setup.start(store.secrets(), &SystemEntropy);
        let mut catalogue = Catalogue::default();
        catalogue.users.insert(UserId(1), User::default());
        assert!(!setup.is_pending(&catalogue));
        setup.set_importing(true);
        assert!(setup.is_pending(&catalogue));
        setup.set_importing(false);
        assert!(!setup.is_pending(&catalogue));
    }
}

//! The first start: default data and an administrator for an empty data folder.

use super::usage_error::UsageError;
use crate::actions::accounts::{self, NewAccount};
use crate::actions::{ActionError, install};
use crate::config::Environment;
use crate::domain::clock::{Entropy, SystemClock, SystemEntropy};
use crate::domain::password;
use crate::domain::user::UserStatus;
use crate::store::{Store, imported};
use std::io::Write;

const VARIABLE: &str = "QUARRY_ADMIN_PASSWORD";
/// Letters and digits that are easy to tell apart.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Inserts the default roles, trackers, statuses and so on, and the administrator `admin`, into an empty store. Prints the password if it
/// was generated. All of it is one transaction, so an interrupted first start is repeated completely.
pub fn initialize(store: &Store, environment: &Environment, out: &mut dyn Write) -> anyhow::Result<()> {
    // An import from Redmine brings its own.
    if !store.catalogue()?.roles.is_empty() || store.read(imported::has_any)? {
        return Ok(());
    }
    let from_environment = environment.find(VARIABLE).map(str::to_owned);
    if from_environment.as_ref().is_some_and(|password| password.chars().count() < password::MIN_LENGTH) {
        return Err(UsageError(format!("{VARIABLE} is too short: a password has at least {} characters", password::MIN_LENGTH)).into());
    }
    let is_generated = from_environment.is_none();
    let password = from_environment.unwrap_or_else(|| random_password(&SystemEntropy));
    let admin_password = password.clone();
    let is_new = store.write::<_, ActionError>(move |db| {
        if !install::default_data(db)? {
            return Ok(false);
        }
        let account = NewAccount {
            id: None,
            login: "admin",
            firstname: "Quarry",
            lastname: "Admin",
            mail: "admin@example.net",
            password: &admin_password,
            admin: true,
            status: UserStatus::Active,
        };
        accounts::add(db, &account, &SystemClock, &SystemEntropy)?;
        Ok(true)
    })?;
    if is_new && is_generated {
        writeln!(out, "the administrator is admin with the password {password}")?;
        writeln!(out, "it is not shown again; `quarry user password admin` generates another one")?;
    }
    Ok(())
}

/// Returns a random password of 20 letters and digits (100 bits).
pub fn random_password(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 20];
    entropy.fill(&mut bytes);
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_passwords_are_long_and_differ() {
        let (first, second) = (random_password(&SystemEntropy), random_password(&SystemEntropy));
        assert_eq!(first.len(), 20);
        assert_ne!(first, second);
    }

    #[test]
    fn empty_store_gets_an_administrator_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        initialize(&store, &Environment::default(), &mut first).unwrap();
        initialize(&store, &Environment::default(), &mut second).unwrap();
        assert!(String::from_utf8(first).unwrap().starts_with("the administrator is admin with the password "));
        assert!(second.is_empty());
        let catalogue = store.catalogue().unwrap();
        assert!(catalogue.user_by_login("admin").is_some_and(|user| user.admin));
        assert_eq!(catalogue.roles.len(), 5);
        store.close();
    }

    #[test]
    fn short_password_is_rejected_before_anything_is_inserted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let environment = Environment::from_variables([(VARIABLE.into(), "short".into())]).unwrap();
        assert!(initialize(&store, &environment, &mut Vec::new()).unwrap_err().to_string().contains("at least 8"));
        assert!(store.catalogue().unwrap().roles.is_empty());
        store.close();
    }
}

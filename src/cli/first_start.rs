//! What an empty data folder gets: the default data and an administrator.

use super::misuse::Misuse;
use crate::actions::accounts::{self, NewAccount};
use crate::actions::{Refused, install};
use crate::config::Environment;
use crate::domain::clock::{Entropy, SystemClock, SystemEntropy};
use crate::domain::password;
use crate::domain::user::UserStatus;
use crate::store::{Store, imported};
use std::io::Write;

const VARIABLE: &str = "QUARRY_ADMIN_PASSWORD";
/// Letters and digits that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Puts roles, trackers, statuses and the rest, and the administrator `admin`, into a store that has none; says the password
/// if it was made up. All of it is one transaction: a start that was interrupted begins anew.
pub fn install(store: &Store, environment: &Environment, out: &mut dyn Write) -> anyhow::Result<()> {
    // A Redmine that is on its way in brings its own.
    if !store.catalogue()?.roles.is_empty() || store.read(imported::is_any)? {
        return Ok(());
    }
    let given = environment.find(VARIABLE).map(str::to_owned);
    if given.as_ref().is_some_and(|given| given.chars().count() < password::SHORTEST) {
        return Err(Misuse(format!("{VARIABLE} is too short: a password has at least {} characters", password::SHORTEST)).into());
    }
    let made_up = given.is_none();
    let password = given.unwrap_or_else(|| fresh_password(&SystemEntropy));
    let admins = password.clone();
    let installed = store.write::<_, Refused>(move |db| {
        if !install::default_data(db)? {
            return Ok(false);
        }
        let account = NewAccount {
            id: None,
            login: "admin",
            firstname: "Quarry",
            lastname: "Admin",
            mail: "admin@example.net",
            password: &admins,
            admin: true,
            status: UserStatus::Active,
        };
        accounts::add(db, &account, &SystemClock, &SystemEntropy)?;
        Ok(true)
    })?;
    if installed && made_up {
        writeln!(out, "the administrator is admin with the password {password}")?;
        writeln!(out, "it is not shown again; `quarry user password admin` makes another one")?;
    }
    Ok(())
}

/// A fresh password: 20 letters and digits, 100 bits.
pub fn fresh_password(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 20];
    entropy.fill(&mut bytes);
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_passwords_are_long_and_differ() {
        let (one, other) = (fresh_password(&SystemEntropy), fresh_password(&SystemEntropy));
        assert_eq!(one.len(), 20);
        assert_ne!(one, other);
    }

    #[test]
    fn an_empty_store_gets_an_administrator_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        install(&store, &Environment::default(), &mut first).unwrap();
        install(&store, &Environment::default(), &mut second).unwrap();
        assert!(String::from_utf8(first).unwrap().starts_with("the administrator is admin with the password "));
        assert!(second.is_empty());
        let catalogue = store.catalogue().unwrap();
        assert!(catalogue.user_by_login("admin").is_some_and(|user| user.admin));
        assert_eq!(catalogue.roles.len(), 5);
        store.close();
    }

    #[test]
    fn a_short_password_is_refused_before_anything_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let environment = Environment::of([(VARIABLE.into(), "short".into())]).unwrap();
        assert!(install(&store, &environment, &mut Vec::new()).unwrap_err().to_string().contains("at least 8"));
        assert!(store.catalogue().unwrap().roles.is_empty());
        store.close();
    }
}

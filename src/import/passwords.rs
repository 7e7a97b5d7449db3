//! Passwords that an earlier version took over as the salted SHA-1 that they were: hashed with argon2 afterwards.
//!
//! That version also kept digests of rows with the hash in them, from which a password can be guessed as fast as from the hash. They
//! are replaced by those of [`Noun::source_digest`](super::noun::Noun::source_digest).

use super::noun::Noun;
use super::nouns::PASSWORDS;
use crate::domain::clock::SystemEntropy;
use crate::domain::ids::UserId;
use crate::domain::password;
use crate::store::imported::{self, Remembered};
use crate::store::{Store, StoreError, Write, users};

/// What that version remembered passwords under.
const FORMER_LABEL: &str = "users (sign-in)";

/// Wraps every password that is not wrapped yet, one transaction each, as long as `go_on` says so; how many were.
pub fn wrap_passwords(store: &Store, go_on: &dyn Fn() -> bool) -> Result<usize, StoreError> {
    let (mut waiting, remembered) = store.read(|db| -> Result<_, StoreError> {
        Ok((users::with_hash_like(db, password::REDMINE)?, imported::remembered(db, FORMER_LABEL)?))
    })?;
    waiting.extend(remembered.into_keys().map(UserId));
    waiting.sort_unstable();
    waiting.dedup();
    let mut wrapped = 0;
    for user in waiting.into_iter().take_while(|_| go_on()) {
        let old = store.read(|db| users::password_hash(db, user))?;
        let new = password::wrap(&old, &SystemEntropy).map_err(|error| StoreError::Secret(error.to_string()))?;
        wrapped += usize::from(new != old);
        store.write(move |db| wrap(db, user, &old, &new))?;
    }
    Ok(wrapped)
}

fn wrap(db: &mut Write<'_>, user: UserId, old: &str, new: &str) -> Result<(), StoreError> {
    let noun: &Noun = &PASSWORDS;
    let (target, former) = (noun.target(), imported::find_remembered(db, FORMER_LABEL, user.0)?);
    let before = imported::find(db, &target, user.0)?;
    // Somebody who has logged in meanwhile has a better one.
    users::replace_hash(db, user, old, new)?;
    let Some(former) = former else { return Ok(()) };
    let is_as_imported = former.ours == imported::digest(&before);
    let remembered = match is_as_imported {
        true => Remembered { source: noun.source_digest(&before), ours: imported::digest(&imported::find(db, &target, user.0)?) },
        false => Remembered::UNKNOWN,
    };
    imported::remember(db, noun.label, user.0, remembered)?;
    imported::forget(db, FORMER_LABEL, user.0)
}

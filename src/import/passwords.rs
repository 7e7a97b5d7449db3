//! Wraps the salted SHA-1 hashes that an earlier version imported unchanged in argon2.
//!
//! That version also stored digests of rows that include the hash, which allow guessing a password
//! as fast as the hash does. They are replaced by
//! [`TableMapping::source_digest`](super::table_mapping::TableMapping::source_digest).

use super::table_mapping::TableMapping;
use super::tables::PASSWORDS;
use crate::domain::clock::SystemEntropy;
use crate::domain::ids::UserId;
use crate::domain::password;
use crate::store::imported::{self, RowDigests};
use crate::store::{Store, StoreError, Write, users};

/// Label under which that version stored the digests of passwords.
const FORMER_LABEL: &str = "users (sign-in)";

/// Wraps every password that is not wrapped yet, one transaction each, while `should_continue`
/// returns `true`. Returns their number.
pub fn wrap_passwords(
    store: &Store,
    should_continue: &dyn Fn() -> bool,
) -> Result<usize, StoreError> {
    let (mut waiting, digests) = store.read(|db| -> Result<_, StoreError> {
        Ok((
            users::list_by_hash_prefix(db, password::REDMINE_PREFIX)?,
            imported::list_digests(db, FORMER_LABEL)?,
        ))
    })?;
    waiting.extend(digests.into_keys().map(UserId));
    waiting.sort_unstable();
    waiting.dedup();
    let mut wrapped = 0;
    for user in waiting.into_iter().take_while(|_| should_continue()) {
        let old = store.read(|db| users::password_hash(db, user))?;
        let new = password::wrap(&old, &SystemEntropy)
            .map_err(|error| StoreError::Secret(error.to_string()))?;
        wrapped += usize::from(new != old);
        store.write(move |db| wrap(db, user, &old, &new))?;
    }
    Ok(wrapped)
}

fn wrap(db: &mut Write<'_>, user: UserId, old: &str, new: &str) -> Result<(), StoreError> {
    let mapping: &TableMapping = &PASSWORDS;
    let target = mapping.target();
    let former = imported::find_digests(db, FORMER_LABEL, user.0)?;
    let before = imported::find(db, &target, user.0)?;
    // No effect when the user has logged in meanwhile, which has stored a better hash.
    users::replace_hash(db, user, old, new)?;
    let Some(former) = former else { return Ok(()) };
    let is_as_imported = former.ours == imported::digest(&before);
    let digests = match is_as_imported {
        true => RowDigests {
            source: mapping.source_digest(&before),
            ours: imported::digest(&imported::find(db, &target, user.0)?),
        },
        false => RowDigests::UNKNOWN,
    };
    imported::set_digests(db, mapping.label, user.0, digests)?;
    imported::delete_digests(db, FORMER_LABEL, user.0)
}
